#include "core/theory/key_profiles.hpp"

#include "core/music/name_match.hpp"

#include <cstddef>

namespace fermata {

namespace {

struct profile_row {
  key_profile profile;
  std::string_view name;
  std::string_view initials;
  profile_weights major, minor;
};
constexpr profile_row profile_table[] = {
    {key_profile::albrecht_shanahan,
     "albrecht-shanahan",
     "a-s",
     {.238, .006, .111, .006, .137, .094, .016, .214, .009, .080, .008, .081},
     {.220, .006, .104, .123, .019, .103, .012, .214, .062, .022, .061, .052}},
    {key_profile::krumhansl_kessler,
     "krumhansl-kessler",
     "k-k",
     {6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88},
     {6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17}},
    {key_profile::aarden_essen,
     "aarden-essen",
     "a-e",
     {17.7661, .145624, 14.9265, .160186, 19.8049, 11.3587, .291248, 22.062, .145624, 8.15494,
      .232998, 4.95122},
     {18.2648, .737619, 14.0499, 16.8599, .702494, 14.4362, .702494, 18.6161, 4.56621, 1.93186,
      7.37619, 1.75623}},
    {key_profile::bellman_budge,
     "bellman-budge",
     "b-b",
     {16.80, .86, 12.95, 1.41, 13.49, 11.93, 1.25, 20.28, 1.80, 8.04, .62, 10.57},
     {18.16, .69, 12.99, 13.34, 1.07, 11.15, 1.38, 21.07, 7.49, 1.53, .92, 10.21}},
    {key_profile::temperley,
     "temperley",
     "t",
     {.748, .060, .488, .082, .670, .460, .096, .715, .104, .366, .057, .400},
     {.712, .084, .474, .618, .049, .460, .105, .747, .404, .067, .133, .330}},
};

}  // namespace

std::string_view to_string(key_profile p) {
  return profile_table[static_cast<std::size_t>(p)].name;
}

std::vector<std::string_view> key_profile_names() {
  std::vector<std::string_view> names;
  for (const auto& row : profile_table)
    names.push_back(row.name);
  return names;
}

std::optional<key_profile> parse_key_profile(std::string_view name) {
  if (same_name(name, "temperley-kostka-payne")) return key_profile::temperley;
  for (const auto& row : profile_table)
    if (same_name(name, row.name) || same_name(name, row.initials)) return row.profile;
  return std::nullopt;
}

const profile_weights& weights(key_profile p, bool minor) {
  const auto& row = profile_table[static_cast<std::size_t>(p)];
  return minor ? row.minor : row.major;
}

}  // namespace fermata
