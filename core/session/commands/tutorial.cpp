#include "core/session/commands/tutorial.hpp"

#include "core/lang/syntax/token.hpp"
#include "core/lang/value/music.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/timeline/text_match.hpp"

#include <algorithm>
#include <utility>

namespace fermata {

namespace {

const eval_entry* evaluated_well(const history_entry& e) {
  auto eval = std::get_if<eval_entry>(&e.kind);
  return eval && !eval->failure ? eval : nullptr;
}

/// A command that went well, by whichever of its names.
bool is_command(const history_entry& e, std::string_view name) {
  auto command = std::get_if<command_entry>(&e.kind);
  return command && command->ok && command_of(command->text) == find_command(name);
}

bool mentions(const eval_entry& e, std::string_view word) {
  return e.text.find(word) != std::string::npos;
}

bool is_music(const std::optional<value>& v) { return v && v->as_music(); }

/// A name of the session that stands for music is used within a form, and not only defined.
bool uses_named_music(const eval_entry& e, const session_state& after) {
  bool in_form = false, defines = false;
  for (std::size_t at = 0; at < e.text.size();) {
    auto t = next_token(e.text, at);
    at = std::max(t.span.end, at + 1);
    if (t.kind == token_kind::open) in_form = true;
    if (t.kind != token_kind::word) continue;
    auto word = e.text.substr(t.span.begin, t.span.end - t.span.begin);
    auto is_target = std::exchange(defines, word == "def" || word == "defn");
    auto bound = after.env->bindings.find(word);
    if (in_form && !is_target && bound != after.env->bindings.end() &&
        bound->second.bound.as_music())
      return true;
  }
  return false;
}

bool wrote_music(const history_entry& e, const session_state&) {
  auto eval = evaluated_well(e);
  return eval && is_music(eval->output);
}
bool used_a_result(const history_entry& e, const session_state&) {
  auto eval = evaluated_well(e);
  return eval && is_music(eval->output) &&
         (mentions(*eval, "$Out") || mentions(*eval, "$In") || mentions(*eval, "%"));
}
bool defined_a_name(const history_entry& e, const session_state& after) {
  auto eval = evaluated_well(e);
  if (!eval) return false;
  auto is_named_music = [](auto& change) { return change.after && change.after->bound.as_music(); };
  auto& changes = eval->env_change.bindings;
  // The same definition once more changes nothing.
  return std::any_of(changes.begin(), changes.end(), is_named_music) ||
         (mentions(*eval, "(def motif ") && after.env->bindings.contains("motif"));
}
bool used_the_name(const history_entry& e, const session_state& after) {
  auto eval = evaluated_well(e);
  return eval && uses_named_music(*eval, after);
}
/// Writing in one line what is shown in several is correct, too.
bool took_several_lines(const history_entry& e, const session_state& after) {
  auto eval = evaluated_well(e);
  if (!eval) return false;
  return mentions(*eval, "\n") || (is_music(eval->output) && uses_named_music(*eval, after) &&
                                   (mentions(*eval, "(seq ") || mentions(*eval, "(par ")));
}
bool made_a_mistake(const history_entry& e, const session_state&) {
  return std::holds_alternative<eval_entry>(e.kind) && is_failure(e);
}
bool asked_why(const history_entry& e, const session_state&) { return is_command(e, "explain"); }
bool wrote_a_measure(const history_entry& e, const session_state&) {
  auto eval = evaluated_well(e);
  if (!eval || eval->delta.empty()) return false;
  for (auto word : {"measure", "(part ", "(score ", "(bar)", "#p\"", "(phrase "})
    if (mentions(*eval, word)) return true;
  return false;
}
bool looked_at_the_staff(const history_entry& e, const session_state&) {
  auto command = std::get_if<command_entry>(&e.kind);
  return command && (is_command(e, "score") || is_command(e, "set") || is_command(e, "display")) &&
         command->text.find("staff") != std::string::npos;
}
/// Also where there is nothing to play on.
bool played_it(const history_entry& e, const session_state&) {
  auto command = std::get_if<command_entry>(&e.kind);
  return command && command_of(command->text) == find_command("play");
}
bool took_it_back(const history_entry& e, const session_state&) { return is_command(e, "undo"); }
bool said_something(const history_entry& e, const session_state&) {
  return std::holds_alternative<user_message_entry>(e.kind);
}
bool looked_back(const history_entry& e, const session_state&) { return is_command(e, "history"); }

}  // namespace

const std::vector<tutorial_step>& tutorial_steps() {
  static const std::vector<tutorial_step> steps{
      {"A note",
       "Music is written as forms in parentheses: first the kind, then its contents. c4 is "
       "middle C,\n:q a quarter note.",
       "(note c4 :q)", wrote_music, "Type the form with both parentheses."},
      {"Numbered results",
       "Every result follows Out and a number, and keeps that number: $Out[1] is the first one.\n"
       "% is the most recent one. Transpose it up a major third.",
       "(transpose M3 %)", used_a_result, "Use transpose and % (or $Out[1])."},
      {"A name", "Give a motif a name. Tab completes names as you type.",
       "(def motif (seq (note g4 :8) (note g4 :8) (note g4 :8) (note eb4 :h)))", defined_a_name,
       "Write (def NAME MUSIC)."},
      {"Using it", "Names can be used inside any form. Play the motif backwards.",
       "(retrograde motif)", used_the_name,
       "Use the name inside another form, such as (retrograde motif). `:tutorial 3` shows how "
       "to define motif."},
      {"Several lines",
       "An expression may span several lines: press Enter in the middle and keep typing. The\n"
       "arrow keys move between its lines.",
       "(seq motif\n  (transpose -M2 motif))", took_several_lines,
       "Press Enter before the last parenthesis."},
      {"A mistake", "Mistakes do no harm. Make one: misspell the name of a form.", "(nte c4 :q)",
       made_a_mistake, "That worked. This time, make a mistake."},
      {"Explaining errors",
       "The word after Err is an error code. `:explain` explains it; `:help` and Alt-h explain "
       "forms.",
       ":explain unknown-form", asked_why, "Lines that start with a colon are commands."},
      {"The score",
       "Notation that you type enters the session's score; names and functions only show "
       "their\nvalue, and (add motif) enters it. Write a measure now.",
       "(measure (note c4 :q) (note e4 :q) (note g4 :h))", wrote_a_measure,
       "The form is called measure and contains notes."},
      {"Viewing the score", "The score can be shown as text or on a staff.", ":score --staff",
       looked_at_the_staff, "`:score` alone shows text; add --staff."},
      {"Hearing it",
       "`:play` plays the score. Space on an empty line pauses, Ctrl-C stops. `:midi devices` "
       "lists the\n"
       "playback devices.",
       ":play", played_it, "Type :play."},
      {"Undoing", "`:undo` undoes the last change, `:redo` redoes it.", ":undo", took_it_back,
       "Type :undo."},
      {"Talking",
       "Two slashes start a message to your assistant. Replies are announced by a badge in the\n"
       "prompt and shown when you next press Enter.",
       "// what would you do next?", said_something, "Start the line with //."},
      {"History", "Everything is recorded in the history, with its number.", ":history",
       looked_back, "Type :history."},
  };
  return steps;
}

std::string tutorial_text(std::size_t index) {
  auto& steps = tutorial_steps();
  auto& step = steps[index];
  auto text = std::to_string(index + 1) + " of " + std::to_string(steps.size()) + ": " +
              std::string{step.title} + '\n' + joined_lines(step.text) + "\n\n    ";
  for (char c : step.try_this)
    text += c == '\n' ? std::string{"\n    "} : std::string{c};
  return text + '\n';
}

std::string tutorial_farewell() {
  return "That was the tutorial. `:help` lists the commands, `:help TOPIC` explains a topic, and "
         "`:examples` has pieces to try. You are back in your own session; what you did is in the "
         "session `tutorial`.";
}

}  // namespace fermata
