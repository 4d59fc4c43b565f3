// Nodes that no inner loop waits for: names, lists, functions, definitions, `try`, history.

#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/evaluation/history.hpp"
#include "core/lang/evaluation/sequence.hpp"
#include "core/lang/syntax/reader.hpp"
#include "core/lang/value/music.hpp"

namespace fermata {

namespace {
/// Of one definition.
constexpr std::size_t longest_source = 50'000'000;

/// What may stand behind an option, with a blank before it; nothing where nothing must.
std::string sample_value(const param& p) {
  if (p.kind == param_kind::flag || !p.default_text.empty()) return {};
  if (!p.choices.empty()) return " " + p.choices.front();
  auto is_line = p.doc.find("start") != std::string::npos;
  return is_line ? " start" : " ...";
}
}  // namespace

status evaluation_state::eval_global(const global_node& n, frame& f, value& out) {
  auto& c = *f.links[n.link];
  if (c.bound) {
    out = c.v;
    return status::done;
  }
  if (c.failed) {
    failure = {};
    return status::failed;
  }
  if (!n.fallback.is_nil()) {
    out = n.fallback;
    return status::done;
  }
  auto& name = f.code->unit->globals[n.link];
  if (looks_like_interval(name))
    return fail_with(errc::invalid_interval, "`" + name + "` is not an interval", span_in(n, f),
                     std::string{which_intervals});
  // (fermata), (staccato): what a note has stands in the note.
  auto note = n.is_head ? find_form("note") : nullptr;
  auto near = suggestion(name);
  auto option = note ? find_option(*note, name) : std::nullopt;
  std::string hint = option ? "write it as an option of a note: (note c4 :q :" + name +
                                  sample_value(note->params[*option]) + ")"
                     : near      ? "did you mean `" + *near + "`?"
                     : n.is_head ? "`fermata show forms` lists all forms"
                                 : "define it first: (def " + name + " ...)";
  return fail_with(n.is_head ? errc::unknown_form : errc::unknown_name,
                   n.is_head ? "unknown form or function `" + name + "`"
                             : "`" + name + "` is not defined",
                   span_in(n, f), std::move(hint));
}

status evaluation_state::eval_number_slowly(const number_node& n, const value& left,
                                            const value& right, frame& f, value& out) {
  argument args[]{{left, span_in(*n.left, f)}, {right, span_in(*n.right, f)}};
  auto s = call_builtin(*n.form, args, span_in(n, f), out);
  return s == status::done ? s : located(n, f);
}

status evaluation_state::eval_list(const list_node& n, frame& f, value& out) {
  std::vector<value> items;
  items.reserve(n.items.size());
  for (std::size_t i = 0; i < n.items.size(); ++i) {
    value item;
    if (eval(*n.items[i], f, item) != status::done) return status::failed;
    if (n.what == op::build_quasi && n.splice[i]) {
      auto spliced = item.as_list();
      if (spliced == nullptr)
        return fail_with(errc::wrong_type, "`,@` needs a list, not " + describe(item),
                         span_in(*n.items[i], f));
      items.insert(items.end(), spliced->items.begin(), spliced->items.end());
    } else {
      items.push_back(std::move(item));
    }
  }
  if (!produced(items.size())) return located(n, f);
  out = value::list(std::move(items), n.what == op::build_quasi && n.bracketed);
  auto s = check_nesting(out, span_in(n, f));
  return s == status::done ? s : located(n, f);
}

status evaluation_state::make_function(const make_function_node& n, frame& f, value& out) {
  auto c = std::make_shared<callable>();
  c->what = n.is_macro ? callable::kind::macro : callable::kind::closure;
  c->name = n.code->name;
  c->code = n.code;
  c->held.reserve(n.code->captures.size());
  for (auto& captured : n.code->captures)
    switch (captured.where) {
      case op::local: c->held.push_back(f.slots[captured.index]); break;
      case op::captured: c->held.push_back(f.self->held[captured.index]); break;
      default: c->held.push_back(value::of(f.self->shared_from_this())); break;
    }
  if (!produced(1 + c->held.size())) return located(n, f);
  out = value::of(std::move(c));
  auto s = check_nesting(out, span_in(n, f));
  return s == status::done ? s : located(n, f);
}

status evaluation_state::eval_define(const define_node& n, frame& f, value& out) {
  std::vector<value> values(n.values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (eval(*n.values[i], f, values[i]) != status::done) return status::failed;
  auto& name = f.code->unit->globals[n.link];
  value bound;
  if (values.size() == 1) {
    bound = std::move(values[0]);
  } else if (auto seq = seq_of(values)) {
    bound = std::move(*seq);
  } else {
    return fail_with(errc::wrong_argument_count,
                     "`" + name + "` was given several values that are not all music",
                     span_in(n, f),
                     "several notes become a seq; for a list, write (def " + name + " (list ...))");
  }
  if (size_of(bound) > largest_value)
    return fail_with(errc::budget_exceeded, "the value of `" + name + "` is too large",
                     span_in(n, f), "nothing was changed");
  // A definition made by a macro has the span of the macro call; it is kept as what it became.
  auto printed = print_within(n.source, longest_source);
  if (!printed) {
    over_budget("produced a definition longer than " + std::to_string(longest_source) + " bytes");
    return located(n, f);
  }
  std::string source = is_here(f) && n.span.end <= text->size() && n.span.begin < n.span.end
                           ? text->substr(n.span.begin, n.span.end - n.span.begin)
                           : *printed;
  if (auto again = read(source);
      !again.complete() || again.forms.size() != 1 || !(again.forms[0].datum == n.source))
    source = *printed;
  auto& c = *f.links[n.link];
  if (c.bound) replaced_.push_back(std::move(c.v));
  c.v = std::move(bound);
  c.bound = true;
  c.failed = false;
  definitions.push_back({name, std::move(source)});
  out = value::sym(name);
  return status::done;
}

status evaluation_state::eval_attempt(const attempt_node& n, frame& f, value& out) {
  auto base = stack_.position();
  auto depth = depth_;
  if (eval(*n.body, f, out) == status::done) return status::done;
  if (failure.diagnostics.empty()) return status::failed;
  auto code = failure.first().code;
  if (code == errc::budget_exceeded || code == errc::cancelled) return status::failed;
  stack_.release(base);
  depth_ = depth;
  auto caught = value::of(std::exchange(failure, {}));
  if (!n.handler) {
    out = std::move(caught);
    return status::done;
  }
  value handler;
  if (eval(*n.handler, f, handler) != status::done) return status::failed;
  if (!handler.get_if<callable_ptr>()) {
    out = std::move(handler);
    return status::done;
  }
  auto s = call_any(handler, std::span{&caught, 1}, span_in(*n.handler, f), out);
  return s == status::done ? s : located(n, f);
}

status evaluation_state::eval_history(const history_node& n, frame& f, value& out) {
  auto r = resolve_history(n.text, request);
  if (!r) {
    failure = std::move(r.error());
    failure.diagnostics.front().span = span_in(n, f);
    return located(n, f);
  }
  out = std::move(*r);
  auto s = check_nesting(out, span_in(n, f));
  return s == status::done ? s : located(n, f);
}

status evaluation_state::eval_expand(const expand_node& n, frame& f, value& out) {
  value v;
  if (eval(*n.item, f, v) != status::done) return status::failed;
  auto m = v.as_music();
  if (m == nullptr) {
    out = std::move(v);
    return status::done;
  }
  auto again = read(print(*m));
  if (again.forms.size() != 1)
    return fail_with(errc::internal, "internal error: the printed music cannot be read back",
                     span_in(n, f));
  out = again.forms[0].datum;
  return status::done;
}

}  // namespace fermata
