#include "midi/performance/arpeggio.hpp"

#include "core/score/model/attribute_of.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace fermata::midi {

namespace {

const mark* arpeggio_on(const note& n) {
  for (auto& m : n.marks)
    if (m.kind == mark_kind::arpeggiate) return &m;
  return nullptr;
}

/// The signs of a chord. Chords are looked at once for all of their notes.
class arpeggio_signs {
public:
  /// The sign that is for this note of the chord; null: none.
  const mark* sign_for(const chord_rest& x, std::size_t index) {
    if (looked_at_ != &x) look_at(x);
    auto* own = arpeggio_on(x.notes[index]);
    return own ? own : only_;
  }

private:
  void look_at(const chord_rest& x) {
    looked_at_ = &x;
    only_ = nullptr;
    int count = 0;
    for (auto& n : x.notes)
      if (auto* m = arpeggio_on(n)) {
        only_ = m;
        ++count;
      }
    if (count > 1) only_ = nullptr;
  }

  const chord_rest* looked_at_ = nullptr;
  const mark* only_ = nullptr;  ///< the sign on just one note of the chord
};

struct arpeggio_group {
  std::vector<std::size_t> places;  ///< into `notes`
  bool down = false;
};

}  // namespace

std::vector<quarters> arpeggio_delays(const part& p, const std::vector<sounding_note>& sounding,
                                      const std::vector<std::size_t>& notes) {
  std::vector<quarters> delays(notes.size());
  arpeggio_signs signs;
  for (std::size_t i = 0; i < notes.size();) {
    auto onset = sounding[notes[i]].onset;
    std::map<std::string, arpeggio_group> groups;
    for (; i < notes.size() && sounding[notes[i]].onset == onset; ++i) {
      auto& s = sounding[notes[i]];
      auto& item = p.measures.music_at(s.measure).items[s.item];
      auto* m = signs.sign_for(std::get<chord_rest>(item.content), s.note);
      if (!m) continue;
      auto& group = groups[std::string{attribute_of(m->extra, "number")}];
      group.places.push_back(i);
      group.down |= m->text == "down";
    }
    for (auto& [number, group] : groups) {
      auto& places = group.places;
      std::stable_sort(places.begin(), places.end(),
                       [&, down = group.down](std::size_t a, std::size_t b) {
                         auto low = sounding[notes[a]].cents, high = sounding[notes[b]].cents;
                         return down ? low > high : low < high;
                       });
      auto shortest = sounding[notes[places.front()]].length;
      for (auto k : places)
        shortest = std::min(shortest, sounding[notes[k]].length);
      auto count = static_cast<std::int64_t>(places.size());
      auto each = std::min(quarters{rational{1, 16}}, shortest * rational{1, 2 * count});
      for (std::int64_t k = 0; k < count; ++k)
        delays[places[static_cast<std::size_t>(k)]] = each * rational{k};
    }
  }
  return delays;
}

}  // namespace fermata::midi
