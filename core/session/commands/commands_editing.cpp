#include "core/session/commands/command.hpp"
#include "core/session/commands/command_arguments.hpp"

// What was typed, to be typed again.

namespace fermata {

namespace {

/// What was entered as this entry; nothing for words and for what happened by itself.
std::optional<std::string> input_of(const history_entry& e) {
  if (auto eval = std::get_if<eval_entry>(&e.kind)) return eval->text;
  if (auto command = std::get_if<command_entry>(&e.kind)) return command->text;
  return std::nullopt;
}

/// The last expression; `:edit` itself and other commands are passed over.
std::string last_expression(const history& h) {
  // After so many entries without an expression there is nothing to edit.
  constexpr std::int64_t farthest = 1'000;
  for (auto i = h.size(); i > 0 && i > h.size() - farthest; --i)
    if (auto e = h.at(i))
      if (auto eval = std::get_if<eval_entry>(&e->kind); eval && e->source.author == "user")
        return eval->text;
  return {};
}

command_outcome edit(const command_call& c) {
  command_outcome outcome;
  outcome.recorded = false;
  outcome.effect.kind = turn_effect::kind_t::edit;
  if (c.given.args.empty()) {
    outcome.effect.argument = last_expression(c.state.history);
    return outcome;
  }
  auto index = parse_number(c.given.args.front());
  if (!index) return refused(index.error().first().message, "`:edit 5` opens entry 5.");
  auto entry =
      *index > 0 && *index <= c.state.history.size() ? c.state.history.at(*index) : nullptr;
  if (!entry) return refused("no such entry: " + std::to_string(*index), "`:history` lists them.");
  auto input = input_of(*entry);
  if (!input)
    return refused("entry " + std::to_string(*index) + " is not code",
                   "`:history --code` lists entries that are.");
  outcome.effect.argument = std::move(*input);
  return outcome;
}

}  // namespace

std::vector<command_spec> editing_commands() {
  return {
      {.name = "edit",
       .aliases = {"e"},
       .arguments = "[ENTRY]",
       .most_arguments = 1,
       .help = "Opens the last expression, or an entry, in $VISUAL or $EDITOR and puts the result "
               "on the input line.",
       .example = ":edit 1",
       .topic = "Timeline",
       .scope = command_scope::front_end,
       .back = searches_history::in_turn,
       .run = edit},
  };
}

}  // namespace fermata
