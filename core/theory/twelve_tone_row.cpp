#include "core/theory/twelve_tone_row.hpp"

#include "core/music/modular.hpp"
#include "core/theory/set_class.hpp"

#include <algorithm>
#include <array>

namespace fermata {

namespace {

constexpr std::string_view row_operation_names[] = {"P", "I", "R", "RI"};

constexpr row_operation all_row_operations[] = {row_operation::prime, row_operation::inversion,
                                                row_operation::retrograde,
                                                row_operation::retrograde_inversion};

pitch_class_set segment(const std::vector<int>& classes, int from, int length) {
  pitch_class_set s;
  for (int i = from; i < from + length; ++i)
    s.insert(classes[static_cast<std::size_t>(i)]);
  return s;
}

}  // namespace

std::string to_string(row_form f) {
  return std::string{row_operation_names[static_cast<std::size_t>(f.operation)]} +
         std::to_string(f.number);
}

std::vector<row_form> all_row_forms() {
  std::vector<row_form> forms;
  for (auto operation : all_row_operations)
    for (int n = 0; n < 12; ++n)
      forms.push_back({operation, n});
  return forms;
}

result<row_form> parse_row_form(std::string_view text) {
  std::string upper;
  for (char c : text.substr(0, 8))
    upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  for (auto f : all_row_forms())
    if (to_string(f) == upper) return f;
  return fail({errc::wrong_type, "not a row form: `" + std::string{text.substr(0, 40)} + "`",
               std::nullopt, "row forms are P0 to P11, I0 to I11, R0 to R11 and RI0 to RI11"});
}

result<twelve_tone_row> twelve_tone_row::make(const std::vector<int>& classes) {
  if (classes.size() != 12)
    return fail({errc::wrong_argument_count,
                 "a row has twelve notes, not " + std::to_string(classes.size())});
  std::vector<int> reduced;
  std::array<int, 12> count{};
  for (int x : classes) {
    reduced.push_back(mod(x, 12));
    ++count[static_cast<std::size_t>(reduced.back())];
  }
  std::string missing, repeated;
  for (std::size_t x = 0; x < 12; ++x) {
    if (count[x] == 0) missing += " " + std::to_string(x);
    if (count[x] > 1) repeated += " " + std::to_string(x);
  }
  if (!missing.empty())
    return fail({errc::out_of_range,
                 "a row has each pitch class once: missing" + missing + ", repeated" + repeated});
  return twelve_tone_row{std::move(reduced)};
}

result<twelve_tone_row> twelve_tone_row::make(const std::vector<pitch>& pitches) {
  std::vector<int> classes;
  for (auto p : pitches)
    classes.push_back(pitch_class(p.name()));
  return make(classes);
}

std::vector<int> form_of(const twelve_tone_row& row, row_form f) {
  auto form = row.classes();
  auto first = form.front();
  bool mirrored =
      f.operation == row_operation::inversion || f.operation == row_operation::retrograde_inversion;
  for (auto& x : form)
    x = mod(f.number + (mirrored ? first - x : x - first), 12);
  if (f.operation == row_operation::retrograde ||
      f.operation == row_operation::retrograde_inversion)
    std::reverse(form.begin(), form.end());
  return form;
}

std::vector<std::vector<int>> matrix(const twelve_tone_row& row) {
  std::vector<std::vector<int>> square;
  for (int x : form_of(row, {row_operation::inversion, row.classes().front()}))
    square.push_back(form_of(row, {row_operation::prime, x}));
  return square;
}

std::vector<int> row_intervals(const twelve_tone_row& row) {
  std::vector<int> result;
  for (std::size_t i = 1; i < 12; ++i)
    result.push_back(mod(row.classes()[i] - row.classes()[i - 1], 12));
  return result;
}

bool is_all_interval(const twelve_tone_row& row) {
  auto intervals = row_intervals(row);
  std::sort(intervals.begin(), intervals.end());
  return std::adjacent_find(intervals.begin(), intervals.end()) == intervals.end();
}

std::vector<row_form> combinatorial_forms(const twelve_tone_row& row) {
  auto first = segment(row.classes(), 0, 6);
  std::vector<row_form> result;
  for (auto operation : all_row_operations)
    for (int n = 0; n < 12; ++n)
      if (segment(form_of(row, {operation, n}), 0, 6) == complement(first))
        result.push_back({operation, n});
  return result;
}

bool is_all_combinatorial(const twelve_tone_row& row) {
  std::array<int, 4> count{};
  for (auto f : combinatorial_forms(row))
    ++count[static_cast<std::size_t>(f.operation)];
  return count[0] > 0 && count[1] > 0 && count[2] > 0 && count[3] > 0;
}

std::vector<row_form> equal_forms(const twelve_tone_row& row) {
  std::vector<row_form> result;
  for (auto operation : all_row_operations)
    for (int n = 0; n < 12; ++n) {
      row_form f{operation, n};
      if (f != row_form{row_operation::prime, row.classes().front()} &&
          form_of(row, f) == row.classes())
        result.push_back(f);
    }
  return result;
}

std::vector<shared_segment> invariant_segments(const twelve_tone_row& row, int length) {
  std::vector<shared_segment> result;
  if (length < 2 || length > 11) return result;
  const auto& original = row.classes();
  for (auto operation : all_row_operations)
    for (int n = 0; n < 12; ++n) {
      row_form f{operation, n};
      if (f == row_form{row_operation::prime, original.front()}) continue;
      auto form = form_of(row, f);
      for (int i = 0; i + length <= 12; ++i)
        for (int j = 0; j + length <= 12; ++j)
          if (segment(form, i, length) == segment(original, j, length))
            result.push_back(
                {f, i, j,
                 std::equal(form.begin() + i, form.begin() + i + length, original.begin() + j)});
    }
  return result;
}

bool is_derived(const twelve_tone_row& row, int length) {
  if (length < 2 || length > 6 || 12 % length != 0) return false;
  const auto& kind = class_of(segment(row.classes(), 0, length));
  for (int i = length; i < 12; i += length)
    if (&class_of(segment(row.classes(), i, length)) != &kind) return false;
  return true;
}

}  // namespace fermata
