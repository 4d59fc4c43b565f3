#include "midi/performance/dynamics_plan.hpp"

#include "core/score/model/attribute_of.hpp"
#include "core/score/model/spanners.hpp"
#include "midi/performance/dynamic_levels.hpp"
#include "midi/performance/playback_text.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace fermata::midi {

/// One thing that changes the level: a dynamic, or a gradual change.
struct part_dynamics::event {
  quarters from;
  std::optional<quarters> to;  ///< of a hairpin; words go on to the next dynamic
  int direction = 0;           ///< 1 louder, -1 softer, 0: a dynamic
  int staff = 1;
  std::string names;           ///< of a dynamic
  std::optional<double> said;  ///< its velocity, where <sound dynamics> says one
  bool niente = false;         ///< a hairpin from or to nothing
};

namespace {

/// "cresc.", "poco a poco dim.": 1, -1; 0 for other words.
int direction_of_words(std::string_view text) {
  auto plain = plain_words_of(text);
  auto has = [&](std::string_view word) { return plain.find(word) != std::string::npos; };
  if (has("decresc") || has("dim") || has("smorz")) return -1;
  return has("cresc") ? 1 : 0;
}

bool is_hairpin(const spanner_end_place& e) { return e.kind == spanner_kind::hairpin; }

}  // namespace

/// Collects what the part says, then lays it out staff by staff.
class part_dynamics::reader {
public:
  reader(const part& p, const std::vector<quarters>& starts) : part_(p), starts_(starts) {
    for (std::size_t m = 0; m < p.measures.size(); ++m)
      for (auto& item : p.measures.music_at(m).items)
        read(m, item);
    read_hairpins();
    // A dynamic counts before the hairpin that begins with it.
    std::stable_sort(events_.begin(), events_.end(), [](auto& a, auto& b) {
      return a.from != b.from ? a.from < b.from : a.direction == 0 && b.direction != 0;
    });
  }

  std::vector<staff_levels> levels() const {
    // Only where two staves say something at once does one not listen to the other.
    std::map<quarters, std::set<int>> speakers;
    for (auto& e : events_)
      speakers[e.from].insert(e.staff);
    std::vector<staff_levels> staves;
    for (int staff = 1; staff <= highest_staff_; ++staff) {
      std::vector<const event*> heard;
      for (auto& e : events_)
        if (e.staff == staff || !speakers[e.from].contains(staff)) heard.push_back(&e);
      staves.push_back(laid_out(heard));
    }
    return staves;
  }

private:
  quarters place(std::size_t measure, measure_position at) const {
    return starts_[measure] + (at - measure_position{});
  }

  void read(std::size_t m, const measure_item& item) {
    if (auto* x = std::get_if<chord_rest>(&item.content)) {
      highest_staff_ = std::max(highest_staff_, static_cast<int>(x->staff));
      for (auto& n : x->notes) {
        if (n.differs && n.differs->staff)
          highest_staff_ = std::max(highest_staff_, static_cast<int>(*n.differs->staff));
        for (auto& k : n.marks)
          if (k.kind == mark_kind::dynamics_notation)
            events_.push_back({place(m, item.at), {}, 0, x->staff, k.text, {}, false});
      }
    } else if (auto* d = std::get_if<direction>(&item.content)) {
      read(*d, place(m, sounding_place(item)));
    } else if (auto* s = std::get_if<sound>(&item.content)) {
      if (auto percent = number_in(s->attribute("dynamics")))
        events_.push_back({place(m, item.at), {}, 0, 1, "", velocity_of_percent(*percent), false});
    }
  }

  void read(const direction& d, quarters at) {
    int staff = d.staff.value_or(1);
    std::optional<double> said;
    if (d.sound)
      if (auto percent = number_in(d.sound->attribute("dynamics")))
        said = velocity_of_percent(*percent);
    std::string names;
    for (auto& t : d.types) {
      if (auto* x = std::get_if<dynamics>(&t))
        for (auto& v : x->values)
          names += (names.empty() ? "" : " ") + v;
      if (auto* w = std::get_if<words>(&t))
        if (int direction = direction_of_words(w->text))
          events_.push_back({at, {}, direction, staff, "", {}, false});
    }
    if (said || !names.empty()) events_.push_back({at, {}, 0, staff, names, said, false});
  }

  void read_hairpins() {
    auto ends = spanner_ends(part_, 0, part_.measures.size());
    std::erase_if(ends, [](auto& e) { return !is_hairpin(e); });
    for (auto& [start, stop] : pair_spanners(ends).pairs) {
      auto sign = [this](const spanner_end_place& e) -> const wedge& {
        auto& item = part_.measures.music_at(e.measure).items[e.item];
        return std::get<wedge>(std::get<direction>(item.content).types[e.index]);
      };
      auto from = place(start.measure, start.at), to = place(stop.measure, stop.at);
      if (to <= from) continue;
      bool niente = attribute_of(sign(start).extra, "niente") == "yes" ||
                    attribute_of(sign(stop).extra, "niente") == "yes";
      int direction = sign(start).type == "crescendo" ? 1 : -1;
      events_.push_back({from, to, direction, std::max(start.staff, 1), "", {}, niente});
    }
  }

  /// For each event the next dynamic behind it; null: none comes.
  static std::vector<const event*> next_dynamics(const std::vector<const event*>& heard) {
    std::vector<const event*> next(heard.size());
    for (auto i = heard.size(); i-- > 1;)
      next[i - 1] = heard[i]->direction == 0 ? heard[i] : next[i];
    return next;
  }

  static std::optional<double> level_said(const event& e, double in_force) {
    if (e.said) return *e.said;
    auto found = level_of(e.names, in_force);
    return found ? found->level : std::nullopt;
  }

  static staff_levels laid_out(const std::vector<const event*>& heard) {
    staff_levels out;
    auto next = next_dynamics(heard);
    for (std::size_t i = 0; i < heard.size(); ++i) {
      auto& e = *heard[i];
      auto level = level_at(out.ramps, e.from);
      if (e.direction == 0) {
        auto found = level_of(e.names, level);
        auto attack = e.said ? *e.said : found ? found->attack : level;
        auto stays = level_said(e, level).value_or(level);
        out.ramps.push_back({e.from, e.from, stays, stays});
        if (attack != stays) out.attacks[e.from] = attack;
        continue;
      }
      auto* goal = next[i];
      if (goal && e.to && goal->from > *e.to + quarters{1}) goal = nullptr;
      if (!e.to && !goal) continue;
      auto to = e.to.value_or(goal ? goal->from : e.from);
      if (goal) to = std::min(to, goal->from);
      auto target = std::clamp(level + e.direction * level_step, 1.0, 127.0);
      if (goal)
        if (auto said = level_said(*goal, level); said && (*said - level) * e.direction > 0)
          target = *said;
      if (e.niente) (e.direction > 0 ? level : target) = 1;
      out.ramps.push_back({e.from, to, level, target});
    }
    return out;
  }

  const part& part_;
  const std::vector<quarters>& starts_;
  std::vector<event> events_;
  int highest_staff_ = 1;
};

part_dynamics::part_dynamics(const part& p, const std::vector<quarters>& starts)
  : staves_(reader{p, starts}.levels()) {}

double part_dynamics::level_at(const std::vector<ramp>& ramps, quarters at) {
  auto after = std::upper_bound(ramps.begin(), ramps.end(), at,
                                [](quarters q, const ramp& r) { return q < r.from; });
  if (after == ramps.begin()) return level_unsaid;
  auto& r = *std::prev(after);
  if (at >= r.to) return r.last;
  auto share = ((at - r.from) / (r.to - r.from)).to_double();
  return r.first + (r.last - r.first) * share;
}

double part_dynamics::at(int staff, quarters written) const {
  auto i = static_cast<std::size_t>(std::max(staff, 1) - 1);
  auto& levels = staves_[std::min(i, staves_.size() - 1)];
  if (auto attack = levels.attacks.find(written); attack != levels.attacks.end())
    return attack->second;
  return level_at(levels.ramps, written);
}

}  // namespace fermata::midi
