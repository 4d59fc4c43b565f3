#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/row_shorthand.hpp"
#include "core/lang/evaluation/sequence.hpp"
#include "core/lang/forms/forms.hpp"
#include "core/lang/transform/zip_rhythm.hpp"
#include "core/lang/value/literals.hpp"
#include "core/lang/value/number.hpp"
#include "core/utf8.hpp"

#include <algorithm>

namespace fermata {

namespace {

const std::vector<value>& items(call& c, std::string_view name) {
  return c.get(name).as_list()->items;
}

result<value> made(call& c, std::vector<value> list) {
  if (auto good = c.produced(list.size()); !good) return fail(good.error());
  return value::list(std::move(list));
}

result<value> part_of(call& c, std::ptrdiff_t from, std::ptrdiff_t to) {
  auto& list = items(c, "list");
  return made(c, {list.begin() + from, list.begin() + to});
}

/// The first n items, or the others.
result<value> divided(call& c, bool first) {
  auto n = *c.integer("n");
  if (n < 0)
    return fail(c.wrong(errc::out_of_range,
                        "there are no " + std::to_string(n) + " items; use 0 or more", "n"));
  auto size = std::ssize(items(c, "list"));
  auto at = static_cast<std::ptrdiff_t>(std::min<std::int64_t>(n, size));
  return first ? part_of(c, 0, at) : part_of(c, at, size);
}

result<value> nth(call& c) {
  auto& list = items(c, "list");
  auto n = *c.integer("n");
  if (n < 0 || n >= static_cast<std::int64_t>(list.size()))
    return fail(c.wrong(errc::out_of_range,
                        list.empty()
                            ? "the list is empty"
                            : "there is no item " + std::to_string(n) +
                                  "; items are numbered 0 to " + std::to_string(list.size() - 1),
                        "n"));
  return list[static_cast<std::size_t>(n)];
}

result<value> concat(call& c) {
  std::vector<value> all;
  for (std::size_t i = 0; i < c.rest().size(); ++i) {
    auto list = c.rest()[i].as_list();
    if (auto good = c.produced(list->items.size()); !good) return fail(good.error());
    all.insert(all.end(), list->items.begin(), list->items.end());
  }
  return value::list(std::move(all));
}

/// (range 4), (range 1 5), (range 0 1 1/4).
result<value> range(call& c) {
  for (auto name : {"first", "end", "step"})
    if (c.has(name) && !c.get(name).as_number())
      return fail(c.wrong(errc::wrong_type, "expected an exact number", name));
  rational from{0}, to = *c.get("first").as_number(), by{1};
  if (c.has("end")) {
    from = to;
    to = *c.get("end").as_number();
  }
  if (c.has("step")) by = *c.get("step").as_number();
  if (by == rational{0})
    return fail(c.wrong(errc::out_of_range, "the step must not be zero", "step"));
  auto steps = (to - from) / by;
  auto n = steps <= rational{0} ? 0 : -floor(-steps);
  if (auto good = c.produced(static_cast<std::size_t>(n)); !good) return fail(good.error());
  std::vector<value> list;
  list.reserve(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i, from += by)
    list.push_back(value::of(from));
  return value::list(std::move(list));
}

result<value> zip(call& c) {
  if (c.rest().size() == 1 && is_rhythm(c.get("list")) && is_pitches(c.rest().front()))
    return zipped_with_rhythm(c, c.get("list"), c.rest().front(), false);
  auto shortest = items(c, "list").size();
  for (auto& other : c.rest())
    shortest = std::min(shortest, other.as_list()->items.size());
  std::vector<value> rows;
  for (std::size_t i = 0; i < shortest; ++i) {
    std::vector<value> row{items(c, "list")[i]};
    for (auto& other : c.rest())
      row.push_back(other.as_list()->items[i]);
    if (auto good = c.produced(row.size() + 1); !good) return fail(good.error());
    rows.push_back(value::list(std::move(row)));
  }
  return value::list(std::move(rows));
}

result<value> repeat_times(call& c) {
  auto n = *c.integer("times");
  if (n < 0)
    return fail(
        c.wrong(errc::out_of_range, "the number of repetitions must not be negative", "times"));
  if (auto good = c.produced(static_cast<std::size_t>(n)); !good) return fail(good.error());
  return value::list(std::vector<value>(static_cast<std::size_t>(n), c.get("item")));
}

result<value> sorted(call& c) {
  auto list = items(c, "list");
  if (auto good = c.produced(list.size()); !good) return fail(good.error());
  std::vector<std::pair<value, std::size_t>> keys;  // key, index
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto key = list[i];
    if (c.has("by")) {
      auto k = c.apply(c.get("by"), std::span{&list[i], 1});
      if (!k) return k;
      key = std::move(*k);
    }
    keys.emplace_back(std::move(key), i);
  }
  for (auto& k : keys)
    if (!order(keys.front().first, k.first))
      return fail(c.wrong(errc::wrong_type, describe_kind(keys.front().first) + " and " +
                                                describe_kind(k.first) + " cannot be ordered"));
  bool down = c.flag("down"), comparable = true;
  std::stable_sort(keys.begin(), keys.end(), [&](auto& a, auto& b) {
    auto o = order(a.first, b.first);
    comparable = comparable && o;
    return o && (down ? *o > 0 : *o < 0);
  });
  if (!comparable)
    return fail(c.wrong(errc::wrong_type, "the items cannot be compared with each other"));
  std::vector<value> out;
  for (auto& k : keys)
    out.push_back(std::move(list[k.second]));
  return value::list(std::move(out));
}

result<std::optional<std::size_t>> find_in(call& c) {
  auto& list = items(c, "list");
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto equal = same(list[i], c.get("item"));
    if (!equal) return fail(c.wrong(errc::budget_exceeded, "the values are too large to compare"));
    if (*equal) return std::optional{i};
  }
  return std::optional<std::size_t>{};
}

result<value> distinct(call& c) {
  std::vector<value> out;
  for (auto& item : items(c, "list")) {
    if (auto good = c.produced(1 + out.size() / 16); !good) return fail(good.error());
    bool known = false;
    for (auto& other : out) {
      auto equal = same(item, other);
      if (!equal)
        return fail(c.wrong(errc::budget_exceeded, "the values are too large to compare"));
      known = known || *equal;
    }
    if (!known) out.push_back(item);
  }
  return value::list(std::move(out));
}

result<value> flatten(call& c) {
  std::vector<value> out, todo;
  auto push_reversed = [&todo](const std::vector<value>& list) {
    todo.insert(todo.end(), list.rbegin(), list.rend());
  };
  push_reversed(items(c, "list"));
  while (!todo.empty()) {
    auto v = std::move(todo.back());
    todo.pop_back();
    if (auto good = c.produced(1); !good) return fail(good.error());
    if (auto list = v.as_list())
      push_reversed(list->items);
    else
      out.push_back(std::move(v));
  }
  return value::list(std::move(out));
}

result<value> partition(call& c) {
  auto n = *c.integer("size");
  if (n < 1) return fail(c.wrong(errc::out_of_range, "groups must have at least one item", "size"));
  auto& list = items(c, "list");
  if (auto good = c.produced(list.size()); !good) return fail(good.error());
  std::vector<value> groups;
  for (std::size_t i = 0; i < list.size();) {
    auto end = std::min(list.size() - i, static_cast<std::size_t>(n)) + i;
    groups.push_back(value::list({list.begin() + static_cast<std::ptrdiff_t>(i),
                                  list.begin() + static_cast<std::ptrdiff_t>(end)}));
    i = end;
  }
  return value::list(std::move(groups));
}

/// The value beside `key` in ((key value) ...) or (key value key value ...).
result<value> lookup(call& c) {
  auto& list = items(c, "list");
  bool pairs = std::all_of(list.begin(), list.end(), [](const value& v) {
    auto pair = v.as_list();
    return pair != nullptr && pair->items.size() == 2;
  });
  if (!pairs && list.size() % 2 != 0)
    return fail(c.wrong(errc::wrong_type,
                        "needs pairs ((key value) ...) or alternating keys and values", "list"));
  auto count = pairs ? list.size() : list.size() / 2;
  for (std::size_t i = 0; i < count; ++i) {
    auto& key = pairs ? list[i].as_list()->items[0] : list[2 * i];
    auto equal = same(key, c.get("key"));
    if (equal && *equal) return pairs ? list[i].as_list()->items[1] : list[2 * i + 1];
  }
  return c.has("default") ? c.get("default") : value{};
}

result<value> head_handler(call& c) {
  return items(c, "list").empty() ? value{} : items(c, "list").front();
}

result<value> tail_handler(call& c) {
  return part_of(c, items(c, "list").empty() ? 0 : 1, std::ssize(items(c, "list")));
}

result<value> last_handler(call& c) {
  return items(c, "list").empty() ? value{} : items(c, "list").back();
}

/// The items of a parameter that may be a string as well.
result<std::vector<value>> counted_items(call& c) {
  auto& x = c.get("x");
  if (auto all = items_of(x)) return std::move(*all);
  return fail(
      c.wrong(errc::wrong_type, "X needs a list, a seq or a string, not " + describe(x), "x"));
}

result<value> count_handler(call& c) {
  auto& x = c.get("x");
  if (auto s = x.as_string())
    return value::of(static_cast<std::int64_t>(
        std::count_if(s->begin(), s->end(), [](char ch) { return !is_utf8_continuation(ch); })));
  auto all = counted_items(c);
  return all ? result<value>{value::of(static_cast<std::int64_t>(all->size()))} : fail(all.error());
}

result<value> is_empty_handler(call& c) {
  auto& x = c.get("x");
  if (auto s = x.as_string()) return value::of(s->empty());
  auto all = counted_items(c);
  return all ? result<value>{value::of(all->empty())} : fail(all.error());
}

result<value> cons_handler(call& c) {
  std::vector<value> all{c.get("item")};
  all.insert(all.end(), items(c, "list").begin(), items(c, "list").end());
  return made(c, std::move(all));
}

result<value> reverse_handler(call& c) {
  return made(c, {items(c, "list").rbegin(), items(c, "list").rend()});
}

result<value> contains_handler(call& c) {
  auto at = find_in(c);
  return at ? result<value>{value::of(at->has_value())} : fail(at.error());
}

result<value> index_of_handler(call& c) {
  auto at = find_in(c);
  if (!at) return fail(at.error());
  return *at ? value::of(static_cast<std::int64_t>(**at)) : value{};
}

}  // namespace

std::vector<form_spec> list_forms() {
  using t = arg_type;
  const std::string cat = "list";
  auto list = required("list", t::list, "a list, or a seq (its items)");
  auto lists = all_further("lists", t::list, "lists or seqs");
  auto n = required("n", t::integer, "a whole number");
  auto item = required("item", t::any, "a value");

  return {
      {"list",
       {},
       cat,
       {all_further("items", t::any, "values")},
       "A list of the values.",
       "(list 1 :q c4)",
       "list",
       [](call& c) { return made(c, c.rest()); }},
      {"head",
       {"first"},
       cat,
       {list},
       "The first item, or nil.",
       "(head (c4 e4 g4))",
       "value",
       head_handler},
      {"tail",
       {},
       cat,
       {list},
       "All items except the first.",
       "(tail (c4 e4 g4))",
       "list",
       tail_handler},
      {"last",
       {},
       cat,
       {list},
       "The last item, or nil.",
       "(last (c4 e4 g4))",
       "value",
       last_handler},
      {"nth", {}, cat, {n, list}, "Item n, counting from 0.", "(nth 1 (c4 e4 g4))", "value", nth},
      {"count",
       {"length"},
       cat,
       {required("x", t::any, "a list, seq or string")},
       "The number of items of a list or seq, or of characters of a string.",
       "(count (c4 e4 g4))",
       "number",
       count_handler},
      {"empty?",
       {},
       cat,
       {required("x", t::any, "a list, seq or string")},
       "Whether a list, seq or string is empty.",
       "(empty? (list))",
       "boolean",
       is_empty_handler},
      {"concat",
       {"append"},
       cat,
       {lists},
       "Joins lists into one.",
       "(concat (c4 d4) (list e4))",
       "list",
       concat},
      {"cons",
       {},
       cat,
       {item, list},
       "The list with an item added at the front.",
       "(cons c4 (d4 e4))",
       "list",
       cons_handler},
      {"reverse",
       {},
       cat,
       {list},
       "The items in reverse order.",
       "(reverse (c4 d4 e4))",
       "list",
       reverse_handler},
      {"range",
       {},
       cat,
       {required("first", t::number, "the first number; alone, the end of a range from 0"),
        optional("end", t::number, "the end, exclusive"),
        optional("step", t::number, "may be negative or a fraction", "1")},
       "Numbers in equal steps, excluding the end.",
       "(range 0 1 1/4)",
       "list",
       range},
      {"take",
       {},
       cat,
       {n, list},
       "The first n items, or fewer if the list is shorter.",
       "(take 2 (c4 e4 g4))",
       "list",
       [](call& c) { return divided(c, true); }},
      {"drop",
       {},
       cat,
       {n, list},
       "All items except the first n.",
       "(drop 1 (c4 e4 g4))",
       "list",
       [](call& c) { return divided(c, false); }},
      {"zip",
       {},
       cat,
       {list, lists},
       "Pairs up the items of lists, up to the shortest. A list of durations followed by a list of "
       "pitches or chords gives notes; anything else gives lists.",
       "(zip (:q :8) (c4 d4))",
       "list",
       zip},
      {"repeat-times",
       {},
       cat,
       {required("times", t::integer, "how often"), item},
       "A list of n copies of an item.",
       "(repeat-times 3 g4)",
       "list",
       repeat_times},
      {"sort",
       {},
       cat,
       {list, option("by", t::function, "function giving the value to compare"),
        flag("down", "in descending order")},
       "The items in ascending order; the sort is stable.",
       "(sort (g4 c4 e4))",
       "list",
       sorted},
      {"contains?",
       {},
       cat,
       {item, list},
       "Whether an item is in a list.",
       "(contains? e4 (c4 e4 g4))",
       "boolean",
       contains_handler},
      {"index-of",
       {},
       cat,
       {item, list},
       "The index of the first matching item, counting from 0, or nil.",
       "(index-of e4 (c4 e4 g4))",
       "number",
       index_of_handler},
      {"distinct",
       {},
       cat,
       {list},
       "The items without duplicates, in order of appearance.",
       "(distinct (c4 e4 c4))",
       "list",
       distinct},
      {"flatten",
       {},
       cat,
       {list},
       "Flattens one level of nested lists.",
       "(flatten (list 1 (list 2 (list 3))))",
       "list",
       flatten},
      {"partition",
       {},
       cat,
       {required("size", t::integer, "items in each group"), list},
       "Groups of n items; the last may be shorter.",
       "(partition 2 (c4 d4 e4))",
       "list",
       partition},
      {"lookup",
       {},
       cat,
       {required("key", t::any, "what to look for"), list,
        optional("default", t::any, "default if not found", "nil")},
       "The value for a key in ((key value) ...) or in a list of alternating keys and values.",
       "(lookup :b (list :a 1 :b 2))",
       "value",
       lookup},
  };
}

}  // namespace fermata
