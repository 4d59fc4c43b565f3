#pragma once

#include "midi/transport/channel_state.hpp"
#include "midi/transport/message_sink.hpp"
#include "midi/transport/metronome.hpp"
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
/// sent: what has been sent ahead of its time is heard before the silence, never after it. A note
/// that is held where playback begins, or goes on, is begun there.
class transport_engine {
public:
  explicit transport_engine(message_sink& out);

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
  /// One complete message, at once; anything else is not sent.
  void send(std::uint8_t group, std::span<const std::uint8_t> message, steady_time now);
  /// Ends everything, on all channels of the first `groups` groups.
  void panic(int groups, steady_time now);
  /// The port is about to be replaced: what sounds there is ended.
  void leave_port(steady_time now);
  /// A new port is there, on which nothing sounds yet: it gets the state of the channels.
  void enter_port(steady_time now);

  /// Sends what is due up to `until`, at most a few thousand messages. False: there are more, which
  /// are due at once. Late by more than a second, as on a machine that was suspended, it goes on
  /// from where it was: what was missed is played later, not in a burst.
  bool run(steady_time now, steady_time until);
  /// When `run` has something to do next; empty: not before a command.
  std::optional<steady_time> next_due() const;

  transport_position position(steady_time now) const;
  /// Whether the position has changed by a beat or in state since this was last called.
  bool take_moved();
  /// The playback that has reached its end since this was last called.
  std::optional<std::uint64_t> take_ended();
  int sounding() const { return ledger_.sounding(); }
  /// Plans that are not used any more, for the caller to let go of: destroying a large one takes
  /// long. At most a few for each command.
  std::vector<playback_plan_ptr>& retired() { return retired_; }
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
  void emit_event(const playback_plan::event& e, steady_time due);
  void begin_at(std::chrono::nanoseconds time, steady_time anchor);
  void chase(steady_time due);
  void begin_held_notes(steady_time due);
  void reach_beat(steady_time due);
  void reach_end(steady_time due);
  void begin_count_in(int clicks);
  int beat_of_click(int left) const;
  bool go_on_in_pending(std::size_t bar, steady_time due);
  void take_over_pending();
  void retire(playback_plan_ptr plan);
  std::chrono::nanoseconds within(std::chrono::nanoseconds time) const;
  std::chrono::nanoseconds beginning() const { return within(options_.from); }
  void silence(bool hard, steady_time now);
  void lift_pedals(std::uint8_t group, std::uint8_t channel, steady_time due);
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
  /// Messages of which the ledger is told.
  struct counting_sink final : message_sink {
    counting_sink(note_ledger& l, message_sink& t) : ledger(l), to(t) {}
    void send(std::uint8_t group, std::span<const std::uint8_t> message,
              steady_time due) noexcept override {
      ledger.sent(group, message);
      to.send(group, message, due);
    }
    note_ledger& ledger;
    message_sink& to;
  };

  ordered_sink out_;
  note_ledger ledger_;
  counting_sink counted_{ledger_, out_};
  midi_clock clock_{out_};
  metronome metronome_{counted_};
  channel_states chased_;            ///< kept for its memory
  std::vector<std::uint32_t> held_;  ///< the same
  std::vector<playback_plan_ptr> retired_;
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
  // Of the count-in: its clicks are beats before `counted_to_`, the first beat that is played.
  int clicks_left_ = 0;
  std::chrono::nanoseconds click_step_{}, counted_to_{};
  std::optional<steady_time> beat_due_;  ///< of the last beat
  bool moved_ = false;
  std::optional<std::uint64_t> ended_;
};

}  // namespace fermata::midi
