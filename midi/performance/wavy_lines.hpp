#pragma once

#include "core/score/model/score.hpp"

#include <map>
#include <string>
#include <vector>

namespace fermata::midi {

/// Wavy lines of a part that are trills: those that begin at a note. (At a barline they only go on,
/// by the MusicXML schema.) All notes of the voice under one are trilled, with or without a trill
/// mark; the line's attributes are those of a trill (`trill-sound`).
class wavy_lines {
public:
  /// `starts` as by `measure_starts`.
  wavy_lines(const part& p, const std::vector<quarters>& starts);

  /// The trill of a note that begins at this place of the written score; null: no line is there.
  const mark* trill_at(const std::string& voice, quarters written) const;
  bool empty() const { return voices_.empty(); }

private:
  struct span {
    quarters from, to;  ///< both are beginnings of notes under the line
    mark trill;
  };
  std::map<std::string, std::vector<span>> voices_;  ///< by `from`
};

}  // namespace fermata::midi
