#pragma once

#include "core/lang/value/music.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fermata {

/// Music below the level of measures, laid out in time: every leaf with the time at which it
/// stands, tuplets and grace groups dissolved into what the score keeps on its notes, voices and
/// staves resolved. Measures are cut from a flow, or are one.

/// Claims that a barline stands here.
struct bar_claim {
  std::optional<std::string> number;
  bool operator==(const bar_claim&) const = default;
};

struct flow_item {
  flow_item(quarters a, const measure_content& c, source_span s, int b)
    : at(a), content(c), span(s), block(b) {}
  flow_item(quarters a, bar_claim c, source_span s) : at(a), content(std::move(c)), span(s) {}

  quarters at;  ///< from the start of the flow
  std::variant<measure_content, bar_claim> content;
  source_span span;
  int block = 0;  ///< attributes of one block have the same number; 0: joined with their neighbours
};

/// What holds where a flow begins.
struct flow_start {
  quarters at;  ///< where its first item stands
  std::string voice = "1";
  std::uint8_t staff = 0;      ///< 0: none is said
  bool inside_voice = false;   ///< a `staff` then continues instead of starting over
  quarters measure_length{4};  ///< for rests that fill their measure; zero: senza misura
};

struct flow {
  std::vector<flow_item> items;  ///< in the order written
  quarters end;                  ///< where a following item would stand
  quarters skipped_to;           ///< the farthest place that a `forward` reached
};

/// Lays `items` out. Errors: `misplaced` for what cannot stand inside a measure or before its
/// start, `invalid_tuplet`, and what the lyrics find wrong.
[[nodiscard]] result<flow> lay_out(const std::vector<music_ptr>& items, const flow_start& start);

/// The items of `(lyrics ...)` with its syllables on their notes: one for each note that begins
/// (not for rests, grace notes, tied or slurred continuations). A syllable ends in "-" when its
/// word goes on; "_" extends the syllable before by one note. Error `out_of_range` when there are
/// more syllables than notes.
[[nodiscard]] result<std::vector<music_ptr>> with_lyrics(const lyrics_music& x, source_span span);

}  // namespace fermata
