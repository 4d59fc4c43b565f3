#include "core/lang/syntax/reader.hpp"
#include "core/lang/value/literals.hpp"
#include "core/music/instruments.hpp"
#include "core/score/model/part_defaults.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "core/session/timeline/slug.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

// Sessions as folders: copying, putting away, carrying elsewhere; and what a session starts music
// with.

namespace fermata {

namespace {

command_outcome with_effect(manager_effect requested_effect) {
  command_outcome outcome;
  outcome.requested_effect = std::move(requested_effect);
  return outcome;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (auto& w : words)
    text += (text.empty() ? "" : " ") + w;
  return text;
}

command_outcome clone_session(const command_call& c) {
  auto name = unquoted(c.given.rest);
  if (auto wrong = name_too_long(name)) return refused(*wrong);
  return with_effect({.what = manager_effect::what_t::clone, .argument = std::move(name)});
}

command_outcome archive_session(const command_call& c) {
  return with_effect({.what = manager_effect::what_t::archive, .argument = unquoted(c.given.rest)});
}

command_outcome unarchive_session(const command_call& c) {
  return with_effect(
      {.what = manager_effect::what_t::unarchive, .argument = unquoted(c.given.rest)});
}

command_outcome delete_session(const command_call& c) {
  return with_effect({.what = manager_effect::what_t::remove,
                      .argument = joined(c.given.args),
                      .confirmed = c.given.has("yes")});
}

/// The id of a session has neither a dot nor a stroke; a name may.
bool is_file(std::string_view word) { return word.find_first_of("./") != word.npos; }

command_outcome export_session(const command_call& c) {
  auto args = c.given.args;
  auto file = c.given.option("o");
  std::string perhaps;
  if (!file && !args.empty() && is_file(args.back())) {
    perhaps = joined(args);
    file = args.back();
    args.pop_back();
  }
  if (file && file->empty())
    return refused("missing file name",
                   "For example: :session export -o " + c.state.meta.slug + ".fermata");
  return with_effect({.what = manager_effect::what_t::export_to,
                      .argument = joined(args),
                      .file = file.value_or(""),
                      .perhaps = perhaps,
                      .confirmed = c.given.has("yes")});
}

command_outcome import_session(const command_call& c) {
  auto name = joined({c.given.args.begin() + 1, c.given.args.end()});
  if (auto wrong = name_too_long(name)) return refused(*wrong);
  return with_effect({.what = manager_effect::what_t::import_from,
                      .argument = std::move(name),
                      .file = c.given.args.front()});
}

command_outcome reload(const command_call&) {
  command_outcome outcome;
  outcome.requested_effect = reload_effect{};
  return outcome;
}

// --- what music starts with ----------------------------------------------------------------------

/// One thing that a session gives to music that does not say it.
struct default_row {
  std::string_view name, values, help;
  /// Sets it; false: the text is no such thing.
  bool (*set)(score_defaults& d, const std::string& text);
  std::string (*show)(const score_defaults& d);
  void (*reset)(score_defaults& d);
};

std::string hyphenated(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '-');
  return text;
}

bool set_key(score_defaults& d, const std::string& text) {
  auto key = parse_key(hyphenated(text));
  if (key) d.key = *key;
  return key.has_value();
}

std::string show_key(const score_defaults& d) {
  auto key = key_of_new_part(d);
  if (key.mode == mode::none) key.mode = mode::major;
  return to_string(tonic(key)) + '-' + std::string{to_string(key.mode)};
}

bool set_time(score_defaults& d, const std::string& given) {
  // As the form has it: `3 4` is (time 3 4).
  auto text = given;
  if (auto blank = text.find(' '); blank != text.npos) text[blank] = '/';
  auto forms = read(text).forms;
  auto time = forms.size() == 1 ? parse_time(forms.front().datum) : std::nullopt;
  if (!time) {
    auto word = read(':' + text).forms;
    time = word.size() == 1 ? parse_time(word.front().datum) : std::nullopt;
  }
  if (time) d.time = *time;
  return time.has_value();
}

bool set_clef(score_defaults& d, const std::string& text) {
  auto found = find_clef(hyphenated(text));
  if (found) d.clef = *found;
  return found.has_value();
}

std::string show_clef(const score_defaults& d) {
  return std::string{name_of(d.clef).value_or("treble")};
}

bool set_instrument(score_defaults& d, const std::string& text) {
  auto found = find_instrument(hyphenated(text));
  if (!found) found = find_instrument(text);
  if (found) d.instrument = std::string{found->name};
  return found != nullptr;
}

bool set_tempo(score_defaults& d, const std::string& text) {
  double tempo = 0;
  auto end = text.data() + text.size();
  auto [stop, failed] = std::from_chars(text.data(), end, tempo);
  auto good = failed == std::errc{} && stop == end && tempo >= 10 && tempo <= 1'000;
  if (good) d.tempo = tempo;
  return good;
}

std::string show_tempo(const score_defaults& d) {
  auto text = std::to_string(d.tempo);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

constexpr default_row default_rows[] = {
    {"key", "d-major, f#-minor, eb-dorian", "key of new parts", set_key, show_key,
     [](score_defaults& d) { d.key = score_defaults{}.key; }},
    {"time", "3/4, 6/8, common", "metre of new parts", set_time,
     [](const score_defaults& d) { return to_string(d.time); },
     [](score_defaults& d) { d.time = score_defaults{}.time; }},
    {"clef", "treble, bass, alto", "clef of new parts", set_clef, show_clef,
     [](score_defaults& d) { d.clef = score_defaults{}.clef; }},
    {"part", "piano, violin, flute", "instrument of parts created automatically", set_instrument,
     [](const score_defaults& d) { return d.instrument; },
     [](score_defaults& d) { d.instrument = score_defaults{}.instrument; }},
    {"tempo", "quarter notes per minute, 10 to 1000", "tempo when the score has none", set_tempo,
     show_tempo, [](score_defaults& d) { d.tempo = score_defaults{}.tempo; }},
};

command_outcome set_default(const command_call& c) {
  auto& now = c.state.env->defaults;
  command_outcome outcome;
  if (c.given.args.empty()) {
    for (auto& row : default_rows)
      outcome.output += (outcome.output.empty() ? "" : "\n") + std::string{row.name} + " = " +
                        row.show(now) + "   ; " + std::string{row.help} + ": " +
                        std::string{row.values};
    return outcome;
  }
  auto& name = c.given.args.front();
  auto row = std::find_if(std::begin(default_rows), std::end(default_rows),
                          [&](auto& r) { return r.name == name; });
  if (row == std::end(default_rows)) {
    std::vector<std::string_view> names;
    for (auto& r : default_rows)
      names.push_back(r.name);
    auto guess = nearest(name, names);
    return refused("unknown default `" + name + '`',
                   guess ? "Did you mean `" + *guess + "`?"
                         : "Choose key, time, clef, part or tempo.");
  }
  std::vector<std::string> words(c.given.args.begin() + 1, c.given.args.end());
  auto text = joined(words);
  auto next = now;
  if (text.empty()) {
    outcome.output = std::string{row->name} + " = " + row->show(now);
    return outcome;
  }
  if (text == "default")
    row->reset(next);
  else if (!row->set(next, text))
    return refused("invalid " + std::string{row->name} + ": `" + text + '`',
                   "For example: " + std::string{row->values} + "; `default` resets it.");
  outcome.output = std::string{row->name} + " = " + row->show(next);
  if (next != now) outcome.env_change.defaults = before_after<score_defaults>{now, next};
  return outcome;
}

}  // namespace

std::vector<command_spec> session_folder_commands() {
  constexpr std::string_view topic = "Sessions";
  return {
      {.name = "session set",
       .aliases = {"s set"},
       .arguments = "[key|time|clef|part|tempo] [VALUE]",
       .most_arguments = 1'000,
       .help = "Lists or changes this session's defaults for key, time, clef, part and tempo; the "
               "value `default` resets one.",
       .example = ":session set key d minor",
       .topic = topic,
       .run = set_default},
      {.name = "session clone",
       .aliases = {"s clone", "session copy", "s copy"},
       .arguments = "[NAME]",
       .most_arguments = -1,
       .help = "Copies this session with its timeline and switches to the copy.",
       .example = ":session clone Another ending",
       .topic = topic,
       .scope = command_scope::manager,
       .run = clone_session},
      {.name = "session archive",
       .aliases = {"s archive"},
       .arguments = "[SESSION]",
       .most_arguments = -1,
       .help = "Archives a session, by default this one; nothing is lost.",
       .example = ":session archive",
       .topic = topic,
       .scope = command_scope::manager,
       .destructive = true,
       .run = archive_session},
      {.name = "session unarchive",
       .aliases = {"s unarchive"},
       .arguments = "SESSION",
       .least_arguments = 1,
       .most_arguments = -1,
       .help = "Restores a session from the archive.",
       .example = ":session unarchive session-1",
       .topic = topic,
       .scope = command_scope::manager,
       .run = unarchive_session},
      {.name = "session delete",
       .aliases = {"s delete", "session rm", "s rm"},
       .arguments = "[SESSION]",
       .most_arguments = 1'000,
       .options = {{"yes", "", "without confirmation", true}},
       .help = "Moves a session to the trash, by default this one.",
       .example = ":session delete session-1 --yes",
       .topic = topic,
       .scope = command_scope::manager,
       .destructive = true,
       .run = delete_session},
      {.name = "session export",
       .aliases = {"s export"},
       .arguments = "[SESSION] [FILE]",
       .most_arguments = 1'000,
       .options = {{"o", "FILE", "output file (default: SESSION.fermata)"},
                   {"yes", "", "overwrite an existing file", true}},
       .help = "Writes a session with its timeline to one file, by default this session.",
       .example = ":session export sketch.fermata",
       .topic = topic,
       .scope = command_scope::manager,
       .run = export_session},
      {.name = "session import",
       .aliases = {"s import"},
       .arguments = "FILE [NAME]",
       .least_arguments = 1,
       .most_arguments = 1'000,
       .help = "Imports a session from an exported file and switches to it.",
       .example = ":session import sketch.fermata",
       .topic = topic,
       .scope = command_scope::manager,
       .run = import_session},
      {.name = "session reload",
       .aliases = {"s reload", "reload"},
       .help = "Loads external edits of score.ferm as one change.",
       .example = ":reload",
       .topic = topic,
       .destructive = true,
       .run = reload},
  };
}

}  // namespace fermata
