#include "core/session/measure_past.hpp"

#include "core/score/same_places.hpp"
#include "core/session/branches.hpp"
#include "core/session/command.hpp"
#include "core/session/history.hpp"
#include "core/session/step_report.hpp"
#include "core/session/touches.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace fermata {

namespace {

using measure_range = std::pair<std::size_t, std::size_t>;  // [first, end)
constexpr auto without_end = std::numeric_limits<std::size_t>::max();

/// In order, apart from each other.
std::vector<measure_range> tidied(std::vector<measure_range> ranges) {
  std::sort(ranges.begin(), ranges.end());
  std::vector<measure_range> tidy;
  for (auto& r : ranges)
    if (!tidy.empty() && r.first <= tidy.back().second)
      tidy.back().second = std::max(tidy.back().second, r.second);
    else if (r.first < r.second)
      tidy.push_back(r);
  return tidy;
}

/// Goes back through the entries one by one, whatever branch they belong to: the scores after them
/// form one chain. Where a later one is the same as an earlier one (after `:undo`, or when a branch
/// is entered again), the measures are followed from there as well, since what was taken back and
/// brought back is no new measure.
class measure_trail {
public:
  measure_trail(const session_state& s, const history_query& q)
    : s_(s),
      q_(q),
      asked_{static_cast<std::size_t>(std::max(q.measures->first, 1) - 1),
             q.measures->second == std::numeric_limits<int>::max()
                 ? without_end
                 : static_cast<std::size_t>(std::max(q.measures->second, 0))} {
    for (auto& p : s.score->parts)
      if (is_meant({0, p})) at_[p->id] = {asked_};
  }

  bool leads_anywhere() const { return !at_.empty(); }

  /// The entries that touched the measures, ascending.
  std::vector<std::int64_t> entries() {
    std::vector<std::int64_t> found;
    auto size = s_.history.size();
    auto from = q_.from ? *q_.from < 0 ? size + 1 + *q_.from : *q_.from : 1;
    for (auto i = size; i >= std::max<std::int64_t>(from, 1); --i) {
      if (auto known = later_.extract(i); !known.empty()) add(known.mapped());
      if (auto same = where_branch_was_left(i)) remember(*same);
      auto entry = s_.history.at_if(i, what_changed_the_score());
      if (!entry) continue;
      if (auto same = same_state_as(*entry)) remember(*same);
      auto delta = delta_of(*entry);
      if (!delta || delta->empty()) continue;
      auto touched = went_through(*delta, at_);
      // What is followed again from before it on may have gone by it.
      if (auto before = later_.find(i - 1); before != later_.end()) {
        auto there = before->second;
        touched = went_through(inverted(*delta), there) || touched;
      }
      if (touched) found.push_back(i);
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

private:
  using places = std::map<std::string, std::vector<measure_range>>;  // by id of the part

  bool is_meant(const placed_part& p) const {
    if (!q_.part) return true;
    score_delta alone;
    alone.added.push_back(p);
    return touches(alone, q_.part, std::nullopt);
  }

  void add(const places& more) {
    for (auto& [id, ranges] : more) {
      auto& here = at_[id];
      here.insert(here.end(), ranges.begin(), ranges.end());
      here = tidied(std::move(here));
    }
  }
  /// The score was the same after entry `i` as it is now.
  void remember(std::int64_t i) {
    for (auto& [id, ranges] : at_) {
      auto& there = later_[i][id];
      there.insert(there.end(), ranges.begin(), ranges.end());
    }
  }

  /// When a branch was entered by this entry: the last one that belonged to it before.
  std::optional<std::int64_t> where_branch_was_left(std::int64_t i) const {
    auto& moves = s_.branch_moves;
    auto move = std::lower_bound(moves.begin(), moves.end(), i,
                                 [](auto& m, std::int64_t entry) { return m.entry < entry; });
    if (move == moves.end() || move->entry != i) return std::nullopt;
    auto name = move->to;
    while (move != moves.begin()) {
      auto left = move->entry;
      --move;
      if (move->to == name) {
        // Left by the move behind this one.
        return left == i ? std::nullopt : std::optional{left - 1};
      }
    }
    if (!s_.branches.empty() && s_.branches.front().name == name) return moves.front().entry - 1;
    auto b = find_branch(s_, name);
    return b ? std::optional{b->from} : std::nullopt;
  }

  /// From what was after a change to what was before it; whether it touched something of it.
  bool went_through(const score_delta& d, places& at) const {
    auto touched = false;
    for (auto& change : d.changed)
      if (auto it = at.find(change.id); it != at.end())
        touched = went_through(change, it->second) || touched;
    for (auto& p : d.added)
      if (auto it = at.find(p.value->id); it != at.end()) {
        auto size = p.value->measures.size();
        touched = touched || (!it->second.empty() && it->second.front().first < size);
        at.erase(it);
      }
    for (auto& p : d.removed)
      if (!at.contains(p.value->id) && is_meant(p)) {
        at[p.value->id] = {asked_};
        touched = touched || asked_.first < p.value->measures.size();
      }
    return touched;
  }

  static bool went_through(const part_change& change, std::vector<measure_range>& ranges) {
    auto touched = false;
    std::vector<measure_range> before;
    std::map<const measure_replacement*, std::vector<std::optional<std::size_t>>> known;
    for (auto [at, end] : ranges) {
      auto first = at;
      std::ptrdiff_t shift = 0;  // of what stands behind the replacements passed
      auto was = [&](std::size_t i) {
        return i == without_end ? i : i - static_cast<std::size_t>(shift);
      };
      for (auto& r : change.measures) {
        auto begin = r.first + static_cast<std::size_t>(shift), stop = begin + r.after.size();
        if (begin >= end) break;
        if (stop >= at && begin > at) before.emplace_back(was(at), was(begin));
        // What was deleted within the range belonged to it; in front of it, it is only seen there.
        if (r.after.empty() && begin >= first) {
          touched = true;
          if (begin > first || end == without_end)
            before.emplace_back(r.first, r.first + r.before.size());
        }
        if (stop > at && !r.after.empty()) {
          auto& of_r =
              known.try_emplace(&r, std::vector<std::optional<std::size_t>>{}).first->second;
          if (of_r.empty()) of_r = formers(r);
          for (auto i = std::max(at, begin); i < std::min(end, stop); ++i) {
            auto& former = of_r[i - begin];
            touched = touched || !former || !same_music_in(*r.before[*former], *r.after[i - begin]);
            if (former) before.emplace_back(r.first + *former, r.first + *former + 1);
          }
          if (begin > first && stop < end && !r.before.empty())
            before.emplace_back(r.first, r.first + r.before.size());
        }
        at = std::max(at, std::max(begin, stop));
        shift += std::ssize(r.after) - std::ssize(r.before);
      }
      if (at < end) before.emplace_back(was(at), was(end));
    }
    ranges = tidied(std::move(before));
    return touched;
  }

  const session_state& s_;
  const history_query& q_;
  measure_range asked_;
  places at_;
  std::map<std::int64_t, places> later_;  ///< what is followed from an entry on, once there
};

}  // namespace

std::vector<note_identity> notes_in(const measure& m) {
  std::vector<note_identity> all;
  for (auto& item : m.items)
    if (auto x = std::get_if<chord_rest>(&item.content))
      for (auto& n : x->notes)
        if (!std::holds_alternative<rest>(n.tone))
          all.push_back({item.at, x->voice, x->length, n.tone});
  return all;
}

bool contains(const std::vector<note_identity>& notes, const note_identity& n) {
  return std::find(notes.begin(), notes.end(), n) != notes.end();
}

bool same_music_in(const measure& a, const measure& b) {
  return same_body(a, b) && opening_of(a) == opening_of(b);
}

std::vector<std::optional<std::size_t>> formers(const measure_replacement& r) {
  auto state_of = [](const std::vector<measure_ptr>& measures) {
    auto p = std::make_shared<part>();
    p->measures = measure_list{measures};
    score s;
    s.parts.push_back(std::move(p));
    return s;
  };
  std::vector<std::optional<std::size_t>> found(r.after.size());
  std::set<std::size_t> paired;
  for (auto& [i, j] : same_columns(state_of(r.before), state_of(r.after), {{0, 0}})) {
    found[j] = i;
    paired.insert(i);
  }
  std::map<std::size_t, std::vector<note_identity>> others;
  for (std::size_t i = 0; i < r.before.size(); ++i)
    if (!paired.contains(i)) others.emplace(i, notes_in(*r.before[i]));
  for (std::size_t j = 0; j < r.after.size() && !others.empty(); ++j) {
    if (found[j]) continue;
    std::ptrdiff_t most = 0;
    auto notes = notes_in(*r.after[j]);
    for (auto& other : others) {
      auto common = std::count_if(notes.begin(), notes.end(),
                                  [&](auto& n) { return contains(other.second, n); });
      if (common > most) {
        most = common;
        found[j] = other.first;
      }
    }
  }
  return found;
}

std::optional<std::int64_t> same_state_as(const history_entry& e) {
  auto command = std::get_if<command_entry>(&e.kind);
  if (!command || !command->ok) return std::nullopt;
  auto spec = command_of(command->text);
  if (!spec || (spec->name != "undo" && spec->name != "redo")) return std::nullopt;
  auto moved = read_moved_steps(command->output);
  if (!moved || moved->entries.back() >= e.index) return std::nullopt;
  return moved->entries.back() - (moved->way == step_way::back ? 1 : 0);
}

const history_query& what_changed_the_score() {
  static const auto q = [] {
    history_query wanted;
    wanted.changes_only = true;
    return wanted;
  }();
  return q;
}

history_query with_measures_followed(history_query q, const session_state& s) {
  if (!q.measures) return q;
  measure_trail trail{s, q};
  if (trail.leads_anywhere())
    q.among = std::make_shared<const std::vector<std::int64_t>>(trail.entries());
  return q;
}

}  // namespace fermata
