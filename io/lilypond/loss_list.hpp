#pragma once

#include "core/error.hpp"
#include "core/score/model/score.hpp"

#include <string>
#include <vector>

namespace fermata::io::lilypond {

/// What an export leaves out, counted by kind.
class loss_list {
public:
  explicit loss_list(const score& s) : score_(s) {}

  /// `what` is a plural or a mass noun: "figured bass", "hammer-ons".
  void add(const std::string& what, std::size_t part, std::size_t measure);
  /// The same of what belongs to no measure.
  void add(const std::string& what);

  std::vector<diagnostic> take() const;

private:
  struct entry {
    std::string what;
    std::string first;  ///< its measure; empty: outside of measures
    std::size_t count = 0;
  };
  entry& counted(const std::string& what);

  const score& score_;
  std::vector<entry> entries_;  ///< in order of appearance
};

}  // namespace fermata::io::lilypond
