#include "core/music/name_match.hpp"
#include "core/session/command.hpp"
#include "core/session/command_arguments.hpp"
#include "core/session/score_text.hpp"

#include <algorithm>

// The score, as text.

namespace fermata {

namespace {

result<std::string> display_of(const parsed_command& given) {
  std::string display = "fermata";
  for (auto& [name, values] : given.options) {
    if (display != "fermata")
      return fail({errc::wrong_argument_count,
                   "--" + display + " and --" + name + " exclude each other", std::nullopt,
                   "Give one of them."});
    display = name;
  }
  return display;
}

bool names_a_part(const score& s, std::string_view name) {
  return std::any_of(s.parts.begin(), s.parts.end(), [&](auto& p) { return is_called(*p, name); });
}

/// What is drawn or converted is not done here: it takes what lies beyond the core.
command_outcome view(const command_call& c, std::string display,
                     const std::optional<std::string>& part,
                     std::optional<std::pair<int, int>> measures) {
  // The same words for parts and measures that are not there.
  if (auto text = score_text(*c.state.score, part, measures); !text)
    return refused(text.error().first().message, text.error().first().hint);
  view_wish wish;
  wish.display = std::move(display);
  wish.score = c.state.score;
  wish.measures = measures;
  std::string ids;
  auto named = 0;
  for (std::size_t i = 0; part && i < c.state.score->parts.size(); ++i) {
    auto& p = *c.state.score->parts[i];
    if (same_name(p.id, *part)) {
      wish.part = i;
      named = 1;
      break;
    }
    if (!same_name(p.name, *part)) continue;
    if (!wish.part) wish.part = i;
    ids += (ids.empty() ? "" : ", ") + p.id;
    ++named;
  }
  if (named > 1)
    return refused("several parts are called `" + *part + "`: " + ids,
                   "Call one by this id; without a part all are shown.");
  command_outcome outcome;
  outcome.wish = std::move(wish);
  return outcome;
}

command_outcome show_score(const command_call& c) {
  std::optional<std::string> part;
  std::optional<std::pair<int, int>> measures;
  for (auto& given : c.given.args) {
    // A number or a range means measures, everything else a part, unless there is only a rehearsal
    // mark of that name.
    auto range = names_a_part(*c.state.score, given) ? parse_measures(given)
                                                     : parse_measures(given, *c.state.score);
    if (range && !measures)
      measures = *range;
    else if (!part)
      part = given;
    else
      return refused("`" + given + "` is one part too many",
                     "`:score [PART] [MEASURES]`; a name with blanks stands in quotes.");
  }
  auto display = display_of(c.given);
  if (!display) return refused(display.error().first().message, display.error().first().hint);
  if (*display != "fermata") return view(c, *display, part, measures);
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
       .options = {{"staff", "", "as notes on staves"},
                   {"compact", "", "as phrases where they say the same"},
                   {"summary", "", "in a few words"},
                   {"musicxml", "", "as MusicXML"}},
       .help = "Shows the score as Fermata text, or one part, or some measures: 5, 5-8, a "
               "rehearsal mark.",
       .example = ":score 1",
       .topic = "Score",
       .run = show_score},
  };
}

}  // namespace fermata
