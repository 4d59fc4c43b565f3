#include "core/lang/evaluation/bind.hpp"
#include "core/lang/reference/reference.hpp"
#include "core/lang/value/environment.hpp"
#include "core/lang/value/form_spec.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/commands/commands_definitions.hpp"
#include "core/session/commands/help_topic.hpp"

// `:help` and what else explains.

namespace fermata {

namespace {

std::string all_commands() {
  std::string text =
      "Type an expression to evaluate it, // to send a message to your assistant, or a command:\n";
  std::string_view topic;
  for (auto& row : command_table()) {
    if (row.topic != topic) {
      topic = row.topic;
      text += '\n' + std::string{topic} + '\n';
    }
    auto head = "  :" + std::string{row.name} +
                (row.arguments.empty() ? "" : ' ' + std::string{row.arguments});
    head.resize(std::max<std::size_t>(head.size() + 2, 34), ' ');
    text += head + std::string{row.help} + '\n';
  }
  text += "\n`:help COMMAND` or `:help FORM` shows details; `:help topics` lists the other topics.";
  return text;
}

std::string all_topics() {
  std::string text;
  for (auto& t : help_topics()) {
    auto head = "  " + std::string{t.name};
    head.resize(std::max<std::size_t>(head.size() + 2, 20), ' ');
    text += head + std::string{t.title} + '\n';
  }
  text += "reference tables:";
  for (auto& name : reference_topic_names())
    text += ' ' + name;
  return text;
}

std::string help_on(const command_spec& row) {
  auto text = usage(row) + '\n' + std::string{row.help};
  for (auto& o : row.options) {
    auto head = "  " + typed(o) + (o.value.empty() ? "" : ' ' + std::string{o.value});
    head.resize(std::max<std::size_t>(head.size() + 2, 24), ' ');
    text += '\n' + head + std::string{o.help};
  }
  if (!row.aliases.empty()) {
    text += "\nalso:";
    for (auto alias : row.aliases)
      text += " :" + std::string{alias};
  }
  return text + "\nexample: " + std::string{row.example};
}

/// Commands that begin with this word: `:help session`.
std::string help_on_family(std::string_view word) {
  std::string text;
  for (auto row : command_family(word))
    text += (text.empty() ? "" : "\n") + usage(*row) + "\n    " + std::string{row->help};
  return text;
}

std::string help_on(const std::string& name, const binding& b) {
  return name + " is " + describe_kind(b.bound) + ", defined by\n" + b.source;
}

bool has_help(const std::string& word, const session_state& s) {
  return find_command(word) || !command_family(word).empty() || find_form(word) ||
         find_help_topic(word) || find_reference_topic(word) || s.env->bindings.contains(word);
}

/// `:help note?` is `note?` as it was typed: help on `note`, or on `even?` where that is a name.
std::string asked_for(std::string word, const session_state& s) {
  while (word.size() > 1 && word.back() == '?') {
    auto bare = word.substr(0, word.size() - 1);
    if (!has_help(bare, s) && has_help(word, s)) break;
    word = std::move(bare);
  }
  return word;
}

command_outcome help(const command_call& c) {
  command_outcome outcome;
  if (c.given.rest.empty()) {
    outcome.output = all_commands();
    return outcome;
  }
  auto word = asked_for(c.given.rest, c.state);
  auto bare = word.front() == ':' ? word.substr(1) : word;
  if (bare == "topics") {
    outcome.output = all_topics();
    return outcome;
  }
  // A word may name a command, a form and a topic; help shows all of them.
  auto add = [&outcome](std::string text) {
    outcome.output += (outcome.output.empty() ? "" : "\n\n") + std::move(text);
  };
  if (auto row = find_command(bare)) add(help_on(*row));
  if (auto family = help_on_family(bare); !family.empty()) add(family);
  if (auto form = find_form(word)) add(form_help(*form));
  if (auto topic = find_help_topic(word)) add(to_text(*topic));
  auto& own = c.state.env->bindings;
  if (auto it = own.find(word); it != own.end()) add(help_on(it->first, it->second));
  if (outcome.output.empty())
    if (auto table = find_reference_topic(word)) add(reference_text(*table));
  if (outcome.output.empty()) {
    auto tables = reference_topic_names();
    std::vector<std::string_view> names{tables.begin(), tables.end()};
    for (auto& r : command_table())
      names.push_back(r.name);
    for (auto name : form_names())
      names.push_back(name);
    for (auto& t : help_topics())
      names.push_back(t.name);
    for (auto& [name, unused] : own)
      names.push_back(name);
    auto guess = nearest(bare, names);
    return refused("no help on `" + word + '`',
                   guess ? "Did you mean `" + *guess + "`?"
                         : "`:help` lists the commands, `:help topics` the topics.");
  }
  return outcome;
}

command_outcome doc(const command_call& c) {
  auto& word = c.given.rest;
  command_outcome outcome;
  if (auto form = find_form(word))
    outcome.output = form_help(*form);
  else if (auto it = c.state.env->bindings.find(word); it != c.state.env->bindings.end())
    outcome.output = help_on(it->first, it->second);
  else
    return refused("unknown form or definition `" + word + '`',
                   "`:doc` describes forms and your definitions; `:help` lists commands.");
  return outcome;
}

command_outcome explain(const command_call& c) {
  auto& word = c.given.args.front();
  command_outcome outcome;
  if (auto row = find_error(word)) {
    outcome.output = std::string{row->name} + ": " + std::string{row->summary} + '\n' +
                     std::string{row->explanation};
    outcome.output += "\nexample: " + std::string{row->example} + '\n' + error_look(*row);
    outcome.output.pop_back();
    return outcome;
  }
  std::vector<std::string_view> names;
  for (auto& row : error_table())
    names.push_back(row.name);
  auto guess = nearest(word, names);
  return refused("unknown error code `" + word + '`',
                 guess ? "Did you mean `:explain " + *guess + "`?"
                       : "The code is the word before the colon in an error message.");
}

command_outcome quit(const command_call&) {
  command_outcome outcome;
  outcome.recorded = false;
  outcome.effect.kind = turn_effect::kind_t::quit;
  return outcome;
}

command_outcome clear(const command_call&) {
  command_outcome outcome;
  outcome.recorded = false;
  outcome.effect.kind = turn_effect::kind_t::clear_screen;
  return outcome;
}

}  // namespace

std::vector<command_spec> help_commands() {
  constexpr std::string_view topic = "Help";
  return {
      {.name = "help",
       .aliases = {"h", "?"},
       .arguments = "[COMMAND|FORM|TOPIC|NAME]",
       .most_arguments = -1,
       .help = "Lists the commands, or explains a command, form, topic or definition; "
               "`?note` and `note?` do the same.",
       .example = ":help history",
       .topic = topic,
       .run = help},
      {.name = "doc",
       .arguments = "NAME",
       .least_arguments = 1,
       .most_arguments = -1,
       .help = "Describes a form, or shows how a name was defined.",
       .example = ":doc note",
       .topic = topic,
       .run = doc},
      {.name = "whos",
       .aliases = {"who"},
       .arguments = "[WORD]",
       .most_arguments = 1,
       .help =
           "Lists your definitions: name, kind, value or size, and the defining entry. With WORD, "
           "only names that contain it.",
       .example = ":whos",
       .topic = topic,
       .back = searches_history::aside,
       .run = list_definitions},
      {.name = "explain",
       .arguments = "CODE",
       .least_arguments = 1,
       .most_arguments = 1,
       .help = "Explains an error: why it happens and what to do.",
       .example = ":explain overfull-measure",
       .topic = topic,
       .run = explain},
      {.name = "clear",
       .aliases = {"cls"},
       .help = "Clears the screen.",
       .example = ":clear",
       .topic = topic,
       .scope = command_scope::front_end,
       .run = clear},
      {.name = "quit",
       .aliases = {"q", "exit"},
       .help = "Saves everything and exits.",
       .example = ":quit",
       .topic = topic,
       .scope = command_scope::front_end,
       .run = quit},
  };
}

}  // namespace fermata
