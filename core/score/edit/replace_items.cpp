#include "core/score/edit/append.hpp"
#include "core/score/edit/edit.hpp"
#include "core/score/edit/item_selection.hpp"
#include "core/score/model/draft.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"
#include "core/score/repair/repair.hpp"
#include "core/score/repair/repair_tuplets.hpp"

#include <optional>
#include <set>
#include <utility>

namespace fermata {

namespace {

auto misplaced(std::string message, std::string hint) {
  return fail({errc::misplaced, std::move(message), {}, std::move(hint)});
}

/// The range of one voice that is replaced, and the selected items.
struct replaced_range {
  score_cursor start;
  bool staff_given = false;
  std::size_t last_measure = 0;
  measure_position end;
  const items_by_measure* selected = nullptr;

  /// Whether a note or rest of the voice lies in the range.
  bool has(std::size_t m, const measure_item& item) const {
    auto* x = std::get_if<chord_rest>(&item.content);
    return x && x->voice == start.voice &&
           std::pair{m, item.at} >= std::pair{start.measure, start.position} &&
           std::pair{m, item.at} < std::pair{last_measure, end};
  }
  bool is_selected(std::size_t m, std::size_t i) const {
    auto found = selected->find(m);
    return found != selected->end() && found->second.contains(i);
  }
  /// Whether item `i` of a measure makes way for the new music.
  bool removes(std::size_t m, std::size_t i, const measure& before) const {
    return has(m, before.items[i]) || is_selected(m, i);
  }
};

/// The range from the first to the last selected note; nothing if there are only marks.
result<std::optional<replaced_range>> range_of(const score& s, std::size_t p,
                                               const items_by_measure& selected) {
  replaced_range r;
  r.start.part = p;
  r.selected = &selected;
  bool found = false;
  for (auto& [m, items] : selected)
    for (auto i : items) {
      auto& item = s.parts[p]->measures[m]->items[i];
      auto* x = std::get_if<chord_rest>(&item.content);
      if (!x) continue;
      if (found && x->voice != r.start.voice)
        return misplaced(place_name(s, p, m) + ": the selection spans voices " + r.start.voice +
                             " and " + x->voice,
                         "select one voice");
      if (!found || std::pair{m, item.at} < std::pair{r.start.measure, r.start.position}) {
        r.start.measure = m;
        r.start.position = item.at;
        r.start.staff = x->staff;
        r.staff_given = x->staff_given;
      }
      r.start.voice = x->voice;
      auto end = item.at + x->length;
      if (!found || std::pair{m, end} > std::pair{r.last_measure, r.end}) {
        r.last_measure = m;
        r.end = end;
      }
      found = true;
    }
  if (!found) return std::nullopt;
  return r;
}

/// Marks in place of marks, each at the position of the first.
result<score_ptr> replace_marks(const score_ptr& s, const std::vector<item_location>& which,
                                std::size_t p, const items_by_measure& selected,
                                const std::vector<measure_content>& line) {
  auto& [m, items] = *selected.begin();
  for (auto& c : line)
    if (std::holds_alternative<chord_rest>(c))
      return misplaced(place_name(*s, p, m) + ": notes cannot replace marks",
                       "select notes or rests of one voice");
  score_cursor at;
  at.part = p;
  at.measure = m;
  at.position = s->parts[p]->measures[m]->items[*items.begin()].at;
  auto taken = delete_items(s, which);
  if (!taken) return taken;
  auto put = append_content(*taken, at, {}, line);
  if (!put) return tl::unexpected(put.error());
  return put->score;
}

result<void> check_fits(const score& s, const replaced_range& r,
                        const std::vector<measure_content>& line) {
  auto& before = *s.parts[r.start.part];
  quarters available = r.end - r.start.position, needed;
  for (auto m = r.start.measure; m < r.last_measure; ++m)
    available += extent(*before.measures[m]);
  for (auto& c : line)
    if (auto* x = std::get_if<chord_rest>(&c); x && !x->grace) needed += x->length;
  if (needed <= available) return {};
  return fail({errc::overfull_measure,
               place_name(s, r.start.part, r.last_measure) + ": the new music is " +
                   length_in_words(needed - available) + " longer than the music it replaces",
               {},
               "shorten it, or select more"});
}

/// Only rests of the voice may lie unselected in the range.
result<void> check_adjacent(const score& s, const replaced_range& r) {
  auto p = r.start.part;
  for (auto m = r.start.measure; m <= r.last_measure; ++m) {
    auto& items = s.parts[p]->measures[m]->items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!r.has(m, items[i]) || r.is_selected(m, i)) continue;
      auto& between = std::get<chord_rest>(items[i].content);
      if (!is_rest(between))
        return misplaced(place_name(s, p, m) + ": " + name_of(between) +
                             " lies between the selected notes",
                         "select adjacent notes");
    }
  }
  return {};
}

/// A rest of no length, which no music has: it keeps the place of a voice among the others while
/// all its notes are away.
measure_item place_keeper(const std::string& voice, measure_position at) {
  chord_rest x;
  x.voice = voice;
  note n;
  n.tone = rest{};
  x.notes.push_back(std::move(n));
  return {at, std::move(x)};
}

bool is_place_keeper(const measure_item& item, const std::string& voice) {
  auto* x = std::get_if<chord_rest>(&item.content);
  return x && x->voice == voice && !x->grace && x->length == quarters{};
}

/// Takes the items for which `goes` holds out of a measure. Returns whether a place keeper was left
/// because nothing of the voice stays.
template <class Goes>
bool take_out(measure& m, const std::string& voice, Goes goes) {
  auto& items = m.items.own();
  std::optional<measure_item> keeper;
  std::size_t place = 0;
  bool stays = false;
  for (auto i = items.size(); i-- > 0;) {
    auto* x = std::get_if<chord_rest>(&items[i].content);
    auto in_voice = x && x->voice == voice;
    if (!goes(i)) {
      stays |= in_voice;
      continue;
    }
    if (in_voice) {
      keeper = place_keeper(voice, items[i].at);
      place = i;
    } else if (place > i) {
      --place;
    }
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (stays || !keeper) return false;
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(place), std::move(*keeper));
  return true;
}

/// Takes everything that the new music replaces away. Returns the measures with a place keeper.
std::set<std::size_t> empty_range(score_draft& draft, const part& before, const replaced_range& r) {
  auto p = r.start.part;
  auto goes = [&](std::size_t m, std::size_t i) { return r.removes(m, i, *before.measures[m]); };
  cut_lines(draft, p, before, r.start.measure, r.last_measure + 1, goes, tuplet_brackets::keep);
  std::set<std::size_t> emptied;
  for (auto m = r.start.measure; m <= r.last_measure; ++m) {
    auto& now = draft.open(p, m);
    if (take_out(now, r.start.voice, [&](std::size_t i) { return goes(m, i); })) emptied.insert(m);
    drop_empty_directions(now);
    forget_beams(now, r.start.voice);
  }
  return emptied;
}

/// Rests from where the new music ended to the end of the range.
void fill_remainder(score_draft& draft, const part& before, const replaced_range& r,
                    const score_cursor& from) {
  auto p = r.start.part;
  auto position = from.position;
  for (auto m = from.measure; m <= r.last_measure; ++m) {
    auto until = m == r.last_measure ? r.end : measure_position{} + extent(*before.measures[m]);
    auto t = time_or_default(draft.view(p), m);
    place_rests(draft.open(p, m), r.start.voice, r.start.staff, position, until, t);
    position = {};
  }
}

result<score_ptr> replace_range(const score_ptr& s, const replaced_range& r,
                                std::vector<measure_content> line) {
  auto p = r.start.part;
  auto& before = *s->parts[p];
  if (auto ok = check_fits(*s, r, line); !ok) return tl::unexpected(ok.error());
  if (auto ok = check_adjacent(*s, r); !ok) return tl::unexpected(ok.error());
  score_draft draft{s};
  auto emptied = empty_range(draft, before, r);
  score_defaults defaults;
  defaults.time = time_or_default(before, r.start.measure);
  for (auto& c : line)
    if (auto* x = std::get_if<chord_rest>(&c); x && !x->staff_given) {
      x->staff = r.start.staff;
      x->staff_given = r.staff_given;
    }
  auto cut = draft.finish();
  auto put = append_in_edit(cut, r.start, defaults, line);
  if (!put) return tl::unexpected(put.error());
  score_draft filled{put->score};
  fill_remainder(filled, before, r, put->cursor);
  renumber_new_spanners(filled, p, *cut->parts[p], r.start.measure, r.last_measure + 1);
  for (auto m : emptied)
    erase_if(filled.open(p, m).items,
             [&](const measure_item& item) { return is_place_keeper(item, r.start.voice); });
  repair_tuplets(filled, p, before, r.start.measure, r.last_measure + 1);
  filled.for_each_written(settle_right_barlines);
  for (auto m = r.start.measure; m <= r.last_measure; ++m)
    if (auto ok = check_voice_lengths(filled.view(), p, m, *before.measures[m]); !ok)
      return tl::unexpected(ok.error());
  return filled.finish();
}

}  // namespace

result<score_ptr> replace_items(const score_ptr& s, const std::vector<item_location>& which,
                                const std::vector<measure_content>& line) {
  auto selection = grouped_by_part(*s, which);
  if (!selection) return tl::unexpected(selection.error());
  if (selection->empty())
    return fail({errc::no_such_target, "nothing is selected to be replaced", {}, {}});
  if (selection->size() > 1)
    return misplaced("the selection spans several parts", "select one part");
  auto& [p, selected] = *selection->begin();
  auto range = range_of(*s, p, selected);
  if (!range) return tl::unexpected(range.error());
  if (!*range) return replace_marks(s, which, p, selected, line);
  return replace_range(s, **range, line);
}

}  // namespace fermata
