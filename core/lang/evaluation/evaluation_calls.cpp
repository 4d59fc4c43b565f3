// Calls of forms, and calls that come from handlers.

#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/value/music.hpp"
#include "core/lang/value/pitch_range.hpp"
#include "core/memory_meter.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

namespace {

/// Handlers of musical forms walk over lists of lists by calling themselves.
constexpr std::size_t deepest_argument = 100;

/// As many as most calls have; they need no memory of their own.
constexpr std::size_t few_arguments = 4;

/// Also when there is no end to it, as lists may share their parts.
bool is_nested_deeper(const value& v, std::size_t limit) {
  constexpr std::size_t most = 20'000'000;
  std::size_t seen = 0;
  auto outer = v.as_list();
  if (outer == nullptr) return false;
  std::vector<std::pair<const list_data*, std::size_t>> todo{{outer, 0}};
  while (!todo.empty()) {
    auto [list, depth] = todo.back();
    todo.pop_back();
    if (depth > limit || (seen += list->items.size()) > most) return true;
    for (auto& item : list->items)
      if (auto inner = item.as_list()) todo.emplace_back(inner, depth + 1);
  }
  return false;
}

/// Notes and pitches in values, as often as they are reached.
std::uint64_t notes_in(std::span<const argument> args) {
  constexpr auto most = std::uint64_t{1} << 40;
  std::uint64_t sum = 0;
  std::vector<const value*> todo;
  for (auto& a : args)
    todo.push_back(&a.v);
  while (!todo.empty() && sum < most) {
    auto v = todo.back();
    todo.pop_back();
    if (auto list = v->as_list())
      for (auto& item : list->items)
        todo.push_back(&item);
    else if (auto m = v->as_music())
      sum += m->weight;
    else
      sum += v->as_pitch() ? 1 : 0;
  }
  return sum;
}

}  // namespace

status evaluation_state::wrong_count(const callable& closure, std::size_t given,
                                     std::optional<source_span> at) {
  auto& code = *closure.code;
  auto wanted = code.params.size() - (code.has_rest ? 1 : 0);
  auto name = closure.name.empty() ? std::string{"the function"} : "`" + closure.name + "`";
  std::string names;
  for (std::size_t i = 0; i < code.params.size(); ++i)
    names += (i == 0 ? "" : " ") +
             std::string{code.has_rest && i + 1 == code.params.size() ? "& " : ""} + code.params[i];
  // One without a name is shown as it is made.
  auto shape = closure.name.empty() ? "(fn [" + names + "] ..."
                                    : "(" + closure.name + (names.empty() ? "" : " ") + names;
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
  return !code.has_rest || check_nesting(slots[plain], at) == status::done;
}

status evaluation_state::eval_form(const call_form_node& n, frame& f, value& out) {
  boost::container::small_vector<argument, few_arguments> args;
  args.reserve(n.args.size());
  error faults;
  auto here = is_here(f);
  for (auto& a : n.args) {
    auto& arg = args.emplace_back(argument{{}, here ? a.span : elsewhere, a.form, {}, true});
    if (!a.code) {
      arg.v = a.datum;
      continue;
    }
    arg.datum = a.datum;
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
        if (faults.diagnostics.size() < most_faults_of_form)
          faults.diagnostics.push_back(std::move(d));
    }
  }
  if (!faults.diagnostics.empty()) {
    failure = std::move(faults);
    return status::failed;
  }
  auto s = call_builtin(*n.form, args, span_in(n, f), out);
  return s == status::done ? s : located(n, f);
}

status evaluation_state::check_nesting(const value& v, source_span at, std::string_view who) {
  if (nesting(v) <= deepest_value) [[likely]]
    return status::done;
  return fail_with(errc::nesting_too_deep,
                   std::string{who} + (who.empty() ? "" : ": ") + "the " +
                       std::string{type_name(v)} + " would be nested more than " +
                       std::to_string(deepest_value) + " deep",
                   at,
                   v.as_list() ? "use (concat list more) to append items instead of nesting lists"
                               : "keep the functions in a list instead of nesting them");
}

status evaluation_state::check_result(const form_spec& form, const value& v, source_span at) {
  if (check_nesting(v, at, form.name) != status::done) return status::failed;
  if (auto m = v.as_music()) {
    if (m->depth > deepest_music)
      return fail_with(errc::nesting_too_deep,
                       form.name + ": music is nested more than " + std::to_string(deepest_music) +
                           " deep",
                       at, "to join many items, use (apply seq notes)");
    if (m->weight > request.budget.elements)
      return over_budget("produced music of more than " + std::to_string(request.budget.elements) +
                         " notes");
  }
  if (form.facts.moves_pitches)
    if (auto p = unwritable_pitch(v))
      return fail_with(errc::out_of_range, form.name + ": " + to_string(*p) + " is out of range",
                       at, "octaves range from -1 to 9");
  return status::done;
}

status evaluation_state::call_builtin(const form_spec& form, std::span<argument> args,
                                      source_span at, value& out) {
  if (form.handler == nullptr)
    return fail_with(errc::not_callable,
                     "`" + form.name + "` is a special form and cannot be passed as a value", at);
  if (!enter()) {
    leave();
    return status::failed;
  }
  for (auto& a : args)
    if (a.v.as_list() && !form.facts.takes_any_depth && is_nested_deeper(a.v, deepest_argument)) {
      leave();
      return fail_with(errc::nesting_too_deep,
                       form.name + ": the list is nested more than " +
                           std::to_string(deepest_argument) + " deep",
                       a.span);
    }
  if (form.facts.copies_music && !copied(notes_in(args))) {
    leave();
    return status::failed;
  }
  call c{form, *this, at};
  auto s = status::done;
  auto refused = [&](error why) {
    name_misspelt(c, args, why);
    failure = std::move(why);
    s = status::failed;
  };
  if (auto good = bind_arguments(c, args); !good) {
    refused(std::move(good.error()));
  } else {
    // Exact numbers refuse what does not fit by throwing (core/music/rational.hpp).
    try {
      auto r = form.handler(c);
      if (r) {
        out = std::move(*r);
        s = check_result(form, out, at);
      } else {
        refused(std::move(r.error()));
      }
    } catch (const rational_overflow&) {
      s = fail_with(errc::number_too_large, form.name + ": a number became too large to be exact",
                    at);
    } catch (const std::domain_error&) {
      s = fail_with(errc::division_by_zero, form.name + ": division by zero", at);
    } catch (const evaluation_stopped&) {
      throw;
    } catch (const std::bad_alloc&) {
      s = over_budget("not enough memory");
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
      boost::container::small_vector<argument, few_arguments> bound;
      bound.reserve(args.size());
      for (auto& a : args)
        bound.push_back({a, at, argument_form::computed, {}, true});
      return call_builtin(*c.form, bound, at, out);
    }
    case callable::kind::macro:
      return fail_with(errc::not_callable, "the macro `" + c.name + "` is not a function", at,
                       "define macros before the code that uses them");
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
  auto before = std::exchange(failure, {});  // faults of the code around it
  auto base = stack_.position();
  auto* slots = stack_.push(macro.code->slots);
  auto s = status::failed;
  if (take_arguments(macro, args, slots, at)) s = invoke(macro, slots, base, out);
  stack_.release(base);
  if (s == status::done) {
    failure = std::move(before);
    return out;
  }
  std::swap(failure, before);
  for (auto& d : before.diagnostics) {
    if (!d.span || d.span->begin == elsewhere.begin) d.span = at;
    d.message = "while expanding `" + macro.name + "`: " + d.message;
    if (d.code == errc::nesting_too_deep) d.hint = "look for a macro that expands into itself";
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

}  // namespace fermata
