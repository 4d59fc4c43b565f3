#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/forms/forms.hpp"
#include "core/lang/value/callable.hpp"

#include <algorithm>

namespace fermata {

namespace {

const std::vector<value>& list_items(call& c, std::string_view name) {
  return c.get(name).as_list()->items;
}

result<value> map(call& c) {
  auto& first = list_items(c, "list");
  auto n = first.size();
  for (auto& other : c.rest())
    n = std::min(n, other.as_list()->items.size());
  std::vector<value> out, args(1 + c.rest().size());
  out.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    args[0] = first[i];
    for (std::size_t k = 0; k < c.rest().size(); ++k)
      args[k + 1] = c.rest()[k].as_list()->items[i];
    auto v = c.apply(c.get("function"), args);
    if (!v) return v;
    if (auto good = c.produced(1); !good) return fail(good.error());
    out.push_back(std::move(*v));
  }
  return value::list(std::move(out));
}

/// Calls `take(item, yes)` until it returns false.
template <class F>
result<void> test_each(call& c, F take) {
  for (auto& item : list_items(c, "list")) {
    auto v = c.apply(c.get("test"), std::span{&item, 1});
    if (!v) return fail(v.error());
    if (!take(item, v->is_true())) return {};
  }
  return {};
}

result<value> selected(call& c, bool wanted) {
  std::vector<value> out;
  auto good = test_each(c, [&](const value& item, bool yes) {
    if (yes == wanted) out.push_back(item);
    return true;
  });
  if (!good) return fail(good.error());
  if (auto enough = c.produced(out.size()); !enough) return fail(enough.error());
  return value::list(std::move(out));
}

result<value> quantified(call& c, bool stops_at) {
  bool found = false;
  auto good = test_each(c, [&](const value&, bool yes) {
    found = yes == stops_at;
    return !found;
  });
  if (!good) return fail(good.error());
  return value::of(found == stops_at);
}

result<value> prefix(call& c, bool keep) {
  std::size_t n = 0;
  auto good = test_each(c, [&](const value&, bool yes) {
    n += yes ? 1 : 0;
    return yes;
  });
  if (!good) return fail(good.error());
  auto& list = list_items(c, "list");
  auto at = list.begin() + static_cast<std::ptrdiff_t>(n);
  std::vector<value> out{keep ? list.begin() : at, keep ? at : list.end()};
  if (auto enough = c.produced(out.size()); !enough) return fail(enough.error());
  return value::list(std::move(out));
}

/// (reduce + list), (reduce + 0 list).
result<value> reduce(call& c) {
  if (c.rest().empty()) return fail(c.wrong(errc::wrong_argument_count, "missing list"));
  auto& rest = c.rest();
  auto& last = rest.back();
  auto list = last.as_list();
  if (rest.size() > 2 || list == nullptr)
    return fail(c.wrong(errc::wrong_argument_count,
                        "takes a function, an optional start value and a list"));
  std::size_t i = 0;
  value sum;
  if (rest.size() == 2)
    sum = rest[0];
  else if (list->items.empty())
    return c.apply(c.get("function"), {});
  else
    sum = list->items[i++];
  for (; i < list->items.size(); ++i) {
    value args[] = {std::move(sum), list->items[i]};
    auto v = c.apply(c.get("function"), args);
    if (!v) return v;
    sum = std::move(*v);
  }
  return sum;
}

value held(callable::kind what, std::vector<value> values) {
  auto c = std::make_shared<callable>();
  c->what = what;
  c->held = std::move(values);
  return value::of(std::move(c));
}

result<value> apply_handler(call& c) {
  std::vector<value> args = c.rest();
  if (args.empty()) return fail(c.wrong(errc::wrong_argument_count, "missing argument list"));
  auto last = std::move(args.back());
  args.pop_back();
  if (!last.as_list())
    return fail(
        c.wrong(errc::wrong_type, "the last argument must be a list, not " + describe(last)));
  auto& more = last.as_list()->items;
  if (auto good = c.produced(more.size()); !good) return fail(good.error());
  args.insert(args.end(), more.begin(), more.end());
  return c.apply(c.get("function"), args);
}

result<value> every_handler(call& c) {
  auto fails = quantified(c, false);
  return fails ? result<value>{value::of(fails->is_true())} : fails;
}

result<value> comp_handler(call& c) {
  std::vector<value> all{c.get("function")};
  all.insert(all.end(), c.rest().begin(), c.rest().end());
  return held(callable::kind::composed, std::move(all));
}

result<value> partial_handler(call& c) {
  std::vector<value> all{c.get("function")};
  all.insert(all.end(), c.rest().begin(), c.rest().end());
  return held(callable::kind::partial, std::move(all));
}

}  // namespace

std::vector<form_spec> function_forms() {
  using t = arg_type;
  const std::string cat = "function";
  auto function = required("function", t::function, "the function to call");
  auto test = required("test", t::function, "a function of one item");
  auto list = required("list", t::list, "a list, or a seq (its items)");

  return {
      {"map",
       {},
       cat,
       {function, list,
        all_further("lists", t::list, "more lists, for functions of several arguments")},
       "The results of calling a function on each item.",
       "(map inc (list 1 2 3))",
       "list",
       map},
      {"filter",
       {},
       cat,
       {test, list},
       "The items for which the test is true.",
       "(filter even? (range 6))",
       "list",
       [](call& c) { return selected(c, true); }},
      {"remove",
       {},
       cat,
       {test, list},
       "The items for which the test is false.",
       "(remove even? (range 6))",
       "list",
       [](call& c) { return selected(c, false); }},
      {"reduce",
       {"fold"},
       cat,
       {function, all_further("start-and-list", t::any, "an optional start value and the list")},
       "Combines the items, from left to right, with a function of two arguments.",
       "(reduce + 0 (range 5))",
       "value",
       reduce},
      {"apply",
       {},
       cat,
       {function,
        all_further("arguments", t::any, "arguments; the last one is a list of the rest")},
       "Calls a function with the items of a list as arguments.",
       "(apply + 1 (list 2 3))",
       "value",
       apply_handler},
      {"some?",
       {},
       cat,
       {test, list},
       "Whether the test is true for some item.",
       "(some? even? (list 1 2))",
       "boolean",
       [](call& c) { return quantified(c, true); }},
      {"every?",
       {},
       cat,
       {test, list},
       "Whether the test is true for every item.",
       "(every? even? (list 1 2))",
       "boolean",
       every_handler},
      {"take-while",
       {},
       cat,
       {test, list},
       "The leading items for which the test is true.",
       "(take-while odd? (list 1 3 4 5))",
       "list",
       [](call& c) { return prefix(c, true); }},
      {"drop-while",
       {},
       cat,
       {test, list},
       "The items from the first one for which the test is false.",
       "(drop-while odd? (list 1 3 4 5))",
       "list",
       [](call& c) { return prefix(c, false); }},
      {"comp",
       {},
       cat,
       {function, all_further("functions", t::function,
                              "more functions, called before it, the last one first")},
       "Composes functions; the last one is called first.",
       "((comp inc inc) 1)",
       "function",
       comp_handler},
      {"partial",
       {},
       cat,
       {function, all_further("arguments", t::any, "its first arguments")},
       "The function with its first arguments fixed.",
       "(map (partial * 2) (list 1 2 3))",
       "function",
       partial_handler},
      {"identity",
       {},
       cat,
       {required("x", t::any, "anything")},
       "Returns its argument.",
       "(identity c4)",
       "value",
       [](call& c) -> result<value> { return c.get("x"); }},
  };
}

}  // namespace fermata
