#include "apps/fermata/commands/completion_script.hpp"

#include <fmt/format.h>

namespace fermata::app {

namespace {

bool names_file(std::string_view value) { return value == "FILE" || value == "FOLDER"; }

/// Text in single quotes.
std::string in_single_quotes(std::string_view text) {
  std::string out = "'";
  for (char c : text)
    out += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return out + '\'';
}

/// $'first\nsecond': one word a line, for a shell that splits at line ends only.
std::string lines_of(const std::vector<std::string>& words) {
  std::string out = "$'";
  for (auto& word : words)
    out += (out.size() > 2 ? "\\n" : "") + word;
  return out + '\'';
}

// --- bash ----------------------------------------------------------------------------------------

/// The shell words that complete a value.
std::string bash_values(std::string_view value) {
  constexpr std::string_view typed = R"x( -- "$cur"))x";
  std::string generator;
  if (value == "SESSION") {
    generator = R"x(-W "$(_fermata_sessions)")x";
  } else if (value == "FOLDER") {
    generator = "-d";
  } else if (value == "FILE") {
    generator = "-f";
  } else {
    auto words = words_for_value(value);
    if (words.empty()) return {};
    generator = "-W " + lines_of(words);
  }
  return "$(compgen " + generator + std::string{typed};
}

/// Without the name of the program: "session export".
std::string_view command_words(const described_command& c) {
  std::string_view name = c.name;
  auto blank = name.find(' ');
  return blank == name.npos ? std::string_view{} : name.substr(blank + 1);
}

struct bash_cases {
  std::string commands, values, options, arguments;

  void add(const described_command& c) {
    auto words = std::string{command_words(c)};
    std::vector<std::string> names;
    for (auto& option : c.options) {
      names.insert(names.end(), option.names.begin(), option.names.end());
      auto completed = bash_values(option.value);
      if (option.value.empty()) continue;
      std::string patterns;
      for (auto& name : option.names)
        patterns += (patterns.empty() ? "" : "|") + in_single_quotes(words + ' ' + name);
      values += fmt::format("    {}) COMPREPLY=({}); return ;;\n", patterns, completed);
    }
    options += fmt::format("      {}) COMPREPLY=($(compgen -W {} -- \"$cur\")) ;;\n",
                           in_single_quotes(words), lines_of(names));
    std::string completed;
    std::vector<std::string> subcommands;
    for (auto& sub : c.commands) {
      subcommands.emplace_back(last_word(sub));
      commands += fmt::format("      {}) command={} ;;\n",
                              in_single_quotes(words + ' ' + subcommands.back()),
                              in_single_quotes(command_words(sub)));
    }
    if (!subcommands.empty())
      completed = fmt::format("$(compgen -W {} -- \"$cur\")", lines_of(subcommands));
    for (auto& argument : c.arguments)
      if (auto more = bash_values(argument.value); completed.find(more) == completed.npos)
        completed += (completed.empty() ? "" : " ") + more;
    if (!completed.empty())
      arguments += fmt::format("    {}) COMPREPLY=({}) ;;\n", in_single_quotes(words), completed);
    for (auto& sub : c.commands)
      add(sub);
  }
};

std::string bash_script(const described_command& program) {
  bash_cases cases;
  cases.add(program);
  return fmt::format(R"(# Completion of fermata for bash, made by `fermata completion bash`.

_fermata_sessions() {{
  command ls -1 "${{FERMATA_HOME:-$HOME/.fermata}}/sessions" 2>/dev/null
}}

_fermata() {{
  local IFS=$'\n' cur=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local command='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${{COMP_WORDS[i]}}" in
{}    esac
  done
  COMPREPLY=()
  case "$command $before" in
{}  esac
  if [[ $cur == -* ]]; then
    case "$command" in
{}    esac
    return
  fi
  case "$command" in
{}  esac
}}

complete -o filenames -F _fermata fermata
)",
                     cases.commands, cases.values, cases.options, cases.arguments);
}

// --- zsh -----------------------------------------------------------------------------------------

std::string zsh_escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (char c : text) {
    if (special.find(c) != special.npos) out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(std::string_view value) {
  if (value == "SESSION") return "_fermata_sessions";
  if (value == "FOLDER") return "_files -/";
  if (value == "FILE") return "_files";
  std::string words;
  for (auto& word : words_for_value(value))
    words += (words.empty() ? "" : " ") + word;
  return words.empty() ? " " : "(" + words + ")";
}

std::string zsh_function(const described_command& c) {
  auto name = c.name;
  for (auto& x : name)
    if (x == ' ') x = '_';
  std::string specs;
  for (auto& option : c.options)
    for (auto& option_name : option.names) {
      auto spec = option_name + '[' + zsh_escaped(option.help, "[]:\\") + ']';
      if (!option.value.empty())
        spec += ':' + zsh_escaped(option.value, ":") + ':' + zsh_action(option.value);
      specs += " \\\n    " + in_single_quotes(spec);
    }
  if (c.commands.empty()) {
    for (auto& argument : c.arguments)
      specs += " \\\n    " + in_single_quotes((&argument == &c.arguments.back() ? "*:" : ":") +
                                              zsh_escaped(argument.value, ":") + ':' +
                                              zsh_action(argument.value));
    return fmt::format("_{}() {{\n  _arguments{}\n}}\n", name, specs);
  }
  std::string commands, branches, functions;
  for (auto& sub : c.commands) {
    auto word = std::string{last_word(sub)};
    commands += "\n    " + in_single_quotes(word + ':' + zsh_escaped(sub.help, ":\\"));
    branches += fmt::format("      {}) _{}_{} ;;\n", word, name, word);
    functions += zsh_function(sub) + '\n';
  }
  auto takes_file = !c.arguments.empty() && names_file(c.arguments.front().value);
  return functions + fmt::format(R"(_{0}() {{
  local curcontext="$curcontext" state line
  local -a commands
  commands=({1}
  )
  _arguments -C{2} \
    '1: :->command' '*:: :->rest'
  case $state in
    command)
      _describe command commands{3}
      ;;
    rest)
      case $words[1] in
{4}      esac
      ;;
  esac
}}
)",
                                 name, commands, specs, takes_file ? "\n      _files" : "",
                                 branches);
}

std::string zsh_script(const described_command& program) {
  return R"(#compdef fermata
# Completion of fermata for zsh, made by `fermata completion zsh`.

_fermata_sessions() {
  local -a names
  names=(${FERMATA_HOME:-$HOME/.fermata}/sessions/*(N/:t))
  compadd -a names
}

)" + zsh_function(program) +
         R"(
# Autoloaded, the file is the function; sourced, it is registered.
if [ "$funcstack[1]" = _fermata ]; then
  _fermata "$@"
else
  compdef _fermata fermata
fi
)";
}

// --- fish ----------------------------------------------------------------------------------------

/// When the commands of `c` are completed, or (`inside`) what follows it.
std::string fish_condition(const described_command& c) {
  auto words = std::string{command_words(c)};
  if (words.empty()) return "__fish_use_subcommand";
  std::string condition;
  for (std::size_t at = 0; at < words.size();) {
    auto end = std::min(words.find(' ', at), words.size());
    condition += (condition.empty() ? "" : "; and ") +
                 ("__fish_seen_subcommand_from " + words.substr(at, end - at));
    at = end + 1;
  }
  if (c.commands.empty()) return condition;
  condition += "; and not __fish_seen_subcommand_from";
  for (auto& sub : c.commands)
    condition += ' ' + std::string{last_word(sub)};
  return condition;
}

std::string fish_values(std::string_view value) {
  if (value == "FILE") return " -F";
  if (value == "FOLDER") return " -f -a '(__fish_complete_directories)'";
  if (value == "SESSION") return " -f -a '(__fermata_sessions)'";
  std::string words;
  for (auto& word : words_for_value(value))
    words += (words.empty() ? "" : " ") + word;
  return words.empty() ? " -f" : " -f -a " + in_single_quotes(words);
}

/// fish escapes a quote within quotes.
std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + '\'';
}

void add_fish_lines(std::string& out, const described_command& c) {
  auto when = fish_quoted(fish_condition(c));
  for (auto& sub : c.commands)
    out += fmt::format("complete -c fermata -n {} -a {} -d {}\n", when, last_word(sub),
                       fish_quoted(sub.help));
  for (auto& option : c.options) {
    auto line = "complete -c fermata -n " + when;
    for (auto& name : option.names)
      line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    line += " -d " + fish_quoted(option.help);
    if (!option.value.empty()) line += " -r" + fish_values(option.value);
    out += line + '\n';
  }
  for (auto& argument : c.arguments)
    out += "complete -c fermata -n " + when + fish_values(argument.value) + '\n';
  for (auto& sub : c.commands)
    add_fish_lines(out, sub);
}

std::string fish_script(const described_command& program) {
  std::string out = R"(# Completion of fermata for fish, made by `fermata completion fish`.

function __fermata_sessions
    set -l home $FERMATA_HOME
    test -n "$home"; or set home ~/.fermata
    command ls -1 $home/sessions 2>/dev/null
end

complete -c fermata -f
)";
  add_fish_lines(out, program);
  return out;
}

}  // namespace

std::string completion_script(std::string_view shell, const described_command& program) {
  if (shell == "bash") return bash_script(program);
  if (shell == "zsh") return zsh_script(program);
  return fish_script(program);
}

}  // namespace fermata::app
