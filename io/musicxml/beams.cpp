#include "io/musicxml/part_progress.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

/// One beam group of a measure: where it begins, and whether plain eighths may run on into the next
/// group of the same bundle (the half of a 4/4 measure, the whole of a 3/4 measure).
struct beat_group {
  rational begin, end;
  int bundle;
};

/// Adds `count` beats of `length` as groups of one bundle.
void add_beats(std::vector<beat_group>& groups, int count, rational length, int& bundle,
               int beats_per_bundle) {
  for (int i = 0; i < count; ++i) {
    if (i > 0 && beats_per_bundle > 0 && i % beats_per_bundle == 0) ++bundle;
    auto begin = groups.empty() ? rational{0} : groups.back().end;
    groups.push_back({begin, begin + length, bundle});
  }
  ++bundle;
}

/// Beats over an eighth or shorter, grouped in threes where they divide so, else in twos with a
/// three at the end; what the signature adds up itself (3+2+3) is taken as said.
void add_short_beats(std::vector<beat_group>& groups, const std::vector<int>& beats, rational unit,
                     int& bundle) {
  if (beats.size() > 1) {
    for (auto b : beats)
      add_beats(groups, 1, unit * rational{b}, bundle, 0);
    return;
  }
  auto n = beats.front();
  if (n % 3 == 0) {
    add_beats(groups, n / 3, unit * rational{3}, bundle, 1);
  } else if (n % 2 == 0) {
    add_beats(groups, n / 2, unit * rational{2}, bundle, 2);
  } else if (n == 5) {  // 3 + 2 is the more common reading
    add_beats(groups, 1, unit * rational{3}, bundle, 0);
    add_beats(groups, 1, unit * rational{2}, bundle, 0);
  } else {
    add_beats(groups, (n - 3) / 2, unit * rational{2}, bundle, 1);
    if (n >= 3)
      add_beats(groups, 1, unit * rational{3}, bundle, 0);
    else
      add_beats(groups, n, unit, bundle, 0);
  }
}

/// The groups of a full measure; nothing for senza misura and for signatures nobody writes.
std::vector<beat_group> groups_of(const time_signature& t) {
  std::vector<beat_group> groups;
  int bundle = 0;
  for (auto& f : t.fractions) {
    auto sane =
        f.beat_type > 0 && f.beat_type <= 128 && !f.beats.empty() &&
        std::all_of(f.beats.begin(), f.beats.end(), [](int b) { return b > 0 && b <= 128; });
    if (!sane) return {};
    rational unit{4, f.beat_type};
    if (f.beat_type >= 8) {
      add_short_beats(groups, f.beats, unit, bundle);
      continue;
    }
    // Beats of a quarter and longer; halves are beamed by quarters, two to a bundle.
    for (auto b : f.beats) {
      auto quarters = f.beat_type == 4 ? b : b * (4 / f.beat_type);
      auto per_bundle = quarters % 2 == 0 ? 2 : quarters == 3 ? 3 : 1;
      add_beats(groups, quarters, rational{1}, bundle, per_bundle);
    }
  }
  return groups;
}

/// Flags of a written value: one for an eighth, none for a quarter and longer.
int flags(const chord_rest& x) {
  if (!x.written) return 0;
  auto f = static_cast<int>(x.written->base) - static_cast<int>(note_base::quarter);
  return std::clamp(f, 0, 8);
}

bool beamable(const chord_rest& x) {
  if (x.notes.empty() || is_rest(x) || flags(x) == 0) return false;
  for (auto& s : x.notes.front().spanners)
    if (s.kind == spanner_kind::tremolo) return false;  // its strokes stand where beams would
  return true;
}

/// A note of the group that is being collected.
struct member {
  const chord_rest* chord;
  std::size_t index;
  measure_position at;
};

/// Fills in the beams of notes that are to be joined.
void beam_together(const std::vector<member>& group, std::vector<completed_chord>& out) {
  if (group.size() < 2) return;
  for (std::size_t i = 0; i < group.size(); ++i) {
    auto count = flags(*group[i].chord);
    auto& letters = out[group[i].index].beams;
    for (int level = 1; level <= count; ++level) {
      auto left = i > 0 && flags(*group[i - 1].chord) >= level;
      auto right = i + 1 < group.size() && flags(*group[i + 1].chord) >= level;
      char letter;
      if (left && right)
        letter = 'c';
      else if (right)
        letter = 'b';
      else if (left)
        letter = 'e';
      else if (i == 0)
        letter = 'f';
      else if (i + 1 == group.size())
        letter = 'k';
      else {
        // A lone short note in the middle leans on the value that it completes: backwards when it
        // ends on a beat of twice its length.
        auto end = group[i].at + group[i].chord->length;
        auto twice = group[i].chord->length * rational{2};
        letter = ((end - measure_position{}) / twice).is_integer() ? 'k' : 'f';
      }
      letters[static_cast<std::size_t>(level - 1)] = letter;
    }
  }
}

/// Whether all members are plain eighths, which may be joined across beats.
bool plain_eighths(const std::vector<member>& group) {
  return std::all_of(group.begin(), group.end(), [](auto& m) {
    return *m.chord->written == note_value{note_base::eighth, 0} && !m.chord->tuplet;
  });
}

/// Beams one voice of a measure.
class voice_beamer {
public:
  voice_beamer(const std::vector<beat_group>& groups, rational shift,
               std::vector<completed_chord>& out)
    : groups_(groups), shift_(shift), out_(out) {}

  void add(const chord_rest& x, measure_position at, std::size_t index) {
    if (x.grace) {
      // Grace notes are joined among themselves and do not part what they adorn.
      if (!beamable(x) || (!graces_.empty() && graces_.back().at != at)) flush_graces();
      if (beamable(x)) graces_.push_back({&x, index, at});
      return;
    }
    flush_graces();
    auto group = group_at(at);
    auto contiguous = !current_.empty() && end_ == at;
    if (!beamable(x) || !contiguous || group != group_)
      flush_group(beamable(x) && contiguous && same_bundle(group, group_));
    group_ = group;
    end_ = at + x.length;
    if (beamable(x)) current_.push_back({&x, index, at});
  }
  void finish() {
    flush_graces();
    flush_group(false);
  }

private:
  int group_at(measure_position at) const {
    auto place = at.value + shift_;
    auto found = std::upper_bound(groups_.begin(), groups_.end(), place,
                                  [](auto& p, auto& g) { return p < g.end; });
    if (found == groups_.end())  // beyond the metre, or none: by quarters
      return 1000 + static_cast<int>(std::min<std::int64_t>(floor(place), 100000));
    return static_cast<int>(found - groups_.begin());
  }
  bool same_bundle(int a, int b) const {
    auto n = static_cast<int>(groups_.size());
    return a < n && b < n &&
           groups_[static_cast<std::size_t>(a)].bundle ==
               groups_[static_cast<std::size_t>(b)].bundle;
  }
  void flush_graces() {
    beam_together(graces_, out_);
    graces_.clear();
  }
  /// Ends a beat. Its notes are held back while the next beat may join them.
  void flush_group(bool may_join) {
    if (!held_.empty() && plain_eighths(held_) && plain_eighths(current_) && !current_.empty()) {
      held_.insert(held_.end(), current_.begin(), current_.end());
    } else {
      beam_together(held_, out_);
      held_ = current_;
    }
    current_.clear();
    if (!may_join) {
      beam_together(held_, out_);
      held_.clear();
    }
  }

  const std::vector<beat_group>& groups_;
  rational shift_;
  std::vector<completed_chord>& out_;
  std::vector<member> current_, held_, graces_;
  int group_ = -1;
  measure_position end_;
};

}  // namespace

void part_progress::complete_beams(const measure& m) {
  // A signature at the start counts for this measure, one in the middle for those after it.
  const attributes* later = nullptr;
  for (auto& item : m.items)
    if (auto* a = std::get_if<attributes>(&item.content); a && !a->times.empty()) {
      if (item.at == measure_position{})
        time_ = a->times.front().value;
      else
        later = a;
    }
  struct voice {
    const std::string* name;
    bool given;  ///< has beams of its own
  };
  std::vector<voice> voices;
  for (auto& item : m.items) {
    auto* x = std::get_if<chord_rest>(&item.content);
    if (!x) continue;
    auto found =
        std::find_if(voices.begin(), voices.end(), [&](auto& v) { return *v.name == x->voice; });
    if (found == voices.end()) found = voices.insert(voices.end(), {&x->voice, false});
    for (auto& n : x->notes)
      found->given = found->given || !n.beams.empty();
  }
  auto groups = groups_of(time_);
  // A pickup is the end of a measure, not its beginning.
  rational shift{0};
  if (m.implicit && !groups.empty()) {
    auto missing = groups.back().end - extent(m).value;
    if (missing > rational{0}) shift = missing;
  }
  for (auto& v : voices) {
    if (v.given) continue;
    voice_beamer beamer{groups, shift, completed_};
    std::size_t index = 0;
    for (auto& item : m.items)
      if (auto* x = std::get_if<chord_rest>(&item.content)) {
        if (x->voice == *v.name) beamer.add(*x, item.at, index);
        ++index;
      }
    beamer.finish();
  }
  if (later) time_ = later->times.front().value;
}

}  // namespace fermata::io::musicxml::detail
