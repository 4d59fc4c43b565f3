#include "io/json/playback_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace fermata::io {

namespace json = boost::json;

namespace {

/// In the order of `playback_status::state_t`.
constexpr std::array<std::string_view, 4> playback_states{"stopped", "counting_in", "playing",
                                                          "paused"};

double in_seconds(std::chrono::milliseconds t) { return static_cast<double>(t.count()) / 1000; }

std::string member_text(const json::object& o, std::string_view name) {
  auto member = o.if_contains(name);
  return member && member->is_string() ? std::string{std::string_view{member->get_string()}}
                                       : std::string{};
}

double member_number(const json::object& o, std::string_view name, double otherwise) {
  auto member = o.if_contains(name);
  if (!member || !member->is_number()) return otherwise;
  return member->to_number<double>();
}

std::chrono::milliseconds member_time(const json::object& o, std::string_view name) {
  constexpr double longest = 1e9;
  return std::chrono::milliseconds{
      std::llround(std::clamp(member_number(o, name, 0), 0.0, longest) * 1000)};
}

}  // namespace

json::object to_json(const playback_status& s) {
  json::object o{{"state", playback_states[static_cast<std::size_t>(s.state)]}};
  if (s.is_active()) {
    o["session"] = s.session;
    o["what"] = s.what;
    o["measure"] = s.measure;
    o["beat"] = s.beat;
    o["tempo"] = s.tempo;
    o["time"] = in_seconds(s.time);
    o["end"] = in_seconds(s.end);
    o["device"] = s.device;
    o["started_by"] = s.started_by;
  }
  if (!s.notice.empty()) o["notice"] = s.notice;
  return o;
}

playback_status read_playback_status(const json::object& o) {
  playback_status s;
  auto name = std::find(playback_states.begin(), playback_states.end(), member_text(o, "state"));
  if (name != playback_states.end())
    s.state = static_cast<playback_status::state_t>(name - playback_states.begin());
  s.session = member_text(o, "session");
  s.what = member_text(o, "what");
  s.measure = member_text(o, "measure");
  s.beat = static_cast<int>(std::clamp(member_number(o, "beat", 1), 0.0, 1e6));
  s.tempo = member_number(o, "tempo", 1);
  s.time = member_time(o, "time");
  s.end = member_time(o, "end");
  s.device = member_text(o, "device");
  s.started_by = member_text(o, "started_by");
  s.notice = member_text(o, "notice");
  return s;
}

json::object to_json(const recording_status& s) {
  json::object o;
  if (s.is_recording()) {
    o["session"] = s.session;
    o["take"] = s.take;
    o["notes"] = s.notes;
    o["keys"] = json::array(s.keys.begin(), s.keys.end());
  }
  if (!s.chords.empty()) {
    auto& chords = o["chords"].emplace_array();
    for (auto& c : s.chords)
      chords.push_back(
          json::object{{"number", c.number}, {"keys", json::array(c.keys.begin(), c.keys.end())}});
  }
  if (!s.notice.empty()) o["notice"] = s.notice;
  return o;
}

namespace {

std::vector<std::uint8_t> read_keys(const json::object& o) {
  std::vector<std::uint8_t> found;
  if (auto keys = o.if_contains("keys"); keys && keys->is_array())
    for (auto& key : keys->get_array())
      if (key.is_int64() && key.get_int64() >= 0 && key.get_int64() < 128)
        found.push_back(static_cast<std::uint8_t>(key.get_int64()));
  return found;
}

}  // namespace

recording_status read_recording_status(const json::object& o) {
  recording_status s;
  s.session = member_text(o, "session");
  s.take = static_cast<int>(std::clamp(member_number(o, "take", 0), 0.0, 1e9));
  s.notes = static_cast<std::size_t>(std::clamp(member_number(o, "notes", 0), 0.0, 1e9));
  s.keys = read_keys(o);
  if (auto chords = o.if_contains("chords"); chords && chords->is_array())
    for (auto& chord : chords->get_array())
      if (auto c = chord.if_object())
        s.chords.push_back(
            {static_cast<std::uint64_t>(std::clamp(member_number(*c, "number", 0), 0.0, 1e15)),
             read_keys(*c)});
  s.notice = member_text(o, "notice");
  return s;
}

}  // namespace fermata::io
