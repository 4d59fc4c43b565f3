#pragma once

#include "core/error.hpp"
#include "core/lang/evaluation/compile.hpp"
#include "core/lang/value/code.hpp"
#include "core/lang/value/form_spec.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The internals of the compiler, shared by its files: `compile.cpp` names and expressions,
/// `compile_form_call.cpp` calls of the table's forms and of macros, `compile_function.cpp`
/// functions and definitions, `compile_control.cpp` bindings and conditions,
/// `compile_quasiquote.cpp` templates, `compile_thread.cpp` threading and forms that inspect code.
namespace fermata::detail {

/// Nesting of code after macro expansion.
constexpr std::size_t deepest_code = 1'200;

/// The function being compiled, and the meaning of its names.
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

/// A list of code: its items and their positions.
struct form {
  const list_data& list;
  source_span span;
  std::size_t size() const { return list.items.size(); }
  const value& operator[](std::size_t i) const { return list.items[i]; }
  source_span at(std::size_t i) const { return i < list.spans.size() ? list.spans[i] : span; }
};

/// `3:2`, `6/8`: a symbol that cannot be bound.
bool starts_with_digit(const value& v);
/// (4 4), (3+2 8), ((3 8) (2 4)), (:begin "la"), ("la" :begin): lists that cannot be calls.
bool is_literal_list(const value& v);
bool is_symbol(const value& v, std::string_view name);
value make_list(std::vector<value> items, std::vector<source_span> spans, source_span span);

/// Compiles one top-level form. A function that returns null has reported the error.
class compiler {
public:
  explicit compiler(evaluation_state& state);

  std::shared_ptr<const function_code> top_level(const value& datum, source_span span);

private:
  using handler = node_ptr (compiler::*)(const form&, bool tail);
  /// The meaning of a name in the language; empty: it is free.
  struct meaning {
    handler special = nullptr;
    const form_spec* row = nullptr;
  };
  static meaning known_name(std::string_view name);
  friend bool fermata::is_special_form(std::string_view);

  // --- errors ---
  node_ptr wrong(errc code, std::string message, source_span at, std::string hint = {});
  node_ptr wrong_shape(const form& f, std::string message);
  node_ptr too_deep(source_span at, std::size_t most = deepest_code);
  /// Null, with the budget error that is in the state.
  node_ptr over_budget(source_span at);
  static std::string usage_of(const form& f);

  // --- names ---
  std::uint32_t link(const std::string& name);

  struct variable {
    op where;
    std::uint32_t index;
  };
  std::optional<variable> find_variable(function_scope* scope, const std::string& name);
  bool is_lexical(const std::string& name);
  /// Like find_variable, but captures nothing.
  static bool find_lexical(const function_scope* scope, const std::string& name);

  /// The name to bind, or empty with an error. At top level the names of forms are reserved.
  std::string pitch_as_typed(const pitch& p, source_span at) const;
  std::optional<std::string> bindable(const value& v, source_span at, bool top_level);

  // --- expressions ---
  /// Enters a list of code. False: the code is nested too deeply. `depth_` is restored in any case.
  bool go_deeper();
  node_ptr compile(const value& v, source_span span, bool tail);

  node_ptr compile_symbol(const std::string& name, source_span span, bool is_head);

  node_ptr compile_list(const form& f, const value& whole, bool tail);

  node_ptr compile_items(const form& f, bool bracketed);

  node_ptr compile_call(const form& f, bool tail);

  node_ptr compile_form_call(const form& f, const form_spec& row);

  /// `(preview x y)` as `(fn [] x y)`.
  static value as_thunk(const form& f);

  /// `(start 2)`: a list whose head is nothing that can be called.
  bool is_word_list(const value& v);
  /// Whether the previous argument is `:slur` or another option that takes small data.
  static bool follows_spec_option(const form& f, std::size_t i, const form_spec& row);

  /// Number operations on two operands and list access on one, without the binder. Empty: does not
  /// apply; null: an operand is wrong.
  std::optional<node_ptr> compile_direct(const form& f, const form_spec& row);

  node_ptr compile_macro_call(const form& f, const value& whole, const callable& macro, bool tail);

  // --- bodies ---
  /// The forms from `first` on; `def` among them binds a name for those after it, except at top
  /// level, where it defines a global name.
  node_ptr compile_body(const form& f, std::size_t first, bool tail, op what = op::sequence);

  bool is_local_definition(const value& v) const;

  node_ptr compile_local_definition(const form& f);

  /// A value bound to `name`; a function gets this as its own name for messages.
  node_ptr compile_named(const value& v, source_span span, const std::string& name);

  // --- functions ---
  /// `[params] body...` from item `at` on.
  node_ptr compile_function(const form& f, std::size_t at, std::string name, bool names_itself);

  static value function_source(const form& f, std::size_t at, const std::string& name,
                               bool names_itself);

  /// Binds the names of `[a b & more]` to parts of the list in `slot`.
  bool destructure(const value& pattern, source_span span, std::uint32_t slot,
                   bind_locals_node& into);

  // --- special forms ---
  node_ptr special_def(const form& f, bool);

  node_ptr special_defn(const form& f, bool) { return compile_definition(f, false); }
  node_ptr special_defmacro(const form& f, bool) { return compile_definition(f, true); }

  node_ptr compile_definition(const form& f, bool is_macro);

  bool at_top_level() const { return scope_->outer == nullptr; }
  node_ptr misplaced(const form& f);

  node_ptr special_fn(const form& f, bool);

  node_ptr special_let(const form& f, bool tail);

  /// `[a 1 b 2]` or `((a 1) (b 2))`.
  template <class F>
  bool each_binding(const form& bindings, F take);

  /// (let loop [i 0] ... (loop (+ i 1))), as in R7RS 4.2.4.
  node_ptr compile_named_let(const form& f, bool tail);

  node_ptr special_if(const form& f, bool tail);

  node_ptr special_when(const form& f, bool tail);

  node_ptr special_cond(const form& f, bool tail);

  node_ptr special_and(const form& f, bool tail) { return compile_connected(f, tail, op::both); }
  node_ptr special_or(const form& f, bool tail) { return compile_connected(f, tail, op::either); }
  node_ptr compile_connected(const form& f, bool tail, op what);

  node_ptr special_do(const form& f, bool tail) { return compile_body(f, 1, tail); }

  node_ptr special_quote(const form& f, bool);

  node_ptr special_quasiquote(const form& f, bool);
  node_ptr special_unquote(const form& f, bool);

  /// A quasiquote template; `level` counts quasiquotes around it (R7RS 4.2.8).
  node_ptr compile_template(const value& v, source_span span, int level);

  node_ptr compile_template_list(const form& f, int level);

  /// Whether it may contain an unquote.
  bool has_unquote(const value& v);

  node_ptr special_try(const form& f, bool);

  node_ptr special_thread(const form& f, bool tail);

  /// `step` with `v` inserted: at `_`, otherwise last for forms whose last argument is the music or
  /// list that they work on (and with `->>`), otherwise first.
  value threaded(const value& step, source_span at, const value& v, source_span v_at, bool last);
  /// All steps of `(-> x ...)` nested, and the position of the last. Empty: nested too deeply.
  std::optional<std::pair<value, source_span>> thread_of(const form& f);

  static bool works_on_last(const form_spec& row);

  node_ptr special_expand(const form& f, bool);

  /// `(doc x)` and `(source x)` take the name itself, so they become calls with a quoted symbol.
  node_ptr special_about(const form& f, bool);

  evaluation_state& state_;
  std::shared_ptr<code_unit> unit_;
  std::map<std::string, std::uint32_t> links_;
  function_scope* scope_ = nullptr;
  std::size_t depth_ = 0;
  std::size_t deepest_ = 0;  ///< maximum of `depth_` in the function being compiled
};

}  // namespace fermata::detail
