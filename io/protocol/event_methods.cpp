// Noticing that something happened: waiting once, or a stream.

#include "io/protocol/common_fields.hpp"
#include "io/protocol/method.hpp"

namespace fermata::io::protocol {

namespace {

constexpr field wait_params[] = {
    session_param,
    {.name = "revision",
     .type = json_type::integer,
     .doc = "wait for a revision after this",
     .min = 0,
     .plain = true},
    {.name = "entry",
     .type = json_type::integer,
     .doc = "wait for an entry after this",
     .min = 0,
     .plain = true},
    {.name = "timeout",
     .type = json_type::number,
     .doc = "seconds (default 25)",
     .min = 0,
     .max = 50},
};
constexpr field wait_result[] = {
    session_result,
    revision_result,
    changed_result,
    {.name = "entries",
     .type = json_type::integer,
     .doc = "length of the timeline",
     .required = true},
    {.name = "what",
     .type = json_type::array,
     .doc = "kinds of events that happened",
     .required = true,
     .items = json_type::string},
};
answer<command> wait(const arguments& args) {
  wait_for_change out;
  out.session = args.text("session");
  if (auto rev = args.integer("revision")) out.revision = static_cast<std::uint64_t>(*rev);
  out.entry = args.integer("entry");
  if (auto seconds = args.number("timeout"))
    out.timeout = std::chrono::milliseconds{static_cast<std::int64_t>(*seconds * 1000)};
  return out;
}

constexpr std::string_view event_kinds[] = {"entries",  "queued",   "proposal",  "score",
                                            "settings", "sessions", "transport", "recording"};

constexpr field subscribe_params[] = {
    session_param,
    {.name = "kinds",
     .type = json_type::array,
     .doc = "only these kinds; default: all but transport (each beat of playback) and recording "
            "(each note "
            "that is recorded)",
     .choices = event_kinds,
     .max = 10,
     .items = json_type::string},
    {.name = "since",
     .type = json_type::integer,
     .doc = "number of the last entry seen; later entries are sent first",
     .min = 0},
};
constexpr field subscribe_result[] = {
    {.name = "subscription",
     .type = json_type::integer,
     .doc = "number of the stream",
     .required = true},
    session_result,
    revision_result,
    {.name = "entries",
     .type = json_type::integer,
     .doc = "length of the timeline",
     .required = true},
    {.name = "resumed",
     .type = json_type::boolean,
     .doc = "false: `since` is not among the last 1,000 entries; use get_history",
     .required = true},
};
answer<command> subscribe(const arguments& args) {
  return subscribe_events{std::string{args.text("session")}, args.texts("kinds"),
                          args.integer("since")};
}

constexpr field unsubscribe_params[] = {
    {.name = "subscription",
     .type = json_type::integer,
     .doc = "number of the stream",
     .required = true,
     .min = 1},
};
constexpr field unsubscribe_result[] = {
    changed_result,
};
answer<command> unsubscribe(const arguments& args) {
  return unsubscribe_events{args.integer("subscription").value_or(0)};
}

constexpr method event_rows[] = {
    {.name = "wait_for_change",
     .title = "Wait for a change",
     .doc = "Returns when something happens in the session, or after the timeout.",
     .offered = audience::socket_and_mcp,
     .params = wait_params,
     .result = wait_result,
     .handler = command_handler{wait}},
    {.name = "events.subscribe",
     .title = "Subscribe to events",
     .doc = "Streams events as `events.event` notifications, numbered without gaps.",
     .params = subscribe_params,
     .result = subscribe_result,
     .handler = command_handler{subscribe}},
    {.name = "events.unsubscribe",
     .title = "End a stream",
     .doc = "No event of the stream is sent after the reply.",
     .access_kind = access::read,
     .params = unsubscribe_params,
     .result = unsubscribe_result,
     .handler = command_handler{unsubscribe}},
};

}  // namespace

std::span<const method> event_methods() { return event_rows; }

}  // namespace fermata::io::protocol
