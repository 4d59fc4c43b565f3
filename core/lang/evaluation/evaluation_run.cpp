// The machine's loop and what loops of programs live on, in one place so that it is compiled as
// one.

#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"

#include <algorithm>

namespace fermata {

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

/// The comparison of two integers. False: the operands are not integers.
static inline bool compare_integers(number_op operation, const value& left, const value& right,
                                    bool& out) {
  auto a = left.as_number();
  auto b = right.as_number();
  if (a == nullptr || b == nullptr || !a->is_integer() || !b->is_integer()) return false;
  auto x = a->numerator();
  auto y = b->numerator();
  switch (operation) {
    case number_op::less: out = x < y; return true;
    case number_op::less_equal: out = x <= y; return true;
    case number_op::greater: out = x > y; return true;
    case number_op::greater_equal: out = x >= y; return true;
    default: out = x == y; return true;
  }
}

/// The sum, difference or product of two integers. False: the operands are not integers, or the
/// result does not fit 64 bits.
static inline bool combine_integers(number_op operation, const value& left, const value& right,
                                    value& out) {
  auto a = left.as_number();
  auto b = right.as_number();
  if (a == nullptr || b == nullptr || !a->is_integer() || !b->is_integer()) return false;
  auto x = a->numerator();
  auto y = b->numerator();
  std::int64_t z = 0;
  bool too_large = operation == number_op::add        ? __builtin_add_overflow(x, y, &z)
                   : operation == number_op::subtract ? __builtin_sub_overflow(x, y, &z)
                                                      : __builtin_mul_overflow(x, y, &z);
  if (too_large || z == INT64_MIN) return false;  // which has no negative
  out.become(z);
  return true;
}

/// Variables and constants are compared where they are; room for operands that must be evaluated
/// first, and its destruction, is in a function of its own.
inline status evaluation_state::eval_compare(const number_node& n, frame& f, bool& out) {
  auto left = at_hand(*n.left, f);
  auto right = at_hand(*n.right, f);
  if (left != nullptr && right != nullptr && compare_integers(n.operation, *left, *right, out))
      [[likely]]
    return status::done;
  return compare_operands(n, f, out);
}

status evaluation_state::compare_operands(const number_node& n, frame& f, bool& out) {
  value left_room, right_room;
  auto left = operand(*n.left, f, left_room);
  if (left == nullptr) return status::failed;
  auto right = operand(*n.right, f, right_room);
  if (right == nullptr) return status::failed;
  if (compare_integers(n.operation, *left, *right, out)) [[likely]]
    return status::done;
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

/// Runs a closure whose arguments are in `slots`.
status evaluation_state::invoke(const callable& closure, value* slots, variable_stack::mark base,
                                value& out) {
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
    auto* closure = next_call_.closure;
    kept = std::move(next_call_.kept);
    if (!step()) return status::failed;
    // The prepared frame lies above this one; it moves down.
    auto& code = *closure->code;
    auto n = code.params.size();
    auto* held = few;
    if (n > std::size(few)) {
      many.resize(n);
      held = many.data();
    }
    std::move(next_call_.slots, next_call_.slots + n, held);
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
                     span_in(*n.callee, f), "to write a list of values, use (list ...) or [...]");

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
    if (!take_arguments(*fn, args, slots, span_in(n, f))) return give_back(status::failed);
  }
  if (n.tail) {
    next_call_.closure = fn;
    // A variable of the frame that ends here is no longer there during the call.
    next_call_.kept = n.callee->what == op::global ? value{}
                      : n.callee->what == op::self ? value::of(f.self->shared_from_this())
                                                   : *callee;
    next_call_.slots = slots;
    return status::tail;
  }
  auto s = invoke(*fn, slots, base, out);
  stack_.release(base);
  return s == status::done ? s : located(n, f, fn->name);
}

/// The body of the first clause whose test is true, or null.
status evaluation_state::choose(const choose_node& n, frame& f, const node*& body) {
  body = nullptr;
  for (auto& [test, then] : n.clauses) {
    bool yes = false;
    if (truth(*test, f, yes) != status::done) return status::failed;
    if (yes) {
      body = then.get();
      break;
    }
  }
  return status::done;
}

/// Evaluates the items of `and` and `or` before the last one until one of them is the result.
status evaluation_state::decide(const sequence_node& n, frame& f, value& out, bool& decided) {
  for (std::size_t i = 0; i + 1 < n.items.size() && !decided; ++i) {
    if (eval(*n.items[i], f, out) != status::done) return status::failed;
    decided = out.is_true() == (n.what == op::either);
  }
  return status::done;
}

/// A negation or comparison as a value.
status evaluation_state::eval_truth(const node& n, frame& f, value& out) {
  const auto negated = n.what == op::negate;
  bool yes = false;
  if (truth(negated ? *static_cast<const negate_node&>(n).item : n, f, yes) != status::done)
    return status::failed;
  out = value::of(yes != negated);
  return status::done;
}

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
        if (choose(static_cast<const choose_node&>(*n), f, n) != status::done)
          return status::failed;
        if (n == nullptr) {
          out = value{};
          return status::done;
        }
        continue;
      }
      case op::both:
      case op::either: {
        auto& logic = static_cast<const sequence_node&>(*n);
        bool decided = false;
        if (decide(logic, f, out, decided) != status::done) return status::failed;
        if (decided) return status::done;
        n = logic.items.back().get();
        continue;
      }
      case op::negate:
      case op::compare: return eval_truth(*n, f, out);
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
      case op::list_access: return eval_access(static_cast<const list_access_node&>(*n), f, out);
      case op::make_list:
      case op::build_quasi: return eval_list(static_cast<const list_node&>(*n), f, out);
      case op::attempt: return eval_attempt(static_cast<const attempt_node&>(*n), f, out);
      case op::expand_music: return eval_expand(static_cast<const expand_node&>(*n), f, out);
    }
  }
}

status evaluation_state::eval_number(const number_node& n, frame& f, value& out) {
  auto left = at_hand(*n.left, f);
  auto right = at_hand(*n.right, f);
  if (left != nullptr && right != nullptr && combine_integers(n.operation, *left, *right, out))
      [[likely]]
    return status::done;
  return combine_operands(n, f, out);
}

status evaluation_state::combine_operands(const number_node& n, frame& f, value& out) {
  value left_room, right_room;
  auto left = operand(*n.left, f, left_room);
  if (left == nullptr) return status::failed;
  auto right = operand(*n.right, f, right_room);
  if (right == nullptr) return status::failed;
  if (combine_integers(n.operation, *left, *right, out)) [[likely]]
    return status::done;
  return eval_number_slowly(n, *left, *right, f, out);
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
  argument args[]{{*v, span_in(*n.list, f)}};
  auto s = call_builtin(*n.form, args, span_in(n, f), out);
  return s == status::done ? s : located(n, f);
}

}  // namespace fermata
