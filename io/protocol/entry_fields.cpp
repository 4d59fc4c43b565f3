#include "io/protocol/entry_fields.hpp"

namespace fermata::io::protocol {

namespace {

constexpr field touched_rows[] = {
    {.name = "id", .doc = "id of the part", .required = true},
    {.name = "name", .doc = "its name", .required = true},
    {.name = "measures",
     .type = json_type::array,
     .doc = "positions of the first and last, from 1",
     .required = true,
     .items = json_type::integer},
    {.name = "numbers",
     .type = json_type::array,
     .doc = "their numbers, as printed",
     .required = true,
     .items = json_type::string},
};

constexpr field error_rows[] = {
    {.name = "code", .doc = "short stable name", .required = true},
    {.name = "message", .doc = "what and where", .required = true},
    {.name = "hint", .doc = "what to do"},
    {.name = "span",
     .type = json_type::array,
     .doc = "start and end byte (exclusive) in the text of the entry",
     .items = json_type::integer},
    {.name = "line", .type = json_type::integer, .doc = "of its start, from 1"},
    {.name = "column", .type = json_type::integer, .doc = "of its start, from 1"},
    {.name = "more", .type = json_type::array, .doc = "further errors", .items = json_type::object},
    {.name = "text", .doc = "full text, with carets below the source"},
};

constexpr field entry_rows[] = {
    {.name = "index", .type = json_type::integer, .doc = "from 1, without gaps", .required = true},
    {.name = "time", .doc = "ISO 8601, UTC", .required = true},
    {.name = "kind", .doc = "eval, command, ai, user or system", .required = true},
    {.name = "author", .doc = "who", .required = true},
    {.name = "door", .doc = "channel: terminal, ipc, mcp, ...", .required = true},
    {.name = "text", .doc = "the input or message", .required = true},
    {.name = "output", .doc = "value or output, as printed"},
    {.name = "remarks",
     .type = json_type::array,
     .doc = "what was dropped because it contradicts the edit",
     .items = json_type::string},
    {.name = "ok", .type = json_type::boolean, .doc = "false: it failed"},
    {.name = "error", .type = json_type::object, .doc = "why it failed", .members = error_rows},
    {.name = "delta", .doc = "summary of the change to the score"},
    {.name = "touched", .type = json_type::array, .doc = "where", .members = touched_rows},
    {.name = "revision_before", .type = json_type::integer, .doc = "revision before it"},
    {.name = "revision", .type = json_type::integer, .doc = "revision after it"},
    {.name = "proposal", .type = json_type::integer, .doc = "the proposal that was accepted"},
    {.name = "event", .doc = "of a system entry: short stable name"},
    {.name = "truncated",
     .type = json_type::boolean,
     .doc = "true: a long text was truncated or omitted"},
};

}  // namespace

fields entry_fields() { return entry_rows; }

}  // namespace fermata::io::protocol
