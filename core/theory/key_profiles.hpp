#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fermata {

/// Published weights of the twelve tones above a tonic, by which keys are compared.
enum class key_profile : std::uint8_t {
  albrecht_shanahan,  ///< Albrecht & Shanahan 2013
  krumhansl_kessler,  ///< Krumhansl & Kessler 1982
  aarden_essen,       ///< Aarden 2003
  bellman_budge,      ///< Budge 1943 after Bellman 2005
  temperley           ///< Temperley 2007, Kostka-Payne
};
/// "albrecht-shanahan", "krumhansl-kessler", ...
std::string_view to_string(key_profile p);
/// All of them.
std::vector<std::string_view> key_profile_names();
/// By that name or the authors' initials: "a-s" "k-k" "a-e" "b-b" "t"; also
/// "temperley-kostka-payne".
std::optional<key_profile> parse_key_profile(std::string_view name);

/// Twelve weights, from the tonic upwards in semitones.
using profile_weights = std::array<double, 12>;
const profile_weights& weights(key_profile p, bool minor);

}  // namespace fermata
