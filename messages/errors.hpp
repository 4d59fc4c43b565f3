#pragma once

#include "core/error.hpp"
#include "io/protocol/fault_code.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/error.hpp>
#include <caf/make_message.hpp>
#include <caf/message.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace fermata {

/// Why a request to an actor was not done: the rows of the one table that every door answers with.
using problem = io::protocol::fault_code;

/// What an error carries beside its code. Travels inside the process only.
struct problem_detail {
  std::string message;                    ///< what and where, in musical words
  std::string advice;                     ///< what to do next
  fermata::error cause;                   ///< of `eval_error`: code, span, message of each fault
  std::string source;                     ///< the text that the spans of `cause` refer to
  std::optional<std::uint64_t> revision;  ///< of `conflict`: the current one
  std::optional<int> retry_after_ms;      ///< of `busy`
};

}  // namespace fermata

CAF_ERROR_CODE_ENUM(fermata::io::protocol::fault_code, "fermata")
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(fermata::problem_detail)

namespace fermata {

/// An error for a requester: `make_problem(problem::busy, {.message = "...", .retry_after_ms =
/// 50})`.
caf::error make_problem(problem p, problem_detail detail);
caf::error make_problem(problem p, std::string message, std::string advice = {});

/// A fault of what a user or client wrote, as the answer to a request: `eval_error` with the fault
/// as cause, except that `internal` stays internal. `source` is the text its spans refer to.
caf::error to_problem(const error& e, std::string source = {});

/// The row of an error that came back, whatever its category: errors of CAF itself (a dead actor, a
/// timeout) are `unavailable`, everything else unknown is `internal`.
problem problem_of(const caf::error& e);
/// Its detail; with a rendering of the error as message when it carries none.
problem_detail detail_of(const caf::error& e);

}  // namespace fermata
