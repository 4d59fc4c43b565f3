#pragma once

#include "core/music/pitch.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// The four kinds of row forms.
enum class row_operation : std::uint8_t { prime, inversion, retrograde, retrograde_inversion };

/// A form by name. The number is absolute: P5 is the prime form that begins on pitch class 5, I5
/// the inversion that begins on 5; R5 is P5 backwards (so it ends on 5), RI5 is I5 backwards.
struct row_form {
  row_operation operation = row_operation::prime;
  int number = 0;  ///< 0..11
  bool operator==(const row_form&) const = default;
};
/// "P0", "I5", "R11", "RI3".
std::string to_string(row_form f);
/// Reads the names above, in either case.
result<row_form> parse_row_form(std::string_view text);
/// All 48.
std::vector<row_form> all_row_forms();

/// All twelve pitch classes in an order.
class twelve_tone_row {
public:
  /// From twelve numbers (taken modulo 12). Fails and says which class is missing or repeated.
  static result<twelve_tone_row> make(const std::vector<int>& classes);
  /// From twelve pitches, octave and spelling forgotten.
  static result<twelve_tone_row> make(const std::vector<pitch>& pitches);

  const std::vector<int>& classes() const { return classes_; }
  bool operator==(const twelve_tone_row&) const = default;

private:
  explicit twelve_tone_row(std::vector<int> classes) : classes_(std::move(classes)) {}
  std::vector<int> classes_;
};

/// The form of the row that `f` names, e.g. P of the row's own first class is the row itself.
std::vector<int> form_of(const twelve_tone_row& row, row_form f);

/// The 12 x 12 square: rows from left to right are the prime forms in the order of the inversion's
/// classes, columns from top to bottom the inversions. The first row is the row as given.
std::vector<std::vector<int>> matrix(const twelve_tone_row& row);

/// The eleven directed intervals 1..11 between neighbours.
std::vector<int> row_intervals(const twelve_tone_row& row);
/// Whether each of the eleven intervals occurs once.
bool is_all_interval(const twelve_tone_row& row);

/// The forms whose first hexachord completes the first hexachord of the row to the aggregate
/// (Babbitt's combinatoriality). Every row is R-combinatorial with its own retrograde.
std::vector<row_form> combinatorial_forms(const twelve_tone_row& row);
/// Whether forms of all four kinds occur among them; retrogrades always do.
bool is_all_combinatorial(const twelve_tone_row& row);

/// The other names under which the very same order of classes occurs, e.g. R6 for the row of
/// Webern's op. 21. Empty when all 48 forms differ.
std::vector<row_form> equal_forms(const twelve_tone_row& row);

/// A segment that a form has in common with the row.
struct shared_segment {
  row_form form;
  int position = 0;           ///< of the segment in the form, from 0
  int original_position = 0;  ///< in the row
  bool same_order = false;    ///< the classes also follow each other in the same order
};
/// The segments of `length` (2..11) neighbours that other forms share with the row, as unordered
/// sets, wherever they stand. The row itself is left out.
std::vector<shared_segment> invariant_segments(const twelve_tone_row& row, int length);

/// Whether the row is derived: cut into segments of `length` (2, 3, 4 or 6), all belong to one set
/// class (Webern op. 24 with 3).
bool is_derived(const twelve_tone_row& row, int length);

}  // namespace fermata
