#include "core/score/analysis/unfold.hpp"

#include "core/score/analysis/jumps.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace fermata {

namespace {

/// A bracket over measures [first, last] and the passes on which it is played.
struct ending {
  std::size_t first, last;
  std::vector<int> numbers;
  std::size_t group;  ///< endings in a row belong together
  bool contains(int pass) const {
    return std::find(numbers.begin(), numbers.end(), pass) != numbers.end();
  }
};

struct ending_group {
  std::size_t first, last;  ///< measures from the first to the last ending
  int passes;               ///< how often the repeat is played
  int highest;              ///< highest number of an ending
  bool repeats = false;     ///< some ending goes back: the group closes the repeat
  bool decides = true;      ///< passes choose among the endings; else they are only drawn
};

class endings {
public:
  explicit endings(const std::vector<measure_signs>& signs) {
    for (std::size_t m = 0; m < signs.size(); ++m)
      if (signs[m].ending_starts) add(signs, m);
    finish(signs);
  }

  const ending* starting_at(std::size_t m) const {
    for (auto& e : list_)
      if (e.first == m) return &e;
    return nullptr;
  }
  const ending_group& group_of(const ending& e) const { return groups_[e.group]; }

private:
  void add(const std::vector<measure_signs>& signs, std::size_t m) {
    auto last = m;
    // To its own end; a bracket that never ends reaches to the repeat or the next bracket.
    while (!signs[last].ending_stops && !signs[last].backward && last + 1 < signs.size() &&
           !signs[last + 1].ending_starts)
      ++last;
    while (!signs[last].ending_stops && last + 1 < signs.size() && ends_later(signs, last))
      ++last;
    bool joins = !list_.empty() && list_.back().last + 1 == m;
    if (!joins) groups_.push_back({m, last, 0, 0, false, true});
    auto& g = groups_.back();
    ending e{m, last, signs[m].ending_numbers, groups_.size() - 1};
    if (e.numbers.empty()) e.numbers.push_back(g.highest + 1);
    g.highest = std::max(g.highest, *std::max_element(e.numbers.begin(), e.numbers.end()));
    g.last = last;
    list_.push_back(std::move(e));
  }

  /// A bracket with a repeat inside it goes on to its stop, if one comes before the next start.
  static bool ends_later(const std::vector<measure_signs>& signs, std::size_t from) {
    for (auto m = from + 1; m < signs.size() && !signs[m].ending_starts; ++m)
      if (signs[m].ending_stops) return true;
    return false;
  }

  void finish(const std::vector<measure_signs>& signs) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      auto count = std::count_if(list_.begin(), list_.end(), [&](auto& e) { return e.group == g; });
      auto& group = groups_[g];
      for (auto m = group.first; m <= group.last; ++m)
        group.repeats |= std::any_of(list_.begin(), list_.end(), [&](auto& e) {
          return e.group == g && e.last == m && signs[m].backward;
        });
      // Without a way back of their own the brackets may still lie in a repeat that ends later.
      if (!group.repeats) {
        auto m = group.last + 1;
        while (m < signs.size() && !signs[m].backward && !signs[m].forward &&
               !signs[m].ending_starts)
          ++m;
        group.decides = m < signs.size() && signs[m].backward && !signs[m].forward;
      }
      bool open_ended = count == 1 && signs[group.last].backward;
      group.passes = group.highest + (open_ended ? 1 : 0);
    }
  }

  std::vector<ending> list_;
  std::vector<ending_group> groups_;
};

/// Plays the score in the mind: a position, the repeats it is inside of, and what jumps have
/// changed.
class walker {
public:
  walker(std::vector<measure_signs> signs, std::size_t longest)
    : signs_(std::move(signs)), endings_(signs_), longest_(longest) {}

  result<std::vector<played_measure>> walk() {
    while (at_ < signs_.size()) {
      if (enter()) continue;
      if (order_.size() >= longest_)
        return fail(
            {errc::out_of_range,
             "the repeats make the piece longer than " + std::to_string(longest_) + " measures",
             {},
             "check the :times of the repeats"});
      order_.push_back({at_, repeats_.back().pass, {}});
      if (!leave()) break;
    }
    return std::move(order_);
  }

private:
  struct repeat {
    std::size_t start;
    int pass = 1;
    bool implied = false;  ///< no forward sign: moves on when it is done
  };

  /// Before a measure. Whether the position moved instead.
  bool enter() {
    auto& here = signs_[at_];
    if (here.to_coda_before && leave_for_coda(*here.to_coda_before)) return true;
    // Coming back to a repeat that begins with a bracket: the bracket is of the repeat before.
    bool came_back = !repeats_.back().implied && repeats_.back().start == at_;
    if (auto* e = endings_.starting_at(at_); e && e != ending_ && !came_back) {
      if (!plays(*e)) {
        at_ = e->last + 1;
        // Skipping the last bracket leaves the repeat behind.
        if (auto& g = endings_.group_of(*e); g.repeats && at_ > g.last)
          complete(repeats_.size() - 1, g.last);
        return true;
      }
      ending_ = e;
      ending_depth_ = repeats_.size() - 1;
    }
    if (here.forward && repeats_.back().start != at_)
      repeats_.push_back({at_, 1, false});
    else if (here.forward)
      repeats_.back().implied = false;
    return false;
  }

  bool plays(const ending& e) const {
    auto& g = endings_.group_of(e);
    if (!g.decides) return true;
    if (repeats_off_ && !repeats_after_jump(g)) return e.contains(g.highest);
    return e.contains(repeats_.back().pass);
  }

  bool repeats_after_jump(const ending_group& g) const {
    for (auto m = g.first; m <= g.last; ++m)
      if (signs_[m].backward && signs_[m].after_jump) return true;
    return false;
  }

  /// Behind a measure: moves the position. Whether the piece goes on.
  bool leave() {
    auto& here = signs_[at_];
    if (here.backward && go_back()) return true;
    if (ending_ && at_ == ending_->last) {
      auto& e = *ending_;
      auto& g = endings_.group_of(e);
      ending_ = nullptr;
      if (g.repeats) {
        // The last time through the repeat ends here, and the endings behind are not for it.
        complete(ending_depth_, g.last);
        at_ = g.last + 1;
        return go_on(here, true);
      }
    }
    return go_on(here, false);
  }

  /// What leads away behind the measure just played; else the next one.
  bool go_on(const measure_signs& here, bool moved) {
    if (jumped_ && here.fine && goal_ != jump_goal::coda) {
      if (here.fine_at) order_.back().until = *here.fine_at - measure_position{};
      return false;
    }
    auto played = order_.back().measure;
    if (here.to_coda_after && leave_for_coda(*here.to_coda_after)) return true;
    if (here.jumps && jump_away(*here.jumps, played)) return true;
    if (!moved) ++at_;
    return true;
  }

  /// The repeat that ends here is played again, if there are passes left.
  bool go_back() {
    auto& here = signs_[at_];
    bool in_ending = ending_ && at_ == ending_->last && ending_depth_ < repeats_.size();
    auto depth = in_ending ? std::min(ending_depth_, repeats_.size() - 1) : repeats_.size() - 1;
    // A repeat that begins inside the bracket belongs to the bracket, not around it.
    if (in_ending && repeats_.back().start >= ending_->first) depth = repeats_.size() - 1;
    auto& r = repeats_[depth];
    auto total = std::max(1, here.times.value_or(2));
    if (in_ending && depth == ending_depth_) total = endings_.group_of(*ending_).passes;
    bool taken = r.pass < total && (!repeats_off_ || here.after_jump);
    if (!taken) {
      if (!in_ending || depth != ending_depth_) complete(depth, at_);
      return false;
    }
    ++r.pass;
    at_ = r.start;
    repeats_.resize(depth + 1);
    if (ending_ && at_ < ending_->first) ending_ = nullptr;
    return true;
  }

  /// The repeat at `depth` is done; what it held goes with it.
  void complete(std::size_t depth, std::size_t last) {
    if (depth >= repeats_.size()) return;
    if (!repeats_[depth].implied) {
      repeats_.erase(repeats_.begin() + static_cast<std::ptrdiff_t>(depth));
      if (repeats_.empty())
        repeats_.push_back({last + 1, 1, true});
      else if (depth > 0 && repeats_[depth - 1].implied && !ending_)
        repeats_[depth - 1] = {last + 1, 1, true};
    } else {
      repeats_[depth] = {last + 1, 1, true};
    }
  }

  bool leave_for_coda(const std::string& label) {
    if (!jumped_ || goal_ == jump_goal::fine || coda_reached_) return false;
    auto target = find(
        label, at_, [](auto& m) { return m.coda; }, [](auto& m) -> auto& { return m.coda_label; });
    if (!target) return false;
    coda_reached_ = true;
    repeats_off_ = false;
    go_to(*target);
    return true;
  }

  bool jump_away(const jump& j, std::size_t from) {
    if (taken_.contains(from)) return false;
    if (!j.passes.empty() &&
        std::find(j.passes.begin(), j.passes.end(), order_.back().pass) == j.passes.end())
      return false;
    std::optional<std::size_t> target = 0;
    if (j.target == jump::to::segno) {
      // Of several signs without a name, the nearest one before.
      target = find(
          j.label, from + 1, [](auto& m) { return m.segno; },
          [](auto& m) -> auto& { return m.segno_label; }, true);
      if (!target) return false;
    }
    taken_.insert(from);
    jumped_ = true;
    repeats_off_ = true;
    coda_reached_ = false;
    goal_ = j.goal;
    go_to(*target);
    return true;
  }

  void go_to(std::size_t m) {
    at_ = m;
    repeats_.assign(1, {m, 1, true});
    ending_ = nullptr;
  }

  /// The measure with a sign: by its label, else the nearest behind (or before) `from`, else any.
  template <class Has, class Label>
  std::optional<std::size_t> find(const std::string& label, std::size_t from, Has has, Label of,
                                  bool before = false) const {
    std::optional<std::size_t> any, near;
    for (std::size_t m = 0; m < signs_.size(); ++m) {
      if (!has(signs_[m])) continue;
      if (!label.empty() && of(signs_[m]) == label) return m;
      if (!any) any = m;
      if (before ? m < from : (m >= from && !near)) near = m;
    }
    return near ? near : any;
  }

  std::vector<measure_signs> signs_;
  endings endings_;
  std::size_t longest_;
  std::vector<played_measure> order_;
  std::size_t at_ = 0;
  std::vector<repeat> repeats_{{0, 1, true}};
  const ending* ending_ = nullptr;  ///< the bracket that is being played
  std::size_t ending_depth_ = 0;    ///< the repeat that it belongs to
  std::set<std::size_t> taken_;     ///< jumps, by measure
  bool jumped_ = false, repeats_off_ = false, coda_reached_ = false;
  jump_goal goal_ = jump_goal::unspecified;
};

}  // namespace

result<std::vector<played_measure>> playing_order(const score& s, std::size_t longest) {
  return walker{signs_of(s), std::max(longest, std::size_t{1})}.walk();
}

}  // namespace fermata
