// Scores as timed events and as Standard MIDI Files, and the lateness of the transport beside a
// bare clock_nanosleep.

#include "apps/bench/music_texts.hpp"
#include "core/lang/evaluation/evaluate.hpp"
#include "midi/performance/render.hpp"
#include "midi/smf/from_performance.hpp"
#include "midi/smf/read.hpp"
#include "midi/smf/write.hpp"
#include "midi/transport/transport_thread.hpp"

#include <benchmark/benchmark.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace fermata::bench {

namespace {

using namespace std::chrono_literals;
using midi::steady_time;

score_ptr score_to_play(std::size_t notes) {
  evaluation_request request;
  request.text = explicit_score(notes);
  request.score = empty_score();
  request.rule = commit_rule::everything;
  auto done = evaluate(request);
  return done ? done->score : nullptr;
}

// --- scores as events ----------------------------------------------------------------------------

void score_to_events(benchmark::State& state) {
  auto notes = static_cast<std::size_t>(state.range(0));
  auto s = score_to_play(notes);
  if (!s) return state.SkipWithError("no score");
  for (auto _ : state)
    benchmark::DoNotOptimize(midi::render(*s, midi::performed()));
  state.counters["notes"] =
      benchmark::Counter(static_cast<double>(notes), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(score_to_events)->Arg(100'000)->Unit(benchmark::kMillisecond);

void score_to_plan(benchmark::State& state) {
  auto notes = static_cast<std::size_t>(state.range(0));
  auto s = score_to_play(notes);
  if (!s) return state.SkipWithError("no score");
  midi::playback_plan_ptr plan;
  for (auto _ : state)
    plan = midi::playback_plan_of(*s, midi::performed()).value_or(nullptr);
  if (!plan) return state.SkipWithError("no plan");
  state.counters["bytes"] = static_cast<double>(plan->events.capacity() * sizeof plan->events[0] +
                                                plan->beats.capacity() * sizeof plan->beats[0] +
                                                plan->bars.capacity() * sizeof plan->bars[0] +
                                                plan->states.capacity() * sizeof plan->states[0]);
  state.counters["notes"] =
      benchmark::Counter(static_cast<double>(notes), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(score_to_plan)->Arg(100'000)->Unit(benchmark::kMillisecond);

void events_to_smf(benchmark::State& state) {
  auto notes = static_cast<std::size_t>(state.range(0));
  auto s = score_to_play(notes);
  auto performance = s ? midi::render(*s, midi::performed()) : fail({errc::internal, "no score"});
  if (!performance) return state.SkipWithError("no performance");
  for (auto _ : state)
    benchmark::DoNotOptimize(midi::smf::write(midi::smf::from_performance(*performance)));
  state.counters["notes"] =
      benchmark::Counter(static_cast<double>(notes), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(events_to_smf)->Arg(100'000)->Unit(benchmark::kMillisecond);

/// The file that FERMATA_BENCH_MIDI names is written here first, so that peers read the same one.
void smf_read(benchmark::State& state) {
  auto s = score_to_play(static_cast<std::size_t>(state.range(0)));
  auto performance = s ? midi::render(*s, midi::performed()) : fail({errc::internal, "no score"});
  if (!performance) return state.SkipWithError("no performance");
  auto bytes = midi::smf::write(midi::smf::from_performance(*performance));
  if (auto path = std::getenv("FERMATA_BENCH_MIDI"))
    std::ofstream{path, std::ios::binary}.write(bytes.data(),
                                                static_cast<std::streamsize>(bytes.size()));
  for (auto _ : state)
    benchmark::DoNotOptimize(midi::smf::read(bytes));
}
BENCHMARK(smf_read)->Arg(100'000)->Unit(benchmark::kMillisecond);

// --- lateness ------------------------------------------------------------------------------------

constexpr std::size_t events = 10'000;
constexpr auto between_events = 1ms;

/// Threads that compute, twice as many as there are processors.
class busy_threads {
public:
  busy_threads() {
    for (unsigned i = 0; i < 2 * std::max(1U, std::thread::hardware_concurrency()); ++i)
      threads_.emplace_back([this] {
        std::uint64_t x = 1;
        while (!over_.load(std::memory_order_relaxed))
          benchmark::DoNotOptimize(x = x * 6364136223846793005ULL + 1);
      });
  }
  ~busy_threads() {
    over_ = true;
    for (auto& t : threads_)
      t.join();
  }
  busy_threads(const busy_threads&) = delete;
  busy_threads& operator=(const busy_threads&) = delete;

private:
  std::atomic<bool> over_{false};
  std::vector<std::thread> threads_;
};

/// A port that notes how late each message is.
class stopwatch_port final : public midi::output_port {
public:
  stopwatch_port() { lateness_.reserve(events); }
  bool send(std::uint8_t, std::span<const std::uint8_t> m, steady_time due) noexcept override {
    auto late = std::chrono::steady_clock::now() - due;
    if ((m[0] & 0xF0) == 0xB0 && m[1] == 1 && lateness_.size() < events) lateness_.push_back(late);
    return true;
  }
  std::chrono::nanoseconds look_ahead() const noexcept override { return {}; }
  bool is_alive() const noexcept override { return true; }
  /// After the thread that sends has ended.
  std::vector<std::chrono::nanoseconds> lateness() { return std::move(lateness_); }

private:
  std::vector<std::chrono::nanoseconds> lateness_;
};

void count_lateness(benchmark::State& state, std::vector<std::chrono::nanoseconds> all) {
  if (all.size() < events / 2) return state.SkipWithError("too few events");
  std::sort(all.begin(), all.end());
  auto micros = [&](double part) {
    auto i =
        std::min(all.size() - 1, static_cast<std::size_t>(part * static_cast<double>(all.size())));
    return static_cast<double>(all[i].count()) / 1000;
  };
  state.counters["p50"] = micros(0.5);
  state.counters["p99"] = micros(0.99);
  state.counters["max"] = micros(1);
}

/// A port that tells when the last message of a silence, reset of channel 16, has come.
class silence_port final : public midi::output_port {
public:
  bool send(std::uint8_t, std::span<const std::uint8_t> m, steady_time) noexcept override {
    if ((m[0] & 0xF0) == 0x90) sounding.store(true);
    if ((m[0] & 0xF0) == 0x80) {
      silent_at = std::chrono::steady_clock::now();
      sounding.store(false);
      sounding.notify_all();
    }
    return true;
  }
  std::chrono::nanoseconds look_ahead() const noexcept override { return {}; }
  bool is_alive() const noexcept override { return true; }

  std::atomic<bool> sounding{false};
  steady_time silent_at{};  ///< written before `sounding` becomes false
};

/// From `stop`, posted by another thread, to the end of the note that sounds.
void command_to_silence(benchmark::State& state) {
  auto plan = std::make_shared<midi::playback_plan>();
  midi::playback_plan::event note;
  note.bytes[0] = 0x90;
  note.bytes[1] = 60;
  note.bytes[2] = 80;
  plan->events.push_back(note);
  plan->states.push_back({});
  plan->end = 1h;
  constexpr int times = 200;
  for (auto _ : state) {
    auto port = std::make_shared<silence_port>();
    std::vector<std::chrono::nanoseconds> all;
    busy_threads load;
    midi::transport_thread transport{[](midi::transport_event_t) {}};
    transport.post(midi::transport_command::attach{port});
    for (int i = 0; i < times; ++i) {
      transport.post(midi::transport_command::play{1, plan, {}});
      while (!port->sounding)
        std::this_thread::sleep_for(100us);
      auto told = std::chrono::steady_clock::now();
      transport.post(midi::transport_command::stop{});
      port->sounding.wait(true);
      all.push_back(port->silent_at - told);
    }
    std::sort(all.begin(), all.end());
    state.counters["p50"] = static_cast<double>(all[times / 2].count()) / 1000;
    state.counters["max"] = static_cast<double>(all.back().count()) / 1000;
  }
}
BENCHMARK(command_to_silence)->Iterations(1)->UseRealTime();

/// Whether this thread may have real-time priority; the transport takes it by itself if it may.
bool take_priority(bool wanted) {
  sched_param p{};
  p.sched_priority = wanted ? 60 : 0;
  return ::pthread_setschedparam(::pthread_self(), wanted ? SCHED_FIFO : SCHED_OTHER, &p) == 0;
}

void transport_lateness(benchmark::State& state) {
  auto plan = std::make_shared<midi::playback_plan>();
  for (std::size_t i = 0; i < events; ++i) {
    midi::playback_plan::event e;
    e.time = between_events * static_cast<int>(i);
    e.bytes[0] = 0xB0;
    e.bytes[1] = 1;
    e.bytes[2] = static_cast<std::uint8_t>(i % 128);
    plan->events.push_back(e);
  }
  plan->states.push_back({});
  plan->end = between_events * static_cast<int>(events);
  for (auto _ : state) {
    auto port = std::make_shared<stopwatch_port>();
    std::atomic<bool> ended{false};
    {
      busy_threads load;
      midi::transport_thread transport{[&](midi::transport_event_t e) {
        if (std::holds_alternative<midi::transport_event::ended>(e)) {
          ended = true;
          ended.notify_all();
        }
      }};
      state.counters["fifo"] = transport.is_real_time();
      transport.post(midi::transport_command::attach{port});
      transport.post(midi::transport_command::play{1, plan, {}});
      ended.wait(false);
    }
    count_lateness(state, port->lateness());
  }
}
BENCHMARK(transport_lateness)->Iterations(1)->UseRealTime();

/// The floor: a thread that does nothing but sleep. `Arg(1)`: with real-time priority.
void nanosleep_lateness(benchmark::State& state) {
  for (auto _ : state) {
    std::vector<std::chrono::nanoseconds> all;
    all.reserve(events);
    busy_threads load;
    std::thread sleeper{[&] {
      if (!take_priority(state.range(0) != 0)) return;
      auto due = std::chrono::steady_clock::now();
      for (std::size_t i = 0; i < events; ++i) {
        due += between_events;
        auto ns = due.time_since_epoch().count();
        timespec t{ns / 1'000'000'000, ns % 1'000'000'000};
        ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr);
        all.push_back(std::chrono::steady_clock::now() - due);
      }
    }};
    sleeper.join();
    count_lateness(state, std::move(all));
  }
}
BENCHMARK(nanosleep_lateness)->Arg(0)->Arg(1)->Iterations(1)->UseRealTime();

}  // namespace

}  // namespace fermata::bench
