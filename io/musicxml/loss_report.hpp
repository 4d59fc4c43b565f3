#pragma once

#include "io/musicxml/schema.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fermata::io::musicxml {

/// What became of the elements of a file that was read.
enum class fate : std::uint8_t {
  typed,     ///< understood: a value of the score, or implied by one
  fragment,  ///< kept as XML in its place and written back
  dropped    ///< not in the score; never happens without a warning
};
std::string_view to_string(fate f);

/// Elements of one name and fate in one place.
struct loss_place {
  std::string part;     ///< id; empty outside of parts
  std::string measure;  ///< number; empty outside of measures
  std::uint32_t count = 0;
};

/// Counts per element name. Where something was understood does not matter and is not kept; where
/// something was only preserved or dropped, its measures are listed.
class loss_report {
public:
  struct row {
    std::string element;
    std::uint64_t typed = 0, fragment = 0, dropped = 0;
    std::vector<loss_place> fragment_places, dropped_places;
  };

  void typed(element e) { ++typed_[static_cast<std::size_t>(e)]; }
  /// Takes back one `typed`.
  void not_typed(element e) { --typed_[static_cast<std::size_t>(e)]; }
  void add(fate f, std::string_view name, std::string_view part, std::string_view measure);

  /// By element name, only names that occurred.
  std::vector<row> rows() const;
  std::uint64_t total(fate f) const;

  /// "typed 1034, as XML 12, dropped 0" and a line per element that was not understood, with its
  /// measures. With `all`, also those that were.
  std::string text(bool all = false) const;
  /// {"typed":n,"fragment":n,"dropped":n,"elements":[{"name":...,"typed":n,...,"places":[...]}]}
  std::string json() const;

private:
  std::array<std::uint64_t, element_count + 1> typed_{};
  std::vector<row> others_;  ///< fragment and dropped only, in order of appearance
  std::unordered_map<std::string, std::size_t> index_;  ///< of `others_`, by name
};

}  // namespace fermata::io::musicxml
