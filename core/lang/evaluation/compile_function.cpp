#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/compiler.hpp"

namespace fermata::detail {

node_ptr compiler::compile_body(const form& f, std::size_t first, bool tail, op what) {
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

bool compiler::is_local_definition(const value& v) const {
  auto list = v.as_list();
  return scope_->outer != nullptr && list != nullptr && !list->items.empty() && !list->bracketed &&
         (is_symbol(list->items[0], "def") || is_symbol(list->items[0], "defn"));
}

node_ptr compiler::compile_local_definition(const form& f) {
  if (f.size() < 3) return wrong_shape(f, "a definition needs a name and a value");
  auto name = bindable(f[1], f.at(1), false);
  if (!name) return nullptr;
  auto n = std::make_unique<bind_locals_node>(f.span);
  node_ptr init;
  if (is_symbol(f[0], "defn")) {
    init = go_deeper() ? compile_function(f, 2, *name, true) : too_deep(f.span);
    --depth_;
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

node_ptr compiler::compile_named(const value& v, source_span span, const std::string& name) {
  auto list = v.as_list();
  if (list != nullptr && list->items.size() > 1 && !list->bracketed &&
      is_symbol(list->items[0], "fn") && !is_lexical("fn") && list->items[1].as_symbol() == nullptr)
    return compile_function({*list, span}, 1, name, false);
  return compile(v, span, false);
}

node_ptr compiler::compile_function(const form& f, std::size_t at, std::string name,
                                    bool names_itself) {
  if (at < f.size() && f[at].as_string() && at + 1 < f.size())
    ++at;  // documentation, kept in the source
  auto params = at < f.size() ? f[at].as_list() : nullptr;
  if (params == nullptr)
    return wrong(errc::wrong_type, "missing parameter list, such as [x y]",
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
        wrong(errc::wrong_argument_count,
              "exactly one name must follow & at the end of a parameter list", list.at(i));
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
      wrong(errc::reserved_name, "duplicate parameter `" + param + "`", list.at(i));
      good = false;
    }
    code->params.push_back(param);
    scope.add(param);
  }
  auto* outside = std::exchange(scope_, &scope);
  auto opened = std::make_unique<bind_locals_node>(f.span);
  for (auto [slot, i] : patterns)
    good = destructure(list[i], list.at(i), slot, *opened) && good;
  auto deepest_outside = std::exchange(deepest_, depth_);
  auto body = compile_body(f, at + 1, true);
  scope_ = outside;
  code->depth = static_cast<std::uint32_t>(deepest_ - depth_);
  deepest_ = std::max(deepest_, deepest_outside);
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

value compiler::function_source(const form& f, std::size_t at, const std::string& name,
                                bool names_itself) {
  std::vector<value> items{value::sym("fn")};
  if (names_itself) items.push_back(value::sym(name));
  items.insert(items.end(), f.list.items.begin() + static_cast<std::ptrdiff_t>(at),
               f.list.items.end());
  return value::list(std::move(items));
}

bool compiler::destructure(const value& pattern, source_span span, std::uint32_t slot,
                           bind_locals_node& into) {
  form names{*pattern.as_list(), span};
  bool good = true;
  auto part = [&](const char* row, std::size_t n) {
    auto c = std::make_unique<call_form_node>(span, find_form(row));
    c->args.push_back(
        {nullptr, argument_form::computed, value::of(static_cast<std::int64_t>(n)), span});
    c->args.push_back({std::make_unique<variable_node>(op::local, span, slot),
                       argument_form::computed,
                       {},
                       span});
    return c;
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto rest = is_symbol(names[i], "&");
    auto position = i;
    if (rest && ++i + 1 != names.size()) {
      wrong(errc::wrong_argument_count, "exactly one name must follow & at the end of a pattern",
            names.at(i - 1));
      return false;
    }
    if (is_symbol(names[i], "_")) continue;
    auto init = part(rest ? "drop" : "nth", position);
    if (names[i].as_list()) {
      auto inner = scope_->add("");
      into.bindings.push_back({inner, std::move(init)});
      good = destructure(names[i], names.at(i), inner, into) && good;
    } else if (auto name = bindable(names[i], names.at(i), false)) {
      into.bindings.push_back({scope_->add(*name), std::move(init)});
    } else {
      good = false;
    }
  }
  return good;
}

node_ptr compiler::special_def(const form& f, bool) {
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

node_ptr compiler::compile_definition(const form& f, bool is_macro) {
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

node_ptr compiler::misplaced(const form& f) {
  return wrong(errc::misplaced, "inside a function, definitions must come directly in the body",
               f.span, "use (let [name value] ...)");
}

node_ptr compiler::special_fn(const form& f, bool) {
  if (f.size() > 1 && f[1].as_symbol()) {
    auto name = bindable(f[1], f.at(1), false);
    return name ? compile_function(f, 2, *name, true) : nullptr;
  }
  return compile_function(f, 1, {}, false);
}

}  // namespace fermata::detail
