#include "apps/fermata/command_line.hpp"

#include "apps/fermata/commands/commands.hpp"
#include "apps/fermata/commands/completion_script.hpp"
#include "apps/fermata/commands/described_command.hpp"
#include "apps/fermata/commands/evaluation_memory.hpp"
#include "apps/fermata/commands/manual_page.hpp"
#include "apps/fermata/commands/mcp_command.hpp"
#include "apps/fermata/commands/session_command.hpp"
#include "apps/fermata/commands/usage_error.hpp"
#include "apps/fermata/prompt/repl_command.hpp"
#include "io/files/formats.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>
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

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app{"Fermata: write, transform and analyse music as text."};
  app.set_version_flag("--version", "fermata " FERMATA_VERSION);
  app.require_subcommand(0, 1);
  app.footer("Without a subcommand, starts the prompt; type :help there.");

  int status = exit_ok;

  repl_options repl;
  auto add_repl_options = [&](CLI::App& to) {
    to.add_option("file", repl.file,
                  "score file to open in a session named after it: .ferm, .musicxml, .mxl, .mid")
        ->type_name("FILE");
    to.add_option("--session", repl.session,
                  "session to open, by name (created if it does not exist)")
        ->type_name("SESSION");
    to.add_option("--home", repl.home, "folder for sessions (default: ~/.fermata)")
        ->type_name("FOLDER");
    to.add_option(
          "--tcp", repl.tcp,
          "also listen on this loopback port; clients authenticate with ~/.fermata/tcp.token")
        ->type_name("PORT");
    to.add_flag("--no-color", repl.no_color, "disable colours (also NO_COLOR=1)");
    to.add_flag("--accessible", repl.accessible,
                "prompt for screen readers: plain lines, words instead of symbols");
  };
  add_repl_options(app);
  auto* repl_command_line = app.add_subcommand("repl", "start the prompt (default)");
  add_repl_options(*repl_command_line);

  eval_options eval;
  auto* e = app.add_subcommand("eval", "evaluate expressions and print their values");
  std::vector<std::string> arguments;
  e->add_option("expressions", arguments, "expressions, such as '(+ 1 2)'")
      ->type_name("EXPRESSION");
  e->add_option("-e,--expression", eval.expressions,
                "expression to evaluate first; can be repeated")
      ->allow_extra_args(false)
      ->type_name("EXPRESSION");
  e->add_flag("--json", eval.json, "one JSON object per line");
  e->callback([&] {
    eval.expressions.insert(eval.expressions.end(), arguments.begin(), arguments.end());
    status = eval_command(eval);
  });

  compile_options compile;
  auto* c = app.add_subcommand("compile",
                               "compile a Fermata program to MusicXML or another score format");
  c->add_option("input", compile.input, "program; - for standard input")
      ->capture_default_str()
      ->type_name("FILE");
  c->add_option("-o,--output", compile.output, "output file; - for standard output")
      ->capture_default_str()
      ->type_name("FILE");
  auto* target =
      c->add_option("-t,--target", compile.target, "format, if not given by the extension")
          ->type_name("FORMAT");
  c->callback([&] {
    if (target->count() == 0 && compile.output != "-") compile.target.clear();
    status = within_memory(compile_command, compile);
  });

  check_options check;
  auto* k = app.add_subcommand("check", "check files and report all errors");
  k->add_option("files", check.files, "Fermata text or score files; - for standard input")
      ->required()
      ->type_name("FILE");
  k->add_flag("--json", check.json, "print one JSON object per file");
  k->callback([&] { status = within_memory(check_command, check); });

  convert_options convert;
  auto* v = app.add_subcommand("convert", "convert between score formats, by extension");
  v->add_option("input", convert.input, "score file to read; - for standard input")
      ->required()
      ->type_name("FILE");
  v->add_option("output", convert.output, "score file to write; - for standard output")
      ->required()
      ->type_name("FILE");
  v->add_option("--from", convert.from, "input format")->type_name("FORMAT");
  v->add_option("--to", convert.to, "output format")->type_name("FORMAT");
  v->add_flag("--report", convert.report, "report what was kept unchanged and what was left out");
  v->add_flag("--json", convert.json, "print the report as JSON");
  v->add_flag("--compact", convert.compact, "write MusicXML without indentation");
  v->footer("Formats:\n" + io::formats_text() +
            "- is standard input or output; name its format with --from or --to.");
  v->callback([&] { status = within_memory(convert_command, convert); });

  convert_options import;
  auto* i = app.add_subcommand("import", "convert a score file to Fermata text");
  i->add_option("input", import.input, "score file to read; - for standard input")
      ->required()
      ->type_name("FILE");
  i->add_option("-o,--output", import.output, "output file; - for standard output")
      ->default_val("-")
      ->type_name("FILE");
  i->callback([&] {
    import.to = "fermata";
    status = within_memory(convert_command, import);
  });

  format_options format;
  auto* f = app.add_subcommand("fmt", "format Fermata text, keeping comments");
  f->add_option("files", format.files, "files; - formats standard input to standard output")
      ->required()
      ->type_name("FILE");
  f->add_flag("--check", format.check, "do not write files; exit 1 if something would change");
  f->callback([&] { status = format_command(format); });

  show_options show;
  auto* s = app.add_subcommand(
      "show", "show tables of the language: forms, durations, clefs, instruments, ...");
  s->add_option("topic", show.topic, "table, or name of a form")->type_name("TOPIC");
  s->add_flag("--json", show.json, "print as JSON");
  s->add_option("--format", show.format, "text or json")
      ->type_name("text|json")
      ->excludes("--json");
  s->callback([&] {
    show.json = show.json || show.format == "json";
    status = show_command(show);
  });

  diff_options diff;
  auto* d = app.add_subcommand("diff", "compare two score files musically");
  d->add_option("left", diff.left, "score file")->required()->type_name("FILE");
  d->add_option("right", diff.right, "score file to compare it with")
      ->required()
      ->type_name("FILE");
  d->add_flag("--json", diff.json, "print as JSON");
  d->callback([&] { status = within_memory(diff_command, diff); });

  session_options session;
  auto* sessions = app.add_subcommand("session", "export and import sessions");
  sessions->require_subcommand(1);
  auto* listed = sessions->add_subcommand("list", "list the stored sessions");
  listed->add_option("--home", session.home, "folder for sessions (default: ~/.fermata)")
      ->type_name("FOLDER");
  listed->callback([&] { status = list_sessions_command(session); });
  auto* pack = sessions->add_subcommand("export", "export a session with its timeline to one file");
  pack->add_option("session", session.session, "id or name")->required()->type_name("SESSION");
  pack->add_option("-o,--output", session.file, "output file (default: <session>.fermata)")
      ->type_name("FILE");
  pack->add_flag("--yes", session.replaces, "overwrite an existing file");
  pack->add_option("--home", session.home, "folder for sessions (default: ~/.fermata)")
      ->type_name("FOLDER");
  pack->callback([&] { status = export_session_command(session); });
  auto* unpack = sessions->add_subcommand("import", "import a session from such a file");
  unpack->add_option("file", session.file, "file written by `session export`")
      ->required()
      ->type_name("FILE");
  unpack->add_option("--name", session.session, "name for the session (default: its old name)")
      ->type_name("NAME");
  unpack->add_option("--home", session.home, "folder for sessions (default: ~/.fermata)")
      ->type_name("FOLDER");
  unpack->callback([&] { status = import_session_command(session); });

  mcp_options mcp;
  auto* m = app.add_subcommand(
      "mcp", "run an MCP (Model Context Protocol) server on standard input and output");
  m->add_option("--socket", mcp.socket,
                "socket of the prompt to connect to (default: found automatically)")
      ->type_name("FILE");
  m->callback([&] { status = mcp_command(mcp); });

  config_options config;
  auto* g = app.add_subcommand("config", "list and change settings (config.toml)");
  g->add_option("action", config.action, "list, get NAME, set NAME VALUE, path or edit")
      ->type_name("list|get|set|path|edit");
  g->add_option("name", config.name, "setting")->type_name("SETTING");
  g->add_option("value", config.value, "new value")->type_name("VALUE");
  g->add_flag("--json", config.json, "print as JSON");
  g->callback([&] { status = config_command(config); });

  doctor_options doctor;
  auto* h = app.add_subcommand("doctor", "check this installation");
  h->add_flag("--json", doctor.json, "print findings as JSON");
  h->callback([&] { status = doctor_command(doctor); });

  std::string shell;
  auto* completion = app.add_subcommand("completion", "print the completion script of a shell");
  completion->add_option("shell", shell, "bash, zsh or fish")
      ->required()
      ->type_name("bash|zsh|fish");
  completion->callback([&] { print(completion_script(shell, described(app))); });
  auto* manual = app.add_subcommand("manual", "print the manual page, for `man -l -`");
  manual->callback([&] { print(manual_page(described(app))); });

  check_values(app);
  app.parse_complete_callback([&] { check_place_of_options(app, *repl_command_line); });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error);
  }
  if (!app.get_subcommands().empty() && !repl_command_line->parsed()) return status;
  if (!repl.file.empty() && !is_perhaps_file(repl.file)) return report_unexpected(app, repl.file);
  return repl_command(repl);
}

}  // namespace fermata::app
