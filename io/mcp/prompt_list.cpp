#include "io/mcp/prompt_list.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace json = boost::json;

namespace fermata::io::mcp {

namespace {

using protocol::arguments;
using protocol::field;

constexpr field session_argument{.name = "session", .doc = "session (default: the active one)"};
constexpr field measures_argument{.name = "measures", .doc = "such as 9-16; default: all"};
constexpr field part_argument{.name = "part",
                              .doc = "part id, name, number or instrument; default: all"};

/// "measures 9-16 of part Violin I in session bach"
std::string passage(const arguments& a) {
  std::string out =
      a.has("measures") ? fmt::format("measures {}", a.text("measures")) : "the score";
  if (a.has("part")) out += fmt::format(" of part {}", a.text("part"));
  if (a.has("session")) out += fmt::format(" in session {}", a.text("session"));
  return out;
}

constexpr field analyse_arguments[] = {measures_argument, part_argument, session_argument};
std::string analyse(const arguments& a) {
  return fmt::format(
      "Analyse {} in Fermata. Read it with repl_get_score, and look at the last entries of "
      "repl_get_history for what the user was aiming at. Compute before you claim: use "
      "repl_eval_preview with (find-key ...), (chords-in ...), (roman-numerals ...) and "
      "(cadences-in ...). Then describe form, key areas, harmony with roman numerals by measure, "
      "cadences, and what is unusual, quoting measure numbers. Say what is computed and what is "
      "your reading. Send the gist to the user with repl_send_message.",
      passage(a));
}

constexpr std::string_view styles[] = {"chorale", "species", "free"};
constexpr field voice_leading_arguments[] = {
    measures_argument,
    {.name = "style", .doc = "chorale, species or free; default: chorale", .choices = styles},
    session_argument};
std::string check_voice_leading(const arguments& a) {
  return fmt::format(
      "Check the voice leading of {} in Fermata by the rules of {} writing. Read the measures with "
      "repl_get_measures, compute (voice-leading-faults ...) with repl_eval_preview, and add what "
      "only a reader sees (awkward leaps, unresolved leading notes, doublings, range). List each "
      "fault with measure, beat, voices and the smallest change that fixes it. Where a change is "
      "clear, offer it with repl_propose, one proposal per fault, passing the revision as "
      "expect_rev.",
      passage(a), a.has("style") ? a.text("style") : styles[0]);
}

constexpr field harmonise_arguments[] = {
    {.name = "part", .doc = "the part that holds the melody", .required = true},
    measures_argument,
    {.name = "style", .doc = "such as chorale, jazz, folk; default: chorale"},
    session_argument};
std::string harmonise(const arguments& a) {
  return fmt::format(
      "Harmonise the melody in {} in Fermata, in the style of a {}. Read it with repl_get_score, "
      "find its key with (find-key ...) in repl_eval_preview, choose chords and give their roman "
      "numerals, then write the other voices as Fermata expressions. Try them with "
      "repl_eval_preview, check them with (voice-leading-faults ...), and propose the result with "
      "repl_propose. Explain the choices that matter in a message to the user.",
      passage(a), a.has("style") ? a.text("style") : std::string_view{"chorale"});
}

constexpr field explain_arguments[] = {
    {.name = "what",
     .doc = "a chord, a passage, a term, or an entry of the timeline",
     .required = true},
    {.name = "level", .doc = "of the user, such as beginner; default: student"},
    session_argument};
std::string explain(const arguments& a) {
  return fmt::format(
      "Explain {} to the user at the level of a {}{}. Ground it in what is in the session: look it "
      "up with repl_get_score or repl_get_history, compute what can be computed with "
      "repl_eval_preview, and show short Fermata expressions that the user can try.",
      a.text("what"), a.has("level") ? a.text("level") : std::string_view{"student"},
      a.has("session") ? fmt::format(" (Fermata session {})", a.text("session")) : std::string{});
}

constexpr field summarise_arguments[] = {
    {.name = "since", .doc = "a time or an age such as 2h; default: everything"}, session_argument};
std::string summarise(const arguments& a) {
  return fmt::format(
      "Summarise the work in Fermata{}{}. Page through repl_get_history, read the score as it is "
      "now "
      "with repl_get_score, and write: what was made, which ideas were tried and dropped, what was "
      "decided and why, what is open. Refer to entries by their numbers and to measures by theirs. "
      "Where the session has a notebook, add the summary to it; else send it with "
      "repl_send_message.",
      a.has("session") ? fmt::format(" session {}", a.text("session")) : std::string{},
      a.has("since") ? fmt::format(" since {}", a.text("since")) : std::string{});
}

constexpr prompt prompt_rows[] = {
    {"analyse_passage", "Analyse a passage",
     "Keys, roman numerals, cadences and form of some measures.", analyse_arguments, analyse},
    {"check_voice_leading", "Check voice leading",
     "Voice-leading errors, each with the smallest fix.", voice_leading_arguments,
     check_voice_leading},
    {"harmonise", "Harmonise a melody", "Chords and voices for a melody, as a proposal.",
     harmonise_arguments, harmonise},
    {"explain", "Explain", "A lesson on something in the session.", explain_arguments, explain},
    {"summarise_session", "Summarise the session", "What was made, tried, decided and left open.",
     summarise_arguments, summarise},
};

}  // namespace

std::span<const prompt> prompts() { return prompt_rows; }

const prompt* find_prompt(std::string_view name) {
  for (const auto& row : prompt_rows)
    if (row.name == name) return &row;
  return nullptr;
}

const std::string& prompt_list() {
  static const auto text = [] {
    json::array out;
    for (const auto& row : prompt_rows) {
      json::array arguments;
      for (const auto& a : row.arguments)
        arguments.push_back(
            json::object{{"name", a.name}, {"description", a.doc}, {"required", a.required}});
      out.push_back(json::object{{"name", row.name},
                                 {"title", row.title},
                                 {"description", row.doc},
                                 {"arguments", std::move(arguments)}});
    }
    return json::serialize(out);
  }();
  return text;
}

}  // namespace fermata::io::mcp
