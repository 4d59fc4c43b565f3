#include "midi/smf/meta.hpp"

#include "core/utf8.hpp"

#include <algorithm>
#include <utility>

namespace fermata::midi::smf {

namespace {

std::uint8_t byte_of(const meta_event& m, std::size_t i) {
  return static_cast<std::uint8_t>(m.data[i]);
}

meta_event meta_of_bytes(meta_type type, std::initializer_list<int> bytes) {
  meta_event m{static_cast<std::uint8_t>(type), {}};
  for (auto b : bytes)
    m.data.push_back(static_cast<char>(b));
  return m;
}

/// The exponent of a power of two, as the standard writes the unit of a time signature.
std::optional<int> exponent_of(int power) {
  for (int e = 0; e <= 7; ++e)
    if (power == 1 << e) return e;
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> fixed_length(std::uint8_t type) {
  switch (static_cast<meta_type>(type)) {
    case meta_type::sequence_number: return 2;
    case meta_type::channel_prefix:
    case meta_type::port: return 1;
    case meta_type::end_of_track: return 0;
    case meta_type::tempo: return 3;
    case meta_type::smpte_offset: return 5;
    case meta_type::time_signature: return 4;
    case meta_type::key_signature: return 2;
    case meta_type::text:
    case meta_type::copyright:
    case meta_type::track_name:
    case meta_type::instrument_name:
    case meta_type::lyric:
    case meta_type::marker:
    case meta_type::cue_point:
    case meta_type::program_name:
    case meta_type::device_name:
    case meta_type::sequencer_specific: return std::nullopt;
  }
  return std::nullopt;  // a type that the standard does not have
}

meta_event text_meta(meta_type type, std::string text) {
  return {static_cast<std::uint8_t>(type), std::move(text)};
}

meta_event tempo_meta(std::uint32_t microseconds) {
  auto n = static_cast<int>(std::min<std::uint32_t>(microseconds, 0xFFFFFF));
  return meta_of_bytes(meta_type::tempo, {n >> 16, n >> 8 & 0xFF, n & 0xFF});
}

meta_event port_meta(std::uint8_t port) { return meta_of_bytes(meta_type::port, {port & 0x7F}); }

std::optional<meta_event> time_signature_meta(const time_signature& t) {
  int unit = 1;
  for (auto& f : t.fractions) {
    if (!exponent_of(f.beat_type)) return std::nullopt;
    unit = std::max(unit, f.beat_type);
  }
  int beats = 0;
  for (auto& f : t.fractions)
    for (auto n : f.beats) {
      if (n < 0 || n > 255) return std::nullopt;
      beats += n * (unit / f.beat_type);
      if (beats > 255) return std::nullopt;
    }
  if (beats == 0) return std::nullopt;
  // In MIDI clocks, of which a quarter has 24.
  auto beat = 96 / unit;
  if (unit >= 8 && beats > 3 && beats % 3 == 0) beat *= 3;
  return meta_of_bytes(meta_type::time_signature,
                       {beats, *exponent_of(unit), beat > 0 ? beat : 1, 8});
}

std::optional<meta_event> key_signature_meta(const key_signature& k) {
  if (!k.alterations.empty() || k.fifths < -7 || k.fifths > 7) return std::nullopt;
  return meta_of_bytes(meta_type::key_signature, {k.fifths & 0xFF, k.mode == mode::minor ? 1 : 0});
}

std::optional<std::uint32_t> tempo_of(const meta_event& m) {
  if (!is(m, meta_type::tempo) || m.data.size() != 3) return std::nullopt;
  std::uint32_t n = byte_of(m, 0) << 16 | byte_of(m, 1) << 8 | byte_of(m, 2);
  if (n == 0) return std::nullopt;
  return n;
}

std::optional<std::uint8_t> port_of(const meta_event& m) {
  if (!is(m, meta_type::port) || m.data.size() != 1) return std::nullopt;
  return byte_of(m, 0);
}

std::optional<time_signature> time_signature_of(const meta_event& m) {
  if (!is(m, meta_type::time_signature) || m.data.size() < 2) return std::nullopt;
  int beats = byte_of(m, 0), exponent = byte_of(m, 1);
  if (beats == 0 || exponent > 6) return std::nullopt;
  return time_signature{{{{beats}, 1 << exponent}}, {}, {}};
}

std::optional<key_signature> key_signature_of(const meta_event& m) {
  if (!is(m, meta_type::key_signature) || m.data.size() != 2) return std::nullopt;
  auto fifths = static_cast<std::int8_t>(byte_of(m, 0));
  if (fifths < -7 || fifths > 7 || byte_of(m, 1) > 1) return std::nullopt;
  key_signature k;
  k.fifths = fifths;
  k.mode = byte_of(m, 1) == 1 ? mode::minor : mode::major;
  return k;
}

std::string text_of(std::string_view bytes) {
  auto is_utf8 = find_invalid_utf8(bytes) == std::string_view::npos;
  std::string text;
  for (std::size_t i = 0; i < bytes.size();) {
    auto c = is_utf8 ? code_point_at(bytes, i)
                     : code_point{static_cast<std::uint8_t>(bytes[i]), 1, true};
    i += c.bytes;
    auto is_control = c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0);
    auto is_noncharacter = (c.value & 0xFFFE) == 0xFFFE;
    if (!is_control && !is_noncharacter) append_utf8(text, c.value);
  }
  return text;
}

}  // namespace fermata::midi::smf
