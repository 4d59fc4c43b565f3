#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/compiler.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/syntax/reader.hpp"
#include "core/music/name_match.hpp"

#include <unordered_map>

namespace fermata {

value meaning_of_word(std::string_view word) {
  if (auto i = parse_interval(word)) return value::of(*i);
  if (word.empty() || word[0] < '0' || word[0] > '9')
    if (word.size() < 2 || (word[0] != '-' && word[0] != '+') || word[1] < '0' || word[1] > '9')
      return {};
  if (word.find('/') != std::string_view::npos)
    if (auto r = parse_rational(word)) return value::of(*r);
  // 3:2 and 3+2 have no meaning but themselves.
  return value::sym(std::string{word});
}

namespace detail {

bool starts_with_digit(const value& v) {
  auto name = v.as_symbol();
  return name != nullptr && !name->empty() && (*name)[0] >= '0' && (*name)[0] <= '9';
}

bool is_literal_list(const value& v) {
  auto list = v.as_list();
  for (int depth = 0; list != nullptr && !list->bracketed && !list->items.empty() && depth < 4;
       ++depth) {
    const auto& first = list->items.front();
    if (first.as_number() || first.get_if<double>() || first.as_keyword() || first.as_string() ||
        starts_with_digit(first))
      return true;
    list = first.as_list();
  }
  return false;
}

bool is_symbol(const value& v, std::string_view name) {
  auto s = v.as_symbol();
  return s != nullptr && *s == name;
}

value make_list(std::vector<value> items, std::vector<source_span> spans, source_span span) {
  return value::list(std::move(items), false, std::move(spans), span);
}

compiler::compiler(evaluation_state& state) : state_(state), unit_(std::make_shared<code_unit>()) {
  unit_->text = state.text;
}

std::shared_ptr<const function_code> compiler::top_level(const value& datum, source_span span) {
  auto code = std::make_shared<function_code>();
  code->unit = unit_;
  function_scope scope{nullptr, code.get(), {}, 0};
  scope_ = &scope;
  code->body = compile(datum, span, false);
  return code->body ? code : nullptr;
}

node_ptr compiler::wrong(errc code, std::string message, source_span at, std::string hint) {
  auto& all = state_.failure.diagnostics;
  // When there is no time left, that is the only fault worth telling.
  if (!all.empty() &&
      (all.front().code == errc::budget_exceeded || all.front().code == errc::cancelled))
    return nullptr;
  if (all.size() < most_faults_of_form)
    all.push_back({code, std::move(message), at, std::move(hint)});
  return nullptr;
}

node_ptr compiler::over_budget(source_span at) {
  for (auto& d : state_.failure.diagnostics)
    d.span = at;
  return nullptr;
}

node_ptr compiler::wrong_shape(const form& f, std::string message) {
  return wrong(errc::wrong_argument_count, std::move(message), f.span, usage_of(f));
}

std::string compiler::usage_of(const form& f) {
  auto row = f[0].as_symbol() ? find_form(*f[0].as_symbol()) : nullptr;
  return row ? "usage: " + usage(*row) : std::string{};
}

std::uint32_t compiler::link(const std::string& name) {
  auto [at, added] = links_.try_emplace(name, static_cast<std::uint32_t>(unit_->globals.size()));
  if (added) unit_->globals.push_back(name);
  return at->second;
}

std::optional<compiler::variable> compiler::find_variable(function_scope* scope,
                                                          const std::string& name) {
  if (scope == nullptr) return std::nullopt;
  auto found = std::find_if(scope->visible.rbegin(), scope->visible.rend(),
                            [&](auto& v) { return v.first == name; });
  if (found != scope->visible.rend()) return variable{op::local, found->second};
  if (scope->outer != nullptr && scope->code->name == name && scope->code->names_itself)
    return variable{op::self, 0};
  auto& captures = scope->code->captures;
  for (std::uint32_t i = 0; i < captures.size(); ++i)
    if (captures[i].name == name) return variable{op::captured, i};
  auto outside = find_variable(scope->outer, name);
  if (!outside) return std::nullopt;
  captures.push_back({name, outside->where, outside->index});
  return variable{op::captured, static_cast<std::uint32_t>(captures.size() - 1)};
}

bool compiler::is_lexical(const std::string& name) { return find_lexical(scope_, name); }

bool compiler::find_lexical(const function_scope* scope, const std::string& name) {
  for (; scope != nullptr; scope = scope->outer) {
    for (auto& [visible, slot] : scope->visible)
      if (visible == name) return true;
    if (scope->outer != nullptr && scope->code->names_itself && scope->code->name == name)
      return true;
  }
  return false;
}

/// With the key inferred, `f1` may mean F sharp: who typed it knows it as `f1`.
std::string compiler::pitch_as_typed(const pitch& p, source_span at) const {
  auto plain = p;
  plain.cents = 0;
  auto known = to_string(plain);
  if (!state_.text || at.end > state_.text->size() || at.begin >= at.end) return to_string(p);
  auto typed = std::string_view{*state_.text}.substr(at.begin, at.end - at.begin);
  return same_name(typed, known) ? std::string{typed} : to_string(p);
}

std::optional<std::string> compiler::bindable(const value& v, source_span at, bool top_level) {
  auto reserved = [&](std::string message, std::string hint = {}) {
    wrong(errc::reserved_name, std::move(message), at, std::move(hint));
    return std::nullopt;
  };
  if (auto p = v.as_pitch())
    return reserved(pitch_as_typed(*p, at) + " is a pitch and cannot be redefined",
                    "choose a name that does not look like a pitch");
  if (auto k = v.as_keyword()) return reserved(":" + *k + " is a keyword and cannot be redefined");
  auto name = v.as_symbol();
  if (name == nullptr) {
    wrong(errc::wrong_type, "expected a name, not " + describe(v), at);
    return std::nullopt;
  }
  if (starts_with_digit(v) || (*name)[0] == '$' || *name == "%" || *name == "&")
    return reserved("`" + *name + "` cannot be used as a name", "names start with a letter");
  if (is_special_form(*name))
    return reserved("`" + *name + "` is a special form and cannot be redefined");
  if (top_level) {
    if (auto row = find_form(*name))
      return reserved("`" + *name + "` is built in and cannot be redefined: " + row->doc,
                      "choose another name (as a function parameter it is allowed)");
  }
  return *name;
}

node_ptr compiler::too_deep(source_span at, std::size_t most) {
  return wrong(errc::nesting_too_deep, "code nested more than " + std::to_string(most) + " deep",
               at, "split it with `def`, or look for a macro that expands into itself");
}

bool compiler::go_deeper() {
  deepest_ = std::max(deepest_, ++depth_);
  return depth_ <= deepest_code;
}

node_ptr compiler::compile(const value& v, source_span span, bool tail) {
  if (auto list = v.as_list()) {
    // What macros expand to can be as large as anything that is computed.
    auto code = !go_deeper()         ? too_deep(span)
                : state_.produced(1) ? compile_list({*list, span}, v, tail)
                                     : over_budget(span);
    --depth_;
    return code;
  }
  if (auto name = v.as_symbol()) return compile_symbol(*name, span, false);
  // A macro may have put a function here, which is part of the code then.
  deepest_ = std::max(deepest_, depth_ + nesting(v));
  return std::make_unique<constant_node>(span, v);
}

node_ptr compiler::compile_symbol(const std::string& name, source_span span, bool is_head) {
  if (auto found = find_variable(scope_, name))
    return std::make_unique<variable_node>(found->where, span, found->index);
  if (name[0] == '$' || name == "%") return std::make_unique<history_node>(span, name);
  if (is_special_form(name))
    return wrong(errc::wrong_type, "`" + name + "` is a special form, not a value", span,
                 "call it, or wrap it: (fn [x] (" + name + " x ...))");
  if (auto row = find_form(name)) {
    auto c = std::make_shared<callable>();
    c->what = callable::kind::builtin;
    c->name = row->name;
    c->form = row;
    return std::make_unique<form_value_node>(span, value::of(std::move(c)), row);
  }
  return std::make_unique<global_node>(span, link(name), is_head, meaning_of_word(name));
}

node_ptr compiler::compile_list(const form& f, const value& whole, bool tail) {
  if (f.size() == 0) return std::make_unique<constant_node>(f.span, whole);
  if (f.list.bracketed || f[0].as_pitch()) return compile_items(f, f.list.bracketed);
  if (auto name = f[0].as_symbol(); name != nullptr && !is_lexical(*name)) {
    auto known = known_name(*name);
    if (known.special != nullptr) return (this->*known.special)(f, tail);
    if (known.row != nullptr) return compile_form_call(f, *known.row);
    if (auto cell = state_.find_cell(*name); cell != nullptr)
      if (auto c = cell->v.get_if<callable_ptr>();
          c != nullptr && (*c)->what == callable::kind::macro)
        return compile_macro_call(f, whole, **c, tail);
  }
  return compile_call(f, tail);
}

node_ptr compiler::compile_items(const form& f, bool bracketed) {
  auto n = std::make_unique<list_node>(op::make_list, f.span);
  n->bracketed = bracketed;
  bool good = true;
  // (chord (c4 :tie start) e4): a list that begins with a pitch is pitches, not a note.
  static const auto note_row = find_form("note");
  auto option_of_note = [&](std::size_t i) -> const std::string* {
    auto k = bracketed ? nullptr : f[i].as_keyword();
    return k != nullptr && note_row != nullptr && find_option(*note_row, *k) ? k : nullptr;
  };
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (auto word = i > 1 ? f[i].as_symbol() : nullptr)
      if (auto option = option_of_note(i - 1); option != nullptr && !is_lexical(*word) &&
                                               state_.find_cell(*word) == nullptr &&
                                               find_form(*word) == nullptr)
        return wrong(errc::unknown_name, "`" + *word + "` is not defined", f.at(i),
                     "a list that starts with a pitch is a list of pitches; for a note with "
                     "options write (note " +
                         print(f[0]) + " :" + *option + " " + *word + ")");
    n->items.push_back(compile(f[i], f.at(i), false));
    good = good && n->items.back();
  }
  return good ? node_ptr{std::move(n)} : nullptr;
}

node_ptr compiler::compile_call(const form& f, bool tail) {
  auto n = std::make_unique<call_value_node>(f.span);
  if (auto name = f[0].as_symbol(); name != nullptr && !starts_with_digit(f[0])) {
    n->callee = compile_symbol(*name, f.at(0), true);
  } else if (f[0].as_list() != nullptr && !is_literal_list(f[0])) {
    n->callee = compile(f[0], f.at(0), false);
  } else {
    return wrong(errc::not_callable, describe(f[0]) + " cannot be called", f.at(0),
                 f[0].as_keyword() ? "" : "to write a list of values, use (list ...) or [...]");
  }
  bool good = n->callee != nullptr;
  for (std::size_t i = 1; i < f.size(); ++i) {
    n->args.push_back(compile(f[i], f.at(i), false));
    good = good && n->args.back();
  }
  n->tail = tail;
  return good ? node_ptr{std::move(n)} : nullptr;
}

compiler::meaning compiler::known_name(std::string_view name) {
  using c = compiler;
  static const std::pair<std::string_view, handler> specials[]{
      {"def", &c::special_def},
      {"defn", &c::special_defn},
      {"defmacro", &c::special_defmacro},
      {"fn", &c::special_fn},
      {"let", &c::special_let},
      {"if", &c::special_if},
      {"when", &c::special_when},
      {"unless", &c::special_when},
      {"cond", &c::special_cond},
      {"and", &c::special_and},
      {"or", &c::special_or},
      {"do", &c::special_do},
      {"quote", &c::special_quote},
      {"quasiquote", &c::special_quasiquote},
      {"unquote", &c::special_unquote},
      {"unquote-splicing", &c::special_unquote},
      {"try", &c::special_try},
      {"->", &c::special_thread},
      {"->>", &c::special_thread},
      {"expand", &c::special_expand},
      {"doc", &c::special_about},
      {"source", &c::special_about},
  };
  static const auto table = [] {
    std::unordered_map<std::string_view, meaning> by_name;
    for (auto& row : form_table()) {
      by_name.try_emplace(row.name, meaning{nullptr, &row});
      for (auto& alias : row.aliases)
        by_name.try_emplace(alias, meaning{nullptr, &row});
    }
    for (auto [special, compile] : specials)
      by_name[special].special = compile;
    return by_name;
  }();
  auto at = table.find(name);
  return at != table.end() ? at->second : meaning{};
}

}  // namespace detail

bool is_special_form(std::string_view name) {
  return detail::compiler::known_name(name).special != nullptr;
}

std::shared_ptr<const function_code> compile(const value& datum, source_span span,
                                             evaluation_state& state) {
  return detail::compiler{state}.top_level(datum, span);
}

}  // namespace fermata
