#pragma once

#include "midi/transport/transport_engine.hpp"
#include "tests/midi/performance/heard.hpp"
#include "tests/midi/transport/receiver.hpp"

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

namespace fermata::midi::testing {

/// At 120 quarter notes a minute, which is what a score without a tempo has: 500 ms for each.
inline playback_plan_ptr plan_of(const score& s, const playback_plan_ptr& before = nullptr) {
  auto plan = playback_plan_of(s, exact(), before);
  if (!plan) throw std::logic_error(plan.error().first().message);
  return *plan;
}

/// An engine with a receiver; its time is in milliseconds from 0.
struct player {
  receiver out;
  transport_engine engine{out};
  std::chrono::nanoseconds now{};

  steady_time at() const { return out.zero + now; }
  void play(playback_plan_ptr plan, playback_options o = {}) {
    transport_command::play command{1, std::move(plan), std::move(o)};
    engine.play(command, at());
  }
  void exchange(playback_plan_ptr plan) {
    transport_command::exchange command;
    command.id = 1;
    command.plan = std::move(plan);
    engine.exchange(command);
  }
  /// As a thread does it: to each time at which something is due, and to the end.
  void run_to(std::chrono::nanoseconds time) {
    for (auto due = engine.next_due(); due && *due <= out.zero + time; due = engine.next_due()) {
      now = std::max(now, *due - out.zero);
      engine.run(at(), at());
    }
    now = std::max(now, time);
    engine.run(at(), at());
  }
};

inline score_ptr four_notes() { return one_part({"c4:q d4:q e4:q f4:q"}); }

/// `m` with a repeat sign at its end: played so many times.
inline measure repeated(measure m, int times = 2) {
  barline b;
  b.location = "right";
  b.repeat = "backward";
  b.repeat_times = times;
  put(m, 4, b);
  return m;
}

inline direction pedal_mark(const std::string& type) {
  pedal p;
  p.type = type;
  return showing(p);
}

}  // namespace fermata::midi::testing
