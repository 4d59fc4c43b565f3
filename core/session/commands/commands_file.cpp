#include "core/session/commands/command.hpp"

#include <utility>

// Score files: writing the score to one, taking the score of one, running one.

namespace fermata {

namespace {

command_outcome with_file(const command_call& c, score_file_effect::what_t what) {
  command_outcome outcome;
  auto& file = c.given.args.front();
  if (file.empty())
    return refused("empty file name",
                   "For example: :" + std::string{c.given.spec->name} + " song.musicxml");
  outcome.requested_effect = score_file_effect{what, file, c.given.has("yes")};
  return outcome;
}

command_outcome export_score(const command_call& c) {
  return with_file(c, score_file_effect::what_t::export_to);
}

command_outcome import_score(const command_call& c) {
  return with_file(c, score_file_effect::what_t::import_from);
}

command_outcome run_file(const command_call& c) {
  return with_file(c, score_file_effect::what_t::run);
}

}  // namespace

std::vector<command_spec> file_commands() {
  constexpr std::string_view topic = "Files";
  return {
      {.name = "export",
       .arguments = "FILE",
       .least_arguments = 1,
       .most_arguments = 1,
       .options = {{"yes", "", "replace the file if it exists", true}},
       .help = "Writes the score to a file in the format of its extension: .musicxml, .mxl, .mid, "
               ".ly, .ferm. Replaces an existing file only with --yes.",
       .example = ":export song.musicxml",
       .topic = topic,
       .run = export_score},
      {.name = "import",
       .arguments = "FILE",
       .least_arguments = 1,
       .most_arguments = 1,
       .help =
           "Replaces the score with the score of a file (.musicxml, .mxl, .mid, .ferm); `:undo` "
           "restores the old one.",
       .example = ":import song.musicxml",
       .topic = topic,
       .destructive = true,
       .run = import_score},
      {.name = "run",
       .arguments = "FILE",
       .least_arguments = 1,
       .most_arguments = 1,
       .help = "Evaluates a Fermata file in this session: keeps its definitions and adds its music "
               "to the score. An error anywhere leaves the session unchanged; one `:undo` undoes "
               "it all.",
       .example = ":run song.ferm",
       .topic = topic,
       .destructive = true,
       .run = run_file},
  };
}

}  // namespace fermata
