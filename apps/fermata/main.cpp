// The program: reads the command line and calls one function per subcommand.

#include "apps/fermata/commands.hpp"
#include "apps/fermata/evaluation_memory.hpp"
#include "apps/fermata/mcp_command.hpp"
#include "apps/fermata/repl_command.hpp"
#include "apps/fermata/session_command.hpp"
#include "io/files/formats.hpp"
#include "io/files/standard_descriptors.hpp"
#include "io/terminal/code_point.hpp"

#include <CLI/CLI.hpp>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <system_error>

namespace {

using namespace fermata::app;

/// Runs a command that may evaluate a program, within the memory that evaluations may take.
template <class Command, class Options>
int within_memory(Command command, const Options& options) {
  fermata::memory_meter meter{evaluation_memory()};
  return command(options);
}

int run(int argc, char** argv) {
  CLI::App app{"Fermata: think about music in text, together with an assistant."};
  app.set_version_flag("--version", "fermata " FERMATA_VERSION);
  app.require_subcommand(0, 1);
  app.footer("Without a subcommand, starts the prompt; type :help there.");

  int status = exit_ok;

  repl_options repl;
  auto add_repl_options = [&](CLI::App& to) {
    to.add_option("--session", repl.session,
                  "session to open, by name (created if it does not exist)");
    to.add_option("--home", repl.home, "folder for sessions (default: ~/.fermata)");
    to.add_option(
        "--tcp", repl.tcp,
        "also listen on this loopback port; clients authenticate with ~/.fermata/tcp.token");
    to.add_flag("--no-color", repl.no_color, "disable colours (also NO_COLOR=1)");
    to.add_flag("--accessible", repl.accessible,
                "prompt for screen readers: plain lines, words instead of symbols");
  };
  add_repl_options(app);
  auto* repl_command_line = app.add_subcommand("repl", "start the prompt (default)");
  add_repl_options(*repl_command_line);

  eval_options eval;
  auto* e = app.add_subcommand("eval", "evaluate expressions and print their values");
  e->add_option("-e,--expression", eval.expressions, "expression to evaluate; can be repeated")
      ->required()
      ->allow_extra_args(false);
  e->add_flag("--json", eval.json, "one JSON object per line");
  e->callback([&] { status = eval_command(eval); });

  compile_options compile;
  auto* c = app.add_subcommand("compile",
                               "compile a Fermata program to MusicXML or another score format");
  c->add_option("input", compile.input, "program; - for standard input")->capture_default_str();
  c->add_option("-o,--output", compile.output, "output file; - for standard output")
      ->capture_default_str();
  auto* target =
      c->add_option("-t,--target", compile.target, "format, if not given by the extension");
  c->callback([&] {
    if (target->count() == 0 && compile.output != "-") compile.target.clear();
    status = within_memory(compile_command, compile);
  });

  check_options check;
  auto* k = app.add_subcommand("check", "check files and report all errors");
  k->add_option("files", check.files)->required();
  k->callback([&] { status = within_memory(check_command, check); });

  convert_options convert;
  auto* v = app.add_subcommand("convert", "convert between score formats, by extension");
  v->add_option("input", convert.input)->required();
  v->add_option("output", convert.output)->required();
  v->add_option("--from", convert.from, "input format");
  v->add_option("--to", convert.to, "output format");
  v->add_flag("--report", convert.report, "report what was kept unchanged and what was left out");
  v->add_flag("--json", convert.json, "print the report as JSON");
  v->add_flag("--compact", convert.compact, "write MusicXML without indentation");
  v->footer("Formats:\n" + fermata::io::formats_text() +
            "- is standard input or output; name its format with --from or --to.");
  v->callback([&] { status = within_memory(convert_command, convert); });

  convert_options import;
  auto* i = app.add_subcommand("import", "convert a score file to Fermata text");
  i->add_option("input", import.input)->required();
  i->add_option("-o,--output", import.output)->default_val("-");
  i->callback([&] {
    import.to = "fermata";
    status = within_memory(convert_command, import);
  });

  format_options format;
  auto* f = app.add_subcommand("fmt", "format Fermata text, keeping comments");
  f->add_option("files", format.files, "files; - formats standard input to standard output")
      ->required();
  f->add_flag("--check", format.check, "do not write files; exit 1 if something would change");
  f->callback([&] { status = format_command(format); });

  show_options show;
  auto* s = app.add_subcommand(
      "show", "show tables of the language: forms, durations, clefs, instruments, ...");
  s->add_option("topic", show.topic);
  s->add_flag("--json", show.json, "as JSON");
  s->add_option("--format", show.format, "text or json")->check(CLI::IsMember({"text", "json"}));
  s->callback([&] {
    show.json = show.json || show.format == "json";
    status = show_command(show);
  });

  diff_options diff;
  auto* d = app.add_subcommand("diff", "compare two score files musically");
  d->add_option("left", diff.left)->required();
  d->add_option("right", diff.right)->required();
  d->add_flag("--json", diff.json);
  d->callback([&] { status = within_memory(diff_command, diff); });

  session_options session;
  auto* sessions = app.add_subcommand("session", "export and import sessions");
  sessions->require_subcommand(1);
  auto* listed = sessions->add_subcommand("list", "list the stored sessions");
  listed->add_option("--home", session.home, "folder for sessions (default: ~/.fermata)");
  listed->callback([&] { status = list_sessions_command(session); });
  auto* pack = sessions->add_subcommand("export", "export a session with its timeline to one file");
  pack->add_option("session", session.session, "id or name")->required();
  pack->add_option("-o,--output", session.file, "output file (default: <session>.fermata)");
  pack->add_flag("--yes", session.replaces, "overwrite an existing file");
  pack->add_option("--home", session.home, "folder for sessions (default: ~/.fermata)");
  pack->callback([&] { status = export_session_command(session); });
  auto* unpack = sessions->add_subcommand("import", "import a session from such a file");
  unpack->add_option("file", session.file)->required();
  unpack->add_option("--name", session.session, "name for the session (default: its old name)");
  unpack->add_option("--home", session.home, "folder for sessions (default: ~/.fermata)");
  unpack->callback([&] { status = import_session_command(session); });

  mcp_options mcp;
  auto* m = app.add_subcommand(
      "mcp", "run an MCP (Model Context Protocol) server on standard input and output");
  m->add_option("--socket", mcp.socket,
                "socket of the prompt to connect to (default: found automatically)");
  m->callback([&] { status = mcp_command(mcp); });

  config_options config;
  auto* g = app.add_subcommand("config", "list and change settings (config.toml)");
  g->add_option("action", config.action, "list, get NAME, set NAME VALUE, path or edit");
  g->add_option("name", config.name);
  g->add_option("value", config.value);
  g->add_flag("--json", config.json, "print as JSON");
  g->callback([&] { status = config_command(config); });

  doctor_options doctor;
  auto* h = app.add_subcommand("doctor", "check this installation");
  h->add_flag("--json", doctor.json, "print findings as JSON");
  h->callback([&] { status = doctor_command(doctor); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_ok : exit_usage;
  }
  if (app.get_subcommands().empty() || repl_command_line->parsed()) status = repl_command(repl);
  return status;
}

/// What was printed counts as done when it got where it goes: with a full disk behind `>` the
/// program fails. A reader who has gone (`| head`) had enough.
int printed(int status) {
  // `std::cout` goes through `stdout`. The reason is known of the last piece only.
  bool failed = std::fflush(stdout) != 0;
  auto reason = failed ? errno : 0;
  if (!failed && std::ferror(stdout) == 0) return status;
  pollfd reader{STDOUT_FILENO, 0, 0};
  if (::poll(&reader, 1, 0) > 0 && (reader.revents & POLLERR) != 0) return status;
  std::cerr << "fermata: cannot write to standard output"
            << (reason != 0 ? ": " + std::generic_category().message(reason) : std::string{})
            << '\n';
  return status == exit_ok ? exit_failure : status;
}

}  // namespace

int main(int argc, char** argv) {
  fermata::io::occupy_standard_descriptors();
  // A write beyond the largest size of a file fails as on a full disk, and does not end the
  // program.
  std::signal(SIGXFSZ, SIG_IGN);
  // CLI11 and the allocator may throw; nothing else should. Whatever comes is said, not swallowed.
  try {
    fermata::io::use_utf8_locale();  // how many cells a character takes
    return printed(run(argc, argv));
  } catch (const std::exception& fault) {
    std::cerr << "fermata: " << fault.what() << '\n';
    return exit_failure;
  }
}
