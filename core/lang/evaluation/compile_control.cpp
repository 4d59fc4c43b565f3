#include "core/lang/evaluation/compiler.hpp"

namespace fermata::detail {

node_ptr compiler::special_let(const form& f, bool tail) {
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
          return destructure(name, at, slot, *n);
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

template <class F>
bool compiler::each_binding(const form& bindings, F take) {
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

node_ptr compiler::compile_named_let(const form& f, bool tail) {
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

node_ptr compiler::special_if(const form& f, bool tail) {
  if (f.size() < 3 || f.size() > 4)
    return wrong_shape(f, "if takes a test, a value and an optional else value");
  auto n = std::make_unique<branch_node>(f.span);
  n->test = compile(f[1], f.at(1), false);
  n->yes = compile(f[2], f.at(2), tail);
  if (f.size() == 4) n->no = compile(f[3], f.at(3), tail);
  return n->test && n->yes && (n->no || f.size() == 3) ? node_ptr{std::move(n)} : nullptr;
}

node_ptr compiler::special_when(const form& f, bool tail) {
  if (f.size() < 2) return wrong_shape(f, "missing test");
  auto n = std::make_unique<branch_node>(f.span);
  n->test = compile(f[1], f.at(1), false);
  if (is_symbol(f[0], "unless") && n->test)
    n->test = std::make_unique<negate_node>(f.at(1), std::move(n->test));
  n->yes = compile_body(f, 2, tail);
  return n->test && n->yes ? node_ptr{std::move(n)} : nullptr;
}

node_ptr compiler::special_cond(const form& f, bool tail) {
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

node_ptr compiler::compile_connected(const form& f, bool tail, op what) {
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

node_ptr compiler::special_try(const form& f, bool) {
  if (f.size() < 2 || f.size() > 3) return wrong_shape(f, "try takes an expression and a handler");
  auto n = std::make_unique<attempt_node>(f.span);
  n->body = compile(f[1], f.at(1), false);
  if (f.size() == 3) n->handler = compile(f[2], f.at(2), false);
  return n->body && (n->handler || f.size() == 2) ? node_ptr{std::move(n)} : nullptr;
}

}  // namespace fermata::detail
