#pragma once

#include "core/score/analysis/jumps.hpp"
#include "core/score/model/score.hpp"
#include "io/lilypond/line_plan.hpp"
#include "io/lilypond/loss_list.hpp"
#include "io/lilypond/staff_kind.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fermata::io::lilypond {

/// What every writer of the export has to agree on: how long measures are, which voices a part has
/// and on which staff each is at home.

/// A voice of a part as LilyPond gets it. MusicXML lets the staves of a part use the same voice
/// number at the same time; those are voices of their own here.
struct voice_plan {
  std::string voice;             ///< name in the score
  int only_staff = 0;            ///< when the name is used on several staves at once; 0: all of it
  int home = 1;                  ///< the staff on which it is most often
  std::string id;                ///< "P1s1v2": name of its context
  std::set<std::string> verses;  ///< numbers of its lyrics

  bool holds(const chord_rest& x) const {
    return x.voice == voice && (only_staff == 0 || x.staff == only_staff);
  }
};

struct part_plan {
  std::size_t index = 0;
  int staves = 1;
  std::vector<voice_plan> voices;
  std::vector<staff_kind> kinds;     ///< of the staves, from the first
  bool ties_between_voices = false;  ///< ties are then the matter of the staff
  staff_kind kind(int staff) const { return kinds[static_cast<std::size_t>(staff) - 1]; }
  std::string staff_id(int staff) const;
  std::string prefix;  ///< "P1"
  line_plan lines;
};

struct score_plan {
  const score& source;
  loss_list& losses;
  std::vector<quarters> lengths;     ///< of every measure, by the fullest part
  std::vector<quarters> grace_lead;  ///< written length of the graces at the start of each measure:
                                     ///< all lines wait for them
  std::vector<bool> metred;          ///< false: without metre, so barlines are not checked
  std::vector<measure_signs> signs;  ///< repeats and endings, of all parts together
  std::vector<part_plan> parts;
  bool polymetric = false;      ///< staves have time signatures of their own
  bool beams_as_given = false;  ///< a note without a beam has a flag
};

score_plan make_plan(const score& s, loss_list& losses, bool beams_as_given);

/// One line of a staff while it is written: text, and where it has got to in the measure.
class line_writer {
public:
  enum class skips { silent, voice };  ///< \skip makes no voice; s does
  explicit line_writer(skips kind) : kind_(kind) {}

  void begin_measure(quarters grace_lead, quarters own_grace = {});
  /// Time without anything until `to`.
  void skip_to(measure_position to);
  void word(const std::string& text);
  void advance(quarters by) { at_ += by; }
  measure_position at() const { return at_; }
  /// Fills up the measure and ends the line; `checked` puts a bar check there.
  void end_measure(quarters length, bool checked, const std::string& number);
  const std::string& text() const { return text_; }

private:
  skips kind_;
  measure_position at_;
  std::string text_;
};

/// Written length of the grace notes of a voice at the very start of a measure.
quarters leading_graces(const measure& m, const voice_plan& v);

}  // namespace fermata::io::lilypond
