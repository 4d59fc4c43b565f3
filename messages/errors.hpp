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

/// Why a request to an actor failed: the rows of the one error table of all channels.
using problem = io::protocol::fault_code;

/// Details of an error besides its code. Used inside the process only.
struct problem_detail {
  std::string message;                    ///< what and where, in musical terms
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

/// An error in the input of a user or client, as the reply to a request: `eval_error` with the
/// error as cause, except that `internal` stays internal. `source` is the text to which its spans
/// refer.
caf::error to_problem(const error& e, std::string source = {});

/// The row of an error of any category: errors of CAF itself (a dead actor, a timeout) are
/// `unavailable`, everything else unknown is `internal`.
problem problem_of(const caf::error& e);
/// Its detail; if it has none, with a rendering of the error as message.
problem_detail detail_of(const caf::error& e);

}  // namespace fermata
