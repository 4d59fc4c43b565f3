#include "midi/performance/tempo_plan.hpp"

#include "core/score/analysis/jumps.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace fermata::midi {

namespace {

using sign_kind = tempo_sign::kind;

/// A constant tempo of the written score, in quarter notes per minute.
struct tempo_step {
  quarters from;
  double tempo;
};

quarters place_of_sign(const written_change<tempo_sign>& c, const std::vector<quarters>& starts) {
  return starts[c.measure] + (c.at - measure_position{});
}

constexpr double most_gradual = 4;  ///< several ritardandos in a row do not stop the piece

/// Reads the signs from left to right.
class tempo_reader {
public:
  tempo_reader(const score& s, const std::vector<quarters>& starts, bool gradual)
    : starts_(starts), signs_(tempo_signs(s)), gradual_(gradual) {
    auto signs = signs_of(s);
    for (std::size_t m = 0; m < signs.size(); ++m)
      if (signs[m].backward || signs[m].jumps || signs[m].fine) ends_.push_back(starts[m + 1]);
    ends_.push_back(starts.back());
  }

  std::vector<tempo_step> read() && {
    for (std::size_t i = 0; i < signs_.size(); ++i)
      take(i);
    return std::move(steps_);
  }

private:
  void take(std::size_t i) {
    auto& sign = signs_[i].value;
    auto at = place_of_sign(signs_[i], starts_);
    switch (sign.what) {
      case sign_kind::set: set(at, sign.value); break;
      case sign_kind::times: set(at, now_ * sign.value); break;
      case sign_kind::a_tempo: set(at, before_gradual_.value_or(now_)); break;
      case sign_kind::primo: set(at, first_.value_or(now_)); break;
      case sign_kind::gradual:
        if (gradual_) change_gradually(i, at);
        break;
    }
  }

  void set(quarters at, double tempo) {
    tempo = std::clamp(tempo, slowest_tempo, fastest_tempo);
    steps_.push_back({at, tempo});
    now_ = tempo;
    if (!first_) first_ = tempo;
    before_gradual_.reset();
  }

  void change_gradually(std::size_t i, quarters from) {
    auto factor = signs_[i].value.value;
    auto to = *std::upper_bound(ends_.begin(), ends_.end() - 1, from);
    auto target = now_ * factor;
    if (i + 1 < signs_.size()) {
      auto& next = signs_[i + 1];
      if (auto at = place_of_sign(next, starts_); at <= to) {
        to = at;
        bool in_direction = (factor < 1) == (next.value.value < now_);
        if (next.value.what == sign_kind::set && in_direction) target = next.value.value;
      }
    }
    if (to <= from) return;
    if (!before_gradual_) before_gradual_ = now_;
    target = std::clamp(target, *before_gradual_ / most_gradual, *before_gradual_ * most_gradual);
    target = std::clamp(target, slowest_tempo, fastest_tempo);
    // A step for each eighth; wider ones where nothing ends the change for hundreds of measures.
    auto length = to - from;
    auto count = std::clamp<std::int64_t>(floor(length.value * rational{2}), 1, 4096);
    for (std::int64_t k = 0; k < count; ++k) {
      auto middle = (static_cast<double>(k) + 0.5) / static_cast<double>(count);
      steps_.push_back({from + length * rational{k, count}, now_ + (target - now_) * middle});
    }
    now_ = target;
    // Behind a repeat barline nobody goes on in the tempo of the ritardando.
    bool ends_at_sign = i + 1 < signs_.size() && place_of_sign(signs_[i + 1], starts_) == to;
    if (!ends_at_sign && to < starts_.back()) set(to, *before_gradual_);
  }

  const std::vector<quarters>& starts_;
  std::vector<written_change<tempo_sign>> signs_;
  bool gradual_;
  std::vector<quarters> ends_;  ///< where no gradual change goes on
  std::vector<tempo_step> steps_;
  double now_ = 120;
  std::optional<double> first_, before_gradual_;
};

/// Microseconds that a MIDI file holds at most (three bytes): the performance lasts as long as its
/// file.
constexpr std::int64_t longest_quarter = 0xFFFFFF;

std::int64_t microseconds(double tempo) { return std::llround(60'000'000 / tempo); }

/// The steps with the held times cut in.
std::vector<tempo_map::step> with_pauses(const std::vector<tempo_step>& steps,
                                         const std::vector<held_time>& held) {
  std::vector<tempo_map::step> out;
  std::size_t next_step = 0, next_held = 0;
  double tempo = 120;
  auto time_of_now = [&](quarters at) {
    auto time = microseconds(tempo);
    if (next_held < held.size() && held[next_held].from <= at) {
      auto& h = held[next_held];
      auto extra = h.extra_seconds * 1e6 / (h.to - h.from).value.to_double();
      time = std::llround(static_cast<double>(time) * h.factor + extra);
    }
    return std::min(time, longest_quarter);
  };
  while (next_step < steps.size() || next_held < held.size()) {
    // The next place at which anything changes: a step, a held time that begins or ends.
    std::optional<quarters> at;
    auto consider = [&](quarters q) { at = at ? std::min(*at, q) : q; };
    if (next_step < steps.size()) consider(steps[next_step].from);
    bool inside =
        next_held < held.size() && !out.empty() && held[next_held].from <= out.back().from;
    if (next_held < held.size()) consider(inside ? held[next_held].to : held[next_held].from);
    while (next_step < steps.size() && steps[next_step].from == *at)
      tempo = steps[next_step++].tempo;
    if (next_held < held.size() && held[next_held].to == *at) ++next_held;
    out.push_back({*at, time_of_now(*at)});
  }
  return out;
}

}  // namespace

std::vector<written_change<std::int64_t>> written_tempo(const score& s,
                                                        const std::vector<quarters>& starts,
                                                        const pauses& held,
                                                        const tempo_options& options) {
  auto steps = tempo_reader{s, starts, options.gradual}.read();
  std::stable_sort(steps.begin(), steps.end(), [](auto& a, auto& b) { return a.from < b.from; });
  auto all = with_pauses(steps, options.pauses ? held.held : std::vector<held_time>{});
  std::vector<written_change<std::int64_t>> changes;
  changes.push_back({0, {}, 500'000});
  for (auto& step : all) {
    auto after = std::upper_bound(starts.begin(), starts.end() - 1, step.from);
    if (after == starts.begin()) continue;
    auto m = static_cast<std::size_t>(after - starts.begin()) - 1;
    changes.push_back(
        {m, measure_position{} + (step.from - starts[m]), step.microseconds_per_quarter});
  }
  return changes;
}

tempo_map unfolded_tempo(const std::vector<written_change<std::int64_t>>& written,
                         const unfolded_time& time) {
  std::vector<tempo_map::step> steps;
  unfold_changes(written, time,
                 [&](std::size_t, quarters at, const written_change<std::int64_t>& c) {
                   steps.push_back({at, c.value});
                 });
  return tempo_map{steps};
}

}  // namespace fermata::midi
