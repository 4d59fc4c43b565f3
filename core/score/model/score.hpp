#pragma once

#include "core/score/model/measure_list.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace fermata {

/// A sound of a part: score-instrument with its MIDI assignment.
struct part_instrument {
  std::string id;
  std::string name;
  std::string abbreviation;
  std::string sound;                ///< MusicXML instrument-sound: "keyboard.piano"
  std::optional<int> midi_channel;  ///< 1..16
  std::optional<int> midi_program;  ///< 1..128
  std::optional<int> midi_bank;
  std::optional<int> midi_unpitched;   ///< 1..128: MIDI key + 1
  std::string volume, pan, elevation;  ///< verbatim decimals
  preserved extra;                     ///< of score-instrument
  preserved midi_extra;                ///< of midi-instrument
  bool operator==(const part_instrument&) const = default;
};

/// One part: a player's music.
struct part {
  std::string id = "P1";
  std::string name;
  std::string abbreviation;
  std::vector<part_instrument> instruments;
  measure_list measures;
  preserved extra;  ///< name displays, players, midi-device, groups, links of <score-part>
  friend bool operator==(const part& a, const part& b);  ///< by content
};
using part_ptr = std::shared_ptr<const part>;

/// A bracket or brace over consecutive parts, in part-list order.
struct part_group {
  std::string number = "1";
  std::string type;  ///< "start" "stop"
  std::string name, abbreviation;
  std::string symbol;   ///< "bracket" "brace" "line" "square" "none" or empty
  std::string barline;  ///< "yes" "no" "Mensurstrich" or empty
  preserved extra;
  bool operator==(const part_group&) const = default;
};

/// The part list in its order: groups open and close around parts (by index into `score::parts`).
using part_list_item = std::variant<std::size_t, part_group>;

/// The author of the piece, verbatim from the file.
struct typed_text {
  std::string type;  ///< "composer" "lyricist" ...; may be empty
  std::string text;
  preserved extra;
  bool operator==(const typed_text&) const = default;
};

/// Text on the page, outside the measures.
struct credit {
  std::string page;                ///< verbatim, may be empty
  std::vector<std::string> types;  ///< "title", "composer", ...
  std::vector<typed_text> words;   ///< `type` unused
  preserved extra;
  bool operator==(const credit&) const = default;
};

struct score_header {
  std::string work_number, work_title;
  std::string movement_number, movement_title;
  std::vector<typed_text> creators;
  std::vector<typed_text> rights;
  std::string source;
  std::vector<fragment> encoding;               ///< children of <encoding>
  std::vector<fragment> work_others;            ///< opus
  std::vector<fragment> identification_others;  ///< relation, miscellaneous
  std::vector<fragment> defaults;               ///< the <defaults> element, if any
  std::vector<credit> credits;
  bool operator==(const score_header&) const = default;
};

/// A whole score. Immutable once shared: editing copies the part (its list of pieces of measures)
/// and the measures that change; everything else is shared with the previous score.
struct score {
  score_header header;
  std::vector<part_list_item> part_list;
  std::vector<part_ptr> parts;
  preserved extra;
  friend bool operator==(const score& a, const score& b);  ///< by content
};
using score_ptr = std::shared_ptr<const score>;

/// A score with no parts.
score_ptr empty_score();

/// Deep structural hash, stable across processes and platforms (used by replay checks).
std::uint64_t content_hash(const score& s);

/// "2 parts, 16 measures, 4/4, G major": one line for lists and prompts.
std::string summary(const score& s);

}  // namespace fermata
