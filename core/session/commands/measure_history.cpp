#include "core/session/commands/measure_history.hpp"

#include "core/score/merge/alignment.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/timeline/affected_ranges.hpp"
#include "core/session/timeline/branches.hpp"
#include "core/session/timeline/history.hpp"
#include "core/session/timeline/step_report.hpp"

#include <algorithm>
#include <functional>
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

/// What becomes of entries that were taken back: they are looked at as well, or gone by.
enum class taken_back : std::uint8_t { followed, skipped };

/// Goes back through the entries one by one. Where a branch was entered, the measures are followed
/// from where it was left before; measures that a merge brought, on the branch that they came from
/// too. Where the score became again what it was (after `:undo`), they are followed from there as
/// well, since what was taken back and brought back is no new measure.
class measure_trail {
public:
  /// The measures of all parts that a query means.
  measure_trail(const session_state& s, const history_query& q)
    : s_(s),
      back_(taken_back::followed),
      from_(q.from ? *q.from < 0 ? s.history.size() + 1 + *q.from : *q.from : 1),
      asked_{static_cast<std::size_t>(std::max(q.measures->first, 1) - 1),
             q.measures->second == std::numeric_limits<int>::max()
                 ? without_end
                 : static_cast<std::size_t>(std::max(q.measures->second, 0))},
      is_meant_([part = q.part](const placed_part& p) {
        score_delta alone;
        alone.added.push_back(p);
        return !part || touches(alone, part, std::nullopt);
      }) {
    begin();
  }

  /// One measure of one part.
  measure_trail(const session_state& s, const std::string& part_id, std::size_t measure)
    : s_(s),
      back_(taken_back::skipped),
      asked_{measure, measure + 1},
      is_meant_([part_id](const placed_part& p) { return p.value->id == part_id; }) {
    begin();
  }

  bool leads_anywhere() const { return !at_->empty(); }

  /// The entries that touched the measures, ascending.
  std::vector<std::int64_t> entries() {
    std::vector<std::int64_t> found;
    for (auto i = s_.history.size(); i >= std::max<std::int64_t>(from_, 1); --i) {
      for (auto* known : {&again_, &elsewhere_})
        if (auto places_there = known->extract(i); !places_there.empty())
          add(places_there.mapped());
      // Between a branch and where it was left lie only entries of others.
      if (!at_) continue;
      if (auto left = where_branch_was_left(i)) {
        remember(elsewhere_[*left]);
        at_.reset();
        continue;
      }
      auto entry = s_.history.at_if(i, score_change_query());
      if (!entry) continue;
      auto same = same_state_as(*entry);
      if (same) remember((back_ == taken_back::followed ? again_ : elsewhere_)[*same]);
      if (auto delta = delta_of(*entry); delta && !delta->empty()) {
        auto by_merge = follow_merge(i, *delta);
        auto touched = went_through(*delta, *at_, by_merge);
        // What is followed again from before it on may have gone by it.
        if (auto before = again_.find(i - 1); before != again_.end()) {
          auto there = before->second;
          touched = went_through(inverted(*delta), there) || touched;
        }
        if (touched) found.push_back(i);
      }
      if (same && back_ == taken_back::skipped) at_.reset();
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

private:
  using places = std::map<std::string, std::vector<measure_range>>;  // by id of the part

  void begin() {
    at_.emplace();
    for (auto& p : s_.score->parts)
      if (is_meant_({0, p})) (*at_)[p->id] = {asked_};
  }

  void add(const places& more) {
    if (!at_) at_.emplace();
    for (auto& [id, ranges] : more) {
      auto& here = (*at_)[id];
      here.insert(here.end(), ranges.begin(), ranges.end());
      here = tidied(std::move(here));
    }
  }
  /// The score was the same there as it is now.
  void remember(places& there) {
    for (auto& [id, ranges] : *at_) {
      auto& all = there[id];
      all.insert(all.end(), ranges.begin(), ranges.end());
    }
  }

  /// What a merge changed of the measures came from where it stands on the other branch. Whether
  /// it is followed there.
  bool follow_merge(std::int64_t i, const score_delta& d) {
    auto merge =
        std::find_if(s_.merges.begin(), s_.merges.end(), [&](auto& m) { return m.entry == i; });
    if (merge == s_.merges.end()) return false;
    places changed;
    for (auto& change : d.changed)
      if (auto it = at_->find(change.id); it != at_->end())
        if (auto all = changed_places(change, it->second); !all.empty())
          changed[change.id] = std::move(all);
    for (auto& p : d.added)
      if (auto it = at_->find(p.value->id); it != at_->end()) changed[p.value->id] = it->second;
    if (changed.empty()) return false;
    auto line = lineage(s_, merge->from, i - 1);
    auto after = state_after(s_, i);
    if (line.empty() || !after) return false;
    auto& there = elsewhere_[line.front().last];
    auto& head = *merge->head;
    auto parts = align_parts(head, *after->score);
    auto columns = align_columns(head, *after->score, parts);
    for (auto& [part_there, part_here] : parts) {
      auto found = changed.find(after->score->parts[part_here]->id);
      if (found == changed.end()) continue;
      auto& all = there[head.parts[part_there]->id];
      for (auto& [column_there, column_here] : columns)
        for (auto& [first, end] : found->second)
          if (first <= column_here && column_here < end)
            all.emplace_back(column_there, column_there + 1);
    }
    return true;
  }

  /// Those of the ranges after a change whose music it changed, and those around what it deleted.
  static std::vector<measure_range> changed_places(const part_change& change,
                                                   const std::vector<measure_range>& ranges) {
    std::vector<measure_range> found;
    std::ptrdiff_t shift = 0;
    for (auto& r : change.measures) {
      auto begin = r.first + static_cast<std::size_t>(shift), stop = begin + r.after.size();
      auto of_r = predecessors(r);
      for (auto& [at, end] : ranges) {
        if (r.after.empty() && at < begin && begin < end) found.emplace_back(begin - 1, begin + 1);
        for (auto i = std::max(at, begin); i < std::min(end, stop); ++i)
          if (auto& former = of_r[i - begin];
              !former || !same_music_in(*r.before[*former], *r.after[i - begin]))
            found.emplace_back(i, i + 1);
      }
      shift += std::ssize(r.after) - std::ssize(r.before);
    }
    return tidied(std::move(found));
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
  /// `by_merge`: where it put another number of measures, only the other branch knows what each of
  /// them was.
  bool went_through(const score_delta& d, places& at, bool by_merge = false) const {
    auto touched = false;
    for (auto& change : d.changed)
      if (auto it = at.find(change.id); it != at.end())
        touched = went_through(change, it->second, by_merge) || touched;
    for (auto& p : d.added)
      if (auto it = at.find(p.value->id); it != at.end()) {
        auto size = p.value->measures.size();
        touched = touched || (!it->second.empty() && it->second.front().first < size);
        at.erase(it);
      }
    for (auto& p : d.removed)
      if (!at.contains(p.value->id) && is_meant_(p)) {
        at[p.value->id] = {asked_};
        touched = touched || asked_.first < p.value->measures.size();
      }
    return touched;
  }

  static bool went_through(const part_change& change, std::vector<measure_range>& ranges,
                           bool by_merge) {
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
          if (of_r.empty()) of_r = predecessors(r);
          for (auto i = std::max(at, begin); i < std::min(end, stop); ++i) {
            auto& former = of_r[i - begin];
            auto same = former && same_music_in(*r.before[*former], *r.after[i - begin]);
            touched = touched || !same;
            auto is_known = same || !by_merge || r.before.size() == r.after.size();
            if (former && is_known) before.emplace_back(r.first + *former, r.first + *former + 1);
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
  taken_back back_;
  std::int64_t from_ = 1;
  measure_range asked_;
  std::function<bool(const placed_part&)> is_meant_;
  std::optional<places> at_;  ///< nothing: on a branch where none of them is
  /// What is followed from an entry on, once there: beside what is followed already, as it stood so
  /// again; or on the branch that this entry belongs to.
  std::map<std::int64_t, places> again_, elsewhere_;
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

std::vector<std::optional<std::size_t>> predecessors(const measure_replacement& r) {
  auto state_of = [](const std::vector<measure_ptr>& measures) {
    auto p = std::make_shared<part>();
    p->measures = measure_list{measures};
    score s;
    s.parts.push_back(std::move(p));
    return s;
  };
  std::vector<std::optional<std::size_t>> found(r.after.size());
  std::set<std::size_t> paired;
  for (auto& [i, j] : align_columns(state_of(r.before), state_of(r.after), {{0, 0}})) {
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

const history_query& score_change_query() {
  static const auto q = [] {
    history_query wanted;
    wanted.changes_only = true;
    return wanted;
  }();
  return q;
}

std::vector<std::int64_t> entries_of(const session_state& s, const part& p, std::size_t measure) {
  return measure_trail{s, p.id, measure}.entries();
}

history_query with_measures_followed(history_query q, const session_state& s) {
  if (!q.measures) return q;
  measure_trail trail{s, q};
  if (trail.leads_anywhere())
    q.among = std::make_shared<const std::vector<std::int64_t>>(trail.entries());
  return q;
}

}  // namespace fermata
