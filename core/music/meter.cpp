#include "core/music/meter.hpp"

namespace fermata {

quarters measure_length(const time_signature& t) {
  quarters total;
  for (const auto& f : t.fractions) {
    std::int64_t beats = 0;
    for (auto b : f.beats)
      beats += b;
    // A beat type below one never comes from our readers; it must not divide by zero all the same.
    if (f.beat_type > 0) total += quarters{rational{beats * 4, f.beat_type}};
  }
  return total;
}

std::string to_string(const time_signature& t) {
  if (t.fractions.empty()) return "senza-misura";
  if (t.symbol == "common" || t.symbol == "cut") return t.symbol;
  std::string out;
  for (const auto& f : t.fractions) {
    if (!out.empty()) out += '+';
    for (std::size_t i = 0; i < f.beats.size(); ++i) {
      if (i > 0) out += '+';
      out += std::to_string(f.beats[i]);
    }
    out += '/';
    out += std::to_string(f.beat_type);
  }
  return out;
}

}  // namespace fermata
