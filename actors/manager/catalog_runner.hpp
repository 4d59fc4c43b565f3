#pragma once

#include "actors/manager/folder_jobs.hpp"
#include "actors/manager/live_sessions.hpp"
#include "actors/manager/manager_setup.hpp"
#include "core/session/catalog/catalog_step.hpp"
#include "messages/session_manager.hpp"

#include <caf/response_promise.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <list>
#include <map>
#include <string>
#include <utility>

namespace fermata::actors {

/// Runs the catalog of sessions: passes inputs to `step` (core/session/catalog/catalog_step.hpp)
/// and executes the actions that it answers. What it knows of requesters is where to send the
/// answer.
///
/// An action may have its result before it returns. Inputs are therefore queued, and taken one
/// after another.
class catalog_runner {
public:
  catalog_runner(session_manager_actor::pointer self, manager_setup setup);
  /// Refuses every request without an answer.
  ~catalog_runner();
  catalog_runner(const catalog_runner&) = delete;
  catalog_runner& operator=(const catalog_runner&) = delete;

  template <class Answer>
  caf::result<Answer> request(catalog::operation_kind what) {
    auto promise = self_->make_response_promise<Answer>();
    feed(catalog::requested{add(promise), std::move(what)});
    return promise;
  }
  caf::result<void> stop();
  void feed(catalog::input in);
  void down(const caf::down_msg& msg) { sessions_.down(msg); }

private:
  catalog::request_id add(const caf::response_promise& promise);
  catalog::catalog_context context() const;

  template <class Action>
  void execute(Action& a) {
    sessions_.execute(a);
  }
  void execute(catalog::look_at_disk& a) { jobs_.execute(a); }
  void execute(catalog::start_job& a) { jobs_.execute(a); }
  void execute(catalog::restart_later& a);
  void execute(catalog::unload_later&);
  void execute(catalog::show_active& a) { setup_.board->set_active(a.slug); }
  void execute(catalog::answer& a);
  void execute(catalog::refuse& a);
  void execute(catalog::quit&) { self_->quit(); }

  session_manager_actor::pointer self_;
  manager_setup setup_;
  live_sessions sessions_;
  folder_jobs jobs_;

  catalog::catalog_state state_;
  catalog::request_id next_request_ = 1;
  std::map<catalog::request_id, caf::response_promise> requesters_;
  std::list<catalog::input> inputs_;
  bool stepping_ = false;
};

}  // namespace fermata::actors
