#include "apps/fermata/command_line.hpp"

#include "apps/fermata/commands/commands.hpp"
#include "apps/fermata/commands/completion_script.hpp"
#include "apps/fermata/commands/described_command.hpp"
#include "apps/fermata/commands/evaluation_memory.hpp"
#include "apps/fermata/commands/manual_page.hpp"
#include "apps/fermata/commands/mcp_command.hpp"
#include "apps/fermata/commands/session_command.hpp"
#include "apps/fermata/commands/sound_commands.hpp"
#include "apps/fermata/commands/usage_error.hpp"
#include "apps/fermata/prompt/repl_command.hpp"
#include "io/formats/formats.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::app {

namespace {

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

/// Runs a command that may evaluate a program, within the memory that evaluations may take.
template <class Command, class Options>
int within_memory(Command command, const Options& options) {
  memory_meter meter{evaluation_memory()};
  return command(options);
}

/// Adds one subcommand, whose options live in its callback; what it exits with goes to `status`.
using subcommand = void (*)(CLI::App& app, int& status);

constexpr const char* home_help = "folder for sessions (default: ~/.fermata)";

void add_repl_options(CLI::App& to, repl_options& repl) {
  to.add_option("file", repl.file,
                "score file to open in a session named after it: .ferm, .musicxml, .mxl, .mid")
      ->type_name("FILE");
  to.add_option("--session", repl.session,
                "session to open, by name (created if it does not exist)")
      ->type_name("SESSION");
  to.add_option("--home", repl.home, home_help)->type_name("FOLDER");
  to.add_option("--tcp", repl.tcp,
                "also listen on this loopback port; clients authenticate with ~/.fermata/tcp.token")
      ->type_name("PORT");
  to.add_flag("--no-color", repl.no_color, "disable colours (also NO_COLOR=1)");
  to.add_flag("--accessible", repl.accessible,
              "prompt for screen readers: plain lines, words instead of symbols");
}

void add_eval(CLI::App& app, int& status) {
  struct given : eval_options {
    std::vector<std::string> arguments;
  };
  auto o = std::make_shared<given>();
  auto& c = *app.add_subcommand("eval", "evaluate expressions and print their values");
  c.add_option("expressions", o->arguments, "expressions, such as '(+ 1 2)'")
      ->type_name("EXPRESSION");
  c.add_option("-e,--expression", o->expressions, "expression to evaluate first; can be repeated")
      ->allow_extra_args(false)
      ->type_name("EXPRESSION");
  c.add_flag("--json", o->json, "one JSON object per line");
  c.callback([o, &status] {
    o->expressions.insert(o->expressions.end(), o->arguments.begin(), o->arguments.end());
    status = eval_command(*o);
  });
}

void add_compile(CLI::App& app, int& status) {
  auto o = std::make_shared<compile_options>();
  auto& c = *app.add_subcommand("compile",
                                "compile a Fermata program to MusicXML or another score format");
  c.add_option("input", o->input, "program; - for standard input")
      ->capture_default_str()
      ->type_name("FILE");
  c.add_option("-o,--output", o->output, "output file; - for standard output")
      ->capture_default_str()
      ->type_name("FILE");
  auto* target = c.add_option("-t,--target", o->target, "format, if not given by the extension")
                     ->type_name("FORMAT");
  c.callback([o, target, &status] {
    if (target->count() == 0 && o->output != "-") o->target.clear();
    status = within_memory(compile_command, *o);
  });
}

void add_check(CLI::App& app, int& status) {
  auto o = std::make_shared<check_options>();
  auto& c = *app.add_subcommand("check", "check files and report all errors");
  c.add_option("files", o->files, "Fermata text or score files; - for standard input")
      ->required()
      ->type_name("FILE");
  c.add_flag("--json", o->json, "print one JSON object per file");
  c.callback([o, &status] { status = within_memory(check_command, *o); });
}

void add_convert(CLI::App& app, int& status) {
  auto o = std::make_shared<convert_options>();
  auto& c = *app.add_subcommand("convert", "convert between score formats, by extension");
  c.add_option("input", o->input, "score file to read; - for standard input")
      ->required()
      ->type_name("FILE");
  c.add_option("output", o->output, "score file to write; - for standard output")
      ->required()
      ->type_name("FILE");
  c.add_option("--from", o->from, "input format")->type_name("FORMAT");
  c.add_option("--to", o->to, "output format")->type_name("FORMAT");
  c.add_flag("--report", o->report, "report what was kept unchanged and what was left out");
  c.add_flag("--json", o->json, "print the report as JSON");
  c.add_flag("--compact", o->compact, "write MusicXML without indentation");
  c.add_flag("--exact", o->exact,
             "write MIDI as written, without ornaments, swing, pauses and ritardandos");
  c.add_option("--midi-format", o->midi_format, "write MIDI as format 0, in one track, or 1")
      ->capture_default_str()
      ->check(CLI::IsMember({0, 1}))
      ->type_name("NUMBER");
  c.footer("Formats:\n" + io::formats_text() +
           "- is standard input or output; name its format with --from or --to.");
  c.callback([o, &status] { status = within_memory(convert_command, *o); });
}

void add_transcribe(CLI::App& app, int& status) {
  auto o = std::make_shared<transcribe_options>();
  auto& c = *app.add_subcommand("transcribe", "write a performed MIDI file as notation");
  c.add_option("input", o->input, "MIDI file to read; - for standard input")
      ->required()
      ->type_name("FILE");
  c.add_option("-o,--output", o->output, "score file to write; - for MusicXML on standard output")
      ->default_val("-")
      ->type_name("FILE");
  c.add_option("--meter", o->metre,
               "time signature: 2/4, 3/4, 4/4, 6/8, 9/8, 12/8 (default: recognized) or 5/4")
      ->type_name("METER");
  auto* tempo =
      c.add_option("--tempo", o->tempo, "quarter notes per minute, roughly (default: recognized)")
          ->check(CLI::Range(20., 500.))
          ->type_name("TEMPO");
  auto* exact =
      c.add_flag("--exact-tempo", o->exact_tempo, "--tempo is exact: it was played to a metronome")
          ->needs(tempo);
  c.add_option("--first-beat", o->first_beat,
               "when the metronome's first downbeat is, from the start of the file")
      ->needs(exact)
      ->capture_default_str()
      ->type_name("SECONDS");
  c.add_option("--beats", o->beats,
               "text file with the time of each beat in seconds, beginning with a downbeat")
      ->excludes(tempo)
      ->type_name("FILE");
  c.add_option("--grid", o->grid, "shortest note value: 8, 16 or 32")
      ->capture_default_str()
      ->check(CLI::IsMember({8, 16, 32}))
      ->type_name("VALUE");
  auto* tuplets = c.add_option("--tuplets", o->tuplets,
                               "tuplets in simple meters: 3 (default) or 5, or both as 3,5")
                      ->delimiter(',')
                      ->check(CLI::IsMember({3, 5}))
                      ->type_name("NUMBERS");
  c.add_flag_callback(
       "--no-triplets", [o] { o->tuplets.clear(); }, "no tuplets")
      ->excludes(tuplets);
  c.add_option("--swing", o->swing, "whether eighths are swung: auto, on or off")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->type_name("CHOICE");
  c.add_option("--alternatives", o->alternatives, "number of readings, in OUTPUT, OUTPUT-2, ...")
      ->capture_default_str()
      ->check(CLI::Range(1, 6))
      ->type_name("COUNT");
  c.add_flag("--performed", o->performed, "ignore the grid of the file, as the options above do");
  c.callback([o, &status] { status = transcribe_command(*o); });
}

void add_import(CLI::App& app, int& status) {
  auto o = std::make_shared<convert_options>();
  auto& c = *app.add_subcommand("import", "convert a score file to Fermata text");
  c.add_option("input", o->input, "score file to read; - for standard input")
      ->required()
      ->type_name("FILE");
  c.add_option("-o,--output", o->output, "output file; - for standard output")
      ->default_val("-")
      ->type_name("FILE");
  c.callback([o, &status] {
    o->to = "fermata";
    status = within_memory(convert_command, *o);
  });
}

void add_format(CLI::App& app, int& status) {
  auto o = std::make_shared<format_options>();
  auto& c = *app.add_subcommand("fmt", "format Fermata text, keeping comments");
  c.add_option("files", o->files, "files; - formats standard input to standard output")
      ->required()
      ->type_name("FILE");
  c.add_flag("--check", o->check, "do not write files; exit 1 if something would change");
  c.callback([o, &status] { status = format_command(*o); });
}

void add_show(CLI::App& app, int& status) {
  auto o = std::make_shared<show_options>();
  auto& c = *app.add_subcommand(
      "show", "show tables of the language: forms, durations, clefs, instruments, ...");
  c.add_option("topic", o->topic, "table, or name of a form")->type_name("TOPIC");
  c.add_flag("--json", o->json, "print as JSON");
  c.add_option("--format", o->format, "text or json")->type_name("text|json")->excludes("--json");
  c.callback([o, &status] {
    o->json = o->json || o->format == "json";
    status = show_command(*o);
  });
}

void add_diff(CLI::App& app, int& status) {
  auto o = std::make_shared<diff_options>();
  auto& c = *app.add_subcommand("diff", "compare two score files musically");
  c.add_option("left", o->left, "score file")->required()->type_name("FILE");
  c.add_option("right", o->right, "score file to compare it with")->required()->type_name("FILE");
  c.add_flag("--json", o->json, "print as JSON");
  c.callback([o, &status] { status = within_memory(diff_command, *o); });
}

/// Refuses what is not a number in this range, inclusive.
template <class Number>
CLI::Option* limit(CLI::Option* option, Number least, Number most) {
  return option->check([option, least, most](const std::string& text) -> std::string {
    Number n{};
    if (CLI::detail::lexical_cast(text, n) && n >= least && n <= most) return {};
    return fmt::format("invalid value `{}` for option {}\nWrite a number from {} to {}.", text,
                       option->get_name(), least, most);
  });
}

/// What `play` and `render` have in common.
void add_music_options(CLI::App& c, music_options& o) {
  c.add_option("input", o.input, "score file; - for standard input")->required()->type_name("FILE");
  c.add_option("--measures", o.measures, "printed numbers: 5, 5:8, 5: or :8")
      ->type_name("MEASURES");
  c.add_option("--part", o.parts, "only this part; can be repeated")
      ->allow_extra_args(false)
      ->type_name("PART");
  c.add_flag("--exact", o.exact, "as written: without ornaments, swing, pauses and ritardandos");
}

void add_synth_options(CLI::App& c, std::string& soundfont, std::optional<double>& gain) {
  c.add_option("--soundfont", soundfont,
               "soundfont of the synthesizer, .sf2 or .sf3 (default: the setting soundfont)")
      ->type_name("FILE");
  limit(c.add_option("--gain", gain,
                     "loudness of the synthesizer (default: the setting playback-gain / 100, "
                     "normally 0.5)"),
        0.0, 10.0)
      ->type_name("GAIN");
}

void add_play(CLI::App& app, int& status) {
  auto o = std::make_shared<play_options>();
  auto& c = *app.add_subcommand("play", "play a score file; Space pauses, q quits");
  add_music_options(c, *o);
  c.add_option("--device", o->device,
               "device, by id or name (default: the setting midi-device, usually the synthesizer)")
      ->type_name("DEVICE");
  c.add_option("--tempo", o->tempo, "percentage of the written tempo")
      ->capture_default_str()
      ->type_name("PERCENT");
  c.add_flag("--loop", o->loop, "repeat until stopped");
  limit(c.add_option("--count-in", o->count_in, "count-in length in beats"), 0, 64)
      ->type_name("BEATS");
  c.add_flag("--metronome", o->metronome, "a click at each beat");
  c.add_flag("--clock", o->clock, "send MIDI clock, also without the setting midi-clock");
  add_synth_options(c, o->soundfont, o->gain);
  c.callback([o, &status] { status = within_memory(play_command, *o); });
}

void add_render(CLI::App& app, int& status) {
  auto o = std::make_shared<render_options>();
  auto& c = *app.add_subcommand("render", "render a score file to a sound file");
  add_music_options(c, *o);
  c.add_option("-o,--output", o->output, "sound file: .wav, .flac or .ogg")
      ->required()
      ->type_name("FILE");
  limit(c.add_option("--sample-rate", o->sample_rate, "samples per second"), 8'000, 96'000)
      ->capture_default_str()
      ->type_name("HZ");
  add_synth_options(c, o->soundfont, o->gain);
  c.callback([o, &status] { status = within_memory(render_command, *o); });
}

void add_devices(CLI::App& app, int& status) {
  auto o = std::make_shared<devices_options>();
  auto& c = *app.add_subcommand("devices", "list playback devices");
  c.add_flag("--json", o->json, "print as JSON");
  c.callback([o, &status] { status = devices_command(*o); });
}

void add_session(CLI::App& app, int& status) {
  auto o = std::make_shared<session_options>();
  auto& sessions = *app.add_subcommand("session", "export and import sessions");
  sessions.require_subcommand(1);
  auto& list = *sessions.add_subcommand("list", "list the stored sessions");
  list.add_option("--home", o->home, home_help)->type_name("FOLDER");
  list.callback([o, &status] { status = list_sessions_command(*o); });
  auto& pack = *sessions.add_subcommand("export", "export a session with its timeline to one file");
  pack.add_option("session", o->session, "id or name")->required()->type_name("SESSION");
  pack.add_option("-o,--output", o->file, "output file (default: <session>.fermata)")
      ->type_name("FILE");
  pack.add_flag("--yes", o->replaces, "overwrite an existing file");
  pack.add_option("--home", o->home, home_help)->type_name("FOLDER");
  pack.callback([o, &status] { status = export_session_command(*o); });
  auto& unpack = *sessions.add_subcommand("import", "import an exported session");
  unpack.add_option("file", o->file, "file written by `session export`")
      ->required()
      ->type_name("FILE");
  unpack.add_option("--name", o->session, "name for the session (default: its old name)")
      ->type_name("NAME");
  unpack.add_option("--home", o->home, home_help)->type_name("FOLDER");
  unpack.callback([o, &status] { status = import_session_command(*o); });
}

void add_mcp(CLI::App& app, int& status) {
  auto o = std::make_shared<mcp_options>();
  auto& c = *app.add_subcommand(
      "mcp", "run an MCP (Model Context Protocol) server on standard input and output");
  c.add_option("--socket", o->socket,
               "socket of the prompt to connect to (default: found automatically)")
      ->type_name("FILE");
  c.callback([o, &status] { status = mcp_command(*o); });
}

void add_config(CLI::App& app, int& status) {
  auto o = std::make_shared<config_options>();
  auto& c = *app.add_subcommand("config", "list and change settings (config.toml)");
  c.add_option("action", o->action, "list, get NAME, set NAME VALUE, path or edit")
      ->type_name("list|get|set|path|edit");
  c.add_option("name", o->name, "setting")->type_name("SETTING");
  c.add_option("value", o->value, "new value")->type_name("VALUE");
  c.add_flag("--json", o->json, "print as JSON");
  c.callback([o, &status] { status = config_command(*o); });
}

void add_doctor(CLI::App& app, int& status) {
  auto o = std::make_shared<doctor_options>();
  auto& c = *app.add_subcommand("doctor", "check this installation");
  c.add_flag("--json", o->json, "print findings as JSON");
  c.callback([o, &status] { status = doctor_command(*o); });
}

void add_completion(CLI::App& app, int&) {
  auto shell = std::make_shared<std::string>();
  auto& c = *app.add_subcommand("completion", "print the completion script of a shell");
  c.add_option("shell", *shell, "bash, zsh or fish")->required()->type_name("bash|zsh|fish");
  c.callback([shell, &app] { print(completion_script(*shell, described(app))); });
}

void add_manual(CLI::App& app, int&) {
  auto& c = *app.add_subcommand("manual", "print the manual page, for `man -l -`");
  c.callback([&app] { print(manual_page(described(app))); });
}

/// In the order in which `--help` lists them, after `repl`.
constexpr subcommand subcommands[] = {
    add_eval,    add_compile, add_check,  add_convert, add_transcribe, add_import,
    add_format,  add_show,    add_diff,   add_play,    add_render,     add_devices,
    add_session, add_mcp,     add_config, add_doctor,  add_completion, add_manual,
};

}  // namespace

int run_command_line(int argc, char** argv) {
  // Not for users, so in no help.
  if (argc == 3 && std::string_view{argv[1]} == "midi-guard") return midi_guard_command(argv[2]);
  CLI::App app{"Fermata: write, transform and analyse music as text."};
  app.set_version_flag("--version", "fermata " FERMATA_VERSION);
  app.require_subcommand(0, 1);
  app.footer("Without a subcommand, starts the prompt; type :help there.");

  repl_options repl;
  add_repl_options(app, repl);
  auto* repl_command_line = app.add_subcommand("repl", "start the prompt (default)");
  add_repl_options(*repl_command_line, repl);
  int status = exit_ok;
  for (auto add : subcommands)
    add(app, status);

  check_values(app);
  app.parse_complete_callback([&] { check_place_of_options(app, *repl_command_line); });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error);
  }
  if (!app.get_subcommands().empty() && !repl_command_line->parsed()) return status;
  if (!repl.file.empty() && !may_be_file(repl.file)) return report_unexpected(app, repl.file);
  return repl_command(repl);
}

}  // namespace fermata::app
