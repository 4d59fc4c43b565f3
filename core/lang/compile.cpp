#include "core/lang/compile.hpp"

#include "core/lang/bind.hpp"
#include "core/lang/evaluation_state.hpp"
#include "core/lang/reader.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

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

namespace {

constexpr std::size_t most_errors = 20;
/// Nesting of code after macro expansion.
constexpr std::size_t deepest_code = 1'200;

/// The function that is being compiled, and what its names stand for.
struct function_scope {
  function_scope* outer = nullptr;
  function_code* code = nullptr;
  std::vector<std::pair<std::string, std::uint32_t>> visible;  ///< name, slot; innermost last
  std::uint32_t used = 0;                                      ///< slots in use here

  std::uint32_t add(std::string name) {
    auto slot = used++;
    visible.emplace_back(std::move(name), slot);
    code->slots = std::max(code->slots, used);
    return slot;
  }
};

/// A list of code: its items and where each stands.
struct form {
  const list_data& list;
  source_span span;
  std::size_t size() const { return list.items.size(); }
  const value& operator[](std::size_t i) const { return list.items[i]; }
  source_span at(std::size_t i) const { return i < list.spans.size() ? list.spans[i] : span; }
};

bool starts_with_digit(const value& v) {
  auto name = v.as_symbol();
  return name != nullptr && !name->empty() && (*name)[0] >= '0' && (*name)[0] <= '9';
}

/// (4 4), (3+2 8), ((3 8) (2 4)), (:begin "la"), ("la" :begin): lists that nobody can call.
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
  auto data = std::make_shared<list_data>();
  data->items = std::move(items);
  data->spans = std::move(spans);
  data->span = span;
  return value{value::storage{list_ptr{std::move(data)}}};
}

class compiler {
public:
  explicit compiler(evaluation_state& state) : state_(state), unit_(std::make_shared<code_unit>()) {
    unit_->text = state.text;
  }

  std::shared_ptr<const function_code> top_level(const value& datum, source_span span) {
    auto code = std::make_shared<function_code>();
    code->unit = unit_;
    function_scope scope{nullptr, code.get(), {}, 0};
    scope_ = &scope;
    code->body = compile(datum, span, false);
    return code->body ? code : nullptr;
  }

private:
  using handler = node_ptr (compiler::*)(const form&, bool tail);
  static const std::map<std::string_view, handler>& special_forms();
  friend bool fermata::is_special_form(std::string_view);

  // --- errors ---
  node_ptr wrong(errc code, std::string message, source_span at, std::string hint = {}) {
    auto& all = state_.failure.diagnostics;
    if (all.size() < most_errors) all.push_back({code, std::move(message), at, std::move(hint)});
    return nullptr;
  }
  node_ptr wrong_shape(const form& f, std::string message) {
    return wrong(errc::wrong_argument_count, std::move(message), f.span, usage_of(f));
  }
  static std::string usage_of(const form& f) {
    auto row = f[0].as_symbol() ? find_form(*f[0].as_symbol()) : nullptr;
    return row ? usage(*row) : std::string{};
  }

  // --- names ---
  std::uint32_t link(const std::string& name) {
    auto [at, added] = links_.try_emplace(name, static_cast<std::uint32_t>(unit_->globals.size()));
    if (added) unit_->globals.push_back(name);
    return at->second;
  }

  struct variable {
    op where;
    std::uint32_t index;
  };
  std::optional<variable> find_variable(function_scope* scope, const std::string& name) {
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
  bool is_lexical(const std::string& name) { return find_lexical(scope_, name); }
  /// Like find_variable, but captures nothing.
  static bool find_lexical(const function_scope* scope, const std::string& name) {
    for (; scope != nullptr; scope = scope->outer) {
      for (auto& [visible, slot] : scope->visible)
        if (visible == name) return true;
      if (scope->outer != nullptr && scope->code->names_itself && scope->code->name == name)
        return true;
    }
    return false;
  }

  /// The name to bind, or nothing and an error. At top level the forms keep their names.
  std::optional<std::string> bindable(const value& v, source_span at, bool top_level) {
    auto reserved = [&](std::string message, std::string hint = {}) {
      wrong(errc::reserved_name, std::move(message), at, std::move(hint));
      return std::nullopt;
    };
    if (auto p = v.as_pitch())
      return reserved(to_string(*p) + " is a pitch and cannot be bound",
                      "choose a name that is no letter, accidental and octave");
    if (auto k = v.as_keyword()) return reserved(":" + *k + " is a keyword and cannot be bound");
    auto name = v.as_symbol();
    if (name == nullptr) {
      wrong(errc::wrong_type, "a name is needed here, not " + describe(v), at);
      return std::nullopt;
    }
    if (starts_with_digit(v) || (*name)[0] == '$' || *name == "%" || *name == "&")
      return reserved("`" + *name + "` cannot be bound", "names begin with a letter");
    if (is_special_form(*name))
      return reserved("`" + *name + "` is a special form of the language and cannot be bound");
    if (top_level) {
      if (auto row = find_form(*name))
        return reserved("`" + *name +
                            "` belongs to the language and keeps its meaning: " + row->doc,
                        "choose another name; a parameter of a function may have this one");
    }
    return *name;
  }

  // --- expressions ---
  node_ptr compile(const value& v, source_span span, bool tail) {
    if (auto list = v.as_list()) {
      if (++depth_ > deepest_code) {
        --depth_;
        return wrong(errc::nesting_too_deep,
                     "the code is nested more than " + std::to_string(deepest_code) + " deep", span,
                     "split it with `def`; a macro may expand into itself");
      }
      auto code = compile_list({*list, span}, v, tail);
      --depth_;
      return code;
    }
    if (auto name = v.as_symbol()) return compile_symbol(*name, span, false);
    return std::make_unique<constant_node>(span, v);
  }

  node_ptr compile_symbol(const std::string& name, source_span span, bool is_head) {
    if (auto found = find_variable(scope_, name))
      return std::make_unique<variable_node>(found->where, span, found->index);
    if (name[0] == '$' || name == "%") return std::make_unique<history_node>(span, name);
    if (is_special_form(name))
      return wrong(errc::wrong_type, "`" + name + "` is a special form and no value", span,
                   "put it first in a list, or wrap it: (fn [x] (" + name + " x ...))");
    if (auto row = find_form(name)) {
      auto c = std::make_shared<callable>();
      c->what = callable::kind::builtin;
      c->name = row->name;
      c->form = row;
      return std::make_unique<form_value_node>(span, value::of(callable_ptr{std::move(c)}), row);
    }
    return std::make_unique<global_node>(span, link(name), is_head, meaning_of_word(name));
  }

  node_ptr compile_list(const form& f, const value& whole, bool tail) {
    if (f.size() == 0) return std::make_unique<constant_node>(f.span, whole);
    if (f.list.bracketed || f[0].as_pitch()) return compile_items(f, f.list.bracketed);
    if (auto name = f[0].as_symbol(); name != nullptr && !is_lexical(*name)) {
      auto& specials = special_forms();
      if (auto special = specials.find(*name); special != specials.end())
        return (this->*special->second)(f, tail);
      if (auto row = find_form(*name)) return compile_form_call(f, *row);
      if (auto cell = state_.find_cell(*name); cell != nullptr)
        if (auto c = cell->v.get_if<callable_ptr>();
            c != nullptr && (*c)->what == callable::kind::macro)
          return compile_macro_call(f, whole, **c, tail);
    }
    return compile_call(f, tail);
  }

  node_ptr compile_items(const form& f, bool bracketed) {
    auto n = std::make_unique<list_node>(op::make_list, f.span);
    n->bracketed = bracketed;
    bool good = true;
    for (std::size_t i = 0; i < f.size(); ++i) {
      n->items.push_back(compile(f[i], f.at(i), false));
      good = good && n->items.back();
    }
    return good ? node_ptr{std::move(n)} : nullptr;
  }

  node_ptr compile_call(const form& f, bool tail) {
    auto n = std::make_unique<call_value_node>(f.span);
    if (auto name = f[0].as_symbol(); name != nullptr && !starts_with_digit(f[0])) {
      n->callee = compile_symbol(*name, f.at(0), true);
    } else if (f[0].as_list() != nullptr && !is_literal_list(f[0])) {
      n->callee = compile(f[0], f.at(0), false);
    } else {
      return wrong(errc::not_callable, describe(f[0]) + " cannot be called", f.at(0),
                   f[0].as_keyword() ? "" : "for a list of values write (list ...) or [...]");
    }
    bool good = n->callee != nullptr;
    for (std::size_t i = 1; i < f.size(); ++i) {
      n->args.push_back(compile(f[i], f.at(i), false));
      good = good && n->args.back();
    }
    n->tail = tail;
    return good ? node_ptr{std::move(n)} : nullptr;
  }

  node_ptr compile_form_call(const form& f, const form_spec& row) {
    if (auto direct = compile_direct(f, row)) return direct;
    auto n = std::make_unique<call_form_node>(f.span, &row);
    bool good = true;
    if (row.name == "preview") {
      // What is previewed is called by the handler, which can then take back what it did.
      auto thunk = compile(as_thunk(f), f.span, false);
      good = thunk != nullptr;
      n->args.push_back({std::move(thunk), argument_form::computed, {}});
      return good ? node_ptr{std::move(n)} : nullptr;
    }
    for (std::size_t i = 1; i < f.size(); ++i) {
      const auto& v = f[i];
      call_form_node::arg a{nullptr, argument_form::computed, {}};
      auto name = v.as_symbol();
      if (name != nullptr && (*name)[0] != '$' && *name != "%" && !is_lexical(*name)) {
        a.datum = v;
        a.form = argument_form::word;
        if (is_special_form(*name)) {
          a.form = argument_form::form_word;
        } else {
          if (find_form(*name)) a.form = argument_form::form_word;
          a.code = compile_symbol(*name, f.at(i), false);
        }
      } else if (is_literal_list(v) || (is_word_list(v) && follows_spec_option(f, i, row))) {
        a.form = argument_form::literal_list;
        a.datum = v;
      } else {
        if (v.as_keyword())
          a.form = argument_form::keyword;
        else if (v.as_pitch())
          a.form = argument_form::pitch;
        a.code = compile(v, f.at(i), false);
        good = good && a.code;
      }
      if (!a.code)
        // What the binder refuses still needs a place.
        a.code = std::make_unique<constant_node>(f.at(i), v);
      n->args.push_back(std::move(a));
    }
    return good ? node_ptr{std::move(n)} : nullptr;
  }

  /// `(preview x y)` as `(fn [] x y)`.
  static value as_thunk(const form& f) {
    auto none = std::make_shared<list_data>();
    none->bracketed = true;
    none->span = f.span;
    std::vector<value> items{value::sym("fn"), value{list_ptr{std::move(none)}}};
    std::vector<source_span> spans{f.at(0), f.at(0)};
    for (std::size_t i = 1; i < f.size(); ++i) {
      items.push_back(f[i]);
      spans.push_back(f.at(i));
    }
    return make_list(std::move(items), std::move(spans), f.span);
  }

  /// `(start 2)`: a list whose head names nothing that could be called.
  bool is_word_list(const value& v) {
    auto list = v.as_list();
    auto head = list != nullptr && !list->bracketed && !list->items.empty()
                    ? list->items[0].as_symbol()
                    : nullptr;
    if (head == nullptr || (*head)[0] == '$' || *head == "%" || is_lexical(*head) ||
        is_special_form(*head) || find_form(*head))
      return false;
    return state_.find_cell(*head) == nullptr;
  }
  /// Whether the argument before is `:slur` or another option that takes small data.
  static bool follows_spec_option(const form& f, std::size_t i, const form_spec& row) {
    auto k = i > 1 ? f[i - 1].as_keyword() : nullptr;
    return k != nullptr && std::any_of(row.params.begin(), row.params.end(), [&](const param& p) {
             return p.kind == param_kind::option && p.type == arg_type::spec &&
                    (p.name == *k ||
                     std::find(p.aliases.begin(), p.aliases.end(), *k) != p.aliases.end());
           });
  }

  /// Number operations on two operands and list access on one, without the binder.
  node_ptr compile_direct(const form& f, const form_spec& row) {
    using namespace std::string_view_literals;
    static const std::map<std::string_view, std::pair<op, number_op>> numbers{
        {"+"sv, {op::arithmetic, number_op::add}},
        {"-"sv, {op::arithmetic, number_op::subtract}},
        {"*"sv, {op::arithmetic, number_op::multiply}},
        {"<"sv, {op::compare, number_op::less}},
        {"<="sv, {op::compare, number_op::less_equal}},
        {">"sv, {op::compare, number_op::greater}},
        {">="sv, {op::compare, number_op::greater_equal}},
        {"="sv, {op::compare, number_op::equal}},
    };
    static const std::map<std::string_view, access_op> accesses{
        {"head"sv, access_op::head},
        {"tail"sv, access_op::tail},
        {"count"sv, access_op::count},
        {"empty?"sv, access_op::is_empty},
    };
    auto plain = [this](const value& v) {
      auto name = v.as_symbol();
      return !v.as_keyword() && !is_literal_list(v) && (name == nullptr || is_lexical(*name));
    };
    if (f.size() == 2 && row.name == "not") {
      auto item = compile(f[1], f.at(1), false);
      return item ? std::make_unique<negate_node>(f.span, std::move(item)) : nullptr;
    }
    if (f.size() == 3 && plain(f[1]) && plain(f[2])) {
      auto found = numbers.find(row.name);
      if (found == numbers.end()) return nullptr;
      auto n =
          std::make_unique<number_node>(found->second.first, f.span, found->second.second, &row);
      auto errors_before = state_.failure.diagnostics.size();
      n->left = compile(f[1], f.at(1), false);
      n->right = compile(f[2], f.at(2), false);
      if (n->left && n->right) return n;
      // The general way compiles the operands again and reports what is wrong.
      state_.failure.diagnostics.resize(errors_before);
      return nullptr;
    }
    if (f.size() == 2 && plain(f[1])) {
      auto found = accesses.find(row.name);
      if (found == accesses.end()) return nullptr;
      auto n = std::make_unique<list_access_node>(f.span, found->second, &row);
      auto errors_before = state_.failure.diagnostics.size();
      n->list = compile(f[1], f.at(1), false);
      if (n->list) return n;
      state_.failure.diagnostics.resize(errors_before);
    }
    return nullptr;
  }

  node_ptr compile_macro_call(const form& f, const value& whole, const callable& macro, bool tail) {
    auto expansion = state_.expand_macro(macro, std::span{f.list.items}.subspan(1), f.span);
    if (!expansion) {
      for (auto& d : expansion.error().diagnostics)
        wrong(d.code, d.message, d.span.value_or(f.span), d.hint);
      return nullptr;
    }
    unit_->expansions[&f.list] = {*whole.get_if<list_ptr>(), *expansion};
    return compile(*expansion, f.span, tail);
  }

  // --- bodies ---
  /// The forms from `first` on; `def` among them names a value for those after it, except at top
  /// level, where it defines a global name.
  node_ptr compile_body(const form& f, std::size_t first, bool tail, op what = op::sequence) {
    if (f.size() == first) return std::make_unique<constant_node>(f.span, value{});
    if (f.size() == first + 1 && !is_local_definition(f[first]))
      return compile(f[first], f.at(first), tail);
    auto n = std::make_unique<sequence_node>(what, f.span);
    auto visible = scope_->visible.size();
    auto used = scope_->used;
    bool good = true;
    for (auto i = first; i < f.size(); ++i) {
      auto item = is_local_definition(f[i]) ? compile_local_definition({*f[i].as_list(), f.at(i)})
                                            : compile(f[i], f.at(i), tail && i + 1 == f.size());
      good = good && item;
      n->items.push_back(std::move(item));
    }
    scope_->visible.resize(visible);
    scope_->used = used;
    return good ? node_ptr{std::move(n)} : nullptr;
  }

  bool is_local_definition(const value& v) const {
    auto list = v.as_list();
    return scope_->outer != nullptr && list != nullptr && !list->items.empty() &&
           !list->bracketed &&
           (is_symbol(list->items[0], "def") || is_symbol(list->items[0], "defn"));
  }

  node_ptr compile_local_definition(const form& f) {
    if (f.size() < 3) return wrong_shape(f, "a definition needs a name and a value");
    auto name = bindable(f[1], f.at(1), false);
    if (!name) return nullptr;
    auto n = std::make_unique<bind_locals_node>(f.span);
    node_ptr init;
    if (is_symbol(f[0], "defn")) {
      init = compile_function(f, 2, *name, true);
    } else if (f.size() > 3) {
      return wrong_shape(f, "inside a function `def` takes one value");
    } else {
      init = compile_named(f[2], f.at(2), *name);
    }
    if (!init) return nullptr;
    auto slot = scope_->add(*name);
    n->bindings.push_back({slot, std::move(init)});
    n->body = std::make_unique<variable_node>(op::local, f.span, slot);
    return n;
  }

  /// A value that is bound to `name`; a function gets it as its own name for messages.
  node_ptr compile_named(const value& v, source_span span, const std::string& name) {
    auto list = v.as_list();
    if (list != nullptr && list->items.size() > 1 && !list->bracketed &&
        is_symbol(list->items[0], "fn") && !is_lexical("fn") &&
        list->items[1].as_symbol() == nullptr)
      return compile_function({*list, span}, 1, name, false);
    return compile(v, span, false);
  }

  // --- functions ---
  /// `[params] body...` from item `at` on.
  node_ptr compile_function(const form& f, std::size_t at, std::string name, bool names_itself) {
    if (at < f.size() && f[at].as_string() && at + 1 < f.size())
      ++at;  // documentation, kept in the source
    auto params = at < f.size() ? f[at].as_list() : nullptr;
    if (params == nullptr)
      return wrong(errc::wrong_type, "a parameter list such as [x y] is missing",
                   at < f.size() ? f.at(at) : f.span, usage_of(f));
    auto code = std::make_shared<function_code>();
    code->name = name;
    code->names_itself = names_itself;
    code->unit = unit_;
    function_scope scope{scope_, code.get(), {}, 0};
    form list{*params, f.at(at)};
    bool good = true;
    std::vector<std::pair<std::uint32_t, std::size_t>> patterns;  // slot, parameter
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (is_symbol(list[i], "&") || is_symbol(list[i], ".")) {
        if (i + 2 != list.size()) {
          wrong(errc::wrong_argument_count, "one name follows & at the end of a parameter list",
                list.at(i));
          good = false;
          break;
        }
        code->has_rest = true;
        continue;
      }
      std::string param;
      if (list[i].as_list()) {
        param = "argument " + std::to_string(i + 1);
        patterns.emplace_back(static_cast<std::uint32_t>(code->params.size()), i);
      } else if (auto p = bindable(list[i], list.at(i), false)) {
        param = *p;
      } else {
        good = false;
        continue;
      }
      if (std::find(code->params.begin(), code->params.end(), param) != code->params.end()) {
        wrong(errc::reserved_name, "two parameters have the name `" + param + "`", list.at(i));
        good = false;
      }
      code->params.push_back(param);
      scope.add(param);
    }
    auto* outside = std::exchange(scope_, &scope);
    auto opened = std::make_unique<bind_locals_node>(f.span);
    for (auto [slot, i] : patterns)
      good = take_apart(list[i], list.at(i), slot, *opened) && good;
    auto body = compile_body(f, at + 1, true);
    scope_ = outside;
    if (!good || !body) return nullptr;
    if (opened->bindings.empty()) {
      code->body = std::move(body);
    } else {
      opened->body = std::move(body);
      code->body = std::move(opened);
    }
    code->source = function_source(f, at, name, names_itself);
    return std::make_unique<make_function_node>(f.span, std::move(code));
  }

  static value function_source(const form& f, std::size_t at, const std::string& name,
                               bool names_itself) {
    std::vector<value> items{value::sym("fn")};
    if (names_itself) items.push_back(value::sym(name));
    items.insert(items.end(), f.list.items.begin() + static_cast<std::ptrdiff_t>(at),
                 f.list.items.end());
    return value::list(std::move(items));
  }

  /// Binds the names of `[a b & more]` to parts of the list in `slot`.
  bool take_apart(const value& pattern, source_span span, std::uint32_t slot,
                  bind_locals_node& into) {
    form names{*pattern.as_list(), span};
    bool good = true;
    auto part = [&](const char* row, std::size_t n) {
      auto c = std::make_unique<call_form_node>(span, find_form(row));
      c->args.push_back(
          {std::make_unique<constant_node>(span, value::of(static_cast<std::int64_t>(n))),
           argument_form::computed,
           {}});
      c->args.push_back(
          {std::make_unique<variable_node>(op::local, span, slot), argument_form::computed, {}});
      return c;
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
      auto rest = is_symbol(names[i], "&");
      auto position = i;
      if (rest && ++i + 1 != names.size()) {
        wrong(errc::wrong_argument_count, "one name follows & at the end of a pattern",
              names.at(i - 1));
        return false;
      }
      if (is_symbol(names[i], "_")) continue;
      auto init = part(rest ? "drop" : "nth", position);
      if (names[i].as_list()) {
        auto inner = scope_->add("");
        into.bindings.push_back({inner, std::move(init)});
        good = take_apart(names[i], names.at(i), inner, into) && good;
      } else if (auto name = bindable(names[i], names.at(i), false)) {
        into.bindings.push_back({scope_->add(*name), std::move(init)});
      } else {
        good = false;
      }
    }
    return good;
  }

  // --- special forms ---
  node_ptr special_def(const form& f, bool) {
    if (f.size() < 3) return wrong_shape(f, "def needs a name and a value");
    if (!at_top_level()) return misplaced(f);
    auto name = bindable(f[1], f.at(1), true);
    if (!name) return nullptr;
    auto n = std::make_unique<define_node>(f.span, link(*name));
    n->source = make_list(f.list.items, f.list.spans, f.span);
    bool good = true;
    for (std::size_t i = 2; i < f.size(); ++i) {
      n->values.push_back(f.size() == 3 ? compile_named(f[i], f.at(i), *name)
                                        : compile(f[i], f.at(i), false));
      good = good && n->values.back();
    }
    return good ? node_ptr{std::move(n)} : nullptr;
  }

  node_ptr special_defn(const form& f, bool) { return compile_definition(f, false); }
  node_ptr special_defmacro(const form& f, bool) { return compile_definition(f, true); }

  node_ptr compile_definition(const form& f, bool is_macro) {
    if (f.size() < 3) return wrong_shape(f, "a definition needs a name, parameters and a body");
    if (!at_top_level()) return misplaced(f);
    auto name = bindable(f[1], f.at(1), true);
    if (!name) return nullptr;
    auto made = compile_function(f, 2, *name, false);
    if (!made) return nullptr;
    auto code = static_cast<const make_function_node&>(*made).code;
    auto function = std::make_unique<make_function_node>(f.span, std::move(code));
    function->is_macro = is_macro;
    auto n = std::make_unique<define_node>(f.span, link(*name));
    n->source = make_list(f.list.items, f.list.spans, f.span);
    n->values.push_back(std::move(function));
    return n;
  }

  bool at_top_level() const { return scope_->outer == nullptr; }
  node_ptr misplaced(const form& f) {
    return wrong(errc::misplaced, "inside a function a definition stands directly in the body",
                 f.span, "use (let [name value] ...)");
  }

  node_ptr special_fn(const form& f, bool) {
    if (f.size() > 1 && f[1].as_symbol()) {
      auto name = bindable(f[1], f.at(1), false);
      return name ? compile_function(f, 2, *name, true) : nullptr;
    }
    return compile_function(f, 1, {}, false);
  }

  node_ptr special_let(const form& f, bool tail) {
    if (f.size() > 2 && f[1].as_symbol()) return compile_named_let(f, tail);
    if (f.size() < 2 || !f[1].as_list())
      return wrong_shape(f, "let needs bindings such as [x 1 y 2]");
    form bindings{*f[1].as_list(), f.at(1)};
    auto visible = scope_->visible.size();
    auto used = scope_->used;
    auto n = std::make_unique<bind_locals_node>(f.span);
    bool good = each_binding(
        bindings, [&](const value& name, source_span at, const value& init, source_span init_at) {
          if (name.as_list()) {
            auto code = compile(init, init_at, false);
            if (!code) return false;
            auto slot = scope_->add("");
            n->bindings.push_back({slot, std::move(code)});
            return take_apart(name, at, slot, *n);
          }
          auto bound = bindable(name, at, false);
          auto code = compile_named(init, init_at, bound.value_or(""));
          if (!bound || !code) return false;
          n->bindings.push_back({scope_->add(*bound), std::move(code)});
          return true;
        });
    n->body = compile_body(f, 2, tail);
    scope_->visible.resize(visible);
    scope_->used = used;
    return good && n->body ? node_ptr{std::move(n)} : nullptr;
  }

  /// `[a 1 b 2]` or `((a 1) (b 2))`.
  template <class F>
  bool each_binding(const form& bindings, F take) {
    bool pairs = bindings.size() > 0 && !bindings.list.bracketed;
    for (std::size_t i = 0; pairs && i < bindings.size(); ++i) {
      auto pair = bindings[i].as_list();
      pairs = pair != nullptr && pair->items.size() == 2;
    }
    bool good = true;
    if (pairs) {
      for (std::size_t i = 0; i < bindings.size(); ++i) {
        form pair{*bindings[i].as_list(), bindings.at(i)};
        good = take(pair[0], pair.at(0), pair[1], pair.at(1)) && good;
      }
      return good;
    }
    if (bindings.size() % 2 != 0) {
      wrong(errc::wrong_argument_count, "the last name of the bindings has no value", bindings.span,
            "bindings are pairs: [x 1 y 2]");
      return false;
    }
    for (std::size_t i = 0; i < bindings.size(); i += 2)
      good = take(bindings[i], bindings.at(i), bindings[i + 1], bindings.at(i + 1)) && good;
    return good;
  }

  /// (let loop [i 0] ... (loop (+ i 1))), as in R7RS 4.2.4.
  node_ptr compile_named_let(const form& f, bool tail) {
    if (!f[2].as_list()) return wrong_shape(f, "let needs bindings such as [x 1 y 2]");
    std::vector<value> params;
    std::vector<source_span> param_spans;
    auto call = std::make_unique<call_value_node>(f.span);
    call->tail = tail;
    form bindings{*f[2].as_list(), f.at(2)};
    bool good = each_binding(
        bindings, [&](const value& name, source_span at, const value& init, source_span init_at) {
          params.push_back(name);
          param_spans.push_back(at);
          call->args.push_back(compile(init, init_at, false));
          return call->args.back() != nullptr;
        });
    std::vector<value> items{value::sym("fn"), f[1],
                             make_list(std::move(params), std::move(param_spans), f.at(2))};
    std::vector<source_span> spans{f.at(0), f.at(1), f.at(2)};
    for (std::size_t i = 3; i < f.size(); ++i) {
      items.push_back(f[i]);
      spans.push_back(f.at(i));
    }
    call->callee = compile(make_list(std::move(items), std::move(spans), f.span), f.span, false);
    return good && call->callee ? node_ptr{std::move(call)} : nullptr;
  }

  node_ptr special_if(const form& f, bool tail) {
    if (f.size() < 3 || f.size() > 4)
      return wrong_shape(f, "if takes a test, a value, and a value for otherwise");
    auto n = std::make_unique<branch_node>(f.span);
    n->test = compile(f[1], f.at(1), false);
    n->yes = compile(f[2], f.at(2), tail);
    if (f.size() == 4) n->no = compile(f[3], f.at(3), tail);
    return n->test && n->yes && (n->no || f.size() == 3) ? node_ptr{std::move(n)} : nullptr;
  }

  node_ptr special_when(const form& f, bool tail) {
    if (f.size() < 2) return wrong_shape(f, "a test is missing");
    auto n = std::make_unique<branch_node>(f.span);
    n->test = compile(f[1], f.at(1), false);
    if (is_symbol(f[0], "unless") && n->test)
      n->test = std::make_unique<negate_node>(f.at(1), std::move(n->test));
    n->yes = compile_body(f, 2, tail);
    return n->test && n->yes ? node_ptr{std::move(n)} : nullptr;
  }

  node_ptr special_cond(const form& f, bool tail) {
    auto n = std::make_unique<choose_node>(f.span);
    auto is_else = [](const value& v) {
      return is_symbol(v, "else") || (v.as_keyword() && *v.as_keyword() == "else");
    };
    auto is_clause = [&](const value& v) {
      auto list = v.as_list();
      return list != nullptr && list->items.size() >= 2 &&
             (list->bracketed || is_else(list->items[0]) ||
              (list->items[0].as_list() && !list->items[0].as_list()->bracketed));
    };
    bool clauses = f.size() > 1;
    for (std::size_t i = 1; i < f.size(); ++i)
      clauses = clauses && is_clause(f[i]);
    bool good = true;
    auto add = [&](const value& test, source_span at, node_ptr body) {
      auto code = is_else(test) ? std::make_unique<constant_node>(at, value::of(true))
                                : compile(test, at, false);
      good = good && code && body;
      n->clauses.emplace_back(std::move(code), std::move(body));
    };
    if (clauses) {
      for (std::size_t i = 1; i < f.size(); ++i) {
        form clause{*f[i].as_list(), f.at(i)};
        auto body = compile_body(clause, 1, tail);
        add(clause[0], clause.at(0), std::move(body));
      }
    } else {
      if (f.size() % 2 == 0) return wrong_shape(f, "the last test of cond has no value");
      for (std::size_t i = 1; i < f.size(); i += 2) {
        auto body = compile(f[i + 1], f.at(i + 1), tail);
        add(f[i], f.at(i), std::move(body));
      }
    }
    return good ? node_ptr{std::move(n)} : nullptr;
  }

  node_ptr special_and(const form& f, bool tail) { return compile_connected(f, tail, op::both); }
  node_ptr special_or(const form& f, bool tail) { return compile_connected(f, tail, op::either); }
  node_ptr compile_connected(const form& f, bool tail, op what) {
    if (f.size() == 1)
      return std::make_unique<constant_node>(f.span, what == op::both ? value::of(true) : value{});
    auto n = std::make_unique<sequence_node>(what, f.span);
    bool good = true;
    for (std::size_t i = 1; i < f.size(); ++i) {
      n->items.push_back(compile(f[i], f.at(i), tail && i + 1 == f.size()));
      good = good && n->items.back();
    }
    return good ? node_ptr{std::move(n)} : nullptr;
  }

  node_ptr special_do(const form& f, bool tail) { return compile_body(f, 1, tail); }

  node_ptr special_quote(const form& f, bool) {
    if (f.size() != 2) return wrong_shape(f, "quote takes one expression");
    return std::make_unique<constant_node>(f.span, f[1]);
  }

  node_ptr special_quasiquote(const form& f, bool) {
    if (f.size() != 2) return wrong_shape(f, "quasiquote takes one expression");
    return compile_template(f[1], f.at(1), 1);
  }
  node_ptr special_unquote(const form& f, bool) {
    return wrong(errc::misplaced, "an unquote (,) stands outside of a quasiquote (`)", f.span);
  }

  /// A quasiquote template; `level` counts quasiquotes around it (R7RS 4.2.8).
  node_ptr compile_template(const value& v, source_span span, int level) {
    auto list = v.as_list();
    if (list == nullptr || !has_unquote(v)) return std::make_unique<constant_node>(span, v);
    if (++depth_ > deepest_code) {
      --depth_;
      return wrong(errc::nesting_too_deep, "the template is nested too deeply", span);
    }
    auto n = compile_template_list({*list, span}, level);
    --depth_;
    return n;
  }

  node_ptr compile_template_list(const form& f, int level) {
    if (f.size() == 2 && is_symbol(f[0], "unquote") && level == 1)
      return compile(f[1], f.at(1), false);
    auto inner = level;
    if (f.size() == 2 && is_symbol(f[0], "quasiquote"))
      ++inner;
    else if (f.size() == 2 && (is_symbol(f[0], "unquote") || is_symbol(f[0], "unquote-splicing")))
      --inner;
    auto n = std::make_unique<list_node>(op::build_quasi, f.span);
    n->bracketed = f.list.bracketed;
    bool good = true;
    for (std::size_t i = 0; i < f.size(); ++i) {
      auto item = f[i].as_list();
      bool splice = level == 1 && item != nullptr && item->items.size() == 2 &&
                    is_symbol(item->items[0], "unquote-splicing");
      node_ptr code;
      if (splice)
        code = compile(item->items[1], f.at(i), false);
      else
        code = compile_template(f[i], f.at(i), inner);
      good = good && code;
      n->items.push_back(std::move(code));
      n->splice.push_back(splice);
    }
    return good ? node_ptr{std::move(n)} : nullptr;
  }

  /// Whether anything in it can be an unquote.
  static bool has_unquote(const value& v) {
    std::vector<const list_data*> todo;
    if (auto list = v.as_list()) todo.push_back(list);
    while (!todo.empty()) {
      auto list = todo.back();
      todo.pop_back();
      if (list->items.size() == 2 &&
          (is_symbol(list->items[0], "unquote") || is_symbol(list->items[0], "unquote-splicing")))
        return true;
      for (auto& item : list->items)
        if (auto inner = item.as_list()) todo.push_back(inner);
    }
    return false;
  }

  node_ptr special_try(const form& f, bool) {
    if (f.size() < 2 || f.size() > 3)
      return wrong_shape(f, "try takes an expression and a handler");
    auto n = std::make_unique<attempt_node>(f.span);
    n->body = compile(f[1], f.at(1), false);
    if (f.size() == 3) n->handler = compile(f[2], f.at(2), false);
    return n->body && (n->handler || f.size() == 2) ? node_ptr{std::move(n)} : nullptr;
  }

  node_ptr special_thread(const form& f, bool tail) {
    if (f.size() < 2) return wrong_shape(f, "a value to pass on is missing");
    auto last = is_symbol(f[0], "->>");
    auto so_far = f[1];
    auto so_far_at = f.at(1);
    for (std::size_t i = 2; i < f.size(); ++i) {
      so_far = threaded(f[i], f.at(i), so_far, so_far_at, last);
      so_far_at = f.at(i);
    }
    return compile(so_far, so_far_at, tail);
  }

  /// `step` with `v` put in: where `_` stands, else last for forms whose last argument is the music
  /// or list that they work on (and with `->>`), else first.
  value threaded(const value& step, source_span at, const value& v, source_span v_at, bool last) {
    auto list = step.as_list();
    if (list == nullptr || list->items.empty()) return make_list({step, v}, {at, v_at}, at);
    form f{*list, at};
    auto items = f.list.items;
    std::vector<source_span> spans;
    for (std::size_t i = 0; i < f.size(); ++i)
      spans.push_back(f.at(i));
    auto hole = std::find_if(items.begin(), items.end(), [](auto& x) { return is_symbol(x, "_"); });
    if (hole != items.end()) {
      spans[static_cast<std::size_t>(hole - items.begin())] = v_at;
      *hole = v;
      return make_list(std::move(items), std::move(spans), at);
    }
    if (auto name = items[0].as_symbol(); name != nullptr && !is_lexical(*name))
      if (auto row = find_form(*name)) last = last || works_on_last(*row);
    auto place = last ? items.size() : 1;
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(place), v);
    spans.insert(spans.begin() + static_cast<std::ptrdiff_t>(place), v_at);
    return make_list(std::move(items), std::move(spans), at);
  }

  static bool works_on_last(const form_spec& row) {
    const param* last = nullptr;
    for (auto& p : row.params)
      if (p.kind == param_kind::required || p.kind == param_kind::optional ||
          p.kind == param_kind::rest)
        last = &p;
    if (last == nullptr) return false;
    if (row.category == "transform") return true;
    return last->type == arg_type::list || last->type == arg_type::music ||
           last->type == arg_type::pitches;
  }

  node_ptr special_expand(const form& f, bool) {
    if (f.size() != 2) return wrong_shape(f, "expand takes one expression");
    auto v = f[1];
    bool changed = false;
    for (int i = 0; i < 1000; ++i) {
      auto list = v.as_list();
      auto name = list != nullptr && !list->items.empty() && !list->bracketed
                      ? list->items[0].as_symbol()
                      : nullptr;
      if (name == nullptr || is_lexical(*name)) break;
      if (*name == "->" || *name == "->>") {
        v = expand_thread({*list, f.at(1)});
        changed = true;
        continue;
      }
      auto cell = state_.find_cell(*name);
      auto c = cell != nullptr ? cell->v.get_if<callable_ptr>() : nullptr;
      if (c == nullptr || (*c)->what != callable::kind::macro) break;
      auto expansion = state_.expand_macro(**c, std::span{list->items}.subspan(1), f.at(1));
      if (!expansion) {
        for (auto& d : expansion.error().diagnostics)
          wrong(d.code, d.message, d.span.value_or(f.span), d.hint);
        return nullptr;
      }
      v = *expansion;
      changed = true;
    }
    if (changed) return std::make_unique<constant_node>(f.span, v);
    auto item = compile(f[1], f.at(1), false);
    return item ? std::make_unique<expand_node>(f.span, std::move(item)) : nullptr;
  }

  value expand_thread(const form& f) {
    auto so_far = f.size() > 1 ? f[1] : value{};
    for (std::size_t i = 2; i < f.size(); ++i)
      so_far = threaded(f[i], f.at(i), so_far, f.at(i), is_symbol(f[0], "->>"));
    return so_far;
  }

  /// `(doc x)` and `(source x)` take the name itself, so they become calls with a quoted symbol.
  node_ptr special_about(const form& f, bool) {
    if (f.size() != 2) return wrong_shape(f, "one name is needed");
    auto name = f[1].as_symbol();
    auto row = find_form(*f[0].as_symbol());
    auto n = std::make_unique<call_form_node>(f.span, row);
    node_ptr arg;
    if (name != nullptr && !is_lexical(*name))
      arg = std::make_unique<constant_node>(f.at(1), f[1]);
    else
      arg = compile(f[1], f.at(1), false);
    if (!arg) return nullptr;
    n->args.push_back({std::move(arg), argument_form::computed, {}});
    return n;
  }

  evaluation_state& state_;
  std::shared_ptr<code_unit> unit_;
  std::map<std::string, std::uint32_t> links_;
  function_scope* scope_ = nullptr;
  std::size_t depth_ = 0;
};

const std::map<std::string_view, compiler::handler>& compiler::special_forms() {
  using c = compiler;
  static const std::map<std::string_view, handler> table{
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
  return table;
}

}  // namespace

bool is_special_form(std::string_view name) { return compiler::special_forms().contains(name); }

std::shared_ptr<const function_code> compile(const value& datum, source_span span,
                                             evaluation_state& state) {
  return compiler{state}.top_level(datum, span);
}

}  // namespace fermata
