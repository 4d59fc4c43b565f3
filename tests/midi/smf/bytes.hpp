#pragma once

#include "midi/smf/file.hpp"
#include "midi/smf/remark.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

/// Standard MIDI Files written by hand as hexadecimal bytes, and their events as text.
namespace fermata::testing::smf {

/// "4D 54 68 64" as four bytes.
inline std::string bytes(std::string_view hex) {
  std::string out;
  std::string digits;
  for (auto c : hex) {
    if (c == ' ' || c == '\n') continue;
    digits.push_back(c);
    if (digits.size() < 2) continue;
    out.push_back(static_cast<char>(std::stoi(digits, nullptr, 16)));
    digits.clear();
  }
  return out;
}

inline std::string hex(std::string_view data) {
  std::string out;
  for (auto c : data) {
    char text[4];
    std::snprintf(text, sizeof text, "%02X", static_cast<unsigned>(static_cast<std::uint8_t>(c)));
    out += (out.empty() ? "" : " ") + std::string{text};
  }
  return out;
}

/// A track chunk around events in hexadecimal, with its true length.
inline std::string track_chunk(std::string_view events) {
  auto data = bytes(events);
  std::string out = "MTrk";
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<char>(data.size() >> shift & 0xFF));
  return out + data;
}

/// "0 90 3C 40, 96 FF 51 07 A1 20, 96 end": times in ticks, bytes as in the file.
inline std::string shown(const midi::smf::track& t) {
  std::string out;
  for (auto& e : t.events) {
    std::string data;
    if (auto* c = std::get_if<midi::smf::channel_message>(&e.message)) {
      data.push_back(static_cast<char>(c->status));
      data.push_back(static_cast<char>(c->data1));
      if (midi::smf::data_bytes(c->status) == 2) data.push_back(static_cast<char>(c->data2));
    } else if (auto* m = std::get_if<midi::smf::meta_event>(&e.message)) {
      data = "\xFF" + std::string(1, static_cast<char>(m->type)) + m->data;
    } else {
      auto& s = std::get<midi::smf::sysex_event>(e.message);
      data = (s.escape ? "\xF7" : "\xF0") + s.data;
    }
    out += std::to_string(e.at) + " " + hex(data) + ", ";
  }
  return out + std::to_string(t.end) + " end";
}

inline std::string shown(const midi::smf::file& f) {
  std::string out;
  for (auto& t : f.tracks)
    out += (out.empty() ? "" : " | ") + shown(t);
  return out;
}

}  // namespace fermata::testing::smf
