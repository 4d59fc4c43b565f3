#pragma once

#include "messages/errors.hpp"

#include <caf/result.hpp>
#include <caf/scheduled_actor.hpp>

#include <exception>
#include <string>

namespace fermata::actors {

/// An exception in a handler, as the answer to the requester.
inline caf::error unexpected_error(const std::exception& e) {
  return make_problem(problem::internal, std::string{"unexpected error: "} + e.what());
}

/// Runs the body of a handler. What it throws becomes the requester's error and the actor lives on:
/// CAF would end the actor otherwise.
template <class R, class F>
caf::result<R> guarded(F&& body) {
  try {
    return body();
  } catch (const std::exception& e) {
    return unexpected_error(e);
  }
}

/// What every actor sets first: messages that it does not know are dropped, and an exception ends
/// it with an error. CAF's own handlers print to standard output, which may be a protocol.
inline void set_quiet_handlers(caf::scheduled_actor* self) {
  self->set_default_handler(caf::drop);
  self->set_exception_handler([](caf::scheduled_actor*, std::exception_ptr& x) -> caf::error {
    try {
      std::rethrow_exception(x);
    } catch (const std::exception& e) {
      return unexpected_error(e);
    } catch (...) {
      return make_problem(problem::internal, "unexpected error");
    }
  });
}

}  // namespace fermata::actors
