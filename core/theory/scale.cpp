#include "core/theory/scale.hpp"

#include "core/music/modular.hpp"
#include "core/music/name_match.hpp"
#include "core/theory/pitch_class_set.hpp"
#include "core/theory/table_cells.hpp"

namespace fermata {

const std::vector<scale_type>& scale_table() {
  static const std::vector<scale_type> table{
#define SCALE(name, intervals, aliases) \
  {name, detail::name_list(aliases), detail::interval_list(intervals)},
#include "core/theory/scale_table.inc"
#undef SCALE
  };
  return table;
}

const scale_type* find_scale(std::string_view name) {
  for (const auto& s : scale_table()) {
    if (same_name(s.name, name)) return &s;
    for (auto alias : s.aliases)
      if (same_name(alias, name)) return &s;
  }
  return nullptr;
}

std::vector<pitch_name> scale_names(pitch_name tonic, const scale_type& s) {
  std::vector<pitch_name> names;
  for (auto i : s.intervals)
    names.push_back(transposed(tonic, i));
  return names;
}

std::vector<pitch> scale_pitches(pitch tonic, const scale_type& s, int octaves) {
  auto size = static_cast<int>(s.intervals.size());
  auto count = octaves <= 0 ? size : octaves * size + 1;
  std::vector<pitch> pitches;
  for (int n = 1; n <= count; ++n)
    pitches.push_back(scale_degree(tonic, s, n));
  return pitches;
}

pitch scale_degree(pitch tonic, const scale_type& s, int n) {
  auto size = static_cast<int>(s.intervals.size());
  auto octave = floor_div(n - 1, size);
  auto i = s.intervals[static_cast<std::size_t>(n - 1 - octave * size)];
  auto p = transposed(tonic, i);
  p.octave = static_cast<std::int16_t>(p.octave + octave);
  return p;
}

std::optional<int> degree_in(pitch_name tonic, const scale_type& s, pitch_name tone) {
  auto names = scale_names(tonic, s);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == tone) return static_cast<int>(i) + 1;
  return std::nullopt;
}

std::vector<const scale_type*> scales_of(pitch_name tonic, const std::vector<pitch_name>& tones) {
  pitch_class_set wanted;
  for (auto t : tones)
    wanted.insert(pitch_class(t));
  std::vector<const scale_type*> result;
  for (const auto& s : scale_table()) {
    pitch_class_set sounding;
    for (auto t : scale_names(tonic, s))
      sounding.insert(pitch_class(t));
    if (sounding == wanted) result.push_back(&s);
  }
  return result;
}

}  // namespace fermata
