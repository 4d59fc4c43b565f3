#include "core/lang/syntax/token.hpp"
#include "core/lang/value/letter_case.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/commands/suppressed_output.hpp"
#include "core/shortened.hpp"

#include <algorithm>

// Taking command lines apart, and making help out of the table.

namespace fermata {

namespace {

/// Words of a line; double quotes hold blanks together, `\"` and `\\` stand for themselves in them.
/// With `expressions`, so do brackets.
result<std::vector<std::string>> words_of(std::string_view text, bool expressions) {
  std::vector<std::string> words;
  std::size_t i = 0;
  while (true) {
    i = find_no_blank(text, i);
    if (i == text.npos) return words;
    std::string word;
    bool quoted = false;
    int depth = 0;
    auto begin = i;
    for (; i < text.size() && (quoted || depth > 0 || blank_length(text, i) == 0); ++i) {
      if (expressions && !quoted)
        depth += text[i] == '(' || text[i] == '[' || text[i] == '{'   ? 1
                 : text[i] == ')' || text[i] == ']' || text[i] == '}' ? -1
                                                                      : 0;
      if (text[i] == '"')
        quoted = !quoted;
      else if (quoted && text[i] == '\\' && i + 1 < text.size())
        word += text[++i];
      else
        word += text[i];
    }
    if (quoted)
      return fail({errc::unclosed_delimiter, "unterminated string", source_span{begin, text.size()},
                   "Add the closing \"."});
    words.push_back(std::move(word));
  }
}

struct found_command {
  const command_spec* spec = nullptr;
  std::size_t length = 0;  ///< of the name in the text
};

/// The command that the text begins with; names of two words before those of one.
found_command command_at(std::string_view text) {
  auto first = std::min(find_blank(text), text.size());
  auto next = find_no_blank(text, first);
  if (next != text.npos) {
    auto second = std::min(find_blank(text, next), text.size());
    auto both =
        std::string{text.substr(0, first)} + ' ' + std::string{text.substr(next, second - next)};
    if (auto spec = find_command(both)) return {spec, second};
  }
  return {find_command(text.substr(0, first)), first};
}

bool takes_expression(const command_spec& spec) { return spec.arguments.starts_with("EXPRESSION"); }

enum class names_of { all, harmless };

std::vector<std::string_view> all_names(names_of which = names_of::all) {
  std::vector<std::string_view> names;
  for (auto& row : command_table()) {
    if (row.destructive && which == names_of::harmless) continue;
    names.push_back(row.name);
    names.insert(names.end(), row.aliases.begin(), row.aliases.end());
  }
  return names;
}

/// Whether this is a name of two words, of which `word` is the first.
bool begins_with_word(std::string_view name, std::string_view word) {
  return name.size() > word.size() && name.starts_with(word) && name[word.size()] == ' ';
}

/// The second words of commands that begin with this one: new, list, ... of `:session`, and of
/// `:s`.
std::vector<std::string_view> family_of(std::string_view word, names_of which = names_of::all) {
  std::vector<std::string_view> seconds;
  for (auto name : all_names(which))
    if (begins_with_word(name, word)) seconds.push_back(name.substr(word.size() + 1));
  return seconds;
}

error unknown_command(std::string_view text) {
  auto word = std::string{text.substr(0, find_blank(text))};
  if (auto family = family_of(word); !family.empty()) {
    auto second = without_blanks(text.substr(word.size()));
    second = second.substr(0, find_blank(second));
    std::string all;
    // Other words for the same only make the list longer.
    for (auto row : command_family(word)) {
      auto name = row->name;
      name.remove_prefix(name.find(' ') + 1);
      all += (all.empty() ? "" : ", ") + std::string{name};
    }
    auto guess = nearest(second, family_of(word, names_of::harmless));
    auto typed_name = word + (second.empty() ? "" : " ") + std::string{second};
    return {errc::unknown_name,
            "unknown command `:" + typed_name + "`; `:" + word + "` takes one of " + all,
            std::nullopt,
            guess ? "Did you mean `:" + word + ' ' + *guess + "`?"
                  : "`:help " + word + "` shows them."};
  }
  // `:Help`, `::help`
  auto plain = in_small_letters(text);
  plain.erase(0, std::min(plain.find_first_not_of(": \t"), plain.size()));
  if (plain.empty())
    return {errc::unknown_name, "missing command name after the colon", std::nullopt,
            "`:help` lists all commands."};
  if (auto [spec, length] = command_at(plain); spec && plain != text)
    return {errc::unknown_name, "unknown command `:" + word + "`", std::nullopt,
            "Did you mean `:" + plain.substr(0, length) + "`?"};
  auto guess = nearest(word, all_names(names_of::harmless));
  return {errc::unknown_name, "unknown command `:" + word + "`", std::nullopt,
          guess ? "Did you mean `:" + *guess + "`?" : "`:help` lists all commands."};
}

const command_option* option_of(const command_spec& spec, std::string_view name) {
  auto it = std::find_if(spec.options.begin(), spec.options.end(),
                         [name](auto& o) { return o.name == name; });
  return it == spec.options.end() ? nullptr : &*it;
}

error wrong(const command_spec& spec, errc code, std::string message) {
  return {code, std::move(message), std::nullopt, "Usage: " + usage(spec)};
}

error unknown_option(const command_spec& spec, const std::string& name) {
  std::vector<std::string_view> names;
  // What goes without a question is typed in full.
  for (auto& o : spec.options)
    if (!o.destructive) names.push_back(o.name);
  auto guess = nearest(name, names);
  return wrong(spec, errc::unknown_keyword,
               "`:" + std::string{spec.name} + "` has no option --" + name +
                   (guess ? "; did you mean --" + *guess + "?" : ""));
}

/// The first word of a name without quotes that looks like an option: `--yes`. A dash between words
/// is none.
std::string option_in(std::string_view name) {
  if (name.starts_with('"')) return {};
  for (std::size_t at = 0; (at = name.find("--", at)) != name.npos; at += 2) {
    auto begins = at == 0 || blank_length(name, at - 1) > 0;
    auto next = at + 2 < name.size() ? name[at + 2] : ' ';
    if (begins && next >= 'a' && next <= 'z')
      return std::string{name.substr(at, find_blank(name, at) - at)};
  }
  return {};
}

error option_in_name(const command_spec& spec, const std::string& option) {
  return {errc::unknown_keyword, "`:" + std::string{spec.name} + "` has no option " + option,
          std::nullopt,
          "If it is part of the name, quote it: :" + std::string{spec.name} + " \"" + option +
              "\""};
}

error one_too_many(const command_spec& spec, const std::string& word) {
  auto e = wrong(spec, errc::wrong_argument_count,
                 "unexpected argument `" + word + "` to `:" + std::string{spec.name} + '`');
  e.diagnostics.front().hint += "\nQuote names that contain spaces: \"like this\".";
  return e;
}

/// A shell takes them for quotes.
bool has_single_quotes(std::string_view text) {
  auto begin = text.find(" '");
  return begin != text.npos && text.find('\'', begin + 2) != text.npos;
}

result<void> take_option(parsed_command& parsed, const std::vector<std::string>& words,
                         std::size_t& i) {
  auto& spec = *parsed.spec;
  auto name = words[i].substr(2);
  std::optional<std::string> value;
  if (auto equals = name.find('='); equals != name.npos) {
    value = name.substr(equals + 1);
    name.resize(equals);
  }
  auto option = option_of(spec, name);
  if (!option) return fail(unknown_option(spec, name));
  if (option->value.empty() && value)
    return fail(wrong(spec, errc::wrong_argument_count, typed(*option) + " takes no value"));
  if (!option->value.empty() && !value) {
    if (i + 1 == words.size())
      return fail(wrong(spec, errc::wrong_argument_count,
                        typed(*option) + " needs " + std::string{option->value}));
    value = words[++i];
  }
  parsed.options[std::string{option->name}].push_back(value.value_or(""));
  return {};
}

}  // namespace

std::optional<std::string> parsed_command::option(std::string_view name) const {
  auto it = options.find(name);
  return it == options.end() ? std::nullopt : std::optional{it->second.back()};
}

const std::vector<command_spec>& command_table() {
  static const auto table = [] {
    std::vector<command_spec> rows;
    for (auto family :
         {help_commands, learning_commands, history_commands, editing_commands, score_commands,
          playback_commands, recording_commands, file_commands, proposal_commands, branch_commands,
          session_commands, session_folder_commands, setting_commands}) {
      auto more = family();
      rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
  }();
  return table;
}

const command_spec* find_command(std::string_view name) {
  for (auto& row : command_table())
    if (row.name == name ||
        std::find(row.aliases.begin(), row.aliases.end(), name) != row.aliases.end())
      return &row;
  return nullptr;
}

std::vector<const command_spec*> command_family(std::string_view word) {
  std::vector<const command_spec*> rows;
  auto belongs = [word](std::string_view name) { return begins_with_word(name, word); };
  for (auto& row : command_table())
    if (belongs(row.name) || std::any_of(row.aliases.begin(), row.aliases.end(), belongs))
      rows.push_back(&row);
  return rows;
}

const command_spec* command_of(std::string_view line) {
  if (line.starts_with(':')) line.remove_prefix(1);
  return command_at(without_suppressor(line)).spec;
}

std::string_view without_suppressor(std::string_view command) {
  auto text = without_blanks(command);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '"')
      quoted = !quoted;
    else if (quoted && text[i] == '\\')
      ++i;
  while (!quoted && text.ends_with(';'))
    text = without_blanks(text.substr(0, text.size() - 1));
  return text;
}

bool suppresses_command_output(std::string_view command) {
  auto spec = command_of(command);
  return spec && !takes_expression(*spec) && without_blanks(command).ends_with(';') &&
         without_suppressor(command) != without_blanks(command);
}

std::string typed(const command_option& o) {
  return (o.name.size() == 1 ? "-" : "--") + std::string{o.name};
}

std::string usage(const command_spec& c) {
  auto text = ':' + std::string{c.name};
  if (!c.arguments.empty()) text += ' ' + std::string{c.arguments};
  for (auto& o : c.options)
    text += " [" + typed(o) + (o.value.empty() ? "" : ' ' + std::string{o.value}) + ']';
  return text;
}

result<parsed_command> parse_command(std::string_view given) {
  auto text = without_suppressor(given);
  auto [spec, length] = command_at(text);
  if (!spec) return fail(unknown_command(text));
  if (takes_expression(*spec)) text = without_blanks(given);
  parsed_command parsed;
  parsed.spec = spec;
  parsed.text = ':' + std::string{without_blanks(given)};
  parsed.rest = std::string{without_blanks(text.substr(length))};
  // Free text (an expression) is not taken apart.
  if (spec->most_arguments < 0 && spec->options.empty()) {
    if (auto option = option_in(parsed.rest); !option.empty() && !takes_expression(*spec))
      return fail(option_in_name(*spec, option));
    if (!parsed.rest.empty()) parsed.args.push_back(parsed.rest);
  } else {
    auto may_be_expression = spec->arguments.find("EXPRESSION") != spec->arguments.npos;
    auto words = words_of(text.substr(length), may_be_expression);
    if (!words) return fail(words.error());
    for (std::size_t i = 0; i < words->size(); ++i) {
      auto& word = (*words)[i];
      // `-o FILE` is usual for a file to write.
      if (word == "-o" && option_of(*spec, "o")) word = "--o";
      if (word.size() > 2 && word.substr(0, 2) == "--") {
        if (auto taken = take_option(parsed, *words, i); !taken) return fail(taken.error());
      } else {
        parsed.args.push_back(word);
      }
    }
  }
  auto count = static_cast<int>(parsed.args.size());
  if (count < spec->least_arguments)
    return fail(wrong(*spec, errc::wrong_argument_count,
                      "`:" + std::string{spec->name} + "` needs " +
                          (spec->least_arguments == 1 ? "an argument" : "more arguments")));
  if (count > 0 && spec->most_arguments == 0 && !family_of(text.substr(0, length)).empty())
    return fail(unknown_command(text));
  if (spec->most_arguments >= 0 && count > spec->most_arguments)
    return fail(one_too_many(*spec, parsed.args[static_cast<std::size_t>(spec->most_arguments)]));
  return parsed;
}

command_outcome refused(std::string message, std::string_view advice) {
  command_outcome outcome;
  outcome.ok = false;
  outcome.output = shortened(message);
  if (!advice.empty()) outcome.output += '\n' + shortened(advice);
  return outcome;
}

command_outcome refused(const error& e) { return refused(e.first().message, e.first().hint); }

command_line read_command(std::string text) {
  auto parsed = parse_command(text);
  return {std::move(text), std::move(parsed)};
}

command_outcome run_command(const command_line& line, const session_state& s,
                            const entry_source& source, timestamp now, output_options options,
                            const other_open_sessions& others) {
  auto& parsed = line.parsed;
  auto outcome = parsed ? parsed->spec->run({s, now, source, *parsed, options, others})
                        : refused(parsed.error());
  if (!outcome.ok && has_single_quotes(line.text))
    outcome.output += "\nUse double quotes; single quotes have no meaning here.";
  return outcome;
}

command_outcome run_command(std::string_view text, const session_state& s,
                            const entry_source& source, timestamp now, output_options options,
                            const other_open_sessions& others) {
  return run_command(read_command(std::string{text}), s, source, now, options, others);
}

std::string command_reference() {
  std::string page =
      "# Commands\n\nA line that starts with a colon is a command. A `;` at its end hides what it "
      "prints; quote a name that ends\nin one. This page is generated from the command table.\n";
  std::string_view topic;
  for (auto& row : command_table()) {
    if (row.topic != topic) {
      topic = row.topic;
      page += "\n## " + std::string{topic} + "\n";
    }
    page += "\n### `" + usage(row) + "`\n\n" + std::string{row.help} + "\n";
    if (!row.aliases.empty()) {
      page += "\nAlso written";
      for (auto& alias : row.aliases)
        page += (&alias == &row.aliases.front() ? " `:" : ", `:") + std::string{alias} + '`';
      page += ".\n";
    }
    if (!row.options.empty()) {
      page += "\n| option | meaning |\n|---|---|\n";
      for (auto& o : row.options)
        page += "| `" + typed(o) + (o.value.empty() ? "" : ' ' + std::string{o.value}) + "` | " +
                std::string{o.help} + " |\n";
    }
    page += "\nExample: `" + std::string{row.example} + "`\n";
  }
  return page;
}

}  // namespace fermata
