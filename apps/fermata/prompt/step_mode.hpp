#pragma once

#include "core/session/commands/step_entry.hpp"
#include "core/session/timeline/state.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fermata::app {

/// Step entry (`:step`) at the prompt: what is played goes into the phrase in the input line, at
/// the cursor. The line can be edited; in a line without the phrase, keys mean what they always do
/// and nothing is written.
class step_mode {
public:
  /// An input line.
  struct line {
    std::string text;
    std::size_t cursor = 0;  ///< in bytes
  };
  /// What a line begins with. Entering it unchanged ends step entry.
  static line empty_phrase();

  /// Begins it in the key at the cursor of the session. `before`: chords that were struck earlier
  /// do not count.
  void begin(const session_state& s, const recording_status& before);
  void end() { entry_.reset(); }
  bool is_on() const { return entry_.has_value(); }
  /// The value of the next note, for the prompt; empty while it is off.
  std::string value() const { return entry_ ? entry_->value() : std::string{}; }

  /// A new line: in the key that is at the cursor by now.
  void next_line(const session_state& s);
  /// The line after a key of the computer; empty: the key means here what it always does.
  std::optional<line> press(char key, const line& before);
  /// The line with the chords that are new in this status; empty: there are none.
  std::optional<line> play(const recording_status& status, const line& before);

private:
  static std::optional<line> in_phrase(line l);
  line rewritten(line l) const;
  void follow_edits(const line& l);

  std::optional<step_entry> entry_;
  std::string shown_;        ///< the text of the steps in the line, before the cursor
  std::uint64_t heard_ = 0;  ///< number of the last chord
  std::size_t keys_heard_ = 0;
};

}  // namespace fermata::app
