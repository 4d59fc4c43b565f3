#include "core/lang/evaluation_state.hpp"

#include "core/lang/bind.hpp"
#include "core/lang/history.hpp"
#include "core/lang/music.hpp"
#include "core/lang/number.hpp"
#include "core/lang/reader.hpp"
#include "core/lang/sequence.hpp"

#include <algorithm>
#include <new>

namespace fermata {

namespace {

/// How far the machine stack may grow below the start of an evaluation. Threads have 8 MiB on
/// Linux; the rest is room for one handler and for code without calls.
constexpr std::ptrdiff_t machine_stack = 4 << 20;

/// How often `interrupted` is asked, in steps.
constexpr std::uint64_t steps_between_checks = 4096;

constexpr std::size_t most_errors = 20;

}  // namespace

void variable_stack::next_block(std::size_t n) {
  auto next = blocks_.empty() ? 0 : block_ + 1;
  if (next == blocks_.size() || blocks_[next].size < n) {
    auto size = std::max<std::size_t>(n, std::min<std::size_t>(512u << next, 1u << 16));
    blocks_.resize(next);
    blocks_.push_back({std::make_unique<value[]>(size), size, 0});
  }
  blocks_[next].used_below = used_;
  block_ = next;
  used_ = 0;
}

void variable_stack::release_blocks(mark m) {
  if (blocks_.empty()) return;
  for (; block_ > m.block; --block_) {
    drop(blocks_[block_].values.get(), blocks_[block_].values.get() + used_);
    used_ = blocks_[block_].used_below;
  }
  drop(blocks_[block_].values.get() + m.used, blocks_[block_].values.get() + used_);
  used_ = m.used;
}

evaluation_state::evaluation_state(const evaluation_request& r)
  : request(r), score(r.score), text(std::make_shared<const std::string>(r.text)) {
  if (r.env) {
    env.cursor = r.env->cursor;
    env.defaults = r.env->defaults;
    env.key_inference = r.env->key_inference;
    env.scratch = r.env->scratch;
  }
  auto here = static_cast<const char*>(__builtin_frame_address(0));
  stack_end_ = here - machine_stack;
  next_check_ = std::min(steps_between_checks, request.budget.steps);
}

// --- names ---------------------------------------------------------------------------------------

global_cell& evaluation_state::cell(const std::string& name) {
  auto [at, added] = cells_.try_emplace(name);
  if (added && request.env)
    if (auto b = request.env->bindings.find(name); b != request.env->bindings.end())
      at->second = {b->second.bound, true, false};
  return at->second;
}

const global_cell* evaluation_state::find_cell(const std::string& name) {
  auto& c = cell(name);
  return c.bound ? &c : nullptr;
}

std::vector<std::string_view> evaluation_state::bound_names() const {
  std::vector<std::string_view> names;
  if (request.env)
    for (auto& [name, b] : request.env->bindings)
      names.push_back(name);
  for (auto& [name, c] : cells_)
    if (c.bound) names.push_back(name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::optional<std::string> evaluation_state::suggestion(std::string_view name) const {
  auto candidates = bound_names();
  // Of two names that are equally near, the musical one was meant.
  auto is_plain = [](const form_spec& row) {
    constexpr std::string_view plain[] = {"core", "number", "list", "function",
                                          "text", "kind",   "help"};
    return std::find(std::begin(plain), std::end(plain), row.category) != std::end(plain);
  };
  for (bool wanted : {false, true})
    for (auto& row : form_table())
      if (is_plain(row) == wanted) {
        candidates.push_back(row.name);
        candidates.insert(candidates.end(), row.aliases.begin(), row.aliases.end());
      }
  return nearest(name, candidates);
}

global_cell* const* evaluation_state::find_links(const code_unit& unit) {
  auto [found, fresh] = links_.try_emplace(&unit);
  auto& links = found->second;
  // Kept even without names: another unit at the same address would be taken for this one.
  if (fresh) units_.push_back(unit.shared_from_this());
  if (links.size() < unit.globals.size()) {
    for (auto i = links.size(); i < unit.globals.size(); ++i)
      links.push_back(&cell(unit.globals[i]));
  }
  last_unit_ = &unit;
  return last_links_ = links.data();
}

// --- errors --------------------------------------------------------------------------------------

status evaluation_state::fail_with(errc code, std::string message, std::optional<source_span> at,
                                   std::string hint) {
  failure = error{code, std::move(message), at, std::move(hint)};
  return status::failed;
}

source_span evaluation_state::span_in(const node& n, const frame& f) const {
  return is_here(f) ? n.span : elsewhere;
}

status evaluation_state::located(const node& n, const frame& f, std::string_view in) {
  bool here = is_here(f);
  for (auto& d : failure.diagnostics) {
    if (d.span && d.span->begin == elsewhere.begin) d.span.reset();
    if (!d.span && here) {
      d.span = n.span;
      if (!in.empty()) d.message = "in `" + std::string{in} + "`: " + d.message;
    }
  }
  return status::failed;
}

// --- the budget ----------------------------------------------------------------------------------

status evaluation_state::over_budget(std::string_view what) {
  return fail_with(errc::budget_exceeded,
                   "the evaluation " + std::string{what} + "; nothing was changed", std::nullopt,
                   "look for a loop or recursion that does not end");
}

bool evaluation_state::check_budget() {
  if (steps_ >= request.budget.steps) {
    over_budget("took more than " + std::to_string(request.budget.steps) + " steps");
    return false;
  }
  if (request.interrupted)
    if (auto why = request.interrupted()) {
      if (*why == errc::cancelled)
        fail_with(errc::cancelled, "the evaluation was interrupted; nothing was changed",
                  std::nullopt);
      else
        over_budget("took too long");
      return false;
    }
  next_check_ = std::min(steps_ + steps_between_checks, request.budget.steps);
  return true;
}

bool evaluation_state::too_deep() {
  over_budget("went more than " + std::to_string(depth_ - 1) + " calls deep");
  return false;
}

result<void> evaluation_state::produced(std::size_t n) {
  elements_ += std::min<std::uint64_t>(n, request.budget.elements + 1);
  // Producing costs time too.
  steps_ += n / 16;
  if (elements_ > request.budget.elements) {
    over_budget("made more than " + std::to_string(request.budget.elements) +
                " list items or notes");
    return fermata::fail(failure);
  }
  if (steps_ >= next_check_ && !check_budget()) return fermata::fail(failure);
  return {};
}

result<void> evaluation_state::produced_bytes(std::size_t n) {
  bytes_ += std::min<std::uint64_t>(n, request.budget.bytes + 1);
  if (bytes_ > request.budget.bytes) {
    over_budget("made more than " + std::to_string(request.budget.bytes) + " bytes of text");
    return fermata::fail(failure);
  }
  return {};
}

// --- operands ---------------------------------------------------------------------------------

/// The variable or constant itself, without the detour through `operand`.
static inline const value* at_hand(const node& n, const frame& f) {
  if (n.what == op::local) return &f.slots[static_cast<const variable_node&>(n).index];
  if (n.what == op::constant) return &static_cast<const constant_node&>(n).v;
  return nullptr;
}

inline const value* evaluation_state::operand(const node& n, frame& f, value& room) {
  auto s = status::done;
  switch (n.what) {
    case op::constant: return &static_cast<const constant_node&>(n).v;
    case op::local: return &f.slots[static_cast<const variable_node&>(n).index];
    case op::captured: return &f.self->held[static_cast<const variable_node&>(n).index];
    case op::self: return &room;  // the caller looks at the frame instead
    case op::global:
      if (auto& c = *f.links[static_cast<const global_node&>(n).link]; c.bound) [[likely]]
        return &c.v;
      s = eval_global(static_cast<const global_node&>(n), f, room);
      break;
    case op::arithmetic: s = eval_number(static_cast<const number_node&>(n), f, room); break;
    case op::call_value: s = eval_call(static_cast<const call_value_node&>(n), f, room); break;
    default: s = eval(n, f, room); break;
  }
  return s == status::done ? &room : nullptr;
}

inline status evaluation_state::eval_compare(const number_node& n, frame& f, bool& out) {
  value left_room, right_room;
  auto left = at_hand(*n.left, f);
  if (left == nullptr && (left = operand(*n.left, f, left_room)) == nullptr) return status::failed;
  auto right = at_hand(*n.right, f);
  if (right == nullptr && (right = operand(*n.right, f, right_room)) == nullptr)
    return status::failed;
  auto a = left->as_number();
  auto b = right->as_number();
  if (a != nullptr && b != nullptr && a->is_integer() && b->is_integer()) [[likely]] {
    auto x = a->numerator();
    auto y = b->numerator();
    switch (n.operation) {
      case number_op::less: out = x < y; return status::done;
      case number_op::less_equal: out = x <= y; return status::done;
      case number_op::greater: out = x > y; return status::done;
      case number_op::greater_equal: out = x >= y; return status::done;
      default: out = x == y; return status::done;
    }
  }
  value result;
  if (eval_number_slowly(n, *left, *right, f, result) != status::done) return status::failed;
  out = result.is_true();
  return status::done;
}

inline status evaluation_state::truth(const node& n, frame& f, bool& out) {
  if (n.what == op::compare) return eval_compare(static_cast<const number_node&>(n), f, out);
  value room;
  auto v = operand(n, f, room);
  if (n.what == op::self) {
    out = true;
    return status::done;
  }
  if (v == nullptr) return status::failed;
  out = v->is_true();
  return status::done;
}

// --- calls ---------------------------------------------------------------------------------------

status evaluation_state::wrong_count(const callable& closure, std::size_t given,
                                     std::optional<source_span> at) {
  auto& code = *closure.code;
  auto wanted = code.params.size() - (code.has_rest ? 1 : 0);
  auto name = closure.name.empty() ? std::string{"the function"} : "`" + closure.name + "`";
  std::string shape = "(" + (closure.name.empty() ? std::string{"fn"} : closure.name);
  for (std::size_t i = 0; i < code.params.size(); ++i)
    shape += (code.has_rest && i + 1 == code.params.size() ? " & " : " ") + code.params[i];
  return fail_with(errc::wrong_argument_count,
                   name + " takes " + (code.has_rest ? "at least " : "") + std::to_string(wanted) +
                       (wanted == 1 ? " argument" : " arguments") + ", not " +
                       std::to_string(given),
                   at, "usage: " + shape + ")");
}

bool evaluation_state::take_arguments(const callable& closure, std::span<const value> args,
                                      value* slots, source_span at) {
  auto& code = *closure.code;
  auto plain = code.params.size() - (code.has_rest ? 1 : 0);
  if (args.size() < plain || (args.size() > plain && !code.has_rest)) {
    wrong_count(closure, args.size(), at);
    return false;
  }
  std::copy_n(args.begin(), plain, slots);
  if (code.has_rest)
    slots[plain] = value::list({args.begin() + static_cast<std::ptrdiff_t>(plain), args.end()});
  return true;
}

/// Runs a closure whose arguments are in `slots`.
inline status evaluation_state::invoke(const callable& closure, value* slots,
                                       variable_stack::mark base, value& out) {
  auto s = status::failed;
  if (enter()) [[likely]] {
    frame f{slots, &closure, closure.code.get(), links_of(*closure.code->unit)};
    s = eval(*f.code->body, f, out);
    if (s == status::tail) s = finish_tail_calls(base, out);
  }
  leave();
  return s;
}

/// Calls in tail position take the place of their caller, so loops written as recursion run in
/// constant space (R7RS 3.5).
status evaluation_state::finish_tail_calls(variable_stack::mark base, value& out) {
  value kept;
  value few[8];
  std::vector<value> many;
  auto s = status::tail;
  while (s == status::tail) {
    auto* closure = next_call.closure;
    kept = std::move(next_call.kept);
    if (!step()) return status::failed;
    // The prepared frame lies above this one; it moves down.
    auto& code = *closure->code;
    auto n = code.params.size();
    auto* held = few;
    if (n > std::size(few)) {
      many.resize(n);
      held = many.data();
    }
    std::move(next_call.slots, next_call.slots + n, held);
    stack_.release(base);
    auto* slots = stack_.push(code.slots);
    std::move(held, held + n, slots);
    frame f{slots, closure, &code, links_of(*code.unit)};
    s = eval(*code.body, f, out);
  }
  return s;
}

/// The common call, of a function defined at top level, kept short; all else is `eval_any_call`.
status evaluation_state::eval_call(const call_value_node& n, frame& f, value& out) {
  if (n.callee->what != op::global || n.tail) return eval_any_call(n, f, out);
  auto& cell = *f.links[static_cast<const global_node&>(*n.callee).link];
  auto c = cell.v.get_if<callable_ptr>();
  if (c == nullptr || (*c)->what != callable::kind::closure || (*c)->code->has_rest ||
      (*c)->code->params.size() != n.args.size())
    return eval_any_call(n, f, out);
  auto& closure = **c;
  auto base = stack_.position();
  auto* slots = stack_.push(closure.code->slots);
  auto s = status::done;
  for (std::size_t i = 0; i < n.args.size() && s == status::done; ++i)
    s = eval(*n.args[i], f, slots[i]);
  if (s == status::done) {
    s = invoke(closure, slots, base, out);
    if (s != status::done) [[unlikely]]
      located(n, f, closure.name);
  }
  stack_.release(base);
  return s;
}

status evaluation_state::eval_any_call(const call_value_node& n, frame& f, value& out) {
  // The callee stays alive in its variable or cell; only a computed one has to be kept.
  value computed;
  const auto* callee = operand(*n.callee, f, computed);
  const callable* fn = nullptr;
  if (n.callee->what == op::self)
    fn = f.self;
  else if (callee == nullptr)
    return status::failed;
  else if (auto c = callee->get_if<callable_ptr>())
    fn = c->get();
  if (fn == nullptr)
    return fail_with(errc::not_callable, describe(*callee) + " cannot be called",
                     span_in(*n.callee, f), "for a list of values write (list ...) or [...]");

  if (fn->what != callable::kind::closure) {
    std::vector<value> args(n.args.size());
    for (std::size_t i = 0; i < args.size(); ++i)
      if (eval(*n.args[i], f, args[i]) != status::done) return status::failed;
    auto s = call_any(*callee, args, span_in(n, f), out);
    return s == status::done ? s : located(n, f);
  }

  auto& code = *fn->code;
  auto plain = code.params.size() - (code.has_rest ? 1 : 0);
  if (n.args.size() != plain && (n.args.size() < plain || !code.has_rest))
    return wrong_count(*fn, n.args.size(), span_in(n, f));
  auto base = stack_.position();
  auto* slots = stack_.push(std::max<std::size_t>(code.slots, n.args.size()));
  auto give_back = [&](status s) {
    stack_.release(base);
    return s;
  };
  if (!code.has_rest) {
    for (std::size_t i = 0; i < plain; ++i)
      if (eval(*n.args[i], f, slots[i]) != status::done) return give_back(status::failed);
  } else {
    std::vector<value> args(n.args.size());
    for (std::size_t i = 0; i < args.size(); ++i)
      if (eval(*n.args[i], f, args[i]) != status::done) return give_back(status::failed);
    take_arguments(*fn, args, slots, span_in(n, f));
  }
  if (n.tail) {
    next_call.closure = fn;
    // A variable of the frame that ends here is no longer there during the call.
    next_call.kept = n.callee->what == op::global ? value{}
                     : n.callee->what == op::self ? value::of(f.self->shared_from_this())
                                                  : *callee;
    next_call.slots = slots;
    return status::tail;
  }
  auto s = invoke(*fn, slots, base, out);
  stack_.release(base);
  return s == status::done ? s : located(n, f, fn->name);
}

status evaluation_state::eval_form(const call_form_node& n, frame& f, value& out) {
  std::vector<argument> args;
  args.reserve(n.args.size());
  error faults;
  for (auto& a : n.args) {
    argument arg{{}, span_in(*a.code, f), a.form, a.datum, true};
    if (a.form == argument_form::word && a.code->what == op::global) {
      auto& g = static_cast<const global_node&>(*a.code);
      auto& c = *f.links[g.link];
      arg.bound = c.bound;
      if (c.bound)
        arg.v = c.v;
      else if (c.failed)
        return eval_global(g, f, arg.v);
      else
        arg.v = g.fallback;
    } else if (a.form == argument_form::form_word && a.code->what == op::constant) {
      arg.bound = false;  // a special form: a word or nothing
    } else if (eval(*a.code, f, arg.v) != status::done) {
      // Faults of other arguments are independent of this one, unless there is no time to look.
      if (failure.diagnostics.empty() || failure.first().code == errc::cancelled ||
          failure.first().code == errc::budget_exceeded)
        return status::failed;
      for (auto& d : failure.diagnostics)
        if (faults.diagnostics.size() < most_errors) faults.diagnostics.push_back(std::move(d));
    }
    args.push_back(std::move(arg));
  }
  if (!faults.diagnostics.empty()) {
    failure = std::move(faults);
    return status::failed;
  }
  auto s = call_builtin(*n.form, std::move(args), span_in(n, f), out);
  return s == status::done ? s : located(n, f);
}

status evaluation_state::call_builtin(const form_spec& form, std::vector<argument>&& args,
                                      source_span at, value& out) {
  if (form.handler == nullptr)
    return fail_with(errc::not_callable,
                     "`" + form.name + "` is a special form and cannot be passed on", at);
  if (!enter()) {
    leave();
    return status::failed;
  }
  call c{form, *this, at};
  auto s = status::done;
  if (auto good = bind_arguments(c, args); !good) {
    failure = std::move(good.error());
    s = status::failed;
  } else {
    // Exact numbers refuse what does not fit by throwing (core/music/rational.hpp).
    try {
      auto r = form.handler(c);
      if (r) {
        out = std::move(*r);
      } else {
        failure = std::move(r.error());
        s = status::failed;
      }
    } catch (const rational_overflow&) {
      s = fail_with(errc::number_too_large, form.name + ": a number became too large to be exact",
                    at);
    } catch (const std::domain_error&) {
      s = fail_with(errc::division_by_zero, form.name + ": division by zero", at);
    } catch (const std::bad_alloc&) {
      s = over_budget("needs more memory than there is");
    }
  }
  leave();
  return s;
}

status evaluation_state::call_any(const value& function, std::span<const value> args,
                                  source_span at, value& out) {
  auto p = function.get_if<callable_ptr>();
  if (p == nullptr)
    return fail_with(errc::not_callable, describe(function) + " cannot be called", at);
  auto& c = **p;
  switch (c.what) {
    case callable::kind::builtin: {
      std::vector<argument> bound;
      bound.reserve(args.size());
      for (auto& a : args)
        bound.push_back({a, at, argument_form::computed, {}, true});
      return call_builtin(*c.form, std::move(bound), at, out);
    }
    case callable::kind::macro:
      return fail_with(errc::not_callable, "the macro `" + c.name + "` is no function", at,
                       "define a macro before the code that uses it");
    case callable::kind::partial: {
      std::vector<value> all{c.held.begin() + 1, c.held.end()};
      all.insert(all.end(), args.begin(), args.end());
      if (!enter()) {
        leave();
        return status::failed;
      }
      auto s = call_any(c.held.front(), all, at, out);
      leave();
      return s;
    }
    case callable::kind::composed: {
      if (!enter()) {
        leave();
        return status::failed;
      }
      auto s = call_any(c.held.back(), args, at, out);
      for (auto i = c.held.size() - 1; i-- > 0 && s == status::done;) {
        value between = std::move(out);
        s = call_any(c.held[i], std::span{&between, 1}, at, out);
      }
      leave();
      return s;
    }
    case callable::kind::closure: break;
  }
  auto base = stack_.position();
  auto* slots = stack_.push(c.code->slots);
  auto s = status::failed;
  if (take_arguments(c, args, slots, at)) s = invoke(c, slots, base, out);
  stack_.release(base);
  if (s == status::failed && !c.name.empty() && at.begin != elsewhere.begin)
    for (auto& d : failure.diagnostics)
      if (!d.span || d.span->begin == elsewhere.begin) {
        d.span = at;
        d.message = "in `" + c.name + "`: " + d.message;
      }
  return s;
}

result<value> evaluation_state::apply(const value& function, std::span<const value> args,
                                      source_span at) {
  value out;
  if (call_any(function, args, at, out) != status::done) return fermata::fail(failure);
  return out;
}

result<value> evaluation_state::expand_macro(const callable& macro, std::span<const value> args,
                                             source_span at) {
  value out;
  auto base = stack_.position();
  auto* slots = stack_.push(macro.code->slots);
  auto s = status::failed;
  if (take_arguments(macro, args, slots, at)) s = invoke(macro, slots, base, out);
  stack_.release(base);
  auto before = std::exchange(failure, {});
  if (s == status::done) {
    failure = std::move(before);
    return out;
  }
  std::swap(failure, before);
  for (auto& d : before.diagnostics) {
    if (!d.span || d.span->begin == elsewhere.begin) d.span = at;
    d.message = "while expanding `" + macro.name + "`: " + d.message;
  }
  return fermata::fail(std::move(before));
}

result<value> evaluation_state::run(const std::shared_ptr<const function_code>& code) {
  auto base = stack_.position();
  frame f{stack_.push(code->slots), nullptr, code.get(), links_of(*code->unit)};
  value out;
  auto s = eval(*code->body, f, out);
  stack_.release(base);
  if (s != status::done) {
    located(*code->body, f);
    return fermata::fail(std::move(failure));
  }
  return out;
}

// --- evaluation ----------------------------------------------------------------------------------

status evaluation_state::eval(const node& start, frame& f, value& out) {
  for (auto* n = &start;;) {
    switch (n->what) {
      case op::constant: out = static_cast<const constant_node*>(n)->v; return status::done;
      case op::local: {
        auto& v = f.slots[static_cast<const variable_node*>(n)->index];
        if (auto r = v.as_number())
          out.become(*r);
        else
          out = v;
        return status::done;
      }
      case op::captured:
        out = f.self->held[static_cast<const variable_node*>(n)->index];
        return status::done;
      case op::self: out = value::of(f.self->shared_from_this()); return status::done;
      case op::global: return eval_global(static_cast<const global_node&>(*n), f, out);
      case op::form_value: out = static_cast<const form_value_node*>(n)->v; return status::done;
      case op::history: return eval_history(static_cast<const history_node&>(*n), f, out);
      case op::branch: {
        auto& b = static_cast<const branch_node&>(*n);
        bool yes = false;
        if (truth(*b.test, f, yes) != status::done) return status::failed;
        n = yes ? b.yes.get() : b.no.get();
        if (n == nullptr) {
          out = value{};
          return status::done;
        }
        continue;
      }
      case op::choose: {
        auto& c = static_cast<const choose_node&>(*n);
        n = nullptr;
        for (auto& [test, body] : c.clauses) {
          bool yes = false;
          if (truth(*test, f, yes) != status::done) return status::failed;
          if (yes) {
            n = body.get();
            break;
          }
        }
        if (n == nullptr) {
          out = value{};
          return status::done;
        }
        continue;
      }
      case op::both:
      case op::either: {
        auto& items = static_cast<const sequence_node*>(n)->items;
        bool decided = false;
        for (std::size_t i = 0; i + 1 < items.size() && !decided; ++i) {
          if (eval(*items[i], f, out) != status::done) return status::failed;
          decided = out.is_true() == (n->what == op::either);
        }
        if (decided) return status::done;
        n = items.back().get();
        continue;
      }
      case op::negate: {
        bool yes = false;
        if (truth(*static_cast<const negate_node*>(n)->item, f, yes) != status::done)
          return status::failed;
        out = value::of(!yes);
        return status::done;
      }
      case op::sequence: {
        auto& items = static_cast<const sequence_node*>(n)->items;
        for (std::size_t i = 0; i + 1 < items.size(); ++i)
          if (eval(*items[i], f, out) != status::done) return status::failed;
        n = items.back().get();
        continue;
      }
      case op::bind_locals: {
        auto& b = static_cast<const bind_locals_node&>(*n);
        for (auto& [slot, init] : b.bindings)
          if (eval(*init, f, f.slots[slot]) != status::done) return status::failed;
        n = b.body.get();
        continue;
      }
      case op::make_function:
        return make_function(static_cast<const make_function_node&>(*n), f, out);
      case op::define: return eval_define(static_cast<const define_node&>(*n), f, out);
      case op::call_value: return eval_call(static_cast<const call_value_node&>(*n), f, out);
      case op::call_form: return eval_form(static_cast<const call_form_node&>(*n), f, out);
      case op::arithmetic: return eval_number(static_cast<const number_node&>(*n), f, out);
      case op::compare: {
        bool yes = false;
        if (eval_compare(static_cast<const number_node&>(*n), f, yes) != status::done)
          return status::failed;
        out = value::of(yes);
        return status::done;
      }
      case op::list_access: return eval_access(static_cast<const list_access_node&>(*n), f, out);
      case op::make_list:
      case op::build_quasi: return eval_list(static_cast<const list_node&>(*n), f, out);
      case op::attempt: return eval_attempt(static_cast<const attempt_node&>(*n), f, out);
      case op::expand_music: return eval_expand(static_cast<const expand_node&>(*n), f, out);
    }
  }
}

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
  auto near = suggestion(name);
  std::string hint = near        ? "did you mean `" + *near + "`?"
                     : n.is_head ? "`fermata show forms` lists all forms"
                                 : "define it first: (def " + name + " ...)";
  return fail_with(n.is_head ? errc::unknown_form : errc::unknown_name,
                   n.is_head ? "there is no form or function `" + name + "`"
                             : "`" + name + "` is not defined",
                   span_in(n, f), std::move(hint));
}

status evaluation_state::eval_number(const number_node& n, frame& f, value& out) {
  value left_room, right_room;
  auto left = at_hand(*n.left, f);
  if (left == nullptr && (left = operand(*n.left, f, left_room)) == nullptr) return status::failed;
  auto right = at_hand(*n.right, f);
  if (right == nullptr && (right = operand(*n.right, f, right_room)) == nullptr)
    return status::failed;
  auto a = left->as_number();
  auto b = right->as_number();
  if (a != nullptr && b != nullptr && a->is_integer() && b->is_integer()) [[likely]] {
    auto x = a->numerator();
    auto y = b->numerator();
    std::int64_t z = 0;
    bool too_large = n.operation == number_op::add        ? __builtin_add_overflow(x, y, &z)
                     : n.operation == number_op::subtract ? __builtin_sub_overflow(x, y, &z)
                                                          : __builtin_mul_overflow(x, y, &z);
    if (!too_large && z != INT64_MIN) [[likely]] {  // which has no negative
      out.become(z);
      return status::done;
    }
  }
  return eval_number_slowly(n, *left, *right, f, out);
}

status evaluation_state::eval_number_slowly(const number_node& n, const value& left,
                                            const value& right, frame& f, value& out) {
  std::vector<argument> args{{left, span_in(*n.left, f)}, {right, span_in(*n.right, f)}};
  auto s = call_builtin(*n.form, std::move(args), span_in(n, f), out);
  return s == status::done ? s : located(n, f);
}

status evaluation_state::eval_access(const list_access_node& n, frame& f, value& out) {
  value room;
  auto v = operand(*n.list, f, room);
  if (v == nullptr) return status::failed;
  if (auto list = v->as_list()) {
    auto& items = list->items;
    switch (n.operation) {
      case access_op::count:
        out = value::of(static_cast<std::int64_t>(items.size()));
        return status::done;
      case access_op::is_empty: out = value::of(items.empty()); return status::done;
      case access_op::head:
        if (!items.empty()) {
          auto first = items.front();
          out = std::move(first);
          return status::done;
        }
        break;
      case access_op::tail: break;
    }
  }
  std::vector<argument> args{{*v, span_in(*n.list, f)}};
  auto s = call_builtin(*n.form, std::move(args), span_in(n, f), out);
  return s == status::done ? s : located(n, f);
}

status evaluation_state::eval_list(const list_node& n, frame& f, value& out) {
  auto data = std::make_shared<list_data>();
  data->bracketed = n.what == op::build_quasi && n.bracketed;
  data->items.reserve(n.items.size());
  for (std::size_t i = 0; i < n.items.size(); ++i) {
    value item;
    if (eval(*n.items[i], f, item) != status::done) return status::failed;
    if (n.what == op::build_quasi && n.splice[i]) {
      auto spliced = item.as_list();
      if (spliced == nullptr)
        return fail_with(errc::wrong_type, "`,@` needs a list, not " + describe(item),
                         span_in(*n.items[i], f));
      data->items.insert(data->items.end(), spliced->items.begin(), spliced->items.end());
    } else {
      data->items.push_back(std::move(item));
    }
  }
  if (!produced(data->items.size())) return located(n, f);
  out = value{value::storage{list_ptr{std::move(data)}}};
  return status::done;
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
  out = value::of(callable_ptr{std::move(c)});
  return status::done;
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
                     "`" + name + "` gets several values, and they are not all music",
                     span_in(n, f),
                     "several notes become a seq; for a list write (def " + name + " (list ...))");
  }
  auto& c = *f.links[n.link];
  if (c.bound) replaced_.push_back(std::move(c.v));
  c.v = std::move(bound);
  c.bound = true;
  c.failed = false;
  std::string source = is_here(f) && n.span.end <= text->size() && n.span.begin < n.span.end
                           ? text->substr(n.span.begin, n.span.end - n.span.begin)
                           : print(n.source);
  // A definition made by a macro has the span of the macro call; it is kept as what it became.
  if (auto again = read(source);
      !again.complete() || again.forms.size() != 1 || !(again.forms[0].datum == n.source))
    source = print(n.source);
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
  return status::done;
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
    return fail_with(errc::internal, "the music printed as text that does not read back",
                     span_in(n, f));
  out = again.forms[0].datum;
  return status::done;
}

}  // namespace fermata
