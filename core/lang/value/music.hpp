#pragma once

#include "core/lang/value/value.hpp"
#include "core/score/model/score.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fermata {

/// Music as a value of the language, before it has a position in a score. Leaves are the score's
/// own measure contents (a note, a clef, a direction ...) without a position; inner nodes determine
/// the order of their items. It compiles to score content (core/lang/layout/compile.hpp).
///
/// Unspecified properties of a leaf come from its context: an empty `chord_rest::voice` is that of
/// the enclosing `voice`, an unset staff that of the enclosing `staff`. Staff 0 means "none", even
/// inside a staff. A whole-measure rest of length zero fills its measure.

/// A sequence; its items are spliced into the enclosing node. Adjacent key, time and clef at one
/// position become one block of attributes; `block` keeps those inside separate from their
/// neighbours.
struct seq_music {
  std::vector<music_ptr> items;
  bool block = false;
};
/// Simultaneous items; as long as the longest.
struct par_music {
  std::vector<music_ptr> items;
};
/// `actual` in the time of `normal`; items are written undiminished.
struct tuplet_music {
  int actual = 3, normal = 2;
  std::optional<note_value> unit;
  std::vector<music_ptr> items;
  bool marked = true;  ///< false: no bracket or number is drawn
  preserved extra;     ///< attributes of the start bracket
};
struct grace_music {
  std::vector<music_ptr> items;
  bool slash = false;
};
/// Items of one voice, from the start of the enclosing measure (or `at`).
struct voice_music {
  std::string voice;
  std::optional<std::uint8_t> staff;
  std::optional<measure_position> at;
  std::vector<music_ptr> items;
};
struct staff_music {
  std::uint8_t staff = 1;
  std::vector<music_ptr> items;
};
/// Moves the position without sound: backwards (backup) or forwards (forward).
struct skip_music {
  quarters distance;
};
/// `(bar)`: asserts that the measure is full at this point; `number` if given.
struct bar_check_music {
  std::optional<std::string> number;
};
struct lyrics_music {
  std::vector<std::string> syllables;
  std::string verse = "1";
  std::vector<music_ptr> items;
};
struct measure_music {
  std::optional<std::string> number;  ///< empty: counted from the measure before
  bool implicit = false;
  bool free = false;  ///< may hold more than its time signature, as some imported measures do
  std::vector<music_ptr> items;
  std::optional<measure_position>
      padded_to;  ///< as in `measure`; otherwise implied by a trailing `forward`
  preserved extra;
};
struct repeat_music {
  int times = 2;
  std::vector<music_ptr> items;
};
struct ending_music {
  std::string numbers;
  std::vector<music_ptr> items;
};
/// `header.measures` is unused; an empty `header.id` is numbered P1, P2, ... by the score.
struct part_music {
  part header;
  std::string instrument;  ///< row of `instrument_table` that gives clef, staves and transposition
  bool plain = false;      ///< no attributes are added to measure 1
  std::vector<music_ptr> items;
};
/// `group.type` empty: around `items`. "start" or "stop": one end only, for overlapping brackets.
struct part_group_music {
  part_group group;
  std::vector<music_ptr> items;
};
struct score_music {
  score_header header;
  std::vector<music_ptr> items;
  preserved extra;
};

struct music {
  using node =
      std::variant<measure_content, seq_music, par_music, tuplet_music, grace_music, voice_music,
                   staff_music, skip_music, bar_check_music, lyrics_music, measure_music,
                   repeat_music, ending_music, part_music, part_group_music, score_music>;
  music(node&& d, source_span s) : data(std::move(d)), span(s) {
    if (!std::holds_alternative<measure_content>(data)) measure_items();
  }

  node data;
  source_span span;  ///< its source, for messages
  /// Nesting depth, 0 for a leaf. Walks over music recurse to this depth; the result of a form is
  /// not deeper than `deepest_music`.
  std::uint32_t depth = 0;
  /// Number of leaves, counted each time they are reached: music may share its parts, so that a
  /// small value may be very long to write. Saturates at the largest number.
  std::uint32_t weight = 1;

private:
  void measure_items();
};

constexpr std::uint32_t deepest_music = 100;

bool operator==(const music& a, const music& b);  ///< by content, ignoring spans

/// Canonical text: the shortest explicit forms that evaluate to the same music.
std::string print(const music& m);

/// Its duration in a voice.
quarters duration_of(const music& m);
/// The position of a voice after `m` if it started at `from`; both relative to the start of the
/// enclosing measure, as for voices and staves inside.
quarters end_position(const music& m, quarters from);

}  // namespace fermata
