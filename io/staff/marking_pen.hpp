#pragma once

#include "io/staff/canvas.hpp"
#include "io/staff/layout.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace fermata::io::staff {

/// Puts what stands around the notes into the free cells and rows beside them: articulations at the
/// heads, then slurs, and outside of all that, row by row, dynamics and hairpins, syllables, chord
/// symbols, words, endings. Texts stand where their note is; those that would touch each other get
/// rows of their own.
class marking_pen {
public:
  /// One canvas for each staff; both outlive the pen. `room`: columns of the terminal.
  marking_pen(std::vector<canvas>& canvases, const glyphs& g, int room)
    : canvases_(canvases), g_(g), room_(room) {}

  /// `notes_begin`: where slurs and hairpins from the system before go on; `width`: of the staff.
  void begin_system(int notes_begin, int width);
  void end_system();

  /// In reading order; what is put at once are the marks, the rest follows at the end of the
  /// system.
  void chord(const drawn_chord& d, int column);
  void words(const placed_words& w, int column);
  void hairpin(const hairpin_end& h, int column);
  /// `column`: of the barline before or behind the measure.
  void ending_begins(const std::string& text, int column);
  void ending_ends(int column, bool closed);

private:
  struct open_slur {
    std::size_t stave = 0;
    int column = -1;  ///< -1: it comes from the system before
    int side = 0, stem = 0;
    int place = 0;  ///< of the head
    int nested = 0;
  };
  struct slur {
    open_slur from;
    int to = 0, to_place = 0;
    bool ends = true;
  };
  struct open_hairpin {
    int column = -1;
    char sign = '<';
  };
  struct text_item {
    int column = 0;
    std::string text;
    int hairpin_end = -1;  ///< for a hairpin: its last column
    char sign = '\0';
  };
  struct open_ending {
    int column = -1;
    std::string text;
    bool open = false;
  };
  /// What a verse has sung last.
  struct sung {
    int end = -1;  ///< behind the text
    bool hyphen = false, extends = false;
    int last_note = -1;
    std::string voice;
  };

  void near_mark(const drawn_chord& d, const mark_sign& m, int column, int side);
  void far_mark(const drawn_chord& d, const mark_sign& m, int column, int side);
  void slur_ends(const drawn_chord& d, int column);
  void syllables(const drawn_chord& d, int column);
  void close_verse(std::size_t stave, const std::string& verse, int next);
  void draw(const slur& s);
  void draw_slurs();
  void draw_hairpin(std::size_t stave, bool above, const open_hairpin& h, int to);
  void draw_band(std::size_t stave, std::vector<text_item> items, bool above);
  void draw_lyrics(std::size_t stave);
  void draw_ending(const open_ending& e, int to, bool closed);

  std::vector<canvas>& canvases_;
  const glyphs& g_;
  int room_, notes_begin_ = 0, width_ = 0;
  /// By staff, number and voice: each voice counts its slurs for itself.
  std::map<std::tuple<std::size_t, int, std::string>, open_slur> open_slurs_;
  std::map<std::tuple<std::size_t, bool, int>, open_hairpin> open_hairpins_;
  open_ending ending_;
  std::map<std::pair<std::size_t, std::string>, sung> verses_;
  // of the system that is being drawn
  std::vector<slur> slurs_;
  std::map<std::pair<std::size_t, band>, std::vector<text_item>> bands_;
  std::map<std::pair<std::size_t, std::string>, std::vector<text_item>> lyrics_;
  std::vector<std::pair<open_ending, std::pair<int, bool>>> endings_;
};

}  // namespace fermata::io::staff
