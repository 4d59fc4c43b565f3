#include "midi/transcription/rhythm_tracker.hpp"

#include "midi/transcription/grace_notes.hpp"
#include "midi/transcription/metre_tracker.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace fermata::midi {

namespace {

/// Fewer notes at a time, on average, are a melody.
constexpr double notes_of_single_line = 1.1;

/// The metres that are followed to the end are chosen by so many notes.
constexpr std::size_t notes_for_choice = 400;

/// Positions on a known grid, from the barline before the first note or the first downbeat.
void place_on_grid(tracked_rhythm& r, const std::vector<performed_note>& notes,
                   const beat_grid& grid) {
  std::int64_t length = r.metre.measure_length();
  auto first = *std::min_element(r.positions.begin(), r.positions.end());
  auto before = first < 0 ? (length - 1 - first) / length * length : 0;
  for (auto& p : r.positions)
    p += before;
  r.known_downbeat = before;
  for (std::size_t i = 0; i < r.positions.size(); ++i)
    r.quarter_seconds[i] = static_cast<float>(grid.quarter_seconds_at(notes[i].on));
}

/// What is to be looked for.
std::vector<metre_reading> kinds_of_readings(const tracker_options& options) {
  auto metres = std::span{counted_metres}.first(usual_metres);
  if (options.metre) metres = std::span{&*options.metre, 1};
  std::vector<metre_reading> kinds;
  for (auto& metre : metres) {
    // The beats of compound metres have no eighths that could be swung.
    if (metre.is_compound || options.swing != swing_choice::on) kinds.push_back({metre, false});
    if (!metre.is_compound && options.swing != swing_choice::off) kinds.push_back({metre, true});
  }
  return kinds;
}

/// Whether eighths are so unequal that they may be meant equal: less so they are straight, and more
/// so they are dotted.
bool is_likely_swing(const onset_times& onsets, const tracked_rhythm& r) {
  constexpr double least = .57, most = .72;
  auto share = share_of_offbeats(onsets, r);
  return share && *share >= least && *share <= most;
}

/// The best reading in each metre, best first.
std::vector<tracked_rhythm> best_of_metres(std::vector<tracked_rhythm> readings) {
  std::stable_sort(readings.begin(), readings.end(),
                   [](auto& a, auto& b) { return a.score > b.score; });
  std::vector<tracked_rhythm> best;
  for (auto& r : readings) {
    auto has_metre = [&](auto& b) { return b.metre == r.metre; };
    if (std::none_of(best.begin(), best.end(), has_metre)) best.push_back(std::move(r));
  }
  return best;
}

}  // namespace

std::vector<tracked_rhythm> track_rhythm(const std::vector<performed_note>& notes,
                                         const tracker_options& options) {
  if (notes.empty()) return {};
  auto accents = onset_accents(notes);
  auto is_like_grace = played_as_grace_notes(notes);
  onset_times onsets{notes, options.beats};
  auto chords =
      std::count_if(accents.begin(), accents.end(), [](auto& a) { return a.begins_chord; });
  auto is_single_line =
      static_cast<double>(notes.size()) < notes_of_single_line * static_cast<double>(chords);
  auto texture = is_single_line ? rhythm_model::texture::single_line : rhythm_model::texture::full;
  std::optional<rhythm_model> models[2];
  /// With the swing or without it, whatever the notes say.
  auto reading_of = [&](const metre_reading& how, std::size_t most) {
    auto& model = models[how.metre.is_compound];
    if (!model) model.emplace(how.metre.is_compound, texture, options.rhythm);
    auto timing = onsets.metronome_quarter ? metronome_timing : free_timing;
    auto reading =
        track_in_metre({onsets, accents, is_like_grace}, how, *model, timing, options, most);
    // A metronome shows how exactly is played, and so which small differences mean something.
    constexpr int refinements = 2;
    for (int k = 0; k < refinements && reading && timing.is_metronome; ++k) {
      timing.onset_deviation = deviation_from_metronome(onsets, *reading);
      auto other =
          track_in_metre({onsets, accents, is_like_grace}, how, *model, timing, options, most);
      if (!other || other->score > reading->score) reading = std::move(other);
    }
    return reading;
  };
  /// Of each metre the better one, best first; empty if it was cancelled.
  auto readings_of = [&](const std::vector<metre_reading>& kinds, std::size_t most) {
    std::vector<tracked_rhythm> readings;
    for (auto& how : kinds) {
      auto reading = reading_of(how, most);
      if (!reading) return std::vector<tracked_rhythm>{};
      auto may_be_swung = options.swing == swing_choice::on || is_likely_swing(onsets, *reading);
      if (reading->is_swung && !may_be_swung) continue;
      if (options.beats) place_on_grid(*reading, notes, *options.beats);
      readings.push_back(std::move(*reading));
    }
    return best_of_metres(std::move(readings));
  };
  auto kinds = kinds_of_readings(options);
  if (options.readings >= usual_metres || notes.size() <= notes_for_choice)
    return readings_of(kinds, notes.size());
  std::vector<metre_reading> likely;
  for (auto& r : readings_of(kinds, notes_for_choice))
    if (likely.size() < options.readings) likely.push_back({r.metre, r.is_swung});
  return readings_of(likely, notes.size());
}

}  // namespace fermata::midi
