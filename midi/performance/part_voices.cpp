#include "midi/performance/part_voices.hpp"

#include <algorithm>
#include <map>
#include <string>
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

  const found& find(const std::string& id, bool unpitched) {
    auto [place, is_new] = known_.try_emplace({id, unpitched}, found{0, nullptr});
    if (is_new) {
      auto* instrument = instrument_of(part_, id);
      place->second = {request_for(sound_of(part_, instrument, unpitched)), instrument};
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
  std::map<std::pair<std::string, bool>, found> known_;
};

}  // namespace

part_voices voices_of(const part& p, std::uint32_t index, const std::vector<played_note>& played,
                      const std::vector<sounding_note>& sounding, const part_pedals& pedals) {
  part_voices voices;
  request_finder requests{p, index, voices};
  std::vector<lane_set> lanes;
  voices.notes.reserve(played.size());
  for (auto& n : played) {
    auto& [request, instrument] = requests.find(sounding[n.origin].instrument, n.unpitched);
    lanes.resize(voices.requests.size());
    voiced_note v{n, request, 0, false, bent_key_of(n.cents)};
    if (voices.requests[request].sound.percussion) {
      if (n.unpitched) v.key.key = percussion_key(p, instrument, v.key.key);
      v.key.cents = 0;
      v.note.slide = 0;
    } else {
      auto silent = pedals.silent_after(n.onset + n.length);
      auto choice = lanes[request].lane_for(n.onset, silent, v.key.cents, n.slide != 0);
      v.lane = static_cast<std::uint32_t>(choice.lane);
      v.bends = choice.bends;
      if (n.slide != 0) voices.bend_range = slide_bend_range;
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
