#pragma once

#include "core/session/commands/recording_status.hpp"
#include "core/theory/tonality.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Step entry: music that is entered note by note, the pitches on a MIDI keyboard and the note
/// values on that of the computer. It is written in the notation of `(phrase ...)`.
///
/// The keys are those of MuseScore: 1 to 8 a value from the 64th note to the breve, `.` a dot, 0 a
/// rest, `t` a tied repetition; besides, `|` a barline and backspace the removal of the last step.
class step_entry {
public:
  /// Pitches are spelled in this key. `naturals`: they are marked, since the phrase is read with
  /// the accidentals of the key.
  explicit step_entry(tonality key = {}, bool naturals = false) : key_(key), naturals_(naturals) {}

  static constexpr std::string_view keys = "012345678.t|";
  static constexpr char backspace = '\b';

  /// One of `keys`, or backspace. Without a note before it, a tie changes nothing. False: it is
  /// none of them, or there is nothing to be removed.
  bool press(char key);
  /// A chord was struck, or a key was added to the last one, which keeps its number. Keys: MIDI.
  void play(const struck_chord& chord);
  /// The steps are the user's now, who has changed their text: the next one begins a new text, with
  /// the same value.
  void start_over();
  /// The value of the next note is that of another one.
  void continue_with_value_of(const step_entry& other) { next_ = other.next_; }

  /// "c4:q d4 <e4 g4>:8 ~ r | ": a space after each step.
  std::string text() const;
  /// The value of the next note: "q", "8.", "breve".
  std::string value() const;

private:
  struct note_value {
    int power = 5;  ///< as the key that chooses it: 5 is a quarter
    bool dotted = false;
    bool operator==(const note_value&) const = default;
  };
  struct step {
    enum class what_t : std::uint8_t { notes, rest, barline } what = what_t::notes;
    std::vector<std::uint8_t> keys{};  ///< MIDI, from the lowest
    note_value value{};
    bool tied = false;  ///< to the step before
  };

  static std::string word(note_value v);
  std::string pitch_text(std::uint8_t key) const;

  tonality key_;
  bool naturals_;
  note_value next_;
  std::vector<step> steps_;
  std::optional<std::uint64_t> last_chord_;  ///< number of the one in the last step
};

}  // namespace fermata
