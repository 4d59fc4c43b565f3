#pragma once

#include "actors/midi/midi_in.hpp"
#include "actors/work/worker_pool.hpp"
#include "messages/file_worker.hpp"
#include "messages/recording.hpp"
#include "midi/transcription/clock_follower.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace fermata::actors {

/// What the recorder is started with.
struct recorder_setup {
  midi_hub_actor hub;
  player_actor player;             ///< for what takes are played to; null: none
  std::string input = "auto";      ///< `midi-input` of config.toml
  bool thru = false;               ///< `midi-thru` of config.toml
  std::function<timestamp()> now;  ///< the clock of the system
  worker_pool_ptr workers;
};

/// What is played on the inputs, and the takes of it.
///
/// Messages arrive stamped (midi_in.hpp). Those of the last ten minutes stay in memory, so that
/// `:keep` can make a take of them. While a take is recorded its messages are also written to its
/// file, some 50 ms after they came and in order of time, so that a killed program loses no more.
/// If a write fails, the whole take is written again when it ends. System real-time messages
/// (clock, active sensing) are not kept.
///
/// recorder.cpp: the take that is recorded; recorder_takes.cpp: the others; recorder_memory.cpp:
/// the last ten minutes; recorder_inputs.cpp: which inputs are open.
class recorder_state {
public:
  using pointer = recorder_actor::stateful_pointer<recorder_state>;
  static inline const char* name = "recorder";

  explicit recorder_state(pointer self) : self_(self) {}
  /// Ends the take that is being recorded.
  ~recorder_state();
  recorder_state(const recorder_state&) = delete;
  recorder_state& operator=(const recorder_state&) = delete;

  void start(recorder_setup setup);

  // In the order of the interface.
  void played(played_message& m);
  void input_changed(const input_change& change);
  void heard(const played_beat& beat);
  void playback_ended(const playback_end& end);
  caf::result<recording_reply> perform(const recording_job& job);
  caf::result<recording_reply> stop(const std::string& session);
  remembered_music remembered(std::chrono::milliseconds last) const;
  void set(const std::string& setting, const std::string& value);
  void observe(const recording_observer_actor& who);
  void write_events();
  void end_take();
  void devices_changed();
  void down(const caf::down_msg& msg);

private:
  using reply_promise = caf::typed_response_promise<recording_reply>;
  using continuation = std::function<void(const caf::error&)>;  ///< an error without a code: done
  using key_down = std::tuple<std::uint32_t, std::uint8_t, std::uint8_t>;  ///< input, channel, key

  struct open_input {
    std::uint32_t number = 0;
    midi::device device;
    midi_in_actor actor;
    enum class state_t : std::uint8_t { opening, open, failed, lost } state = state_t::opening;
    std::string reason{};  ///< of a failure
  };
  struct remembered_message {
    midi::steady_time at;
    std::uint32_t input = 0;
    std::vector<std::uint8_t> bytes;  ///< empty: the input was lost
  };
  /// The take that is being recorded. Its number is 0 until its file has been created.
  struct open_take {
    /// The metre of a MIDI clock to which it is played; empty: to none.
    std::optional<midi::time_change> clock_metre() const;

    recording_job job;
    midi::steady_time began;
    std::shared_ptr<recorded_take> take = std::make_shared<recorded_take>();
    /// Used on the workers of `files_`, except before the first write.
    std::shared_ptr<std::optional<io::take_writer>> file =
        std::make_shared<std::optional<io::take_writer>>();
    std::vector<std::uint32_t> inputs{};  ///< of its ports
    std::size_t ports_written = 0;
    std::vector<midi::take_event> unwritten{};  ///< in order of arrival
    std::size_t beats_written = 0;
    std::optional<std::uint64_t> playback{};  ///< whose beats it has
    /// The MIDI clock to which it is played, by the input that receives it.
    std::map<std::uint32_t, midi::clock_follower> clocks{};
    std::optional<std::uint32_t> clock_input{};  ///< the one that was started first
    bool has_failed = false;                     ///< something could not be written
    bool ended_with_session = false;
    bool is_complete = false;  ///< its end is being written
  };
  /// `:stop`: the take ends there; what was played before is waited for. Without a promise its
  /// session or its playback has ended.
  struct ending_take {
    midi::steady_time at;
    std::optional<reply_promise> promise;
  };

  // recorder.cpp
  caf::result<recording_reply> perform(const recording_job& job, const recording::start& what);
  caf::result<recording_reply> perform(const recording_job& job, const recording::keep& what);
  caf::result<recording_reply> perform(const recording_job& job, const recording::list_takes&);
  caf::result<recording_reply> perform(const recording_job& job, const recording::quantize&);
  int take_being_recorded(const recording_job& job) const;
  caf::result<recording_reply> compare_takes(const recording_job& job, std::pair<int, int> numbers);
  void begin_take(const recording_job& job, reply_promise promise);
  void take_created(reply_promise promise, const caf::error& failed);
  std::string recording_text() const;
  void play_to_take(reply_promise promise);
  void discard_take(reply_promise promise, const caf::error& why);
  void transcribe(const open_take& t);
  void take_ended(const caf::error& failed);
  caf::error already_recording(const std::string& session) const;
  std::size_t port_in(std::vector<std::uint32_t>& ports, midi::take& music,
                      std::uint32_t number) const;
  std::string lines_until(midi::steady_time until);
  std::optional<midi::steady_time> start_of_phrase() const;
  midi::take played_since(midi::steady_time from) const;
  void with_files(const file_worker_actor& worker, std::function<result<void>()> work,
                  continuation then);
  void struck(std::uint8_t key);
  void follow_clock(const played_message& m);
  void end_with_music();
  void tell();
  void notice(std::string text);

  // recorder_inputs.cpp
  caf::result<recording_reply> perform(const recording_job& job, const recording::list_inputs&);
  caf::result<recording_reply> perform(const recording_job& job,
                                       const recording::choose_input& what);
  caf::result<recording_reply> perform(const recording_job& job,
                                       const recording::change_thru& what);
  caf::result<recording_reply> perform(const recording_job& job, const recording::enter_steps&);
  void set_input(const std::string& word);
  void set_thru(bool on);
  void end_thru(std::optional<std::uint32_t> input);
  std::string text_of(const input_list& all) const;
  void open_inputs(const std::string& word, continuation then);
  void open_listed(const input_list& all, const std::string& word, const continuation& then);
  void close_unwanted_inputs(const input_list& all, const std::string& word);
  void inputs_settled();
  void input_closed(std::uint32_t number);
  bool is_listening() const;
  std::string names_of_inputs() const;
  std::string word_to_open() const;

  pointer self_;
  recorder_setup setup_;
  file_worker_actor files_;    ///< of the open take
  file_worker_actor reading_;  ///< of the others, which may take long
  std::vector<open_input> inputs_;
  std::vector<std::string> ids_of_inputs_;  ///< by number, also of those that are closed
  std::string wanted_inputs_;               ///< the word for those that are open, or will be
  bool looks_for_inputs_ = false;           ///< there is a timer
  std::vector<continuation> waiting_for_inputs_;
  std::deque<remembered_message> remembered_;
  std::optional<open_take> take_;
  std::optional<ending_take> ending_;
  recording_status status_;
  std::set<key_down> down_;
  bool tells_chords_ = false;
  std::uint64_t chords_ = 0;                                        ///< so far
  std::set<std::pair<std::uint32_t, std::uint8_t>> thru_channels_;  ///< of inputs, that were heard
  std::vector<recording_observer_actor> observers_;
};
static_assert(!std::is_aggregate_v<recorder_state>);

recorder_actor::behavior_type recorder(recorder_state::pointer self, recorder_setup setup);

}  // namespace fermata::actors
