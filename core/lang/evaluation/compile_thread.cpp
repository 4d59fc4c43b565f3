#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/compiler.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"

namespace fermata::detail {

node_ptr compiler::special_thread(const form& f, bool tail) {
  if (f.size() < 2) return wrong_shape(f, "missing value to pass on");
  auto whole = thread_of(f);
  return whole ? compile(whole->first, whole->second, tail) : nullptr;
}

std::optional<std::pair<value, source_span>> compiler::thread_of(const form& f) {
  auto last = is_symbol(f[0], "->>");
  std::pair so_far{f.size() > 1 ? f[1] : value{}, f.at(1)};
  for (std::size_t i = 2; i < f.size(); ++i) {
    so_far = {threaded(f[i], f.at(i), so_far.first, so_far.second, last), f.at(i)};
    // A step may be a quote or a macro, which make a value of it.
    if (nesting(so_far.first) > deepest_value) {
      too_deep(f.at(i), deepest_value);
      return std::nullopt;
    }
  }
  return so_far;
}

value compiler::threaded(const value& step, source_span at, const value& v, source_span v_at,
                         bool last) {
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

bool compiler::works_on_last(const form_spec& row) {
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

node_ptr compiler::special_expand(const form& f, bool) {
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
      auto whole = thread_of({*list, f.at(1)});
      if (!whole) return nullptr;
      v = std::move(whole->first);
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

node_ptr compiler::special_about(const form& f, bool) {
  if (f.size() != 2) return wrong_shape(f, "expected one name");
  auto name = f[1].as_symbol();
  auto row = find_form(*f[0].as_symbol());
  auto n = std::make_unique<call_form_node>(f.span, row);
  node_ptr arg;
  if (name != nullptr && !is_lexical(*name))
    arg = std::make_unique<constant_node>(f.at(1), f[1]);
  else
    arg = compile(f[1], f.at(1), false);
  if (!arg) return nullptr;
  n->args.push_back({std::move(arg), argument_form::computed, {}, f.at(1)});
  return n;
}

}  // namespace fermata::detail
