#include "actors/front_end.hpp"

#include "messages/errors.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace fermata::actors {

namespace {

namespace event = front_end_events;

class front_end_state {
public:
  using pointer = front_end_actor::stateful_pointer<front_end_state>;
  static inline const char* name = "front_end";

  explicit front_end_state(pointer self) : self_(self) {}

  void start(session_manager_actor manager, front_end::listener hear, player_actor player,
             const recorder_actor& recorder) {
    manager_ = std::move(manager);
    hear_ = std::move(hear);
    player_ = std::move(player);
    if (player_)
      self_->send(player_, atom::observe_v, playback_observer_actor{front_end_actor{self_}});
    if (recorder)
      self_->send(recorder, atom::observe_v, recording_observer_actor{front_end_actor{self_}});
    self_->set_down_handler([this](caf::down_msg& msg) { down(msg); });
    self_->set_default_handler(caf::drop);
  }

  void open(const std::string& session_name) {
    if (session_name.empty()) {
      self_->request(manager_, caf::infinite, atom::active_v)
          .then([this](const session_ref& found) { use(found, false); },
                [this](caf::error& e) { tell(event::lost{words(e)}); });
      return;
    }
    self_->request(manager_, caf::infinite, atom::activate_v, session_name)
        .then([this](const session_ref& found) { use(found, false); },
              [this, session_name](caf::error& e) { make_when_missing(session_name, e); });
  }

  void change_to(const std::string& slug) {
    self_->request(manager_, caf::infinite, atom::find_v, slug)
        .then([this](const session_ref& found) { use(found, false); },
              [this](caf::error& e) { tell(event::refused{words(e)}); });
  }

  void submit(submission& line) {
    if (!session_)
      return tell(event::refused{"the session is being restored; enter the line again"});
    line.front_end = self_->id();
    // Before whatever clients have sent to the session.
    self_
        ->request<caf::message_priority::high>(session_, caf::infinite, atom::submit_v,
                                               std::move(line))
        .then([this](turn& t) { answered(t); },
              [this](caf::error& e) {
                tell(event::refused{words(e)});
                catch_up();
              });
  }

  void interrupt() {
    if (session_) self_->send<caf::message_priority::high>(session_, atom::cancel_v);
  }

  void toggle_pause() {
    if (player_) self_->send(player_, atom::pause_v);
  }

  void stop_playback() {
    if (player_) self_->send(player_, atom::stop_v);
  }

  void ask_playback() {
    if (!player_) return tell(event::played{});
    auto told = [this](playback_status& status) { tell(event::played{std::move(status)}); };
    self_->request(player_, caf::infinite, atom::transport_v).then(told, [this](const caf::error&) {
      tell(event::played{});
    });
  }

  /// That nothing is playing is only said after something was.
  void played(playback_status& status) {
    auto was_active = std::exchange(is_playing_, status.is_active());
    if (was_active || is_playing_ || !status.notice.empty()) tell(event::played{std::move(status)});
  }

  /// That nothing is being recorded is only said after something was. Chords are for step entry.
  void recorded(recording_status& status) {
    auto was_recording = std::exchange(is_recording_, status.is_recording());
    if (was_recording || is_recording_ || !status.notice.empty() || !status.chords.empty())
      tell(event::recorded{std::move(status)});
  }

  void answered(turn& t) {
    // The session sends us elsewhere, perhaps because it ends: its end is no loss.
    if (t.effect.kind == turn_effect::kind_t::switch_session && session_)
      self_->demonitor(session_.address());
    entries_answered_ = std::max(entries_answered_, t.after->history.size());
    tell(event::answered{std::move(t)});
  }

  void happened(session_event& e) {
    // The entries of its own line come with the answer, which may overtake events: it is urgent.
    // What is told never goes back.
    auto is_old = e.after->history.size() < entries_answered_;
    if (e.session == slug_ && e.answered_to != self_->id() && !is_old)
      tell(event::changed{std::move(e.after)});
  }

private:
  /// Of the entries of a line that was refused after all, such as messages that were pending, no
  /// event has told, and the refusal has none.
  void catch_up() {
    if (!session_) return;
    self_->request(session_, caf::infinite, atom::snapshot_v)
        .then(
            [this, slug = slug_](session_snapshot& now) {
              if (slug == slug_) tell(event::changed{std::move(now)});
            },
            [](caf::error&) {});
  }

  static std::string words(const caf::error& e) {
    auto detail = detail_of(e);
    return detail.advice.empty() ? detail.message : detail.message + ". " + detail.advice;
  }

  void tell(front_end_event e) { hear_(std::move(e)); }

  /// In no timeline, and so without a number and a time.
  static entry_ptr note(std::string text) {
    history_entry e;
    e.source = {"fermata", "system"};
    e.kind = system_entry{"session-put-away", std::move(text)};
    return std::make_shared<const history_entry>(std::move(e));
  }

  void make_when_missing(const std::string& session_name, const caf::error& e) {
    // Who is somewhere wants to go on; at the start it is said which session it would have been.
    auto is_archived = problem_of(e) == problem::invalid_state;
    if (problem_of(e) != problem::not_found && !(session_ && is_archived)) {
      if (!is_archived) return not_opened(e);
      // There is no prompt where that could be typed.
      auto detail = detail_of(e);
      return tell(event::lost{detail.message + ". Start `fermata` without --session; there " +
                              detail.advice});
    }
    self_->request(manager_, caf::infinite, atom::create_v, session_name)
        .then([this](const session_ref& made) { use(made, false); },
              [this](caf::error& failed) { not_opened(failed); });
  }

  /// Where there is a session, lines go on to it.
  void not_opened(const caf::error& e) {
    if (session_) return tell(event::refused{words(e)});
    tell(event::lost{words(e)});
  }

  /// Observes the session from now on, then enters an empty line: what has waited there is shown at
  /// once, and what was noted while it was loaded is written by the time of the answer.
  void use(const session_ref& found, bool again) {
    if (session_) self_->demonitor(session_.address());
    if (session_ && session_ != found.actor)
      self_->send(session_, atom::unobserve_v, session_observer_actor{front_end_actor{self_}});
    entries_answered_ = 0;
    session_ = found.actor;
    slug_ = found.slug;
    self_->monitor(session_);
    auto failed = [this](caf::error& e) { tell(event::refused{words(e)}); };
    self_
        ->request(session_, caf::infinite, atom::observe_v,
                  session_observer_actor{front_end_actor{self_}})
        .then([](session_snapshot&) {}, failed);
    submission nothing;
    nothing.front_end = self_->id();
    self_->request(session_, caf::infinite, atom::submit_v, std::move(nothing))
        .then(
            [this, again](turn& t) {
              if (!archive_.empty())
                t.entries.push_back(note(std::exchange(archive_, {}) + "this is session " + slug_));
              tell(event::opened{std::move(t), again});
            },
            failed);
    list_sessions();
  }

  void list_sessions() {
    self_->request(manager_, caf::infinite, atom::list_v)
        .then(
            [this](const std::vector<session_summary>& all) {
              event::session_list k;
              for (auto& s : all)
                k.slugs.push_back(s.meta.slug);
              tell(std::move(k));
            },
            // Completion does without.
            [](caf::error&) {});
  }

  void down(const caf::down_msg& msg) {
    if (!session_ || msg.source != session_.address()) return;
    session_ = nullptr;
    self_->request(manager_, caf::infinite, atom::find_v, slug_)
        .then([this](const session_ref& found) { use(found, true); },
              [this](caf::error& e) {
                // In the archive, or gone altogether.
                auto why = problem_of(e);
                if (why != problem::not_found && why != problem::invalid_state)
                  return tell(event::lost{words(e)});
                // It was archived or deleted elsewhere: go to the active session, and say so.
                archive_ = "Session " + slug_ +
                           (why == problem::not_found ? " was deleted" : " was archived") +
                           " elsewhere; ";
                open({});
              });
  }

  pointer self_;
  session_manager_actor manager_;
  player_actor player_;
  bool is_recording_ = false;
  bool is_playing_ = false;
  front_end::listener hear_;
  session_actor session_;
  std::string slug_;
  std::int64_t entries_answered_ = 0;  ///< of the session, as of the last answer
  std::string archive_;                ///< what became of the session before; empty: nothing
};
static_assert(!std::is_aggregate_v<front_end_state>);

front_end_actor::behavior_type behavior_of(front_end_state::pointer self,
                                           session_manager_actor manager,
                                           const front_end::listener& hear, player_actor player,
                                           const recorder_actor& recorder) {
  auto& st = self->state;
  st.start(std::move(manager), hear, std::move(player), recorder);
  return {
      [&st](atom::find, const std::string& name) { st.open(name); },
      [&st](atom::activate, const std::string& slug) { st.change_to(slug); },
      [&st](atom::submit, submission& line) { st.submit(line); },
      [&st](atom::cancel) { st.interrupt(); },
      [&st](atom::pause) { st.toggle_pause(); },
      [&st](atom::stop) { st.stop_playback(); },
      [&st](atom::transport) { st.ask_playback(); },
      [&st](playback_status& status) { st.played(status); },
      [&st](recording_status& status) { st.recorded(status); },
      [&st](session_event& e) { st.happened(e); },
  };
}

}  // namespace

front_end::front_end(caf::actor_system& system, session_manager_actor manager, inbox& events,
                     player_actor player, recorder_actor recorder)
  : front_end(
        system, std::move(manager),
        [out = &events](front_end_event e) {
          // While nobody looks, one snapshot is there, the latest; and one position of playback
          // and one of recording.
          auto is_change = [](const front_end_event& x) {
            return std::holds_alternative<event::changed>(x);
          };
          auto is_position = [](const front_end_event& x) {
            auto played = std::get_if<event::played>(&x);
            return played && played->status.notice.empty();
          };
          auto is_take = [](const front_end_event& x) {
            auto recorded = std::get_if<event::recorded>(&x);
            return recorded && recorded->status.notice.empty();
          };
          if (is_change(e))
            out->put_instead_of(std::move(e), is_change);
          else if (is_position(e))
            out->put_instead_of(std::move(e), is_position);
          else if (is_take(e))
            out->put_instead_of(std::move(e), is_take);
          else
            out->put(std::move(e));
        },
        std::move(player), std::move(recorder)) {}

front_end::front_end(caf::actor_system& system, session_manager_actor manager, listener hear,
                     player_actor player, recorder_actor recorder)
  : actor_(system.spawn(behavior_of, std::move(manager), std::move(hear), std::move(player),
                        std::move(recorder))) {}

front_end::~front_end() { caf::anon_send_exit(actor_, caf::exit_reason::user_shutdown); }

void front_end::open(std::string name) { caf::anon_send(actor_, atom::find_v, std::move(name)); }

void front_end::change_to(std::string slug) {
  caf::anon_send(actor_, atom::activate_v, std::move(slug));
}

void front_end::submit(submission line) { caf::anon_send(actor_, atom::submit_v, std::move(line)); }

void front_end::interrupt() { caf::anon_send(actor_, atom::cancel_v); }

void front_end::toggle_pause() { caf::anon_send(actor_, atom::pause_v); }

void front_end::stop_playback() { caf::anon_send(actor_, atom::stop_v); }

void front_end::ask_playback() { caf::anon_send(actor_, atom::transport_v); }

}  // namespace fermata::actors
