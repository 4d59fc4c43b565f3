// Further windows of the user: terminals that share the sessions of this process.

#include "io/protocol/common_fields.hpp"
#include "io/protocol/method.hpp"

namespace fermata::io::protocol {

namespace {

constexpr field attach_params[] = {
    {.name = "key",
     .doc = "the content of $FERMATA_HOME/run/attach.key",
     .required = true,
     .max = 128},
};
constexpr field attach_result[] = {
    {.name = "pid", .type = json_type::integer, .doc = "process", .required = true},
    {.name = "version", .doc = "of the program", .required = true},
};
answer<command> attach(const arguments& args) {
  return attach_front_end{std::string{args.text("key")}};
}

constexpr field accepted_result[] = {
    {.name = "accepted",
     .type = json_type::boolean,
     .doc = "true: results follow as front_end.event notifications",
     .required = true},
};

constexpr field open_params[] = {
    {.name = "session",
     .doc = "name or slug; created if it does not exist; default: the last one used",
     .max = 200},
};
answer<command> open_session(const arguments& args) {
  return front_end_open{std::string{args.text("session")}};
}

constexpr field front_end_switch_params[] = {
    {.name = "session", .doc = "slug of a session", .required = true, .max = 200},
};
answer<command> switch_front_end(const arguments& args) {
  return front_end_switch{std::string{args.text("session")}};
}

constexpr std::string_view front_end_channels[] = {"terminal", "script"};

constexpr field submit_params[] = {
    {.name = "text", .doc = "an input as it is typed at the prompt", .required = true},
    {.name = "door", .doc = "default: terminal", .choices = front_end_channels},
    {.name = "folder", .doc = "absolute path; base of relative file names", .max = 4096},
    {.name = "columns",
     .type = json_type::integer,
     .doc = "width of the terminal (default 80)",
     .min = 1,
     .max = 100'000},
    {.name = "ascii", .type = json_type::boolean, .doc = "the terminal can show only ASCII"},
    {.name = "in_words",
     .type = json_type::boolean,
     .doc = "words instead of signs, for a screen reader"},
    {.name = "preview", .type = json_type::boolean, .doc = "evaluate only; nothing is recorded"},
};
answer<command> submit(const arguments& args) {
  front_end_submit out;
  out.text = args.text("text");
  out.channel = args.text("door").empty() ? "terminal" : std::string{args.text("door")};
  out.folder = args.text("folder");
  out.columns = static_cast<std::size_t>(args.integer("columns").value_or(80));
  out.unicode = !args.flag("ascii");
  out.accessible = args.flag("in_words");
  out.preview = args.flag("preview");
  return out;
}

answer<command> interrupt(const arguments&) { return front_end_interrupt{}; }

constexpr std::string_view playback_actions[] = {"pause", "stop"};
constexpr field front_end_playback_params[] = {
    {.name = "action",
     .doc = "pause: pauses playback, or continues it",
     .required = true,
     .choices = playback_actions},
};
answer<command> playback(const arguments& args) {
  using action_t = front_end_playback::action_t;
  return front_end_playback{args.text("action") == "stop" ? action_t::stop : action_t::pause};
}

constexpr method front_end_rows[] = {
    {.name = "front_end.attach",
     .title = "Attach a terminal",
     .doc = "Attaches this connection as a window of the user, like a second `fermata` on the same "
            "home: its lines are entered as the user's. Unix socket only; requires the key.",
     .params = attach_params,
     .result = attach_result,
     .handler = command_handler{attach}},
    {.name = "front_end.open",
     .title = "Open a session",
     .doc = "Lines of this window go to that session from now on.",
     .params = open_params,
     .result = accepted_result,
     .handler = command_handler{open_session}},
    {.name = "front_end.switch",
     .title = "Switch to a session",
     .doc = "The same for an existing session.",
     .params = front_end_switch_params,
     .result = accepted_result,
     .handler = command_handler{switch_front_end}},
    {.name = "front_end.submit",
     .title = "Enter a line",
     .doc = "Enters a line in the user's name. One at a time.",
     .params = submit_params,
     .result = accepted_result,
     .handler = command_handler{submit}},
    {.name = "front_end.interrupt",
     .title = "Interrupt",
     .doc = "Cancels the submitted line, as Ctrl-C does.",
     .result = accepted_result,
     .handler = command_handler{interrupt}},
    {.name = "front_end.playback",
     .title = "Pause or stop playback",
     .doc = "Pauses, resumes or stops playback, like Space and Ctrl-C at the prompt.",
     .params = front_end_playback_params,
     .result = accepted_result,
     .handler = command_handler{playback}},
};

}  // namespace

std::span<const method> front_end_methods() { return front_end_rows; }

}  // namespace fermata::io::protocol
