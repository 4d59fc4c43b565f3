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

/// Music as a value of the language, before it has a place in a score. Leaves are the score's own
/// measure contents (a note, a clef, a direction ...) without a position; the inner nodes say how
/// their items follow each other. Compiling it (core/lang/layout/compile.hpp) gives score material.
///
/// What a leaf does not say is taken from around it: an empty `chord_rest::voice` is the voice of
/// the enclosing `voice`, an unset staff that of the enclosing `staff`. Staff 0 says "none", where
/// an enclosing staff must not apply. A whole-measure rest of length zero fills its measure.

/// One after another; splices into whatever holds it. Key, time and clef that stand side by side at
/// one place become one block of attributes; `block` keeps those inside apart from their
/// neighbours.
struct seq_music {
  std::vector<music_ptr> items;
  bool block = false;
};
/// All at the same time; takes as long as the longest.
struct par_music {
  std::vector<music_ptr> items;
};
/// `actual` in the time of `normal`; items are written undiminished.
struct tuplet_music {
  int actual = 3, normal = 2;
  std::optional<note_value> unit;
  std::vector<music_ptr> items;
  bool marked = true;  ///< false: no bracket or number is drawn, notes only last shorter
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
/// `(bar)`: asserts that the measure is full here; `number` when said.
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
      padded_to;  ///< as in `measure`; else a trailing `forward` says it
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
/// `group.type` empty: around `items`. "start" or "stop": one end alone, for brackets that overlap.
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
  source_span span;  ///< where it was written, for messages
  /// Nodes around the innermost one. Whoever walks over music recurses as deep; a form answers
  /// nothing deeper than `deepest_music`.
  std::uint32_t depth = 0;
  /// Leaves, as often as they are reached: music may share its parts, so that what took little to
  /// make can be endless to write. At most the largest number.
  std::uint32_t weight = 1;

private:
  void measure_items();
};

constexpr std::uint32_t deepest_music = 100;

bool operator==(const music& a, const music& b);  ///< by content, spans do not count

/// Canonical text: the shortest explicit forms that evaluate to the same music.
std::string print(const music& m);

/// Time it takes in a voice.
quarters duration_of(const music& m);
/// Where a voice stands behind `m` when it stood at `from`; both are counted from the start of the
/// enclosing measure, as voices and staves inside are.
quarters place_behind(const music& m, quarters from);

}  // namespace fermata
