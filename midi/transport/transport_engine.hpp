#pragma once

#include "midi/transport/message_sink.hpp"
#include "midi/transport/midi_clock.hpp"
#include "midi/transport/note_ledger.hpp"
#include "midi/transport/playback_plan.hpp"
#include "midi/transport/transport_thread.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace fermata::midi {

/// What the transport does, without a thread and without a clock: everything that is due up to a
/// time goes to the sink, in order, with the time at which it is to be heard.
///
/// Whatever ends or interrupts playback ends all notes that sound, after the last message that was
/// sent: what has been sent ahead of its time is heard before the silence, never after it.
class transport_engine {
public:
  explicit transport_engine(message_sink& out) : out_(out), clock_(out_) {}

  // What `play`, `exchange` and `set_silent` replace is in their arguments afterwards.
  void play(transport_command::play& what, steady_time now);
  void exchange(transport_command::exchange& what);
  void pause(steady_time now);
  void resume(steady_time now);
  void stop(steady_time now);
  void seek(std::chrono::nanoseconds to, steady_time now);
  void set_tempo(double factor, steady_time now);
  void set_silent(std::vector<bool>& parts, steady_time now);
  void set_metronome(bool on, steady_time now);
  /// One message, at once.
  void send(std::uint8_t group, std::span<const std::uint8_t> message, steady_time now);
  /// Ends everything, on all channels of the first `groups` groups.
  void panic(int groups, steady_time now);
  /// The port is about to be replaced: what sounds there is ended.
  void leave_port(steady_time now);
  /// A new port is there, on which nothing sounds yet: it gets the state of the channels.
  void enter_port(steady_time now);

  /// Sends what is due up to `until`, at most a few thousand messages; what is left is due at once.
  /// Late by more than a second, as after a suspended machine, it goes on from where it was.
  void run(steady_time now, steady_time until);
  /// When `run` has something to do next; empty: not before a command.
  std::optional<steady_time> next_due() const;

  transport_position position(steady_time now) const;
  /// Whether the position has changed by a beat or in state since this was last called.
  bool take_moved();
  /// The playback that has reached its end since this was last called.
  std::optional<std::uint64_t> take_ended();
  int sounding() const { return ledger_.sounding(); }
  const playback_plan_ptr& plan() const { return plan_; }

private:
  using state_t = transport_position::state_t;
  enum class action : std::uint8_t {
    click_off,
    click,
    clock_pulse,
    count_in_over,
    end,
    beat,
    event
  };
  struct next_action {
    action what = action::event;
    steady_time due;
  };

  bool is_running() const { return state_ == state_t::playing || state_ == state_t::counting_in; }
  steady_time due_of(std::chrono::nanoseconds time) const;
  std::chrono::nanoseconds time_at(steady_time t) const;
  std::chrono::nanoseconds end() const;
  std::optional<next_action> next() const;
  void perform(const next_action& a);
  void emit(std::uint8_t group, std::span<const std::uint8_t> message, steady_time due);
  void emit_event(const playback_plan::event& e, steady_time due);
  void begin_at(std::chrono::nanoseconds time, steady_time anchor);
  void chase(steady_time due);
  void reach_beat(steady_time due);
  void reach_end(steady_time due);
  bool take_over_pending(std::size_t bar, steady_time due);
  void click(bool accent, steady_time due);
  void end_click(steady_time due);
  void silence(bool hard, steady_time now);
  steady_time after_sent(steady_time now) const { return std::max(now, out_.last_due); }
  bool is_silent(std::uint32_t part) const { return part < silent_.size() && silent_[part]; }
  void set_state(state_t s);

  /// Everything goes through it in order of time.
  struct ordered_sink final : message_sink {
    explicit ordered_sink(message_sink& t) : to(t) {}
    void send(std::uint8_t group, std::span<const std::uint8_t> message,
              steady_time due) noexcept override {
      last_due = std::max(last_due, due);
      to.send(group, message, last_due);
    }
    message_sink& to;
    steady_time last_due{};
  };

  ordered_sink out_;
  note_ledger ledger_;
  midi_clock clock_;
  playback_plan_ptr plan_, pending_;
  std::chrono::nanoseconds pending_from_{}, pending_to_{};
  playback_options options_;
  std::vector<bool> silent_;
  state_t state_ = state_t::stopped;
  std::uint64_t id_ = 0, exchanges_ = 0;
  double tempo_ = 1;
  steady_time anchor_;  ///< when `anchor_time_` of the plan is heard
  std::chrono::nanoseconds anchor_time_{};
  std::size_t next_event_ = 0, next_beat_ = 0;
  int clicks_left_ = 0;  ///< of the count-in
  std::chrono::nanoseconds click_step_{};
  std::optional<steady_time> click_off_;
  std::uint8_t click_key_ = 0;
  bool moved_ = false;
  std::optional<std::uint64_t> ended_;
};

}  // namespace fermata::midi
