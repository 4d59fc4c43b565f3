#pragma once

#include "core/score/model/score.hpp"

#include <map>
#include <string>
#include <vector>

namespace fermata::midi {

/// Wavy lines of a part that are trills: those that begin at a note. (At a barline they only go on,
/// by the MusicXML schema, which has such lines for vibrato too: they cannot be told apart.) Every
/// note of the voice from the beginning of the line to its end, inclusive, is trilled, with or
/// without a trill mark. In a chord where some notes have ornaments of their own, only those are
/// ornamented. The line's attributes are those of a trill (`trill-sound`). A line without its other
/// end is over one note.
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
