#include "midi/performance/part_voices.hpp"

#include "midi/performance/pizzicato.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace fermata::midi {

namespace {

/// Finds the request for an instrument; instruments that sound alike have one.
class request_finder {
public:
  request_finder(const part& p, std::uint32_t index, part_voices& voices)
    : part_(p), index_(index), voices_(voices) {}

  struct found {
    std::uint32_t request;
    const part_instrument* instrument;
  };

  const found& find(const std::string& id, bool unpitched, bool is_plucked = false) {
    auto [place, is_new] = known_.try_emplace({id, unpitched, is_plucked}, found{0, nullptr});
    if (is_new) {
      auto* instrument = instrument_of(part_, id);
      auto sound = sound_of(part_, instrument, unpitched);
      place->second = {request_for(is_plucked ? plucked(std::move(sound)) : std::move(sound)),
                       instrument};
    }
    return place->second;
  }

private:
  std::uint32_t request_for(instrument_sound sound) {
    auto& all = voices_.requests;
    auto same =
        std::find_if(all.begin(), all.end(), [&](auto& r) { return r.sound.sounds_like(sound); });
    if (same == all.end()) {
      all.push_back({index_, std::move(sound), 1});
      return static_cast<std::uint32_t>(all.size() - 1);
    }
    return static_cast<std::uint32_t>(same - all.begin());
  }

  const part& part_;
  std::uint32_t index_;
  part_voices& voices_;
  std::map<std::tuple<std::string, bool, bool>, found> known_;
};

}  // namespace

part_voices voices_of(const part& p, std::uint32_t index, const std::vector<played_note>& played,
                      const std::vector<sounding_note>& sounding, const part_pedals& pedals) {
  part_voices voices;
  request_finder requests{p, index, voices};
  std::vector<lane_set> lanes;
  auto pizzicati = pizzicati_of(p);
  voices.notes.reserve(played.size());
  for (auto& n : played) {
    auto& written = sounding[n.origin];
    auto& item = p.measures.music_at(written.measure).items[written.item];
    auto is_pizzicato = (!pizzicati.empty() && is_plucked(pizzicati, written.measure, item.at)) ||
                        is_snapped(std::get<chord_rest>(item.content).notes[written.note]);
    auto& [request, instrument] = requests.find(written.instrument, n.unpitched, is_pizzicato);
    lanes.resize(voices.requests.size());
    voiced_note v{n, request, 0, false, bent_key_of(n.cents)};
    if (voices.requests[request].sound.percussion) {
      if (n.unpitched) v.key.key = percussion_key(p, instrument, v.key.key);
      v.key.cents = 0;
      v.note.curve.clear();
    } else {
      auto silent = pedals.silent_after(n.onset + n.length);
      auto choice = lanes[request].lane_for(n.onset, silent, v.key.cents, !n.curve.empty());
      v.lane = static_cast<std::uint32_t>(choice.lane);
      v.bends = choice.bends;
      if (!n.curve.empty()) voices.bend_range = slide_bend_range;
    }
    voices.notes.push_back(v);
  }
  for (std::size_t i = 0; i < lanes.size(); ++i)
    voices.requests[i].lanes = lanes[i].size();
  // A part without notes has an instrument too: an empty staff keeps its channel.
  if (voices.requests.empty()) requests.find("", false);
  return voices;
}

}  // namespace fermata::midi
