#pragma once

#include "core/theory/pitch_spelling.hpp"
#include "midi/smf/score_part.hpp"
#include "midi/transcription/hands.hpp"
#include "midi/transcription/transcribe.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace fermata::midi {

/// A note of a part, in the order of the whole.
struct note_of_part {
  std::size_t part = 0, index = 0;
};

/// Where a part's notes are in the metre.
struct part_rhythm {
  tracked_rhythm rhythm;
  std::vector<hand> hands;
  std::vector<std::int64_t> lengths;  ///< in ticks

  bool has_two_staves() const {
    auto plays = [this](hand h) { return std::find(hands.begin(), hands.end(), h) != hands.end(); };
    return plays(hand::left) && plays(hand::right);
  }
};

/// A reading of the metre becomes a score. For transcribe.cpp only.
class score_writer {
public:
  /// `order`: the notes of `reading`, in its order. The arguments must outlive the writer.
  score_writer(const std::vector<performed_part>& parts, const std::vector<note_of_part>& order,
               const tracked_rhythm& reading, const transcription_options& options);

  /// Once. Without the reason.
  result<transcription> written();

private:
  void divide(const std::vector<note_of_part>& order, const tracked_rhythm& reading);
  result<void> lay_out_measures();
  void place_notes(std::size_t part);
  void place_ornament(std::size_t part, std::size_t note, std::uint8_t staff);
  void spell();
  result<part> notated(std::size_t part);
  void simplify(smf::part_music& music, const smf::measure_span& span, std::int64_t grid) const;
  smf::beside_items beside(std::size_t part) const;

  const std::vector<performed_part>& parts_;
  const transcription_options& options_;
  counted_metre metre_;
  bool is_swung_;
  std::optional<std::int64_t> known_downbeat_;
  std::vector<part_rhythm> rhythms_;  ///< by part
  std::vector<smf::file_part> sources_;
  std::vector<smf::part_music> music_;
  std::vector<smf::measure_span> measures_;
  std::vector<std::vector<unspelled_note>> ornaments_;  ///< by part; as `part_music::graces`
  double tempo_ = 120;                                  ///< quarters in a minute
  std::optional<key_signature> key_;
  std::size_t left_out_ = 0, moved_measures_ = 0, lost_ornaments_ = 0;
};

}  // namespace fermata::midi
