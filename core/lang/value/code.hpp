#pragma once

#include "core/lang/value/callable.hpp"
#include "core/lang/value/value.hpp"

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fermata {

/// Compiled code: a tree of nodes in which every name is resolved. Values are immutable and there
/// is no assignment, so a closure captures by copying; what remains at run time are slots of the
/// current frame, captured values, and global cells.
///
/// Code is immutable and may be shared by evaluations on several threads. The values of global
/// names, which differ between them, are reached through a per-evaluation table of links.
enum class op : std::uint8_t {
  constant,
  local,
  captured,
  self,
  global,
  form_value,
  history,
  branch,
  choose,
  both,
  either,
  negate,
  sequence,
  bind_locals,
  make_function,
  define,
  call_value,
  call_form,
  arithmetic,
  compare,
  list_access,
  make_list,
  build_quasi,
  attempt,
  expand_music,
};

struct node {
  op what;
  source_span span;
  explicit node(op w, source_span s) : what(w), span(s) {}
  virtual ~node() = default;
  node(const node&) = delete;
  node& operator=(const node&) = delete;
};
using node_ptr = std::unique_ptr<const node>;

/// Expansions of macro calls, by the list that was the call (kept alive with them).
using expansions_by_call = std::unordered_map<const list_data*, std::pair<list_ptr, value>>;

/// Shared by all code compiled from one top-level form.
struct code_unit : std::enable_shared_from_this<code_unit> {
  std::vector<std::string> globals;         ///< names of the links
  std::shared_ptr<const std::string> text;  ///< to which the spans refer
  expansions_by_call expansions;
};

struct captured_variable {
  std::string name;
  op where = op::local;  ///< in the enclosing function: local, captured or self
  std::uint32_t index = 0;
};

/// A compiled `fn`. Its frame has the parameters first, then the variables of inner `let`s.
struct function_code {
  std::string name;
  std::vector<std::string> params;
  bool has_rest = false;      ///< the last parameter takes all further arguments as a list
  bool names_itself = false;  ///< the body may call the function by its own name
  std::uint32_t slots = 0;
  std::vector<captured_variable> captures;
  node_ptr body;
  value source;             ///< `(fn name [params] body...)`, to print and save
  std::uint32_t depth = 0;  ///< the nesting depth of the body, macros expanded
  std::shared_ptr<const code_unit> unit;
};

// --- the nodes -----------------------------------------------------------------------------------

struct constant_node : node {
  value v;
  constant_node(source_span s, value x) : node(op::constant, s), v(std::move(x)) {}
};
/// A variable: `local` slot, `captured` index, `self` nothing.
struct variable_node : node {
  std::uint32_t index;
  variable_node(op w, source_span s, std::uint32_t i) : node(w, s), index(i) {}
};
struct global_node : node {
  std::uint32_t link;
  bool is_head;    ///< first in a list: if undefined, reported as a form, not a name
  value fallback;  ///< the meaning if undefined: an interval, a ratio; otherwise nil
  global_node(source_span s, std::uint32_t l, bool head, value f)
    : node(op::global, s), link(l), is_head(head), fallback(std::move(f)) {}
};
/// A row of the form table as a value.
struct form_value_node : node {
  value v;
  const form_spec* form;
  form_value_node(source_span s, value x, const form_spec* f)
    : node(op::form_value, s), v(std::move(x)), form(f) {}
};
struct history_node : node {
  std::string text;
  history_node(source_span s, std::string t) : node(op::history, s), text(std::move(t)) {}
};
struct branch_node : node {  // if
  node_ptr test, yes, no;    ///< no: may be null
  explicit branch_node(source_span s) : node(op::branch, s) {}
};
struct choose_node : node {  // cond
  std::vector<std::pair<node_ptr, node_ptr>> clauses;
  explicit choose_node(source_span s) : node(op::choose, s) {}
};
/// and, or, do: `both`, `either`, `sequence`.
struct sequence_node : node {
  std::vector<node_ptr> items;
  sequence_node(op w, source_span s) : node(w, s) {}
};
struct negate_node : node {
  node_ptr item;
  negate_node(source_span s, node_ptr n) : node(op::negate, s), item(std::move(n)) {}
};
struct bind_locals_node : node {  // let
  struct binding {
    std::uint32_t slot;
    node_ptr init;
  };
  std::vector<binding> bindings;
  node_ptr body;
  explicit bind_locals_node(source_span s) : node(op::bind_locals, s) {}
};
struct make_function_node : node {
  std::shared_ptr<const function_code> code;
  bool is_macro = false;
  make_function_node(source_span s, std::shared_ptr<const function_code> c)
    : node(op::make_function, s), code(std::move(c)) {}
};
/// A definition at top level.
struct define_node : node {
  std::uint32_t link;
  std::vector<node_ptr> values;  ///< more than one: a seq of music
  value source;                  ///< the whole form
  define_node(source_span s, std::uint32_t l) : node(op::define, s), link(l) {}
};
struct call_value_node : node {
  node_ptr callee;
  std::vector<node_ptr> args;
  bool tail = false;
  explicit call_value_node(source_span s) : node(op::call_value, s) {}
};
/// How an argument of a form was written, for parameters that take words and lists literally.
enum class argument_form : std::uint8_t {
  computed,
  keyword,       ///< `:q`
  word,          ///< a symbol that is not a variable of the function around it
  form_word,     ///< a symbol that names a form: `f`, `rest`
  pitch,         ///< a pitch literal
  literal_list,  ///< a list that starts with a number: (4 4)
};
struct call_form_node : node {
  /// A constant needs no code: there are two in every note.
  struct arg {
    node_ptr code;  ///< null: `datum` is the value
    argument_form form;
    value datum;  ///< the word or list as written, or the value
    source_span span;
  };
  const form_spec* form;
  std::vector<arg> args;
  call_form_node(source_span s, const form_spec* f) : node(op::call_form, s), form(f) {}
};
enum class number_op : std::uint8_t {
  add,
  subtract,
  multiply,
  less,
  less_equal,
  greater,
  greater_equal,
  equal
};
/// A number operation on two operands, compiled directly because it is frequent in loops; operands
/// other than two integers use the form table.
struct number_node : node {
  number_op operation;
  node_ptr left, right;
  const form_spec* form;
  number_node(op w, source_span s, number_op o, const form_spec* f)
    : node(w, s), operation(o), form(f) {}
};
enum class access_op : std::uint8_t { head, tail, count, is_empty };
struct list_access_node : node {
  access_op operation;
  node_ptr list;
  const form_spec* form;
  list_access_node(source_span s, access_op o, const form_spec* f)
    : node(op::list_access, s), operation(o), form(f) {}
};
/// `[a b]`, and the list that starts with a pitch. `build_quasi`: some items are spliced.
struct list_node : node {
  std::vector<node_ptr> items;
  std::vector<bool> splice;
  bool bracketed = false;
  list_node(op w, source_span s) : node(w, s) {}
};
struct attempt_node : node {  // try
  node_ptr body, handler;     ///< handler: may be null
  explicit attempt_node(source_span s) : node(op::attempt, s) {}
};
/// `(expand x)` where x is not a macro call: its value, printed and read back as explicit forms.
struct expand_node : node {
  node_ptr item;
  expand_node(source_span s, node_ptr n) : node(op::expand_music, s), item(std::move(n)) {}
};

}  // namespace fermata
