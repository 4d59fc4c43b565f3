#include "core/theory/cadence.hpp"

#include "core/music/name_match.hpp"

#include <algorithm>

namespace fermata {

namespace {

struct cadence_row {
  cadence_kind kind;
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::string_view in_major;
  std::string_view in_minor;
};

const std::vector<cadence_row>& cadence_table() {
  static const std::vector<cadence_row> table{
      {cadence_kind::authentic,
       "authentic",
       {"perfect", "full", "perfect-authentic"},
       "V I",
       "V i"},
      {cadence_kind::half, "half", {"imperfect", "semi", "semicadence"}, "I V", "i V"},
      {cadence_kind::plagal, "plagal", {"amen"}, "IV I", "iv i"},
      {cadence_kind::deceptive, "deceptive", {"interrupted", "false"}, "V vi", "V VI"},
      {cadence_kind::phrygian, "phrygian", {"phrygian-half"}, "iv6 V", "iv6 V"},
  };
  return table;
}

/// Whether the numeral is a chord of the key itself on this degree.
bool is_on(const roman_numeral& n, int degree) {
  return n.kind == numeral_kind::degree && n.applied_to.empty() && n.degree == degree &&
         n.accidental == 0;
}

bool is_dominant(const roman_numeral& n) {
  return is_on(n, 5) && n.quality == triad_quality::major;
}

bool is_triad(const roman_numeral& n) { return n.extension == 5; }

/// What the last two chords are, if they are a cadence; `closed` when a phrase is known to end
/// here.
std::optional<cadence_point> judged(const roman_numeral& before, const roman_numeral& goal,
                                    std::size_t chord, bool closed) {
  if (is_dominant(before) && before.inversion == 0 && goal.inversion == 0 && is_triad(goal)) {
    if (is_on(goal, 1)) return cadence_point{chord, cadence_kind::authentic, true};
    if (is_on(goal, 6) && goal.quality != triad_quality::diminished)
      return cadence_point{chord, cadence_kind::deceptive, false};
  }
  if (!closed) return std::nullopt;
  bool to_tonic = is_on(goal, 1) && is_triad(goal) && goal.inversion == 0;
  if ((is_dominant(before) || is_on(before, 7)) && to_tonic)
    return cadence_point{chord, cadence_kind::authentic, false};
  if (is_on(before, 4) && to_tonic && before.inversion == 0)
    return cadence_point{chord, cadence_kind::plagal, false};
  if (is_dominant(goal) && goal.inversion == 0 && is_triad(goal) && !is_dominant(before)) {
    bool phrygian =
        is_on(before, 4) && before.quality == triad_quality::minor && before.inversion == 1;
    return cadence_point{chord, phrygian ? cadence_kind::phrygian : cadence_kind::half, false};
  }
  return std::nullopt;
}

}  // namespace

std::string_view to_string(cadence_kind k) {
  return cadence_table()[static_cast<std::size_t>(k)].name;
}

std::vector<std::string_view> cadence_names() {
  std::vector<std::string_view> names;
  for (const auto& row : cadence_table()) {
    names.push_back(row.name);
    names.insert(names.end(), row.aliases.begin(), row.aliases.end());
  }
  return names;
}

std::optional<cadence_kind> parse_cadence_kind(std::string_view name) {
  for (const auto& row : cadence_table())
    if (same_name(row.name, name) ||
        std::any_of(row.aliases.begin(), row.aliases.end(),
                    [&](std::string_view alias) { return same_name(alias, name); }))
      return row.kind;
  return std::nullopt;
}

std::vector<roman_numeral> cadence_numerals(cadence_kind k, const tonality& key) {
  const auto& row = cadence_table()[static_cast<std::size_t>(k)];
  return parse_roman_numerals(is_minor(key) ? row.in_minor : row.in_major).value();
}

result<std::vector<std::vector<pitch>>> cadence(cadence_kind k, const tonality& key) {
  part_writing_options options;
  if (k == cadence_kind::authentic) options.last_soprano = key.tonic;
  return progression(cadence_numerals(k, key), key, options);
}

std::vector<cadence_point> cadences_in(const std::vector<roman_numeral>& numerals,
                                       const std::vector<std::size_t>& phrase_ends) {
  std::vector<cadence_point> result;
  for (std::size_t i = 1; i < numerals.size(); ++i) {
    bool listed = std::find(phrase_ends.begin(), phrase_ends.end(), i) != phrase_ends.end();
    if (!phrase_ends.empty() && !listed) continue;
    bool closed = listed || i + 1 == numerals.size();
    if (auto point = judged(numerals[i - 1], numerals[i], i, closed)) result.push_back(*point);
  }
  return result;
}

}  // namespace fermata
