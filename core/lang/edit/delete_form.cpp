#include "core/lang/edit/delete_form.hpp"

#include "core/lang/edit/edit_selection.hpp"
#include "core/lang/edit/replaced_staves.hpp"
#include "core/lang/edit/selector_value.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/score/edit/edit.hpp"
#include "core/score/model/part_defaults.hpp"

#include <algorithm>
#include <utility>

namespace fermata {

namespace {

/// The score without a part; the list of parts closes up.
score_ptr without_part(const score& s, std::size_t part) {
  auto next = s;
  next.parts.erase(next.parts.begin() + static_cast<std::ptrdiff_t>(part));
  std::vector<part_list_item> list;
  for (const auto& x : s.part_list) {
    auto index = std::get_if<std::size_t>(&x);
    if (!index)
      list.push_back(x);
    else if (*index != part)
      list.emplace_back(*index > part ? *index - 1 : *index);
  }
  next.part_list = std::move(list);
  return std::make_shared<const score>(std::move(next));
}

/// The parts that notes got by themselves, on one staff, and that have lost all their measures.
/// They go, too, for they contain nothing that the user wrote; what is written next would get the
/// two staves of a piano that was asked for.
std::vector<std::size_t> left_of_nothing(const score& before, const score& next) {
  auto says_staves = [](const measure_item& x) {
    auto a = std::get_if<attributes>(&x.content);
    return a && a->staves.value_or(1) > 1;
  };
  auto on_one_staff = [&](const part& p) {
    return std::none_of(p.measures.begin(), p.measures.end(), [&](const measure_ptr& m) {
      return std::any_of(m->items.begin(), m->items.end(), says_staves);
    });
  };
  std::vector<std::size_t> out;
  for (std::size_t p = 0; p < next.parts.size(); ++p) {
    const auto& was = *before.parts[p];
    if (was.measures.empty() || !next.parts[p]->measures.empty() || !on_one_staff(was)) continue;
    auto nobodys = default_part({}, {});
    nobodys.id = was.id;
    nobodys.instruments.front().id = was.id + "-I1";
    if (*next.parts[p] == nobodys) out.push_back(p);
  }
  return out;
}

/// The measures `gone`, and with them `parts`. A cursor in one of these goes on in a part that is
/// made anew, as this one was.
result<value> answer_without(call& c, const score_ptr& next,
                             const std::vector<measures_moved>& gone,
                             const std::vector<std::size_t>& parts) {
  if (parts.empty()) return edited_answer(c, next, gone);
  auto before = c.state().mark_score();
  auto& cursor = c.state().env.cursor;
  auto anew = std::find(parts.begin(), parts.end(), cursor.part) != parts.end();
  if (auto moved = edited_answer(c, next, gone); !moved) return moved;
  auto rest = next;
  for (auto p = parts.rbegin(); p != parts.rend(); ++p)
    rest = without_part(*rest, *p);
  c.state().restore(before);  // the answer tells of all of it
  auto out = edited_answer(c, rest, parts);
  if (anew) {
    cursor = {};
    cursor.part = rest->parts.size();
  }
  return out;
}

}  // namespace

result<value> delete_handler(call& c) {
  error fault;
  auto s = selector_in(c, fault);
  if (!s) return fail(std::move(s.error()));
  if (s->whole_measures() && s->part && s->measures.empty()) {
    // Nothing but a part is named: the part goes.
    auto parts = selected_parts(*s->part, *c.state().score);
    if (!parts) {
      for (auto& d : parts.error().diagnostics)
        if (!d.span) d.span = c.span_of("where");
      return fail(std::move(parts.error()));
    }
    auto now = c.state().score;
    for (auto p = parts->rbegin(); p != parts->rend(); ++p)
      now = without_part(*now, *p);
    return edited_answer(c, now, *parts);
  }
  if (s->whole_measures()) {
    auto found = measures_in(c);
    if (!found) return fail(std::move(found.error()));
    auto before = c.state().score;
    auto next = placed(c, delete_measures(before, *found));
    if (!next) return fail(std::move(next.error()));
    std::vector<measures_moved> gone;
    auto runs = runs_of(*found);
    for (auto run = runs.rbegin(); run != runs.rend(); ++run)
      // In a part that keeps its measures they are rests now.
      if ((*next)->parts[run->part]->measures.size() < before->parts[run->part]->measures.size())
        gone.push_back({run->part, run->first, run->count, 0});
    return answer_without(c, *next, gone, left_of_nothing(*before, **next));
  }
  auto found = items_to_take(c);
  if (!found) return fail(std::move(found.error()));
  auto next = placed(c, delete_items(c.state().score, *found));
  if (!next) return fail(std::move(next.error()));
  return edited_answer(c, *next);
}

}  // namespace fermata
