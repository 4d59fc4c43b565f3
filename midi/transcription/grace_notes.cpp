#include "midi/transcription/grace_notes.hpp"

#include <cstddef>
#include <cstdlib>

namespace fermata::midi {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::nanoseconds shortest_lead = 25ms, longest_lead = 80ms;
/// The finger leaves the key so long after the main note begins, at most.
constexpr std::chrono::nanoseconds longest_overlap = 40ms;
constexpr int widest_step = 2;  ///< semitones

/// What surrounds a grace note and its main note is so many times further away: it is no run.
constexpr int least_distance = 2;

/// Whether nothing begins near a note and the one after it but these, and what begins with the
/// latter.
bool is_isolated(const std::vector<performed_note>& notes, std::size_t grace, std::size_t main) {
  auto lead = notes[main].on - notes[grace].on;
  if (grace > 0 && notes[grace].on - notes[grace - 1].on < least_distance * lead) return false;
  auto next = main;
  while (next < notes.size() && notes[next].on - notes[main].on < shortest_lead)
    ++next;
  return next == notes.size() || notes[next].on - notes[main].on >= least_distance * lead;
}

/// Whether the first one is let go when the second one, a step beside it, begins.
bool leads_to(const performed_note& grace, const performed_note& main) {
  auto step = std::abs(main.key - grace.key);
  return step >= 1 && step <= widest_step && grace.off <= main.on + longest_overlap &&
         main.off - main.on > grace.off - grace.on;
}

}  // namespace

std::vector<bool> played_as_grace_notes(const std::vector<performed_note>& notes) {
  std::vector<bool> found(notes.size());
  for (std::size_t i = 0; i < notes.size(); ++i)
    for (auto j = i + 1; j < notes.size() && notes[j].on - notes[i].on <= longest_lead; ++j) {
      if (notes[j].on - notes[i].on < shortest_lead) break;
      if (!leads_to(notes[i], notes[j]) || !is_isolated(notes, i, i + 1)) continue;
      found[i] = true;
      break;
    }
  return found;
}

}  // namespace fermata::midi
