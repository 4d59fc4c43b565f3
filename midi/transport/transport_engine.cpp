#include "midi/transport/transport_engine.hpp"

#include <algorithm>
#include <utility>

namespace fermata::midi {

namespace {

using namespace std::chrono_literals;

/// Of what is done at once: a real-time thread must come back.
constexpr int most_actions = 4'096;
/// Later than this, the machine has slept: what was missed is not made up for.
constexpr auto too_late = 1s;
constexpr double slowest = 0.1, fastest = 10;

/// General MIDI's high and low wood block, on the percussion channel.
constexpr std::uint8_t accent_key = 76, click_key = 77, click_channel = 9;
constexpr auto click_length = 40ms;

}  // namespace

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
  if (state_ != state_t::stopped) stop(now);
  std::swap(plan_, what.plan);
  std::swap(options_, what.options);
  std::swap(silent_, options_.silent);
  id_ = what.id;
  exchanges_ = 0;
  tempo_ = std::clamp(options_.tempo, slowest, fastest);
  clock_.set_on(options_.clock, now);
  ended_.reset();
  auto from = std::clamp(options_.from, 0ns, std::max(0ns, end()));
  begin_at(from, after_sent(now));
  chase(anchor_);
  clicks_left_ = options_.count_in;
  if (clicks_left_ > 0) {
    // At the tempo of the first beats.
    auto beat = next_beat_;
    if (beat + 1 >= plan_->beats.size() && beat > 0) --beat;
    click_step_ = beat + 1 < plan_->beats.size()
                      ? plan_->beats[beat + 1].time - plan_->beats[beat].time
                      : 500ms;
    auto step = std::chrono::duration_cast<std::chrono::nanoseconds>(click_step_ / tempo_);
    anchor_ += step * clicks_left_;
    set_state(state_t::counting_in);
  } else {
    set_state(state_t::playing);
    clock_.start(*plan_, from, anchor_, tempo_);
  }
}

void transport_engine::exchange(transport_command::exchange& what) {
  if (state_ == state_t::stopped || what.id != id_) return;
  std::swap(pending_, what.plan);
  pending_from_ = what.from;
  pending_to_ = what.to;
}

void transport_engine::pause(steady_time now) {
  if (!is_running()) return;
  auto time =
      state_ == state_t::counting_in ? anchor_time_ : std::clamp(time_at(now), anchor_time_, end());
  end_click(now);
  silence(false, now);
  clock_.stop(after_sent(now));
  begin_at(time, now);
  set_state(state_t::paused);
}

void transport_engine::resume(steady_time now) {
  if (state_ != state_t::paused) return;
  begin_at(anchor_time_, after_sent(now));
  chase(anchor_);
  set_state(state_t::playing);
  clock_.start(*plan_, anchor_time_, anchor_, tempo_);
}

void transport_engine::stop(steady_time now) {
  end_click(now);
  silence(true, now);
  if (state_ == state_t::stopped) return;
  clock_.stop(after_sent(now));
  begin_at(std::clamp(options_.from, 0ns, std::max(0ns, end())), now);
  pending_ = nullptr;
  set_state(state_t::stopped);
}

void transport_engine::seek(std::chrono::nanoseconds to, steady_time now) {
  if (state_ == state_t::stopped) return;
  auto time = std::clamp(to, 0ns, std::max(0ns, end()));
  end_click(now);
  silence(false, now);
  auto was_paused = state_ == state_t::paused;
  clock_.stop(after_sent(now));
  begin_at(time, after_sent(now));
  if (!was_paused) {
    chase(anchor_);
    set_state(state_t::playing);
    clock_.start(*plan_, time, anchor_, tempo_);
  }
  moved_ = true;
}

void transport_engine::set_tempo(double factor, steady_time now) {
  auto wanted = std::clamp(factor, slowest, fastest);
  if (state_ == state_t::playing) {
    // What was sent ahead of its time has been heard by then.
    auto from = std::max(after_sent(now), anchor_);
    anchor_time_ = time_at(from);
    anchor_ = from;
    tempo_ = wanted;
    clock_.start(*plan_, anchor_time_, anchor_, tempo_);
  } else if (state_ == state_t::counting_in) {
    auto step = std::chrono::duration_cast<std::chrono::nanoseconds>(click_step_ / wanted);
    anchor_ = now + step * clicks_left_;
  }
  tempo_ = wanted;
  moved_ = true;
}

void transport_engine::set_silent(std::vector<bool>& parts, steady_time now) {
  std::swap(silent_, parts);
  if (!plan_) return;
  // Parts share no channel, except for percussion, where a few notes of others end early.
  for (auto& c : plan_->channels)
    if (is_silent(c.part)) ledger_.end_notes_of(c.port, c.channel, out_, after_sent(now));
}

void transport_engine::set_metronome(bool on, steady_time now) {
  options_.metronome = on;
  if (!on) end_click(now);
}

void transport_engine::send(std::uint8_t group, std::span<const std::uint8_t> message,
                            steady_time now) {
  emit(group, message, now);
}

void transport_engine::panic(int groups, steady_time now) {
  end_click(now);
  silence(true, now);
  auto due = after_sent(now);
  for (int g = 0; g < std::min(groups, most_groups); ++g)
    for (std::uint8_t c = 0; c < channels_of_group; ++c)
      for (auto number :
           {controllers::damper_pedal, controllers::sostenuto_pedal, controllers::all_notes_off,
            controllers::all_sound_off, controllers::reset_all})
        out_.send_bytes(static_cast<std::uint8_t>(g),
                        {static_cast<std::uint8_t>(0xB0 | c), number, 0}, due);
}

void transport_engine::leave_port(steady_time now) {
  end_click(now);
  silence(true, now);
}

void transport_engine::enter_port(steady_time now) {
  ledger_.clear();
  click_off_.reset();
  if (state_ == state_t::playing) {
    // From here on, and not what was sent to the other port already.
    auto time = std::clamp(time_at(now), anchor_time_, std::max(anchor_time_, end()));
    begin_at(time, now);
    chase(now);
  }
}

// --- messages ---

void transport_engine::emit(std::uint8_t group, std::span<const std::uint8_t> message,
                            steady_time due) {
  ledger_.sent(group, message);
  out_.send(group, message, due);
}

void transport_engine::emit_event(const playback_plan::event& e, steady_time due) {
  auto kind = e.bytes[0] & 0xF0;
  if (kind == 0x90 && is_silent(e.part)) return;
  // The end of a note that began before playback did, or that was silenced.
  if (kind == 0x80 && !ledger_.is_sounding(e.port, e.bytes[0] & 0x0F, e.bytes[1])) return;
  emit(e.port, {e.bytes, e.size}, due);
}

void transport_engine::chase(steady_time due) {
  struct counting : message_sink {
    transport_engine& to;
    explicit counting(transport_engine& t) : to(t) {}
    void send(std::uint8_t group, std::span<const std::uint8_t> message,
              steady_time at) noexcept override {
      to.emit(group, message, at);
    }
  } out{*this};
  state_before(*plan_, next_event_).send(out, due);
}

/// The pedals come before "all notes off", which keeps notes sounding while one is down.
void transport_engine::silence(bool hard, steady_time now) {
  auto due = after_sent(now);
  ledger_.end_notes(out_, due);
  for (int g = 0; g < most_groups; ++g)
    for (std::uint8_t c = 0; c < channels_of_group; ++c) {
      auto group = static_cast<std::uint8_t>(g);
      if (!ledger_.is_used(group, c)) continue;
      auto status = static_cast<std::uint8_t>(0xB0 | c);
      for (auto number :
           {controllers::damper_pedal, controllers::sostenuto_pedal, controllers::all_notes_off})
        out_.send_bytes(group, {status, number, 0}, due);
      if (!hard) continue;
      out_.send_bytes(group, {status, controllers::all_sound_off, 0}, due);
      out_.send_bytes(group, {status, controllers::reset_all, 0}, due);
      out_.send_bytes(group, {static_cast<std::uint8_t>(0xE0 | c), 0, 64}, due);
    }
  if (hard) ledger_.clear();
}

void transport_engine::click(bool accent, steady_time due) {
  end_click(due);
  click_key_ = accent ? accent_key : midi::click_key;
  std::uint8_t velocity = accent ? 112 : 88;
  std::uint8_t on[] = {0x90 | click_channel, click_key_, velocity};
  emit(0, on, due);
  click_off_ = due + click_length;
}

void transport_engine::end_click(steady_time due) {
  if (!click_off_) return;
  click_off_.reset();
  std::uint8_t off[] = {0x80 | click_channel, click_key_, 64};
  emit(0, off, after_sent(due));
}

// --- what is due ---

std::optional<transport_engine::next_action> transport_engine::next() const {
  std::optional<next_action> first;
  auto consider = [&](action what, steady_time due) {
    if (!first || due < first->due) first = next_action{what, due};
  };
  if (click_off_) consider(action::click_off, *click_off_);
  if (auto due = clock_.next_due()) consider(action::clock_pulse, *due);
  if (state_ == state_t::counting_in) {
    auto step = std::chrono::duration_cast<std::chrono::nanoseconds>(click_step_ / tempo_);
    if (clicks_left_ > 0)
      consider(action::click, anchor_ - step * clicks_left_);
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

void transport_engine::run(steady_time now, steady_time until) {
  for (int i = 0; i < most_actions; ++i) {
    auto what = next();
    if (!what || what->due > until) return;
    if (now - what->due > too_late) {
      auto late = now - what->due;
      anchor_ += late;
      if (click_off_) *click_off_ += late;
      clock_.postpone(late);
      continue;
    }
    perform(*what);
  }
}

void transport_engine::perform(const next_action& a) {
  switch (a.what) {
    case action::click_off: end_click(a.due); break;
    case action::click:
      click(clicks_left_ == options_.count_in, a.due);
      --clicks_left_;
      moved_ = true;
      break;
    case action::clock_pulse: clock_.pulse(plan_.get()); break;
    case action::count_in_over:
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
  if (beat.number == 1 && pending_ && !take_over_pending(beat.bar, due)) return;
  moved_ = true;
  if (options_.metronome) click(beat.number == 1, due);
}

/// The edited score goes on from this bar. False: it does not have it; playback has ended.
bool transport_engine::take_over_pending(std::size_t bar, steady_time due) {
  auto measure = plan_->bars[bar].measure;
  // Which of the times that the measure is played this is.
  auto times =
      std::count_if(plan_->bars.begin(), plan_->bars.begin() + static_cast<std::ptrdiff_t>(bar) + 1,
                    [&](auto& b) { return b.measure == measure; });
  auto next = std::exchange(pending_, nullptr);
  auto found = next->bars.end();
  for (auto b = next->bars.begin(); b != next->bars.end() && times > 0; ++b)
    if (b->measure == measure) {
      found = b;
      --times;
    }
  silence(false, due);
  if (found == next->bars.end()) {
    reach_end(due);
    return false;
  }
  plan_ = std::move(next);
  options_.from = pending_from_;
  options_.to = pending_to_;
  ++exchanges_;
  begin_at(found->time, due);
  chase(due);
  // This beat is being done.
  if (next_beat_ < plan_->beats.size() && plan_->beats[next_beat_].time == found->time)
    ++next_beat_;
  clock_.start(*plan_, found->time, due, tempo_);
  return true;
}

void transport_engine::reach_end(steady_time due) {
  auto from = std::clamp(options_.from, 0ns, std::max(0ns, end()));
  if (options_.loop && from < end()) {
    end_click(due);
    silence(false, due);
    if (pending_) {
      plan_ = std::exchange(pending_, nullptr);
      options_.from = pending_from_;
      options_.to = pending_to_;
      ++exchanges_;
      from = std::clamp(options_.from, 0ns, std::max(0ns, end()));
    }
    if (from < end()) {
      begin_at(from, due);
      chase(due);
      clock_.stop(due);
      clock_.start(*plan_, from, due, tempo_);
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
  if (!plan_) return p;
  p.time = state_ == state_t::playing ? std::clamp(time_at(now), 0ns, std::max(0ns, end()))
                                      : anchor_time_;
  if (plan_->bars.empty()) return p;
  // The last beat that was reached, also if it was sent a little ahead.
  if (state_ == state_t::playing && next_beat_ > 0 && plan_->beats[next_beat_ - 1].time > p.time)
    p.time = plan_->beats[next_beat_ - 1].time;
  p.bar = static_cast<std::uint32_t>(bar_at(*plan_, p.time));
  auto beat = std::upper_bound(plan_->beats.begin(), plan_->beats.end(), p.time,
                               [](auto t, auto& b) { return t < b.time; });
  if (beat != plan_->beats.begin()) p.beat = std::prev(beat)->number;
  return p;
}

bool transport_engine::take_moved() { return std::exchange(moved_, false); }

std::optional<std::uint64_t> transport_engine::take_ended() {
  return std::exchange(ended_, std::nullopt);
}

}  // namespace fermata::midi
