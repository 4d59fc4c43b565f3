#include "midi/performance/event.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

namespace fermata::midi::event_test {

TEST_CASE("a note is released before the next one, which comes after all it depends on") {
  // The order that event.hpp promises: off, meta, bank, program, controller, bend, on.
  std::vector<message> messages{note_on{},
                                pitch_bend{},
                                controller{0, controllers::volume, 100},
                                program_change{},
                                controller{0, controllers::bank_select, 1},
                                tempo_change{},
                                note_off{}};
  std::vector<timed_event> events;
  for (auto& m : messages)
    events.push_back({quarters{1}, {}, 0, {}, m});
  std::stable_sort(events.begin(), events.end(), plays_before);
  std::reverse(messages.begin(), messages.end());
  for (std::size_t i = 0; i < messages.size(); ++i)
    CHECK(events[i].what == messages[i]);
}

TEST_CASE("a pedal that is lifted and pressed at once keeps its order") {
  timed_event up{quarters{1}, {}, 0, {}, controller{0, controllers::damper_pedal, 0}};
  timed_event down{quarters{1}, {}, 0, {}, controller{0, controllers::damper_pedal, 127}};
  CHECK_FALSE(plays_before(up, down));
  CHECK_FALSE(plays_before(down, up));
}

TEST_CASE("what is earlier comes first, whatever it is") {
  timed_event on{quarters{1}, {}, 0, {}, note_on{}};
  timed_event off{quarters{2}, {}, 0, {}, note_off{}};
  CHECK(plays_before(on, off));
  CHECK_FALSE(plays_before(off, on));
}

TEST_CASE("texts are equal when they say the same") {
  CHECK(text_event{text_kind::lyric, "la"} == text_event{text_kind::lyric, "la"});
  CHECK_FALSE(text_event{text_kind::lyric, "la"} == text_event{text_kind::marker, "la"});
  CHECK(text_event{}.view().empty());
}

}  // namespace fermata::midi::event_test
