#include "midi/transcription/transcribe.hpp"

#include "midi/transcription/score_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace fermata::midi {

namespace {

double share_on(const tracked_rhythm& r, int grid) {
  auto on =
      std::count_if(r.positions.begin(), r.positions.end(), [&](auto p) { return p % grid == 0; });
  return 100. * static_cast<double>(on) / static_cast<double>(r.positions.size());
}

/// What speaks for a reading, and by how much it is better or worse than the best other one.
std::string reason_for(const std::vector<tracked_rhythm>& readings, std::size_t index) {
  auto& r = readings[index];
  auto text = fmt::format("{:.0f} % of the notes on its beats, {:.0f} % on its eighths",
                          share_on(r, r.metre.beat_length()), share_on(r, grid_of_eighth));
  if (readings.size() < 2) return text;
  auto& other = readings[index == 0 ? 1 : 0];
  auto lead = (r.score - other.score) / static_cast<double>(r.positions.size());
  auto factor = std::exp(std::abs(lead));
  auto name = to_string(signature_of(other.metre));
  constexpr double hardly_any = 1.005;
  if (factor < hardly_any) return text + "; hardly distinguishable from " + name;
  return text + fmt::format("; {:.2f} times {} likely per note than {}", factor,
                            lead < 0 ? "less" : "more", name);
}

}  // namespace

std::string described(const transcription& t) {
  return fmt::format("{}{}, {} quarter notes per minute: {}", to_string(signature_of(t.metre)),
                     t.is_swung ? " with swung eighths" : "", t.quarters_per_minute, t.reason);
}

result<std::vector<transcription>> transcribe(const std::vector<performed_part>& parts,
                                              const transcription_options& options) {
  std::vector<note_of_part> order;
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (std::size_t i = 0; i < parts[p].notes.size(); ++i)
      order.push_back({p, i});
  if (order.empty()) return fail({errc::unsupported_format, "there are no notes to transcribe"});
  if (order.size() > options.notes)
    return fail({errc::out_of_range, fmt::format("there are more than {} notes", options.notes)});
  auto note = [&](const note_of_part& n) -> const performed_note& {
    return parts[n.part].notes[n.index];
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](auto& a, auto& b) { return note(a).on < note(b).on; });
  std::vector<performed_note> notes;
  for (auto& n : order)
    notes.push_back(note(n));
  constexpr std::size_t least_readings = 3;  // a choice by the first notes may be wrong
  auto tracker = options.tracker;
  tracker.readings = std::max(options.alternatives, least_readings);
  auto readings = track_rhythm(notes, tracker);
  if (readings.empty()) return fail({errc::cancelled, "the transcription was interrupted"});
  std::vector<transcription> found;
  for (std::size_t i = 0; i < std::min(readings.size(), options.alternatives); ++i) {
    auto made = score_writer{parts, order, readings[i], options}.written();
    if (!made) return fail(made.error());
    made->reason = reason_for(readings, i);
    found.push_back(std::move(*made));
  }
  return found;
}

}  // namespace fermata::midi
