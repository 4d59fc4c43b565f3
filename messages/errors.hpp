#pragma once

#include "core/error.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/error.hpp>
#include <caf/make_message.hpp>
#include <caf/message.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Why a request to an actor was not done. One enumerator per row of `problem_table()`, which is
/// also the error table of every protocol: each row has the short name and the JSON-RPC code.
enum class problem : std::uint8_t {
  none,  ///< no error; CAF wants it to be zero
#define FERMATA_PROBLEM(id, name, code, when) id,
#include "messages/problem_table.inc"
#undef FERMATA_PROBLEM
};

/// One row of the table.
struct problem_info {
  problem id;
  std::string_view name;  ///< the spelling of the short envelope: "not_found"
  int json_rpc_code;      ///< the spelling of JSON-RPC: -32002
  std::string_view when;  ///< one sentence
};

/// All rows, in the order of the enumerators; `none` has no row.
const std::vector<problem_info>& problem_table();
/// The row of `p`; of `internal` when it is no row.
const problem_info& info(problem p);
/// The row whose name is `name`, if there is one.
const problem_info* find_problem(std::string_view name);
/// The name of the row, "none" without one.
std::string to_string(problem p);

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

CAF_ERROR_CODE_ENUM(fermata::problem, "fermata")
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
