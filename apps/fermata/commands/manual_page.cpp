#include "apps/fermata/commands/manual_page.hpp"

#include "core/session/commands/command.hpp"

#include <fmt/format.h>

#include <string_view>

namespace fermata::app {

namespace {

/// As roff prints it: no escapes, no requests, and dashes that can be copied.
std::string roff(std::string_view text) {
  std::string out;
  bool begins_line = true;
  for (char c : text) {
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    begins_line = c == '\n';
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string slanted(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string usage_of(const described_command& c) {
  auto text = bold(c.name);
  if (!c.options.empty()) text += " [" + slanted("OPTION") + "]...";
  for (auto& argument : c.arguments)
    text +=
        argument.required ? ' ' + slanted(argument.value) : " [" + slanted(argument.value) + ']';
  if (!c.commands.empty()) text += ' ' + slanted("COMMAND");
  return text;
}

std::string option_text(const described_option& option) {
  std::string head;
  for (auto& name : option.names)
    head += (head.empty() ? "" : ", ") + bold(name);
  if (!option.value.empty()) head += ' ' + slanted(option.value);
  return ".TP\n" + head + "\n" + roff(option.help) + "\n";
}

bool is_help(const described_option& option) {
  return option.names.size() == 2 && option.names.back() == "--help";
}

std::string command_section(const described_command& c) {
  std::string text;
  if (c.commands.empty()) {
    text = ".SS " + usage_of(c) + "\n" + roff(c.help) + ".\n";
    for (auto& option : c.options)
      if (!is_help(option)) text += option_text(option);
  }
  for (auto& sub : c.commands)
    text += command_section(sub);
  return text;
}

std::string prompt_section() {
  std::string text;
  std::string_view topic;
  for (auto& row : command_table()) {
    if (row.topic != topic) {
      topic = row.topic;
      text += ".SS " + roff(topic) + "\n";
    }
    text += ".TP\n" + bold(usage(row)) + "\n" + roff(row.help) + "\n";
  }
  return text;
}

constexpr std::string_view last_sections = R"(.SH EXAMPLES
.nf
fermata
fermata song.ferm
fermata compile song.ferm \-o song.musicxml
fermata import song.musicxml \-o song.ferm
fermata check song.ferm
fermata eval \(aq(transpose M3 (note c4 :q))\(aq
.fi
.SH EXIT STATUS
.TP
0
Success; warnings do not change it.
.TP
1
Something failed, or
.B fermata diff
found a difference.
.TP
2
The command line is wrong.
.SH ENVIRONMENT
.TP
.B FERMATA_HOME
The folder of sessions and settings, in place of
.IR ~/.fermata .
.TP
.B FERMATA_SOCKET
The socket that
.B fermata mcp
connects to.
.TP
.BR VISUAL ", " EDITOR
The editor of
.BR :edit .
.TP
.B PAGER
The pager of long output.
.TP
.B NO_COLOR
No colours, when it is set.
.SH FILES
.TP
.I ~/.fermata/config.toml
Settings; see
.BR "fermata config" .
.TP
.I ~/.fermata/init.ferm
Evaluated whenever a session is opened.
.TP
.I ~/.fermata/sessions
A folder for each session.
.SH SEE ALSO
The documentation in
.IR /usr/share/doc/fermata ,
or
.I share/doc/fermata
below the folder where Fermata was installed.
)";

}  // namespace

std::string manual_page(const described_command& program) {
  auto text =
      std::string{".TH FERMATA 1 \"\" \"Fermata " FERMATA_VERSION "\" \"User Commands\"\n"} +
      ".SH NAME\nfermata \\- write and think about music in a terminal\n"
      ".SH SYNOPSIS\n" +
      bold("fermata") + " [" + slanted("OPTION") + "]... [" + slanted("FILE") + "]\n.br\n" +
      bold("fermata") + ' ' + slanted("COMMAND") + " [" + slanted("ARGUMENT") + "]...\n" +
      ".SH DESCRIPTION\n" + roff(program.help) +
      "\nWithout a command the prompt starts;\n.B :help\nthere shows what to do next.\n"
      "With a file, its score is opened in a session of its name;\n"
      "the file itself is changed only by\n.BR :export .\n"
      ".SH OPTIONS\n";
  for (auto& option : program.options)
    text += option_text(option);
  text += ".SH COMMANDS\n";
  for (auto& command : program.commands)
    text += command_section(command);
  text += ".SH COMMANDS OF THE PROMPT\n" + prompt_section();
  return text + std::string{last_sections};
}

}  // namespace fermata::app
