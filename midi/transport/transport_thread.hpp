#pragma once

#include "midi/sound/output_port.hpp"
#include "midi/transport/playback_plan.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fermata::midi {

/// What is played and how, besides the plan.
struct playback_options {
  double tempo = 1;  ///< factor, 0.1..10
  bool loop = false;
  /// The range in the plan's time, end exclusive; playback ends at its end, or loops in it. One of
  /// less than 50 ms is not repeated.
  std::chrono::nanoseconds from{}, to{std::chrono::nanoseconds::max()};
  std::vector<bool> silent;  ///< parts that are not heard, by index; missing ones are
  int count_in = 0;          ///< clicks on the beats before the beginning
  bool metronome = false;    ///< a click at each beat
  bool clock = false;        ///< MIDI clock, start, continue, stop and song position are sent
};

/// What the transport can be told, by any thread; done in the order of the posts.
namespace transport_command {

/// Where messages go from now on. Null: nowhere, but time passes as it would. What sounds on the
/// previous port is ended first. On a port that replaces a lost one, the state of the channels is
/// restored.
struct attach {
  std::shared_ptr<output_port> port;
};
/// Plays from `options.from`. What was played before ends. `id` is in all events about it. Without
/// a plan it is a `stop`.
struct play {
  std::uint64_t id = 0;
  playback_plan_ptr plan;
  playback_options options;
};
/// The plan of the edited score: taken over at the beginning of the next bar, behind the measure
/// that was just played (plan_exchange.hpp); in a loop at its end at the latest. If nothing is left
/// to play, playback ends. Ignored if something else is being played than this `id`.
struct exchange {
  std::uint64_t id = 0;
  playback_plan_ptr plan;
  std::chrono::nanoseconds from{}, to{std::chrono::nanoseconds::max()};  ///< as in the options
};
struct pause {};
struct resume {};
/// Ends playback and rewinds. Silences everything, the pedals first.
struct stop {};
struct seek {
  std::chrono::nanoseconds to{};
};
struct set_tempo {
  double factor = 1;
};
struct set_silent {
  std::vector<bool> parts;
};
struct set_metronome {
  bool on = false;
};
/// One complete message, at once; anything else is not sent. A note on is counted as sounding until
/// its note off.
struct send {
  std::uint8_t group = 0;
  std::vector<std::uint8_t> bytes;
};
/// Ends everything that sounds or might sound, on all channels.
struct panic {};

}  // namespace transport_command

using transport_command_t =
    std::variant<transport_command::attach, transport_command::play, transport_command::exchange,
                 transport_command::pause, transport_command::resume, transport_command::stop,
                 transport_command::seek, transport_command::set_tempo,
                 transport_command::set_silent, transport_command::set_metronome,
                 transport_command::send, transport_command::panic>;

/// Where playback is.
struct transport_position {
  enum class state_t : std::uint8_t { stopped, counting_in, playing, paused };
  state_t state = state_t::stopped;
  std::uint64_t id = 0;             ///< of the last `play`
  std::chrono::nanoseconds time{};  ///< in the plan
  std::uint32_t bar = 0;            ///< index into the plan's bars
  int beat = 1;                     ///< while counting in, that of the click
  /// When this beat is heard, if it was reached since the last `play`.
  std::optional<steady_time> beat_due{};
  double tempo = 1;
  std::uint64_t exchanges = 0;  ///< how many plans were exchanged since `play`
};

namespace transport_event {

/// At each change of state, and at each beat while it plays.
struct moved {
  transport_position where;
};
/// Playback has reached its end.
struct ended {
  std::uint64_t id = 0;
};
/// The port was lost; time goes on without sound until another one is attached.
struct port_lost {};
/// The port has been let go of: nobody uses it any more. Answers each `attach` but the first.
struct port_released {
  std::shared_ptr<output_port> port;
};
/// Messages that the port did not take, since the last such event.
struct messages_dropped {
  std::uint64_t count = 0;
};

}  // namespace transport_event

using transport_event_t =
    std::variant<transport_event::moved, transport_event::ended, transport_event::port_lost,
                 transport_event::port_released, transport_event::messages_dropped>;

/// The thread that plays: SCHED_FIFO where the system allows it, woken by an absolute timer
/// (timerfd) and by commands (eventfd). No actor's timer and no lock is on the way of a note.
class transport_thread {
public:
  /// `heard` is called on a thread of lower priority that passes events on, in order. It must not
  /// block for long. Throws std::system_error when the system has no threads or descriptors left.
  explicit transport_thread(std::function<void(transport_event_t)> heard);
  /// Silences everything and ends.
  ~transport_thread();
  transport_thread(const transport_thread&) = delete;
  transport_thread& operator=(const transport_thread&) = delete;

  /// False: a thousand commands are waiting already, and this one was not taken.
  bool post(transport_command_t command);
  /// Whether the system granted real-time priority.
  bool is_real_time() const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace fermata::midi
