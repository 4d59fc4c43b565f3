#include "midi/transport/transport_engine.hpp"

#include "midi/sound/message_check.hpp"
#include "midi/transport/plan_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fermata::midi {

namespace {

using namespace std::chrono_literals;

/// Of what is done at once: a real-time thread must come back.
constexpr int most_actions = 4'096;
/// Later than this, the machine has slept: what was missed is not made up for.
constexpr auto too_late = 1s;
constexpr double slowest = 0.1, fastest = 10;
/// A shorter range is not repeated: it would keep the thread busy.
constexpr auto shortest_loop = 50ms;
constexpr std::size_t most_retired = 256;
constexpr int most_clicks = 1'000;  // of a count-in

double possible_tempo(double factor) {
  return std::isnan(factor) ? 1 : std::clamp(factor, slowest, fastest);
}

}  // namespace

transport_engine::transport_engine(message_sink& out) : out_(out) {
  chased_.reserve(most_groups);
  held_.reserve(playback_plan::most_held);
  retired_.reserve(most_retired);
}

// --- time ---

steady_time transport_engine::due_of(std::chrono::nanoseconds time) const {
  auto since = std::chrono::duration<double, std::nano>(time - anchor_time_) / tempo_;
  return anchor_ + std::chrono::round<std::chrono::nanoseconds>(since);
}

std::chrono::nanoseconds transport_engine::time_at(steady_time t) const {
  auto since = std::chrono::duration<double, std::nano>(t - anchor_) * tempo_;
  return anchor_time_ + std::chrono::round<std::chrono::nanoseconds>(since);
}

std::chrono::nanoseconds transport_engine::end() const {
  return plan_ ? std::min(plan_->end, options_.to) : 0ns;
}

std::chrono::nanoseconds transport_engine::within(std::chrono::nanoseconds time) const {
  return std::max(0ns, std::min(time, end()));
}

/// Playback runs from this time of the plan on, heard at `anchor`.
void transport_engine::begin_at(std::chrono::nanoseconds time, steady_time anchor) {
  anchor_ = anchor;
  anchor_time_ = time;
  next_event_ = event_from(*plan_, time);
  auto beat = std::lower_bound(plan_->beats.begin(), plan_->beats.end(), time,
                               [](auto& b, auto t) { return b.time < t; });
  next_beat_ = static_cast<std::size_t>(beat - plan_->beats.begin());
}

void transport_engine::set_state(state_t s) {
  state_ = s;
  moved_ = true;
}

// --- commands ---

void transport_engine::play(transport_command::play& what, steady_time now) {
  if (state_ != state_t::stopped || !what.plan) stop(now);
  if (!what.plan) return;
  std::swap(plan_, what.plan);
  std::swap(options_, what.options);
  std::swap(silent_, options_.silent);
  id_ = what.id;
  exchanges_ = 0;
  tempo_ = possible_tempo(options_.tempo);
  clock_.set_on(options_.clock, now);
  ended_.reset();
  beat_due_.reset();
  begin_at(beginning(), after_sent(now));
  clock_.prepare(*plan_, anchor_time_, tempo_);
  chase(anchor_);
  clicks_left_ = std::clamp(options_.count_in, 0, most_clicks);
  if (clicks_left_ > 0) {
    begin_count_in(clicks_left_);
    set_state(state_t::counting_in);
  } else {
    begin_held_notes(anchor_);
    set_state(state_t::playing);
    clock_.start(*plan_, anchor_time_, anchor_, tempo_);
  }
}

/// At the tempo of the first beats, and on their beat: before a pickup of an eighth note the last
/// click is half a beat before it.
void transport_engine::begin_count_in(int clicks) {
  auto& beats = plan_->beats;
  auto beat = next_beat_;
  if (beat + 1 >= beats.size() && beat > 0) --beat;
  click_step_ = beat + 1 < beats.size() ? beats[beat + 1].time - beats[beat].time : 500ms;
  counted_to_ = next_beat_ < beats.size() ? beats[next_beat_].time : anchor_time_;
  if (counted_to_ - anchor_time_ >= click_step_) counted_to_ = anchor_time_;
  auto begins = anchor_;
  anchor_ += anchor_ - due_of(counted_to_ - click_step_ * clicks);
  anchor_ = std::max(anchor_, begins);
}

/// The beat of the click of the count-in after which so many are left, from 1.
int transport_engine::beat_of_click(int left) const {
  if (next_beat_ >= plan_->beats.size()) return std::min(options_.count_in, most_clicks) - left;
  auto& first = plan_->beats[next_beat_];
  auto beats = std::max(plan_->bars[first.bar].beats, 1);
  auto before = (first.number - 2 - left) % beats;
  return (before < 0 ? before + beats : before) + 1;
}

void transport_engine::exchange(transport_command::exchange& what) {
  if (state_ == state_t::stopped || what.id != id_ || !what.plan) return;
  std::swap(pending_, what.plan);
  pending_from_ = what.from;
  pending_to_ = what.to;
}

void transport_engine::pause(steady_time now) {
  if (!is_running()) return;
  auto time =
      state_ == state_t::counting_in ? anchor_time_ : within(std::max(time_at(now), anchor_time_));
  metronome_.end_click(now);
  silence(false, now);
  clock_.stop(after_sent(now));
  begin_at(time, now);
  set_state(state_t::paused);
}

void transport_engine::resume(steady_time now) {
  if (state_ != state_t::paused) return;
  begin_at(anchor_time_, after_sent(now));
  chase(anchor_);
  begin_held_notes(anchor_);
  set_state(state_t::playing);
  clock_.start(*plan_, anchor_time_, anchor_, tempo_);
}

void transport_engine::stop(steady_time now) {
  metronome_.end_click(now);
  silence(true, now);
  if (state_ == state_t::stopped) return;
  clock_.stop(after_sent(now));
  begin_at(beginning(), now);
  retire(std::move(pending_));
  set_state(state_t::stopped);
}

void transport_engine::seek(std::chrono::nanoseconds to, steady_time now) {
  if (state_ == state_t::stopped) return;
  auto time = within(to);
  metronome_.end_click(now);
  silence(false, now);
  auto was_paused = state_ == state_t::paused;
  clock_.stop(after_sent(now));
  begin_at(time, after_sent(now));
  if (!was_paused) {
    chase(anchor_);
    begin_held_notes(anchor_);
    set_state(state_t::playing);
    clock_.start(*plan_, time, anchor_, tempo_);
  }
  moved_ = true;
}

void transport_engine::set_tempo(double factor, steady_time now) {
  auto wanted = possible_tempo(factor);
  if (state_ == state_t::playing) {
    // What was sent ahead of its time has been heard by then.
    auto from = std::max(after_sent(now), anchor_);
    anchor_time_ = time_at(from);
    anchor_ = from;
    clock_.set_tempo(*plan_, anchor_time_, anchor_, wanted);
  } else if (state_ == state_t::counting_in) {
    // What is left of the count-in takes this much longer.
    auto left = std::chrono::duration<double, std::nano>(anchor_ - now) * (tempo_ / wanted);
    anchor_ = now + std::chrono::round<std::chrono::nanoseconds>(left);
  }
  tempo_ = wanted;
  if (state_ != state_t::playing && plan_) clock_.prepare(*plan_, anchor_time_, tempo_);
  moved_ = true;
}

void transport_engine::set_silent(std::vector<bool>& parts, steady_time now) {
  std::swap(silent_, parts);
  if (!plan_) return;
  auto due = after_sent(now);
  // Parts share no channel, except for percussion, where a few notes of others end early.
  for (auto& c : plan_->channels)
    if (is_silent(c.part)) {
      ledger_.end_notes_of(c.port, c.channel, out_, due);
      lift_pedals(c.port, c.channel, due);
    }
  // The pedals of the others may have been lifted before.
  auto was_silent = [&](std::uint32_t part) { return part < parts.size() && parts[part]; };
  if (is_running() && std::any_of(plan_->channels.begin(), plan_->channels.end(), [&](auto& c) {
        return was_silent(c.part) && !is_silent(c.part);
      }))
    chase(due);
}

void transport_engine::set_metronome(bool on, steady_time now) {
  options_.metronome = on;
  if (!on) metronome_.end_click(after_sent(now));
}

void transport_engine::send(std::uint8_t group, std::span<const std::uint8_t> message,
                            steady_time now) {
  if (is_complete_message(message)) counted_.send(group, message, now);
}

void transport_engine::panic(int groups, steady_time now) {
  metronome_.end_click(now);
  silence(true, now);
  auto due = after_sent(now);
  for (int g = 0; g < std::min(groups, most_groups); ++g)
    for (std::uint8_t c = 0; c < channels_of_group; ++c)
      for (auto number :
           {controllers::damper_pedal, controllers::sostenuto_pedal, controllers::all_notes_off,
            controllers::all_sound_off, controllers::reset_all})
        out_.send_bytes(static_cast<std::uint8_t>(g),
                        {static_cast<std::uint8_t>(0xB0 | c), number, 0}, due);
  if (is_running()) chase(due);
}

void transport_engine::leave_port(steady_time now) {
  metronome_.end_click(now);
  silence(true, now);
}

void transport_engine::enter_port(steady_time now) {
  ledger_.clear();
  metronome_.forget();
  if (!is_running()) return;
  // From here on, and not what was sent to the other port already.
  if (state_ == state_t::playing) begin_at(within(std::max(time_at(now), anchor_time_)), now);
  chase(now);
  if (state_ == state_t::playing) begin_held_notes(now);
}

// --- messages ---

void transport_engine::emit_event(const playback_plan::event& e, steady_time due) {
  auto kind = e.bytes[0] & 0xF0;
  if (kind == 0x90 && is_silent(e.part)) return;
  // The end of a note that began before playback did, or that was silenced.
  if (kind == 0x80 && !ledger_.is_sounding(e.port, e.bytes[0] & 0x0F, e.bytes[1])) return;
  counted_.send(e.port, {e.bytes, e.size}, due);
}

void transport_engine::chase(steady_time due) {
  state_before(*plan_, next_event_, chased_);
  chased_.send(counted_, due);
}

void transport_engine::begin_held_notes(steady_time due) {
  held_at(*plan_, anchor_time_, held_);
  for (auto i : held_)
    emit_event(plan_->events[i], due);
}

void transport_engine::lift_pedals(std::uint8_t group, std::uint8_t channel, steady_time due) {
  for (auto number : {controllers::damper_pedal, controllers::sostenuto_pedal})
    out_.send_bytes(group, {static_cast<std::uint8_t>(0xB0 | channel), number, 0}, due);
}

/// The pedals come before "all notes off", which keeps notes sounding while one is down.
void transport_engine::silence(bool hard, steady_time now) {
  auto due = after_sent(now);
  ledger_.end_notes(out_, due);
  for (int g = 0; g < ledger_.groups(); ++g)
    for (std::uint8_t c = 0; c < channels_of_group; ++c) {
      auto group = static_cast<std::uint8_t>(g);
      if (!ledger_.is_used(group, c)) continue;
      auto status = static_cast<std::uint8_t>(0xB0 | c);
      lift_pedals(group, c, due);
      out_.send_bytes(group, {status, controllers::all_notes_off, 0}, due);
      if (!hard) continue;
      out_.send_bytes(group, {status, controllers::all_sound_off, 0}, due);
      out_.send_bytes(group, {status, controllers::reset_all, 0}, due);
      out_.send_bytes(group, {static_cast<std::uint8_t>(0xE0 | c), 0, 64}, due);
    }
  if (hard) ledger_.clear();
}

// --- what is due ---

std::optional<transport_engine::next_action> transport_engine::next() const {
  std::optional<next_action> first;
  auto consider = [&](action what, steady_time due) {
    if (!first || due < first->due) first = next_action{what, due};
  };
  if (auto due = metronome_.end()) consider(action::click_off, *due);
  if (auto due = clock_.next_due()) consider(action::clock_pulse, *due);
  if (state_ == state_t::counting_in) {
    if (clicks_left_ > 0)
      consider(action::click, due_of(counted_to_ - click_step_ * clicks_left_));
    else
      consider(action::count_in_over, anchor_);
  }
  if (state_ != state_t::playing) return first;
  auto last = end();
  auto ends_early = last < plan_->end;
  // A range ends before the notes that begin there; the piece ends after its last note-offs.
  if (ends_early) consider(action::end, due_of(last));
  if (next_beat_ < plan_->beats.size()) {
    auto time = plan_->beats[next_beat_].time;
    if (time < last) consider(action::beat, due_of(time));
  }
  if (next_event_ < plan_->events.size()) {
    auto time = plan_->events[next_event_].time;
    if (!ends_early || time < last) consider(action::event, due_of(time));
  }
  if (!ends_early) consider(action::end, due_of(last));
  return first;
}

std::optional<steady_time> transport_engine::next_due() const {
  auto what = next();
  return what ? std::optional{what->due} : std::nullopt;
}

bool transport_engine::run(steady_time now, steady_time until) {
  for (int i = 0; i < most_actions; ++i) {
    auto what = next();
    if (!what || what->due > until) return true;
    if (now - what->due > too_late) {
      auto late = now - what->due;
      anchor_ += late;
      metronome_.postpone(late);
      clock_.postpone(late);
      continue;
    }
    perform(*what);
  }
  return false;
}

void transport_engine::perform(const next_action& a) {
  switch (a.what) {
    case action::click_off: metronome_.end_click(a.due); break;
    case action::click:
      --clicks_left_;
      metronome_.click(beat_of_click(clicks_left_) == 1, a.due);
      beat_due_ = a.due;
      moved_ = true;
      break;
    case action::clock_pulse: clock_.pulse(plan_.get()); break;
    case action::count_in_over:
      beat_due_.reset();
      begin_held_notes(a.due);
      set_state(state_t::playing);
      clock_.start(*plan_, anchor_time_, anchor_, tempo_);
      break;
    case action::end: reach_end(a.due); break;
    case action::beat: reach_beat(a.due); break;
    case action::event: emit_event(plan_->events[next_event_++], a.due); break;
  }
}

void transport_engine::reach_beat(steady_time due) {
  auto beat = plan_->beats[next_beat_++];
  if (beat.number == 1 && pending_) {
    if (!go_on_in_pending(beat.bar, due)) return reach_end(due);
    // This beat is being done.
    auto& beats = plan_->beats;
    if (next_beat_ < beats.size() && beats[next_beat_].time == anchor_time_) ++next_beat_;
  }
  moved_ = true;
  beat_due_ = due;
  if (options_.metronome) metronome_.click(beat.number == 1, due);
}

/// The edited score goes on where this bar would begin. False: nothing of it is left.
bool transport_engine::go_on_in_pending(std::size_t bar, steady_time due) {
  auto there = continuation(*plan_, bar, *pending_);
  if (!there) return false;
  silence(false, due);
  take_over_pending();
  begin_at(plan_->bars[*there].time, due);
  chase(due);
  begin_held_notes(due);
  clock_.start(*plan_, anchor_time_, due, tempo_);
  return true;
}

void transport_engine::take_over_pending() {
  retire(std::exchange(plan_, std::exchange(pending_, nullptr)));
  options_.from = pending_from_;
  options_.to = pending_to_;
  ++exchanges_;
}

void transport_engine::retire(playback_plan_ptr plan) {
  if (plan) retired_.push_back(std::move(plan));
}

void transport_engine::reach_end(steady_time due) {
  auto is_end_of_piece = options_.to >= plan_->end;
  if (pending_ && !options_.loop && is_end_of_piece && go_on_in_pending(plan_->bars.size(), due)) {
    moved_ = true;
    return;
  }
  if (options_.loop) {
    metronome_.end_click(due);
    silence(false, due);
    if (pending_) take_over_pending();
    if (end() - beginning() >= shortest_loop) {
      begin_at(beginning(), due);
      chase(due);
      begin_held_notes(due);
      clock_.stop(due);
      clock_.start(*plan_, anchor_time_, due, tempo_);
      moved_ = true;
      return;
    }
  }
  stop(due);
  ended_ = id_;
}

// --- position ---

transport_position transport_engine::position(steady_time now) const {
  transport_position p;
  p.state = state_;
  p.id = id_;
  p.tempo = tempo_;
  p.exchanges = exchanges_;
  p.beat_due = beat_due_;
  if (!plan_) return p;
  p.time = state_ == state_t::playing ? within(time_at(now)) : anchor_time_;
  if (plan_->bars.empty()) return p;
  // The last beat that was reached, also if it was sent a little ahead.
  if (state_ == state_t::playing && next_beat_ > 0 && plan_->beats[next_beat_ - 1].time > p.time)
    p.time = plan_->beats[next_beat_ - 1].time;
  p.bar = static_cast<std::uint32_t>(bar_at(*plan_, p.time));
  auto beat = std::upper_bound(plan_->beats.begin(), plan_->beats.end(), p.time,
                               [](auto t, auto& b) { return t < b.time; });
  if (beat != plan_->beats.begin()) p.beat = std::prev(beat)->number;
  // Of the last click, and before the first one its own.
  if (state_ == state_t::counting_in)
    p.beat = beat_of_click(std::min(clicks_left_, std::min(options_.count_in, most_clicks) - 1));
  return p;
}

bool transport_engine::take_moved() { return std::exchange(moved_, false); }

std::optional<std::uint64_t> transport_engine::take_ended() {
  return std::exchange(ended_, std::nullopt);
}

}  // namespace fermata::midi
