#include "core/lang/value/form_spec.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "core/session/commands/example_piece.hpp"
#include "core/session/commands/tutorial.hpp"

#include <algorithm>

// `:tutorial` and `:examples`.

namespace fermata {

namespace {

command_outcome tutorial(const command_call& c) {
  command_outcome outcome;
  outcome.recorded = false;
  outcome.effect.kind = turn_effect::kind_t::tutorial;
  if (c.given.args.empty()) return outcome;
  auto& word = c.given.args.front();
  if (word != "skip" && word != "off" && word != "restart") {
    auto step = parse_number(word);
    auto last = static_cast<std::int64_t>(tutorial_steps().size());
    if (!step || *step < 1 || *step > last)
      return refused("`" + word + "` is not a step of the tutorial",
                     "Steps are 1 to " + std::to_string(last) +
                         "; `skip` moves on, `restart` starts over, `off` leaves.");
  }
  outcome.effect.argument = word;
  return outcome;
}

std::string list_of_examples() {
  std::string text;
  for (auto& piece : example_pieces()) {
    auto line = "  " + std::string{piece.name};
    line.resize(std::max<std::size_t>(line.size() + 2, 18), ' ');
    text += line + std::string{piece.title} + '\n';
  }
  return text + "`:examples NAME` shows one; add --insert to put it on the input line or --run to "
                "evaluate it.\nForm names work too: `:examples tuplet`.";
}

command_outcome examples(const command_call& c) {
  command_outcome outcome;
  bool run = c.given.has("run"), insert = c.given.has("insert");
  if (run && insert)
    return refused("--run and --insert cannot be used together", "Use one of them.");
  if (c.given.args.empty()) {
    if (run || insert)
      return refused("which example?", "Put a name before the option; `:examples` lists them.");
    outcome.output = list_of_examples();
    return outcome;
  }
  auto& name = c.given.args.front();
  std::string text;
  if (auto piece = find_example_piece(name)) {
    text = piece->text;
  } else if (auto form = find_form(name)) {
    if (form->example.empty())
      return refused("no example for `" + name + '`', "`:doc " + name + "` shows its arguments.");
    text = form->example;
  } else {
    std::vector<std::string_view> names;
    for (auto& p : example_pieces())
      names.push_back(p.name);
    for (auto& f : form_table())
      names.push_back(f.name);
    auto guess = nearest(name, names);
    return refused("unknown example `" + name + '`',
                   guess ? "Did you mean `" + *guess + "`?" : "`:examples` lists them.");
  }
  if (insert) {
    outcome.recorded = false;
    outcome.effect = {turn_effect::kind_t::insert, std::move(text)};
  } else if (run) {
    outcome.requested_effect = evaluation_effect{text, c.source, std::nullopt, text, false};
  } else {
    outcome.output = std::move(text);
  }
  return outcome;
}

}  // namespace

std::vector<command_spec> learning_commands() {
  constexpr std::string_view topic = "Help";
  return {
      {.name = "tutorial",
       .arguments = "[STEP|skip|restart|off]",
       .most_arguments = 1,
       .help = "A ten-minute tutorial, in a session of its own; resumes where you left off.",
       .example = ":tutorial",
       .topic = topic,
       .scope = command_scope::front_end,
       .run = tutorial},
      {.name = "examples",
       .aliases = {"example"},
       .arguments = "[NAME|FORM]",
       .most_arguments = 1,
       .options = {{"run", "", "evaluates it"},
                   {"insert", "", "puts it on the input line for editing"}},
       .help = "Lists example pieces, or shows one, or an example of a form.",
       .example = ":examples minuet",
       .topic = topic,
       .run = examples},
  };
}

}  // namespace fermata
