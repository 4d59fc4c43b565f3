#include "midi/performance/channels.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace fermata::midi {

namespace {

constexpr std::size_t most_ports = 128;
constexpr std::size_t channels_of_port = 15;  // without percussion

class channel_giver {
public:
  channel_giver(const score& s, const std::vector<channel_request>& requests)
    : score_(s), requests_(requests) {
    plan_.places.resize(requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i)
      plan_.places[i].resize(requests[i].lanes);
  }

  result<channel_plan> give() {
    give_wanted();
    for (std::size_t first = 0; first < requests_.size();) {
      auto end = first;
      while (end < requests_.size() && requests_[end].part == requests_[first].part)
        ++end;
      give_part(first, end);
      first = end;
      if (ports_.size() > most_ports)
        return fail({errc::out_of_range,
                     "the score needs more MIDI channels than 128 ports have: part " +
                         std::to_string(requests_[first - 1].part + 1) + " has none",
                     {},
                     "play fewer parts at a time"});
    }
    make_tracks();
    return std::move(plan_);
  }

private:
  struct port {
    std::array<bool, 16> taken{};
    std::optional<instrument_sound> kit;  ///< on the percussion channel
    std::size_t free() const {
      return channels_of_port -
             static_cast<std::size_t>(std::count(taken.begin(), taken.end(), true));
    }
  };

  port& open(std::size_t index) {
    if (ports_.size() <= index) ports_.resize(index + 1);
    return ports_[index];
  }

  void give_wanted() {
    given_.resize(requests_.size());
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      auto& sound = requests_[i].sound;
      if (sound.percussion || !sound.wanted) continue;
      auto channel = static_cast<std::size_t>(*sound.wanted);
      if (channel > 15 || channel == percussion_channel || open(0).taken[channel]) continue;
      open(0).taken[channel] = true;
      plan_.places[i][0] = {0, 0, static_cast<std::uint8_t>(channel)};
      given_[i] = true;
    }
  }

  /// Requests [first, end) of one part.
  void give_part(std::size_t first, std::size_t end) {
    std::vector<channel_place*> open_places;
    for (auto i = first; i < end; ++i)
      for (std::size_t lane = 0; lane < requests_[i].lanes; ++lane)
        if (requests_[i].sound.percussion)
          plan_.places[i][lane] = {0, kit_port(requests_[i].sound), percussion_channel};
        else if (lane > 0 || !given_[i])
          open_places.push_back(&plan_.places[i][lane]);
    std::size_t at = 0;
    for (std::size_t next = 0; next < open_places.size();) {
      auto wanted = std::min(open_places.size() - next, channels_of_port);
      while (open(at).free() < wanted)
        ++at;
      if (at >= most_ports) return;
      for (std::uint8_t c = 0; c < 16 && wanted > 0; ++c) {
        if (c == percussion_channel || ports_[at].taken[c]) continue;
        ports_[at].taken[c] = true;
        *open_places[next++] = {0, static_cast<std::uint8_t>(at), c};
        --wanted;
      }
    }
  }

  std::uint8_t kit_port(const instrument_sound& kit) {
    std::size_t at = 0;
    while (open(at).kit && !ports_[at].kit->sounds_like(kit))
      ++at;
    ports_[at].kit = kit;
    return static_cast<std::uint8_t>(at);
  }

  void make_tracks() {
    plan_.tracks.push_back({});
    std::size_t next = 0;
    for (std::uint32_t part = 0; part < score_.parts.size(); ++part) {
      std::map<std::uint8_t, std::uint32_t> track_of_port;
      auto track_for = [&](std::uint8_t at) {
        auto [found, is_new] =
            track_of_port.try_emplace(at, static_cast<std::uint32_t>(plan_.tracks.size()));
        if (is_new) plan_.tracks.push_back({score_.parts[part]->name, part, at});
        return found->second;
      };
      for (; next < requests_.size() && requests_[next].part == part; ++next)
        for (auto& place : plan_.places[next])
          place.track = track_for(place.port);
      if (track_of_port.empty()) track_for(0);
    }
  }

  const score& score_;
  const std::vector<channel_request>& requests_;
  std::vector<port> ports_;
  std::vector<bool> given_;  ///< the first lane of the request has its wanted channel
  channel_plan plan_;
};

}  // namespace

result<channel_plan> channels_for(const score& s, const std::vector<channel_request>& requests) {
  return channel_giver{s, requests}.give();
}

}  // namespace fermata::midi
