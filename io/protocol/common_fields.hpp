#pragma once

#include "io/protocol/schema.hpp"

namespace fermata::io::protocol {

/// Rows shared by many methods, for a uniform protocol.

inline constexpr field session_param{.name = "session",
                                     .doc = "slug or name; default: the active session",
                                     .max = 200,
                                     .plain = true};
inline constexpr field session_result{
    .name = "session", .doc = "slug of the session this is about", .required = true};
inline constexpr field revision_result{.name = "revision",
                                       .type = json_type::integer,
                                       .doc = "committed changes of the score so far",
                                       .required = true};
inline constexpr field changed_result{.name = "changed",
                                      .type = json_type::boolean,
                                      .doc = "whether this call changed anything",
                                      .required = true};
inline constexpr field expect_rev_param{
    .name = "expect_rev",
    .type = json_type::integer,
    .doc = "revision you saw; `conflict` if the score has changed since",
    .min = 0,
    .plain = true};
inline constexpr field idempotency_param{
    .name = "idempotency_key",
    .doc = "repeating a key returns the same answer and does nothing",
    .max = 100,
    .plain = true};
inline constexpr field cursor_param{
    .name = "cursor", .doc = "next_cursor of the previous page", .max = 200, .plain = true};
inline constexpr field next_cursor_result{
    .name = "next_cursor", .doc = "pass as cursor for more; absent on the last page"};

/// Default maximum of text in one result, in characters: with the rest of the result and escapes it
/// stays below the 20,000 characters that suit clients of language models.
inline constexpr std::int64_t default_text_limit = 16'000;
/// Highest limit that may be requested: leaves room for the rest of the line and for escapes.
inline constexpr std::int64_t max_text_limit = 400'000;

}  // namespace fermata::io::protocol
