#include "io/musicxml/export_context.hpp"
#include "io/musicxml/mark_names.hpp"
#include "io/musicxml/preserved_writer.hpp"

#include <algorithm>
#include <cstdlib>

namespace fermata::io::musicxml::detail {

std::string_view step_name(step s) {
  static constexpr std::string_view names[] = {"C", "D", "E", "F", "G", "A", "B"};
  return names[static_cast<int>(s)];
}

void write_semitones(export_context& c, const preserved& extra, std::string_view name, int cents) {
  if (cents % 100 == 0) return write_leaf(c, extra, name, std::int64_t{cents / 100});
  auto magnitude = std::abs(cents);
  auto text = std::string{cents < 0 ? "-" : ""} + std::to_string(magnitude / 100) + '.';
  auto rest = magnitude % 100;
  text += static_cast<char>('0' + rest / 10);
  if (rest % 10) text += static_cast<char>('0' + rest % 10);
  write_leaf(c, extra, name, std::string_view{text});
}

void write_note_value(export_context& c, std::string_view base_name, std::string_view dot_name,
                      const note_value& v) {
  c.out.leaf(base_name, musicxml_name(v.base));
  for (int i = 0; i < v.dots; ++i)
    c.out.empty(dot_name);
}

void write_dynamic(export_context& c, std::string_view value) {
  if (std::find(std::begin(dynamics_names), std::end(dynamics_names), value) !=
      std::end(dynamics_names))
    c.out.empty(value);
  else
    c.out.leaf("other-dynamics", value);
}

}  // namespace fermata::io::musicxml::detail
