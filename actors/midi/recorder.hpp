#pragma once

#include "actors/midi/midi_in.hpp"
#include "actors/work/worker_pool.hpp"
#include "messages/file_worker.hpp"
#include "messages/recording.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace fermata::actors {

/// What the recorder is started with.
struct recorder_setup {
  midi_hub_actor hub;
  std::string input = "auto";      ///< `midi-input` of config.toml
  std::function<timestamp()> now;  ///< the clock of the system
  worker_pool_ptr workers;
};

/// What is played, and the takes of it.
///
/// Messages arrive stamped (midi_in.hpp). Those of the last ten minutes stay in memory, so that
/// `:keep` can make a take of them. While a take is recorded its messages are also written to its
/// file, some 50 ms after they came and in order of time, so that a killed program loses no more.
/// Clock and active sensing are not kept.
class recorder_state {
public:
  using pointer = recorder_actor::stateful_pointer<recorder_state>;
  static inline const char* name = "recorder";

  explicit recorder_state(pointer self) : self_(self) {}
  ~recorder_state();
  recorder_state(const recorder_state&) = delete;
  recorder_state& operator=(const recorder_state&) = delete;

  void start(recorder_setup setup);

  // In the order of the interface.
  void played(played_message& m);
  void input_changed(const input_change& change);
  caf::result<recording_reply> perform(const recording_job& job);
  caf::result<recording_reply> stop(const std::string& session);
  remembered_music remembered(std::chrono::milliseconds last) const;
  void set_input(const std::string& word);
  void observe(const recording_observer_actor& who);
  void write_events();
  void end_take();
  void devices_changed();
  void down(const caf::down_msg& msg);

private:
  using reply_promise = caf::typed_response_promise<recording_reply>;
  using continuation = std::function<void(const caf::error&)>;  ///< an error without a code: done

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
    std::vector<std::uint8_t> bytes;
  };
  /// The take that is being recorded.
  struct open_take {
    std::string session;
    midi::steady_time began;
    std::shared_ptr<recorded_take> take = std::make_shared<recorded_take>();
    std::shared_ptr<std::optional<io::take_writer>> file;  ///< used by the writer only
    std::vector<std::uint32_t> inputs{};                   ///< of its ports
    std::size_t ports_written = 0;
    std::vector<midi::take_event> unwritten{};  ///< in order of arrival
    std::optional<caf::error> failed{};         ///< something could not be written
  };

  caf::result<recording_reply> perform(const recording_job& job, const recording::start&);
  caf::result<recording_reply> perform(const recording_job& job, const recording::keep& what);
  caf::result<recording_reply> perform(const recording_job& job, const recording::list_takes&);
  caf::result<recording_reply> perform(const recording_job& job, const recording::quantize&);
  caf::result<recording_reply> perform(const recording_job& job, const recording::list_inputs&);
  caf::result<recording_reply> perform(const recording_job& job,
                                       const recording::choose_input& what);

  void open_inputs(const std::string& word, continuation then);
  void open_wanted(const device_list& all, const std::string& word, const continuation& then);
  void inputs_settled();
  void with_files(std::function<result<void>()> work, continuation then);
  void begin_take(const recording_job& job, reply_promise promise);
  caf::error already_recording(const std::string& session) const;
  std::size_t port_in(std::vector<std::uint32_t>& ports, midi::take& music,
                      std::uint32_t number) const;
  std::string lines_until(midi::steady_time until);
  std::optional<midi::steady_time> start_of_phrase() const;
  midi::take played_since(midi::steady_time from) const;
  std::string names_of_inputs() const;
  bool is_listening() const;
  void tell();
  void notice(std::string text);

  pointer self_;
  recorder_setup setup_;
  file_worker_actor files_;
  std::vector<open_input> inputs_;
  std::vector<std::string> ids_of_inputs_;  ///< by number, also of those that are closed
  std::string listens_to_;  ///< the word whose inputs are open, or will be once they are there
  std::vector<continuation> waiting_for_inputs_;
  std::deque<remembered_message> remembered_;
  std::optional<open_take> take_;
  /// Of `:stop`: the take ends there; what was played before is waited for.
  struct take_end {
    midi::steady_time at;
    reply_promise promise;
  };
  std::optional<take_end> ending_;
  recording_status status_;
  std::set<std::tuple<std::uint32_t, std::uint8_t, std::uint8_t>> down_;  ///< input, channel, key
  std::vector<recording_observer_actor> observers_;
};
static_assert(!std::is_aggregate_v<recorder_state>);

recorder_actor::behavior_type recorder(recorder_state::pointer self, recorder_setup setup);

}  // namespace fermata::actors
