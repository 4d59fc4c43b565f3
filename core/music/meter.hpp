#pragma once

#include "core/music/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fermata {

/// A time signature. Beats may be additive (3+2 over 8) and several fractions may stand side by
/// side (3/8 + 2/4).
struct time_signature {
  struct fraction {
    std::vector<int> beats;  ///< {3, 2} for 3+2
    int beat_type = 4;
    bool operator==(const fraction&) const = default;
  };
  std::vector<fraction> fractions{{{4}, 4}};  ///< empty: senza misura
  std::string symbol;  ///< MusicXML time-symbol: "", "common", "cut", "single-number", "note", ...
  std::string senza_text;  ///< text of senza-misura when `fractions` is empty
  bool operator==(const time_signature&) const = default;
};

/// Length of a full measure; zero for senza misura (a measure is then as long as what it holds).
quarters measure_length(const time_signature& t);

/// "4/4", "3+2/8", "3/8+2/4", "common", "senza-misura".
std::string to_string(const time_signature& t);

}  // namespace fermata
