#pragma once

#include "core/score/model/mark.hpp"
#include "core/score/model/preserved.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

/// The effect of edits on MusicXML that the score keeps as text (core/score/model/preserved.hpp).
/// An edit that ignored it would make the score contradict itself: the diagram of a transposed
/// chord, the end of a pair whose other end was removed. The table has a row for every element of
/// MusicXML, so the effect on any kept XML is defined.

/// `add` and `begin` insert music: they only drop unpaired ends, of pairs without a start and of
/// pairs without an end, and have no column in the table.
enum class edit_operation : std::uint8_t {
  transpose,
  invert,
  retrograde,
  rotate,
  augment,
  cut,
  add,
  begin
};
constexpr std::size_t edit_operation_count = 6;  ///< those with a column
std::string_view to_string(edit_operation x);

/// In ascending order: of several elements the strongest fate applies.
enum class kept_fate : std::uint8_t { keep, change, drop };
std::string_view to_string(kept_fate x);

struct kept_row {
  std::string_view element;
  std::array<kept_fate, edit_operation_count> fates;  ///< by operation
  kept_fate at(edit_operation x) const { return fates[static_cast<std::size_t>(x)]; }
};
/// All rows, by name in alphabetical order (kept_table.inc).
const std::vector<kept_row>& kept_table();
/// The row of an element, or null for a name unknown to MusicXML.
const kept_row* find_kept_row(std::string_view element);

/// The strongest fate of all elements in the fragment, those in `<?fermata-kept ...?>` included.
kept_fate fate_of(const fragment& f, edit_operation x);

/// Name of the first element, also of one in `<?fermata-kept ...?>`; empty when there is none.
std::string_view kept_name(const fragment& f);
/// An attribute of the first element, still escaped; empty if it has none.
std::string_view kept_attribute(const fragment& f, std::string_view name);
/// The same fragment with a new value for that attribute of its first element, which must have it.
fragment with_kept_attribute(const fragment& f, std::string_view name, std::string_view value);
fragment without_kept_attribute(const fragment& f, std::string_view name);

/// Key of elements in attributes that apply until the next one with the same key: staff-details of
/// a staff, part-symbol, instruments. Empty for all others.
std::optional<std::string> standing_key(const fragment& f);
/// Replaces the element in effect with the same key.
void say_standing(std::vector<fragment>& in_force, const fragment& f);

/// One end of a pair that is kept as text: of a <grouping>, a <principal-voice>, an
/// <other-notation>, or of the slashes and repeat signs of a <measure-style>.
struct pair_end {
  std::string pair;  ///< shared by both ends: name and number
  bool start = false;
  bool operator==(const pair_end&) const = default;
};
/// Empty if it is not an end of a pair.
std::optional<pair_end> pair_end_of(const fragment& f);
std::optional<pair_end> pair_end_of(const mark& m);
bool is_measure_style(const fragment& f);

/// What was dropped and why, for the user.
class kept_losses {
public:
  /// `what` is the name of an element, or a description.
  void add(edit_operation x, std::string_view what, std::size_t count = 1);
  bool empty() const { return counts_.empty(); }
  /// One line for each thing: "transpose dropped <frame> (2 times): it shows the old pitches".
  std::vector<std::string> lines() const;

private:
  std::map<std::pair<edit_operation, std::string>, std::size_t> counts_;
};

}  // namespace fermata
