// What was played on the MIDI inputs, and takes.

#include "io/protocol/common_fields.hpp"
#include "io/protocol/method.hpp"

#include <chrono>
#include <cmath>

namespace fermata::io::protocol {

namespace {

constexpr std::int64_t most_seconds = 600;  // `recording::remembered`

std::chrono::milliseconds milliseconds_in(double seconds) {
  return std::chrono::milliseconds{std::llround(seconds * 1000)};
}

constexpr field recording_params[] = {
    {.name = "take",
     .type = json_type::integer,
     .doc = "number (default: the last take)",
     .min = 1,
     .max = 2'147'483'647,
     .plain = true},
    {.name = "seconds",
     .type = json_type::number,
     .doc = "what was played in the last seconds, recorded or not, instead of a take",
     .min = 1,
     .max = most_seconds},
    {.name = "reading",
     .type = json_type::integer,
     .doc = "as listed in `readings` (default 1)",
     .min = 1,
     .max = 6},
    {.name = "meter",
     .doc = "2/4, 3/4, 4/4, 5/4, 6/8, 9/8 or 12/8 (default: recognized)",
     .max = 5,
     .plain = true},
    {.name = "tempo",
     .type = json_type::number,
     .doc = "quarter notes per minute (default: recognized)",
     .min = 20,
     .max = 500,
     .plain = true},
    session_param,
};
constexpr field reading_members[] = {
    {.name = "meter", .doc = "time signature", .required = true},
    {.name = "tempo",
     .type = json_type::number,
     .doc = "quarter notes per minute",
     .required = true},
    {.name = "reason", .doc = "why it is likely", .required = true},
};
constexpr field recording_result[] = {
    session_result,
    {.name = "take", .type = json_type::integer, .doc = "number; absent with `seconds`"},
    {.name = "notes", .type = json_type::integer, .doc = "played", .required = true},
    {.name = "seconds", .type = json_type::number, .doc = "length", .required = true},
    {.name = "readings",
     .type = json_type::array,
     .doc = "ways to write it, likeliest first",
     .required = true,
     .items = json_type::object,
     .members = reading_members},
    {.name = "reading", .type = json_type::integer, .doc = "that of `text`", .required = true},
    {.name = "text", .doc = "notation as Fermata text, for eval or propose", .required = true},
    {.name = "truncated", .type = json_type::boolean, .doc = "`text` is only its beginning"},
};

answer<command> midi_get_recording(const arguments& args) {
  if (args.has("take") && args.has("seconds"))
    return refuse({fault_code::invalid_params,
                   "give a take or seconds, not both",
                   "leave one out",
                   {{"param", "seconds"}}});
  get_recording what;
  what.session = args.text("session");
  if (auto take = args.integer("take")) what.how.take = static_cast<int>(*take);
  if (auto seconds = args.number("seconds")) what.last = milliseconds_in(*seconds);
  if (auto reading = args.integer("reading")) what.how.reading = static_cast<std::size_t>(*reading);
  what.how.meter = args.text("meter");
  what.how.tempo = args.number("tempo");
  return what;
}

constexpr field buffer_params[] = {
    {.name = "seconds",
     .type = json_type::number,
     .doc = "how far back (default 60)",
     .min = 1,
     .max = most_seconds},
};
constexpr field note_members[] = {
    {.name = "key", .type = json_type::integer, .doc = "MIDI key number", .required = true},
    {.name = "ago", .type = json_type::number, .doc = "seconds since it began", .required = true},
    {.name = "length", .type = json_type::number, .doc = "seconds, so far", .required = true},
    {.name = "velocity", .type = json_type::integer, .doc = "1..127", .required = true},
    {.name = "channel", .type = json_type::integer, .doc = "1..16", .required = true},
};
constexpr field buffer_result[] = {
    {.name = "inputs",
     .type = json_type::array,
     .doc = "names of the open inputs",
     .required = true,
     .items = json_type::string},
    {.name = "notes",
     .type = json_type::array,
     .doc = "the last 1000 at most, in order",
     .required = true,
     .items = json_type::object,
     .members = note_members},
};

answer<command> midi_get_input_buffer(const arguments& args) {
  constexpr double by_default = 60;
  return get_input_buffer{milliseconds_in(args.number("seconds").value_or(by_default))};
}

constexpr method recording_rows[] = {
    {.name = "midi_get_recording",
     .title = "Recording",
     .doc = "A recorded take, or what was just played, as notation. Changes nothing.",
     .offered = audience::socket_and_mcp,
     .params = recording_params,
     .result = recording_result,
     .handler = command_handler{midi_get_recording}},
    {.name = "midi_get_input_buffer",
     .title = "Notes just played",
     .doc = "The notes that the user has just played on the MIDI inputs, recorded or not.",
     .offered = audience::socket_and_mcp,
     .params = buffer_params,
     .result = buffer_result,
     .handler = command_handler{midi_get_input_buffer}},
};

}  // namespace

std::span<const method> recording_methods() { return recording_rows; }

}  // namespace fermata::io::protocol
