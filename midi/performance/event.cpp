#include "midi/performance/event.hpp"

#include "midi/performance/performance.hpp"

#include <algorithm>

namespace fermata::midi {

namespace {

struct event_rank {
  int operator()(const note_off&) const { return 0; }
  int operator()(const text_event&) const { return 1; }
  int operator()(const tempo_change&) const { return 1; }
  int operator()(const time_change&) const { return 1; }
  int operator()(const key_change&) const { return 1; }
  int operator()(const controller& c) const {
    bool bank = c.number == controllers::bank_select || c.number == controllers::bank_select_fine;
    return bank ? 2 : 4;
  }
  int operator()(const program_change&) const { return 3; }
  int operator()(const pitch_bend&) const { return 5; }
  int operator()(const note_on&) const { return 6; }
};

}  // namespace

int rank_at_equal_times(const message& m) { return std::visit(event_rank{}, m); }

bool plays_before(const timed_event& a, const timed_event& b) {
  if (a.at != b.at) return a.at < b.at;
  return rank_at_equal_times(a.what) < rank_at_equal_times(b.what);
}

int performance::ports() const {
  int highest = 0;
  for (auto& t : tracks)
    highest = std::max(highest, static_cast<int>(t.port));
  return highest + 1;
}

}  // namespace fermata::midi
