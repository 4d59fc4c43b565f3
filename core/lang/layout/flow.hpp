#pragma once

#include "core/lang/value/music.hpp"
#include "core/result.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fermata {

/// Music below the level of measures, laid out in time: every leaf with its time, tuplets and grace
/// groups turned into properties of their notes, voices and staves resolved. A flow is cut into
/// measures, or is one.

/// A bar check: asserts that a barline is here.
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
  int block = 0;  ///< number of its attributes block; 0: joined with adjacent ones
};

/// The context at the start of a flow.
struct flow_start {
  quarters at;  ///< position of its first item
  std::string voice = "1";
  std::uint8_t staff = 0;      ///< 0: none
  bool inside_voice = false;   ///< a `staff` then continues and does not start over
  quarters measure_length{4};  ///< for rests that fill their measure; zero: senza misura
};

struct flow {
  std::vector<flow_item> items;  ///< in the order written
  quarters end;                  ///< position of a following item
  quarters skipped_to;           ///< the last position reached by a `forward`
};

/// Lays out `items`. Errors: `misplaced` for items that are not allowed inside a measure or are
/// before its start, `invalid_tuplet`, and errors in lyrics.
[[nodiscard]] result<flow> lay_out(const std::vector<music_ptr>& items, const flow_start& start);

/// The items of `(lyrics ...)` with its syllables on their notes: one for each note that starts
/// (not for rests, grace notes, tied or slurred continuations). A syllable ends in "-" if its word
/// continues; "_" extends the previous syllable by one note. Error `out_of_range`: more syllables
/// than notes.
[[nodiscard]] result<std::vector<music_ptr>> with_lyrics(const lyrics_music& x, source_span span);

}  // namespace fermata
