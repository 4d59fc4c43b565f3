#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"
#include "midi/performance/performance.hpp"
#include "midi/performance/render.hpp"
#include "midi/transport/channel_state.hpp"

#include <chrono>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::midi {

/// A performance as the transport plays it: channel messages as bytes in order of time, and the
/// measures and beats, to show where it is, to start anywhere and to click. Immutable; shared by
/// the threads that use it.
struct playback_plan {
  struct event {
    std::chrono::nanoseconds time{};
    std::uint8_t port = 0;  ///< 16 channels each
    std::uint8_t size = 3;
    std::uint8_t bytes[3] = {};
    std::uint32_t part = 0;  ///< for mute and solo; index into `parts`
  };
  struct bar {
    std::chrono::nanoseconds time{};  ///< of its beginning
    std::uint32_t measure = 0;        ///< index into the measures of the parts
    std::uint32_t played = 0;         ///< index into the playing order
    int pass = 1;                     ///< which time through the innermost repeat
    std::string number;               ///< as printed
    int beats = 4;                    ///< of a whole measure, also if this is a pickup
    time_change metre{};              ///< the time signature
  };
  struct beat {
    std::chrono::nanoseconds time{};
    std::uint32_t bar = 0;  ///< index into `bars`
    int number = 1;         ///< in its measure; 1: the downbeat, which a pickup has not
  };

  /// A channel and the part that has it; a shared one has several.
  struct channel_of_part {
    std::uint8_t port = 0, channel = 0;
    std::uint32_t part = 0;
    auto operator<=>(const channel_of_part&) const = default;
  };

  std::vector<event> events;
  std::vector<channel_of_part> channels;
  /// The state of the channels before every `state_step`-th event, the first one included.
  std::vector<channel_states> states;
  static constexpr std::size_t state_step = 16'384;
  /// The notes that sound before the same events, at most `most_held`: indices of their note-ons.
  std::vector<std::vector<std::uint32_t>> held;
  static constexpr std::size_t most_held = 4'096;
  std::vector<bar> bars;
  std::vector<beat> beats;

  // For plan_exchange.hpp: which measures they are, whatever is inserted before them.
  struct identified_bar {
    std::uint64_t identity = 0;
    std::uint32_t bar = 0;
    auto operator<=>(const identified_bar&) const = default;
  };
  std::vector<std::uint64_t> identities;  ///< of the measures
  std::uint64_t next_identity = 0;
  std::vector<identified_bar> bars_by_identity;  ///< sorted
  std::vector<part_ptr> written;                 ///< of the score

  tempo_map tempo;
  std::chrono::nanoseconds end{};
  int ports = 1;
  std::vector<std::string> parts;     ///< their names
  std::vector<std::string> left_out;  ///< what cannot be played, one line each
};

using playback_plan_ptr = std::shared_ptr<const playback_plan>;

/// `before`: the plan of the score before an edit, so that playback finds its measures again
/// (plan_exchange.hpp). Errors: those of `render` and `playing_order`.
///
/// Beats are those of beats.hpp. A pickup has the last beats of its measure.
[[nodiscard]] result<playback_plan_ptr> playback_plan_of(const score& s,
                                                         const render_options& options,
                                                         const playback_plan_ptr& before = nullptr);

/// The first bar whose measure has this printed number; empty: there is none.
std::optional<std::size_t> bar_of_measure(const playback_plan& plan, std::string_view number);
/// From the beginning of one measure to the end of another, by printed numbers; an empty number:
/// the first measure, the last. With repeats: from the first time the one is played to the next
/// time that the other one is. Error `no_such_target`: a measure does not exist, or it is not
/// played after the first one.
struct time_range {
  std::chrono::nanoseconds from{}, to{};
};
[[nodiscard]] result<time_range> range_of_measures(const playback_plan& plan,
                                                   std::string_view first, std::string_view last);

/// Whether any note of the parts that are not silent is heard in this time: one that begins in it,
/// or is held at its beginning.
bool has_notes(const playback_plan& plan, const time_range& range, const std::vector<bool>& silent);

/// The parts that a device with so many groups of channels does not play: all of their channels are
/// beyond them. Indices into `score::parts`.
std::vector<std::uint32_t> parts_beyond(const playback_plan& plan, int groups);
/// Makes them silent, and names the first of those that were not: "Oboe, Horn and 3 more".
std::string silence_beyond(const playback_plan& plan, int groups, std::vector<bool>& silent);

/// The first event at this time or later: an index, `events.size()` if there is none.
std::size_t event_from(const playback_plan& plan, std::chrono::nanoseconds time);
/// What the events before this one have set on the channels.
channel_states state_before(const playback_plan& plan, std::size_t event);
/// The same in the memory of `state`.
void state_before(const playback_plan& plan, std::size_t event, channel_states& state);
/// The notes that began before this time and go on for at least a twentieth of a second: indices of
/// their note-ons, in order. Without percussion. Not more than `notes` has room for, so that a
/// real-time thread may call it.
void held_at(const playback_plan& plan, std::chrono::nanoseconds time,
             std::vector<std::uint32_t>& notes);
/// The bar that is played at this time: an index, 0 in a plan without bars.
std::size_t bar_at(const playback_plan& plan, std::chrono::nanoseconds time);

}  // namespace fermata::midi
