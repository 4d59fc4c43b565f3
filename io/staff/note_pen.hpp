#pragma once

#include "io/staff/canvas.hpp"
#include "io/staff/layout.hpp"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fermata::io::staff {

/// Where in the system the heads of a slice stand.
using column_finder = std::function<int(const slice_key&)>;

/// Puts notes on the staves of a system: heads with ledger lines, accidentals and dots, stems,
/// flags and beams, rests, ties, and the numbers of tuplets.
class note_pen {
public:
  /// One canvas for each staff; both outlive the pen.
  note_pen(std::vector<canvas>& canvases, const glyphs& g) : canvases_(canvases), g_(g) {}

  /// `notes_begin`: the column of the first measure's notes; ties from the system before start
  /// there.
  void begin_system(int notes_begin, int width);
  /// Ties that are open go to the end of the staff, and on in the next system.
  void end_system();

  /// Before the chords of the group.
  void beam(const measure_block& b, const std::vector<std::size_t>& group,
            const column_finder& column_of);
  /// In reading order. `beamed`: the stem ends at a beam that is drawn already.
  void chord(const drawn_chord& d, int column, bool beamed);
  void rest_sign(const drawn_chord& d, int column);
  /// The number of a tuplet, when this is its last note.
  void tuplet(const drawn_chord& d, int column);

private:
  struct open_tie {
    int column = -1;  ///< -1: it comes from the system before
    int place = 0;
    bool above = false;
  };

  struct open_tuplet {
    int number = 3, column = 0, last = 0, high = -100, low = 100, stem = 0;
    bool is_seen = false;  ///< not all of it is hidden
  };

  bool is_beam(const canvas& c, int place, int column) const;
  void ledgers(const drawn_chord& d, int right, int left);
  void place_head(canvas& c, const head& h, int column) const;
  void ties(const drawn_chord& d, std::size_t i, int column);
  void number(std::size_t stave, const open_tuplet& t);
  void curve(std::size_t stave, const open_tie& tie, int from, int to, bool begins, bool ends);

  std::vector<canvas>& canvases_;
  const glyphs& g_;
  int width_ = 0, notes_begin_ = 0;
  std::map<std::pair<std::size_t, note_place>, open_tie> ties_;  ///< by staff and where they lead
  std::map<std::pair<std::size_t, std::string>, open_tuplet> tuplets_;
};

}  // namespace fermata::io::staff
