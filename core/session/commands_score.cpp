#include "core/session/command.hpp"
#include "core/session/command_arguments.hpp"
#include "core/session/score_text.hpp"

// The score, as text.

namespace fermata {

namespace {

command_outcome show_score(const command_call& c) {
  std::optional<std::string> part;
  std::optional<std::pair<int, int>> measures;
  for (auto& given : c.given.args) {
    // A number or a range means measures, everything else a part.
    auto range = parse_measures(given);
    if (range && !measures)
      measures = *range;
    else if (!part)
      part = given;
    else
      return refused("`" + given + "` is one part too many",
                     "`:score [PART] [MEASURES]`; a name with blanks stands in quotes.");
  }
  auto text = score_text(*c.state.score, part, measures);
  if (!text) return refused(text.error().first().message, text.error().first().hint);
  command_outcome outcome;
  outcome.output = std::move(*text);
  return outcome;
}

}  // namespace

std::vector<command_spec> score_commands() {
  return {
      {.name = "score",
       .arguments = "[PART] [MEASURES]",
       .most_arguments = 2,
       .help = "Shows the score as Fermata text, or one part, or some measures.",
       .example = ":score 1",
       .topic = "Score",
       .run = show_score},
  };
}

}  // namespace fermata
