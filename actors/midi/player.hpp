#pragma once

#include "actors/midi/midi_hub.hpp"
#include "actors/work/worker_pool.hpp"
#include "messages/midi.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace fermata::actors {

/// What the player is started with.
struct player_setup {
  sound_loader load;          ///< the sound systems; null: there are none, requests fail
  midi_hub_actor hub;         ///< of these systems
  setting_values configured;  ///< of config.toml
  worker_pool_ptr workers;
};

/// One playback at a time, for all sessions of the process.
///
/// It owns what is played and where; the times of notes are the transport's, which has a thread of
/// its own (midi/transport). A request is prepared first: the music on a worker, and the device at
/// the same time, unless something is playing, which continues until the music is ready. While the
/// score of a session is played, its edits are prepared too and taken over at the next measure.
///
/// Requests are answered in the order in which they become ready. A client cannot interrupt the
/// user's playback. When the player ends, everything that sounds is ended.
class player_state {
public:
  using pointer = player_actor::stateful_pointer<player_state>;
  static inline const char* name = "player";

  explicit player_state(pointer self) : self_(self) {}
  ~player_state();
  player_state(const player_state&) = delete;
  player_state& operator=(const player_state&) = delete;

  void start(player_setup setup);

  // In the order of the interface.
  void happened(midi::transport_event_t& e);
  void device_changed(const device_change& change);
  caf::result<playback_reply> perform(playback_job job);
  void stop_if_active();
  void stop_playback(std::uint64_t id);
  void toggle_pause();
  caf::result<midi::device> send(const playback_job& job,
                                 std::vector<std::vector<std::uint8_t>> messages);
  void play_thru(std::vector<std::uint8_t>& message);
  caf::result<midi::device> open_for_thru();
  caf::result<device_list> devices();
  const playback_status& status() const { return status_; }
  void set_default_device(const std::string& device);
  void observe(const playback_observer_actor& who);
  void tell_beats(const beat_listener_actor& who);
  void edited(const session_event& e);
  void down(const caf::down_msg& msg);

private:
  using reply_promise = caf::typed_response_promise<playback_reply>;

  /// A request whose music and device are being made ready.
  struct preparation {
    playback_job job;
    playback::play what;
    reply_promise promise;
    std::optional<prepared_passages> music;
    std::optional<connected_device> device;
    bool failed = false;
  };
  /// What is being played.
  struct current_playback {
    playback_job job;
    std::vector<playback::passage> passages;
    std::vector<prepared_passage> prepared;  ///< of each passage
    std::size_t index = 0;                   ///< of the one that is heard
    playback::play_options options;
    midi::device device;
    int groups = 1;              ///< of 16 channels, that the device has
    std::uint64_t id = 0;        ///< for the transport
    std::uint64_t first_id = 0;  ///< of the first passage: that of the whole
    score_ptr newest;            ///< of the session, if it is followed
    bool preparing_edit = false;
    /// The plan that the transport plays, and those that it may already play instead.
    std::deque<midi::playback_plan_ptr> plans;
    std::uint64_t plans_left = 0;  ///< how many came before them

    const prepared_passage& heard() const { return prepared[index]; }
    /// The plan in which this position is.
    const midi::playback_plan& plan_at(const midi::transport_position& where);
  };

  // Requests.
  caf::result<playback_reply> perform(playback_job& job, playback::play& what);
  caf::result<playback_reply> perform(playback_job& job, playback::pause&);
  caf::result<playback_reply> perform(playback_job& job, playback::resume&);
  caf::result<playback_reply> perform(playback_job& job, playback::stop&);
  caf::result<playback_reply> perform(playback_job& job, playback::seek& what);
  caf::result<playback_reply> perform(playback_job& job, playback::change_tempo& what);
  caf::result<playback_reply> perform(playback_job& job, playback::change_metronome& what);
  caf::result<playback_reply> perform(playback_job& job, playback::list_devices&);
  caf::result<playback_reply> perform(playback_job& job, playback::connect& what);
  caf::result<playback_reply> perform(playback_job& job, playback::change_default& what);
  caf::result<playback_reply> perform(playback_job& job, playback::panic&);

  caf::result<playback_reply> only_find(const std::string& word, const std::string& text);
  void connect(const std::shared_ptr<preparation>& p);
  void ready(const std::shared_ptr<preparation>& p);
  void fail(const std::shared_ptr<preparation>& p, caf::error why);
  void begin(const std::shared_ptr<preparation>& p);
  void play_passage();
  void follow_edits();
  void session_changed(const session_state& s);
  void prepare_edit();
  void end();
  void stop_now();

  std::string setting(std::string_view name, const setting_values& of_session) const;
  std::string device_word(const setting_values& of_session) const;
  midi::synth_settings synth_settings(const setting_values& of_session) const;
  std::optional<caf::error> refusal_of(const playback_job& job) const;
  std::optional<caf::error> nothing_plays() const;
  static caf::error no_sound();
  midi_out_actor& out();
  void post(midi::transport_command_t command);
  void tell();
  void tell_beat(const midi::transport_position& where, midi::time_change metre);
  void notice(std::string text);
  std::string position_text() const;

  pointer self_;
  player_setup setup_;
  midi_hub_actor hub_;
  midi_out_actor out_;
  plan_maker_actor plans_;
  std::optional<current_playback> current_;
  std::uint64_t last_id_ = 0;
  session_actor followed_;  ///< the session that is observed; null: none
  playback_status status_;
  std::vector<playback_observer_actor> observers_;
  std::vector<beat_listener_actor> beat_listeners_;
  std::optional<midi::steady_time> last_beat_;  ///< that they were told
};
static_assert(!std::is_aggregate_v<player_state>);

player_actor::behavior_type player(player_state::pointer self, player_setup setup);

}  // namespace fermata::actors
