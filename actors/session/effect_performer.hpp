#pragma once

#include "actors/session/session_core.hpp"
#include "actors/work/evaluation_lane.hpp"
#include "core/session/turn/step.hpp"
#include "messages/midi.hpp"
#include "messages/recording.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fermata::actors {

/// The terminal that waits for a line: what is drawn for it is no wider, and in ASCII where it
/// shows nothing else.
struct terminal_of_line {
  std::size_t columns = 80;
  bool unicode = true;
  std::string folder{};  ///< that relative file names refer to; empty: the working folder
};

/// Performs what commands ask for beyond a function of the session's state: of the disk, of the
/// display, and of the session manager. One effect at a time, as turns run one at a time.
class effect_performer {
public:
  using done = std::function<void(effect_done)>;

  /// `lane`: where files are evaluated.
  effect_performer(session_core& core, evaluation_lane& lane) : core_(core), lane_(lane) {}

  /// Calls `then` once, perhaps before it returns.
  void perform(const command_effect& effect, terminal_of_line terminal, entry_source source,
               bool accessible, std::shared_ptr<std::atomic<bool>> cancelled, done then);

  /// What is done just before the turn is answered; `written`: whether it was.
  void perform_afterwards(const after_turn& what, bool written);

private:
  /// One effect under way, shared by the handlers of its steps.
  struct request {
    terminal_of_line terminal;
    entry_source source;
    bool accessible = false;
    std::shared_ptr<std::atomic<bool>> cancelled;
    done then;

    void answer(std::string output, bool ok) const { then({std::move(output), ok}); }
  };
  using request_ptr = std::shared_ptr<const request>;

  // effect_performer.cpp: the disk and the display.
  void perform(const request_ptr& r, std::monostate);
  void perform(const request_ptr& r, const evaluation_effect&);
  void perform(const request_ptr& r, const view_effect& effect);
  void perform(const request_ptr& r, const save_effect&);
  void perform(const request_ptr& r, const reload_effect&);
  void reloaded(const request_ptr& r, const io::offered_score& offered,
                caf::expected<evaluation_outcome> outcome);
  void replace_score(const request_ptr& r, const score_ptr& with, std::string output,
                     score_delta delta, std::optional<after_turn> afterwards = std::nullopt);

  // manager_effects.cpp: other sessions.
  void perform(const request_ptr& r, const manager_effect& effect);
  void ask_manager(const request_ptr& r, const session_manager_actor& boss,
                   const manager_effect& effect);
  void list(const request_ptr& r, const session_manager_actor& boss, bool archived);
  void rename(const request_ptr& r, const session_manager_actor& boss, const std::string& wanted);
  void unarchive(const request_ptr& r, const session_manager_actor& boss,
                 const std::string& session);
  void export_session(const request_ptr& r, const session_manager_actor& boss,
                      const export_request& what);
  void archive(const request_ptr& r, const session_manager_actor& boss, const std::string& session,
               bool to_trash);
  void ask_for_confirmation(const request_ptr& r, const session_manager_actor& boss,
                            const std::string& session);
  std::string listed(const request& r, const std::vector<session_summary>& all,
                     bool archived) const;

  // score_file_effects.cpp: score files of the user.
  void perform(const request_ptr& r, const score_file_effect& effect);
  void with_files(std::function<result<void>()> work, std::function<void(caf::error)> then);
  void with_change(const request_ptr& r, const score_ptr& to, std::string interrupted,
                   std::function<void(score_delta)> then);
  void export_score(const request_ptr& r, const std::string& file, bool replaces);
  void read_score(const request_ptr& r, const std::string& file);
  void read_program(const request_ptr& r, const std::string& file, bool in_session);
  void program_read(const request_ptr& r, const std::string& file, const std::string& text,
                    bool in_session);
  void score_read(const request_ptr& r, const std::string& file, const score_ptr& read,
                  score_delta delta, const std::string& remarks);
  void program_run(const request_ptr& r, const std::string& file, const std::string& text,
                   evaluation_outcome outcome);

  // recording_effects.cpp: what is recorded, and takes.
  struct transcribed_take {
    quantized_take take;
    recording::quantize how;
    std::string said;  ///< of the take before, with the end of its line
  };
  void perform(const request_ptr& r, const recording_effect& effect);
  void stop_recording(const request_ptr& r, const playback_effect& effect);
  void recorder_answered(const request_ptr& r, const recording_reply& reply);
  void transcribe(const request_ptr& r, quantization_job job, const std::string& said);
  void evaluate_take(const request_ptr& r, const transcribed_take& t);
  void draw_take(const request_ptr& r, const transcribed_take& t,
                 std::shared_ptr<const evaluation> what);
  void propose_take(const request_ptr& r, const transcribed_take& t, const evaluation& what,
                    const std::string& picture);

  // playback_effects.cpp: what is heard.
  void perform(const request_ptr& r, const playback_effect& effect);
  void play(const request_ptr& r, const playback_effect& effect);
  void evaluate_passage(const request_ptr& r, playback::play what);
  playback_job job_of(playback::request what, const entry_source& source) const;
  void ask_player(const request_ptr& r, playback::request what);
  void player_answered(const request_ptr& r, const playback::request& what,
                       const playback_reply& reply);

  session_core& core_;
  evaluation_lane& lane_;
  std::optional<io::offered_score> reloaded_;  ///< to be kept when the turn is written
};

}  // namespace fermata::actors
