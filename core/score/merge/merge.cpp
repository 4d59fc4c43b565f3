#include "core/score/merge/merge.hpp"

#include "core/score/edit/edit.hpp"
#include "core/score/merge/copy_measures.hpp"
#include "core/score/merge/merge_context.hpp"
#include "core/score/merge/merge_headers.hpp"
#include "core/score/model/draft.hpp"
#include "core/score/model/numbering.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/repair/repair.hpp"

#include <algorithm>
#include <map>

namespace fermata {

namespace {

/// What is in a measure of one part: a measure of one of the sides, or a rest beside the others.
struct merged_cell {
  enum class source { ours, theirs, rest } from = source::rest;
  std::size_t column = 0, measure = 0;
};
using source = merged_cell::source;

part_state state_in_front(const part& p, std::size_t i) {
  return state_before(p, std::min(i, p.measures.size()));
}
bool has(const part& p, std::size_t measure) { return measure < p.measures.size(); }

void set_opening(measure& m, const attributes& a) {
  erase_if(m.items, [](auto& item) {
    return item.at == measure_position{} && std::holds_alternative<attributes>(item.content);
  });
  if (!(a == attributes{})) place_attributes(m, {}, "1", a);
}

class merger {
public:
  merger(const score_ptr& base, const score_ptr& ours, const score_ptr& theirs,
         const merge_request& request, merge_plan plan)
    : base_(base), ours_(ours), theirs_(theirs), request_(request), plan_(std::move(plan)) {}

  merged_score merge() {
    auto frame = merge_score_headers(*base_, *ours_, *theirs_, plan_, request_);
    order_ = std::move(frame.order);
    auto start = std::move(frame.frame), other = start;
    std::map<std::size_t, std::vector<copied_stretch>> stretches;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      auto& p = merged(k);
      start.parts.push_back(header_of(p));
      other.parts.push_back(p.theirs && p.ours ? theirs_->parts[*p.theirs] : start.parts.back());
      cells_.push_back(cells_of(p));
      if (auto taken = stretches_of(p, cells_.back()); !taken.empty())
        stretches.emplace(k, std::move(taken));
    }
    give_free_ids(start);
    if (!plan_.said.conflicts.empty() || !plan_.said.other_conflicts.empty()) {
      plan_.said.score = ours_;
      return std::move(plan_.said);
    }
    auto taken = copy_measures(std::make_shared<const score>(std::move(start)), other, stretches);
    plan_.said.repaired = std::move(taken.repaired);
    score_draft draft{taken.score};
    for (std::size_t k = 0; k < order_.size(); ++k) {
      put_rests(draft, k);
      settle_context(draft, k);
      settle_numbers(draft, k);
    }
    plan_.said.score = draft.finish();
    return std::move(plan_.said);
  }

private:
  const merged_part& merged(std::size_t k) const { return plan_.parts[order_[k]]; }
  const part* base_part(const merged_part& p) const {
    return p.base ? base_->parts[*p.base].get() : nullptr;
  }

  part_ptr header_of(const merged_part& p) {
    if (!p.ours || !p.theirs) return p.ours ? ours_->parts[*p.ours] : theirs_->parts[*p.theirs];
    auto& ours = ours_->parts[*p.ours];
    auto header =
        merge_part_headers(base_part(p), *ours, *theirs_->parts[*p.theirs], plan_.said, request_);
    return header == *ours ? ours : std::make_shared<const part>(std::move(header));
  }

  /// Two parts may have been given the same id on the two branches.
  void give_free_ids(score& s) const {
    for (std::size_t k = 0; k < order_.size(); ++k) {
      if (merged(k).ours) continue;
      auto is_taken = [&](const std::string& id) {
        for (std::size_t other = 0; other < order_.size(); ++other)
          if (other != k && s.parts[other]->id == id && (merged(other).ours || other < k))
            return true;
        return false;
      };
      auto id = s.parts[k]->id;
      for (auto n = s.parts.size(); is_taken(id); ++n)
        id = 'P' + std::to_string(n);
      if (id == s.parts[k]->id) continue;
      auto renamed = std::make_shared<part>(*s.parts[k]);
      renamed->id = id;
      s.parts[k] = std::move(renamed);
    }
  }

  std::vector<merged_cell> cells_of(const merged_part& p) const {
    std::vector<merged_cell> cells;
    std::size_t end = 0;  // behind the last measure that is there
    auto number = static_cast<std::size_t>(&p - plan_.parts.data());
    for (std::size_t c = 0; c < plan_.columns.size(); ++c) {
      auto& column = plan_.columns[c];
      auto theirs = p.is_theirs() ||
                    (p.theirs && (column.ours == nowhere || column.from_theirs.contains(number)));
      auto m = theirs ? column.theirs : column.ours;
      auto& measures =
          theirs ? theirs_->parts[*p.theirs]->measures : ours_->parts[*p.ours]->measures;
      auto is_there = m != nowhere && m < measures.size();
      cells.push_back({!is_there ? source::rest : theirs ? source::theirs : source::ours, c, m});
      if (is_there) end = c + 1;
    }
    cells.resize(end);
    return cells;
  }

  /// `cells` in terms of the part that the merged one is made from.
  std::vector<copied_stretch> stretches_of(const merged_part& p,
                                           const std::vector<merged_cell>& cells) const {
    std::vector<copied_stretch> all;
    auto own = p.is_theirs() ? source::theirs : source::ours;
    auto size =
        (p.is_theirs() ? theirs_->parts[*p.theirs] : ours_->parts[*p.ours])->measures.size();
    std::size_t next = 0, next_other = 0;
    std::optional<copied_stretch> open;
    auto close = [&](std::size_t lost) {
      if (lost > 0 && !open) open = copied_stretch{next, 0, next_other, 0};
      if (!open) return;
      open->lost = lost;
      open->goes_back = open->begins_anew = request_.measures.has_value();
      if (request_.measures && open->put > 0)
        open->begins_anew = begins_anew(p, column_of(cells, open->other_first));
      all.push_back(*open);
      open.reset();
    };
    for (auto& cell : cells) {
      if (cell.from == own) {
        close(cell.measure - next);
        next = cell.measure + 1;
        next_other = p.is_theirs() ? next : plan_.columns[cell.column].next_theirs;
      } else if (cell.from == source::theirs) {
        if (open && open->other_first + open->put != cell.measure) close(0);
        if (!open) open = copied_stretch{next, 0, cell.measure, 0};
        ++open->put;
        next_other = cell.measure + 1;
      }
    }
    close(size - next);
    if (p.is_theirs() || !p.theirs)
      for (auto& x : all)
        x.other_first = x.first;
    else
      for (auto& x : all)
        if (x.put == 0)
          x.other_first = std::min(x.other_first, theirs_->parts[*p.theirs]->measures.size());
    return all;
  }
  /// Measures that are asked for, whether the key and the like that hold there are theirs.
  bool begins_anew(const merged_part& p, const merged_column& column) const {
    return !p.base || !(state_in_front(*theirs_->parts[*p.theirs], column.theirs) ==
                        state_in_front(*base_part(p), std::min(column.base, column.next_base)));
  }
  const merged_column& column_of(const std::vector<merged_cell>& cells, std::size_t theirs) const {
    return plan_.columns[std::find_if(cells.begin(), cells.end(), [&](auto& c) {
                           return c.from == source::theirs && c.measure == theirs;
                         })->column];
  }

  /// Where the others have a measure that this part knows nothing of.
  void put_rests(score_draft& draft, std::size_t k) const {
    for (auto& cell : cells_[k]) {
      if (cell.from != source::rest) continue;
      auto lead = lead_of(plan_.columns[cell.column]);
      draft.insert_measure(k, place_of(k, cell),
                           rest_beside(draft.view(k), place_of(k, cell), *lead));
    }
    // What the first measure says holds from the new first one on.
    auto& cells = cells_[k];
    auto first =
        std::find_if(cells.begin(), cells.end(), [](auto& c) { return c.from != source::rest; });
    if (first == cells.begin() || first == cells.end() || first->measure > 0) return;
    auto place = static_cast<std::size_t>(first - cells.begin());
    set_opening(draft.open(k, 0), opening_of(draft.view(k, place)));
    set_opening(draft.open(k, place), {});
  }
  std::size_t place_of(std::size_t k, const merged_cell& cell) const {
    return static_cast<std::size_t>(&cell - cells_[k].data());
  }
  measure_ptr lead_of(const merged_column& c) const {
    for (auto [s, m] : {std::pair{&ours_, c.ours}, std::pair{&theirs_, c.theirs}})
      for (auto& p : (*s)->parts)
        if (m < p->measures.size()) return p->measures[m];
    return std::make_shared<const measure>();
  }

  /// Key, metre, clef where measures of both sides meet.
  void settle_context(score_draft& draft, std::size_t k) const {
    auto& p = merged(k);
    if (!p.ours || !p.theirs) return settle_own_context(draft, k);
    auto &ours = *ours_->parts[*p.ours], &theirs = *theirs_->parts[*p.theirs];
    auto* base = base_part(p);
    auto& cells = cells_[k];
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (goes_on(cells, i) || cells[i].from == source::rest) continue;
      auto& column = plan_.columns[cells[i].column];
      auto wanted =
          merged_state(base, {ours, column.ours, column.next_ours, plan_.base_in_ours},
                       {theirs, column.theirs, column.next_theirs, plan_.base_in_theirs}, column);
      if (!request_.measures) {
        if (base && has(*base, column.base) && has(ours, column.ours) && has(theirs, column.theirs))
          settle_opening(draft, k, i, wanted, opening_of(*base->measures[column.base]),
                         opening_of(*ours.measures[column.ours]),
                         opening_of(*theirs.measures[column.theirs]));
        keep_context(draft, k, i, wanted);
      } else if (cells[i].from == source::theirs) {
        // Where they begin anew they do so already.
        if (!begins_anew(p, column)) keep_context(draft, k, i, wanted);
      } else if (i > 0) {
        // What it only says because one in front of it went, a taken one may say now.
        auto in_base = base && has(*base, column.base) ? opening_of(*base->measures[column.base])
                                                       : attributes{};
        auto is_first = cells[i].measure == 0;
        drop_what_holds(draft, k, i, is_first ? attributes{} : in_base);
      }
    }
  }
  /// The opening of a measure that all three have.
  static void settle_opening(score_draft& draft, std::size_t k, std::size_t i,
                             const part_state& wanted, const attributes& base,
                             const attributes& ours, const attributes& theirs) {
    auto said = without_others(ours == base ? theirs : ours, wanted);
    if (!(said == base)) said = without_what_holds(said, state_before(draft.view(k), i), base);
    if (!(opening_of(draft.view(k, i)) == said)) set_opening(draft.open(k, i), said);
  }
  static void drop_what_holds(score_draft& draft, std::size_t k, std::size_t i,
                              const attributes& kept) {
    auto said = opening_of(draft.view(k, i));
    auto fewer = without_what_holds(said, state_before(draft.view(k), i), kept);
    if (!(fewer == said)) set_opening(draft.open(k, i), fewer);
  }
  /// The same for a part that only one side has, where measures of it went or rests came.
  void settle_own_context(score_draft& draft, std::size_t k) const {
    auto& p = merged(k);
    auto& own = p.ours ? *ours_->parts[*p.ours] : *theirs_->parts[*p.theirs];
    auto& cells = cells_[k];
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (goes_on(cells, i)) continue;
      auto& column = plan_.columns[cells[i].column];
      auto next = p.ours ? column.next_ours : column.next_theirs;
      auto m = cells[i].from == source::rest ? next : cells[i].measure;
      if (m > 0 || i == 0)
        keep_context(draft, k, i, m > 0 ? state_in_front(own, m) : state_at(own, 0, {}));
    }
  }
  /// It follows in the score what it followed where it comes from.
  static bool goes_on(const std::vector<merged_cell>& cells, std::size_t i) {
    if (i == 0) return cells[i].from == source::ours && cells[i].measure == 0;
    auto &a = cells[i - 1], &b = cells[i];
    return a.from == b.from && b.from != source::rest && a.measure + 1 == b.measure;
  }

  /// Numbers go on as after the edits of both sides.
  void settle_numbers(score_draft& draft, std::size_t k) const {
    auto& p = merged(k);
    if (!p.ours || !p.theirs || !p.base) return count_on(draft, k);
    auto &base = *base_part(p), &ours = *ours_->parts[*p.ours],
         &theirs = *theirs_->parts[*p.theirs];
    running_count of_base{base}, of_theirs{theirs};
    int shift = 0;            // of what came to ours and went from it so far
    std::size_t at_ours = 0;  // the measures of ours before it have been looked at
    auto counts = [](const measure& m) { return !m.implicit && counted_number(m); };
    // Up to one that stays: whatever the reason, what is in between has gone.
    auto pass_ours = [&](std::size_t stays) {
      for (; at_ours < stays; ++at_ours)
        if (at_ours < ours.measures.size() && counts(*ours.measures[at_ours])) --shift;
      ++at_ours;
    };
    auto& cells = cells_[k];
    for (std::size_t i = 0; i < cells.size(); ++i) {
      auto& column = plan_.columns[cells[i].column];
      if (column.ours != nowhere) pass_ours(column.ours);
      auto& now = draft.view(k, i);
      auto number = now.number;
      if (has(ours, column.ours)) {
        auto& o = *ours.measures[column.ours];
        number = o.number;
        auto moved = shift;
        if (!request_.measures && has(base, column.base) && has(theirs, column.theirs)) {
          auto &b = *base.measures[column.base], &t = *theirs.measures[column.theirs];
          auto was = counted_number(b), is = counted_number(t);
          // Beside what came and went, numbers may have been given anew.
          if (was && is)
            moved += *is - *was - of_theirs.before(column.theirs) + of_base.before(column.base);
          if (!(was && is) && o.number == b.number) number = t.number;
        }
        if (auto n = counted_number(o); n && (!o.implicit || !request_.measures) && moved != 0)
          number = std::to_string(*n + moved);
      } else if (cells[i].from == source::theirs) {
        auto in_front = next_number(draft.view(k), i);
        auto there = next_number(theirs, column.theirs);
        if (counts(now) && now.number == there) number = in_front;
        if (counts(now)) ++shift;
      } else {
        number = next_number(draft.view(k), i);
      }
      if (uncounted_number(now)) {
        // Those that are not counted are told apart anew when both sides brought some.
        auto in_ours = has(ours, column.ours);
        if (now.number == next_measure_number(in_ours ? ours : theirs,
                                              in_ours ? column.ours : column.theirs, true))
          number = next_measure_number(draft.view(k), i, true);
      }
      if (number != now.number) draft.renumber(k, i, std::move(number));
    }
  }
  /// How many measures before one are counted; asked in ascending order.
  struct running_count {
    const part& p;
    std::size_t at = 0;
    int n = 0;
    int before(std::size_t end) {
      for (; at < end; ++at)
        n += !p.measures[at]->implicit && counted_number(*p.measures[at]) ? 1 : 0;
      return n;
    }
  };
  static std::string next_number(const part& p, std::size_t i) {
    return i == 0 ? std::string{"1"} : next_measure_number(p, i);
  }
  /// A part of one side has the numbers of the others, where it got or lost measures.
  void count_on(score_draft& draft, std::size_t k) const {
    auto& cells = cells_[k];
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (goes_on(cells, i) && cells[i].column == cells[i].measure) continue;
      auto& m = draft.view(k, i);
      if (m.implicit || !counted_number(m)) continue;
      auto number = next_number(draft.view(k), i);
      if (number != m.number) draft.renumber(k, i, std::move(number));
    }
  }

  const score_ptr &base_, &ours_, &theirs_;
  const merge_request& request_;
  merge_plan plan_;
  std::vector<std::size_t> order_;
  std::vector<std::vector<merged_cell>> cells_;  ///< by part of the merged score
};

}  // namespace

result<merged_score> merge_scores(const score_ptr& base, const score_ptr& ours,
                                  const score_ptr& theirs, const merge_request& request) {
  merged_score nothing;
  nothing.score = ours;
  if (theirs == ours || *theirs == *ours) return nothing;
  auto plan = plan_merge(*base, *ours, *theirs, request);
  if (!plan) return fail(plan.error());
  auto unchanged = !request.measures && *ours == *base;
  auto merged = merger{base, ours, theirs, request, std::move(*plan)}.merge();
  // Where only the other side went on there is nothing to repair.
  if (unchanged) {
    merged.score = theirs;
    merged.repaired.clear();
  }
  return merged;
}

}  // namespace fermata
