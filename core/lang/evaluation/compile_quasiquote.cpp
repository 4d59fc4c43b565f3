#include "core/lang/evaluation/compiler.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"

namespace fermata::detail {

node_ptr compiler::special_quote(const form& f, bool) {
  if (f.size() != 2) return wrong_shape(f, "quote takes one expression");
  return std::make_unique<constant_node>(f.span, f[1]);
}

node_ptr compiler::special_quasiquote(const form& f, bool) {
  if (f.size() != 2) return wrong_shape(f, "quasiquote takes one expression");
  return compile_template(f[1], f.at(1), 1);
}

node_ptr compiler::special_unquote(const form& f, bool) {
  return wrong(errc::misplaced, "unquote (,) outside a quasiquote (`)", f.span);
}

node_ptr compiler::compile_template(const value& v, source_span span, int level) {
  auto list = v.as_list();
  if (list == nullptr || !has_unquote(v)) return std::make_unique<constant_node>(span, v);
  if (!state_.produced(1)) return over_budget(span);
  if (!go_deeper()) {
    --depth_;
    return wrong(errc::nesting_too_deep, "the template is nested too deeply", span);
  }
  auto n = compile_template_list({*list, span}, level);
  --depth_;
  return n;
}

node_ptr compiler::compile_template_list(const form& f, int level) {
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

bool compiler::has_unquote(const value& v) {
  std::vector<const list_data*> todo;
  if (auto list = v.as_list()) todo.push_back(list);
  while (!todo.empty()) {
    // A list may share its parts, so that the walk takes longer than making it took; whoever asked
    // finds out too that the budget is used up.
    if (!state_.step()) return true;
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

}  // namespace fermata::detail
