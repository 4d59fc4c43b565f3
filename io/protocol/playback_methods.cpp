// Playback and MIDI devices.

#include "core/lang/syntax/reader.hpp"
#include "io/protocol/common_fields.hpp"
#include "io/protocol/method.hpp"
#include "midi/sound/message_check.hpp"

#include <fmt/format.h>

#include <cctype>

namespace fermata::io::protocol {

namespace {

constexpr std::size_t most_messages = 1'000, most_bytes = 64'000;

constexpr field device_members[] = {
    {.name = "id", .doc = "stable", .required = true},
    {.name = "name", .doc = "for people", .required = true},
    {.name = "system", .doc = "JACK, ALSA, FluidSynth", .required = true},
};
constexpr field missing_members[] = {
    {.name = "message", .doc = "what is missing", .required = true},
    {.name = "advice", .doc = "what to do"},
};
constexpr field transport_members[] = {
    {.name = "state", .doc = "stopped, counting_in, playing, paused", .required = true},
    {.name = "session", .doc = "whose music is playing"},
    {.name = "what", .doc = "what is playing"},
    {.name = "measure", .doc = "as printed"},
    {.name = "beat", .type = json_type::integer, .doc = "from 1"},
    {.name = "tempo", .type = json_type::number, .doc = "factor"},
    {.name = "time", .type = json_type::number, .doc = "seconds, at the written tempo"},
    {.name = "end", .type = json_type::number, .doc = "seconds, likewise"},
    {.name = "device", .doc = "name of the device"},
    {.name = "started_by", .doc = "author of the request"},
    {.name = "notice", .doc = "device lost or back"},
};
constexpr field transport_result{.name = "transport",
                                 .type = json_type::object,
                                 .doc = "what is playing, and where",
                                 .required = true,
                                 .members = transport_members};

constexpr field devices_result[] = {
    {.name = "devices",
     .type = json_type::array,
     .doc = "the playback devices",
     .required = true,
     .items = json_type::object,
     .members = device_members},
    {.name = "missing",
     .type = json_type::array,
     .doc = "why other devices are missing",
     .required = true,
     .items = json_type::object,
     .members = missing_members},
    transport_result,
};
answer<command> midi_devices(const arguments&) { return list_midi_devices{}; }

constexpr field play_params[] = {
    {.name = "part", .doc = "only this part", .max = 200},
    {.name = "measures", .doc = "5, 5-8, 6-; or a rehearsal mark", .max = 200},
    {.name = "text", .doc = "an expression: plays its music instead", .min = 1, .max = 32'000},
    {.name = "proposal", .type = json_type::integer, .doc = "plays what it changes", .min = 1},
    {.name = "tempo",
     .type = json_type::number,
     .doc = "percent (default 100)",
     .min = 10,
     .max = 1000},
    {.name = "loop", .type = json_type::boolean, .doc = "until stopped"},
    session_param,
};
constexpr field played_result[] = {
    session_result,
    revision_result,
    {.name = "entry", .type = json_type::integer, .doc = "entry number"},
    {.name = "output", .doc = "what is playing, on which device", .required = true},
};

answer<command> midi_play(const arguments& args) {
  const auto of_score = args.has("part") || args.has("measures");
  const auto kinds = int{of_score} + int{args.has("text")} + int{args.has("proposal")};
  if (kinds > 1)
    return refuse({fault_code::invalid_params,
                   "give a part and measures, a text or a proposal, not several of them",
                   "leave out all but one",
                   {{"param", args.has("text") ? "text" : "proposal"}}});
  for (auto name : {"part", "measures"})
    if (args.text(name).starts_with("--"))
      return refuse({fault_code::invalid_params,
                     fmt::format("`{}` is not a name", args.text(name)),
                     "pass options as separate parameters",
                     {{"param", name}, {"got", args.text(name)}}});
  if (args.has("text") && !read(args.text("text")).complete())
    return refuse({fault_code::invalid_params,
                   "`text` is not a complete expression",
                   "close its brackets and quotes; eval_preview shows what is wrong",
                   {{"param", "text"}}});
  command_request play{"play"};
  for (auto name : {"part", "measures"})
    if (args.has(name)) play.arguments.emplace_back(args.text(name));
  if (auto number = args.integer("proposal"))
    play.arguments.push_back(fmt::format("\u0394{}", *number));
  // A form, so that it is an expression whatever the parts are called.
  if (args.has("text")) play.expression = fmt::format("(do {}\n)", args.text("text"));
  if (args.flag("loop")) play.options["loop"];
  if (auto tempo = args.number("tempo")) play.options["tempo"] = fmt::format("{}%", *tempo);
  return control_playback{std::string{args.text("session")}, std::move(play)};
}

constexpr field stop_params[] = {session_param};
answer<command> midi_stop(const arguments& args) {
  return control_playback{std::string{args.text("session")}, {"stop"}};
}

constexpr field send_params[] = {
    {.name = "messages",
     .type = json_type::array,
     .doc = "MIDI 1.0 messages as hexadecimal bytes: \"90 3C 40\"",
     .required = true,
     .min = 1,
     .max = most_messages,
     .items = json_type::string},
    session_param,
};
constexpr field send_result[] = {
    session_result,
    {.name = "sent", .type = json_type::integer, .doc = "messages", .required = true},
    {.name = "device", .doc = "id of the device", .required = true},
};

int hex_digit(char c) {
  auto lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower >= '0' && lower <= '9') return lower - '0';
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// Pairs of hexadecimal digits, with or without blanks between them. Empty: it is something else.
std::vector<std::uint8_t> bytes_in(std::string_view text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == ' ') {
      ++i;
      continue;
    }
    const auto high = hex_digit(text[i]);
    const auto low = i + 1 < text.size() ? hex_digit(text[i + 1]) : -1;
    if (high < 0 || low < 0) return {};
    bytes.push_back(static_cast<std::uint8_t>(high * 16 + low));
    i += 2;
  }
  return bytes;
}

answer<command> midi_send(const arguments& args) {
  send_midi out;
  out.session = args.text("session");
  std::size_t total = 0;
  for (const auto& text : args.texts("messages")) {
    auto bytes = bytes_in(text);
    const auto param = fmt::format("messages[{}]", out.messages.size());
    if (!midi::is_complete_message(bytes))
      return refuse({fault_code::invalid_params,
                     fmt::format("`{}` is not one complete MIDI message", text.substr(0, 60)),
                     "give its status byte and all its data bytes: \"90 3C 40\"",
                     {{"param", param}, {"got", text.substr(0, 60)}}});
    total += bytes.size();
    out.messages.push_back(std::move(bytes));
  }
  if (total > most_bytes)
    return refuse({fault_code::out_of_range,
                   fmt::format("{} bytes of MIDI messages in one call", total),
                   "send them in several calls",
                   {{"param", "messages"}, {"max", most_bytes}, {"got", total}}});
  return out;
}

constexpr method playback_rows[] = {
    {.name = "midi_devices",
     .title = "MIDI devices",
     .doc = "Lists playback devices, and what is playing.",
     .offered = audience::socket_and_mcp,
     .result = devices_result,
     .handler = command_handler{midi_devices}},
    {.name = "midi_play",
     .title = "Play",
     .doc = "Plays the score, some of it, an expression or a proposal to the user. Not while the "
            "user is playing something.",
     .access_kind = access::write,
     .offered = audience::socket_and_mcp,
     .params = play_params,
     .result = played_result,
     .handler = command_handler{midi_play}},
    {.name = "midi_stop",
     .title = "Stop playback",
     .doc = "Stops what you are playing.",
     .access_kind = access::write,
     .offered = audience::socket_and_mcp,
     .idempotent = true,
     .params = stop_params,
     .result = played_result,
     .handler = command_handler{midi_stop}},
    {.name = "midi_send",
     .title = "Send MIDI messages",
     .doc = "Sends messages to the device of the session at once. Needs policy allow.",
     .access_kind = access::write,
     .offered = audience::socket_and_mcp,
     .params = send_params,
     .result = send_result,
     .handler = command_handler{midi_send}},
};

}  // namespace

std::span<const method> playback_methods() { return playback_rows; }

}  // namespace fermata::io::protocol
