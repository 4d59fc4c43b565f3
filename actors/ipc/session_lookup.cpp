#include "actors/ipc/session_lookup.hpp"

#include <fmt/format.h>

#include <utility>

namespace fermata::actors {

using io::protocol::fault;
using io::protocol::fault_code;

void session_lookup::with_active(const ipc_request_ptr& r, use_session next) {
  requests_.depend_on(r, core_.manager.address());
  core_.self->request(core_.manager, caf::infinite, atom::active_v)
      .then(std::move(next), [this, r](const caf::error& e) { requests_.refuse(r, e); });
}

void session_lookup::with_session(const ipc_request_ptr& r, std::string_view wanted,
                                  use_session next) {
  auto found = [this, r, next = std::move(next)](const session_ref& ref) {
    if (r->done) return;
    requests_.depend_on(r, ref.actor.address());
    auto go_on = [this, r, next](const session_ref& it) {
      next(it);
      // A query may still ask which session is the active one.
      if (r->command) requests_.found_state(r);
    };
    if (r->writes)
      check_policy(r, ref, std::move(go_on));
    else
      go_on(ref);
  };
  if (wanted.empty()) return with_active(r, std::move(found));
  requests_.depend_on(r, core_.manager.address());
  core_.self->request(core_.manager, caf::infinite, atom::find_v, std::string{wanted})
      .then(std::move(found), [this, r](const caf::error& e) { requests_.refuse(r, e); });
}

/// `:ai off` stops every write, whatever it writes to.
void session_lookup::check_policy(const ipc_request_ptr& r, const session_ref& ref,
                                  use_session next) {
  with_snapshot(r, ref, [this, r, ref, next = std::move(next)](const session_snapshot& s) {
    if (policy_for(*s, r->who.author) != remote_policy::deny) return next(ref);
    requests_.refuse(r,
                     fault{fault_code::not_permitted,
                           fmt::format("the user does not allow {} to make changes", r->who.author),
                           "only read, or ask the user to allow changes with :ai",
                           {{"policy", to_string(remote_policy::deny)}}});
  });
}

void session_lookup::with_snapshot(const ipc_request_ptr& r, const session_ref& ref,
                                   use_state next) {
  core_.self->request(ref.actor, caf::infinite, atom::snapshot_v)
      .then(
          [r, next = std::move(next)](const session_snapshot& s) {
            if (!r->done) next(s);
          },
          [this, r](const caf::error& e) { requests_.refuse(r, e); });
}

}  // namespace fermata::actors
