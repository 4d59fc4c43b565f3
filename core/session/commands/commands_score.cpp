#include "core/session/commands/command.hpp"
#include "core/session/commands/score_selection.hpp"
#include "core/session/timeline/score_text.hpp"

// The score, as text.

namespace fermata {

namespace {

result<std::string> display_of(const parsed_command& given) {
  std::string display = "fermata";
  for (auto& [name, values] : given.options) {
    if (display != "fermata")
      return fail({errc::wrong_argument_count,
                   "--" + display + " and --" + name + " cannot be used together", std::nullopt,
                   "Use one of them."});
    display = name;
  }
  return display;
}

/// What is drawn or converted is not done here: it takes what lies beyond the core.
command_outcome view(const command_call& c, std::string display,
                     const std::optional<std::string>& part,
                     std::optional<std::pair<int, int>> measures) {
  // The same words for parts and measures that are not there.
  if (auto text = score_text(*c.state.score, part, measures); !text)
    return refused(text.error().first().message, text.error().first().hint);
  view_effect requested_effect;
  requested_effect.display = std::move(display);
  requested_effect.score = c.state.score;
  requested_effect.measures = measures;
  if (part) {
    auto one = the_part_called(*c.state.score, *part);
    if (!one) return refused(one.error());
    requested_effect.part = *one;
  }
  command_outcome outcome;
  outcome.requested_effect = std::move(requested_effect);
  return outcome;
}

command_outcome show_score(const command_call& c) {
  auto selected = select_in_score(*c.state.score, c.given.args, ":score [PART] [MEASURES]");
  if (!selected) return refused(selected.error());
  auto& [part, measures] = *selected;
  auto display = display_of(c.given);
  if (!display) return refused(display.error().first().message, display.error().first().hint);
  // A staff is drawn for eyes; screen readers get the text.
  if (*display == "staff" && c.options.accessible) *display = "fermata";
  if (*display != "fermata" && *display != "compact") return view(c, *display, part, measures);
  auto text =
      score_text(*c.state.score, part, measures,
                 *display == "compact" ? print_style::compact : print_style::explicit_forms);
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
       .options = {{"staff", "", "as notes on staves"},
                   {"compact", "", "as phrases where possible"},
                   {"summary", "", "as a short summary"},
                   {"musicxml", "", "as MusicXML"}},
       .help = "Shows the score, one part or some measures as Fermata text: 5, 5-8, 6-, -4, -2: "
               "for the last two, 0 for a pickup, or a rehearsal mark.",
       .example = ":score 1",
       .topic = "Score",
       .run = show_score},
  };
}

}  // namespace fermata
