#pragma once

#include "io/musicxml/export.hpp"
#include "io/musicxml/xml_writer.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace fermata::io::musicxml::detail {

/// The ids under which parts and instruments are written. Ids of a score that are not XML names or
/// not unique in the file are changed as little as possible.
struct written_ids {
  std::vector<std::string> parts;                     ///< by part
  std::vector<std::vector<std::string>> instruments;  ///< by part and instrument
  std::unordered_set<std::string> all;                ///< every id written so far
};
written_ids unique_ids(const std::vector<part_ptr>& parts);

/// Context shared by all parts of the writer. Lives for one call of `write`.
struct export_context {
  xml_writer& out;
  const write_options& options;
  written_ids& ids;
  std::vector<diagnostic>* problems = nullptr;

  // the part and measure being written
  const part* current_part = nullptr;
  std::size_t part_index = 0;
  const measure* current_measure = nullptr;
  std::int64_t divisions = 1;  ///< ticks per quarter
  bool rounded = false;        ///< lengths are rounded first, see `look_through`
  bool several_staves = false;

  /// A length or place in ticks; exact unless the part's denominators were beyond any sane number.
  std::int64_t ticks(rational x) const {
    if (divisions % x.denominator() == 0) {
      std::int64_t t;
      if (!__builtin_mul_overflow(x.numerator(), divisions / x.denominator(), &t)) return t;
    }
    return rounded_ticks(x);
  }
  std::int64_t rounded_ticks(rational x) const;

  /// Whether the schema takes `value` as text of that element, or value of that attribute; tells
  /// otherwise. Values that come from a file have been looked at before, those that a program made
  /// have not.
  bool text_fits(std::string_view element, std::string_view value) const;
  bool attribute_fits(std::string_view element, std::string_view attribute,
                      std::string_view value) const;
  /// Writes the attribute of `element`, whose tag is open, when there is a value and it fits.
  void attribute(std::string_view element, std::string_view name, std::string_view value) const {
    if (!value.empty() && attribute_fits(element, name, value)) out.attribute(name, value);
  }
  /// The same for an attribute that must be there.
  void attribute(std::string_view element, std::string_view name, std::string_view value,
                 std::string_view otherwise) const {
    out.attribute(name, attribute_fits(element, name, value) ? value : otherwise);
  }
  /// The value if it fits the element, else what is to stand there instead.
  std::string_view fitting(std::string_view element, std::string_view value,
                           std::string_view otherwise = {}) const {
    return text_fits(element, value) ? value : otherwise;
  }

  /// Reports that something was written differently from the score.
  void problem(std::string message) const;
};

/// Finds out what has to be known of a part before it is written: whether it has several staves,
/// and its divisions, the least common multiple of the denominators of everything in it that is
/// counted in them. Where that is beyond a hundred million, lengths are rounded.
void look_through(export_context& c, const part& p);

// One function per element family; each writes its element with everything in schema order.

void write_header(export_context& c, const score& s);
void write_part_list(export_context& c, const score& s, const std::vector<part_ptr>& parts);
class part_progress;
void write_measure(export_context& c, const measure& m, part_progress& progress);
void write_attributes(export_context& c, const attributes& a, bool with_divisions);
void write_direction(export_context& c, const direction& d);
void write_sound(export_context& c, const sound& s);
void write_harmony(export_context& c, const harmony& h);
void write_figured_bass(export_context& c, const figured_bass& f);
void write_barline(export_context& c, const barline& b);
void write_print(export_context& c, const print_layout& p);
void write_lyric(export_context& c, const lyric& l);

/// What completion found for one chord or rest.
struct completed_chord {
  /// Beams of the first note, a letter per level, ended by 0: b(egin) c(ontinue) e(nd) f(orward
  /// hook) k (backward hook).
  std::array<char, 9> beams{};
  /// One per note, empty where no accidental is to be added; empty altogether when none is.
  std::span<std::string_view> accidentals;
};

/// Writes the notes of one chord or rest; how many ticks it takes.
std::int64_t write_chord_rest(export_context& c, const chord_rest& x,
                              const completed_chord& completed);
void write_notations(export_context& c, const note& n);
/// One child of <dynamics>: <mf/>, or <other-dynamics>.
void write_dynamic(export_context& c, std::string_view value);

/// MusicXML's letter of a step.
std::string_view step_name(step s);
/// Cents as MusicXML's semitones: 100 is "1", 50 "0.5".
void write_semitones(export_context& c, const preserved& extra, std::string_view name, int cents);
/// <base/><dots/> under the given element names.
void write_note_value(export_context& c, std::string_view base_name, std::string_view dot_name,
                      const note_value& v);

}  // namespace fermata::io::musicxml::detail
