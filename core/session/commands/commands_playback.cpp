#include "core/lang/syntax/token.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "core/session/commands/passage_selection.hpp"
#include "core/session/commands/score_selection.hpp"
#include "core/session/commands/words_outside_brackets.hpp"
#include "core/session/proposals/proposals.hpp"
#include "core/session/proposals/rebased_proposal.hpp"
#include "core/session/timeline/affected_ranges.hpp"
#include "core/session/timeline/measure_range.hpp"
#include "core/session/timeline/score_text.hpp"

#include <algorithm>

// Playback and MIDI devices.

namespace fermata {

namespace {

constexpr std::string_view delta_sign = "\u0394", proposal_word = "proposal";

command_outcome asking_for(playback::request what) {
  command_outcome outcome;
  outcome.requested_effect = playback_effect{std::move(what)};
  return outcome;
}

// --- what is played ------------------------------------------------------------------------------

/// The words before the first option, as typed; if an option comes first, what follows the options.
std::vector<std::string_view> words_that_name_music(const command_call& c) {
  auto words = words_outside_brackets(c.given.rest);
  words.erase(std::find_if(words.begin(), words.end(), [](auto w) { return w.starts_with("--"); }),
              words.end());
  if (words.empty()) words.assign(c.given.args.begin(), c.given.args.end());
  return words;
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (auto w : words)
    text += (text.empty() ? "" : " ") + std::string{w};
  return text;
}

/// `In[3]` and `Out[3]` may be written without their sign.
bool is_history_reference(std::string_view text) {
  if (text.starts_with('$')) text.remove_prefix(1);
  return (text.starts_with("In[") || text.starts_with("Out[")) && text.ends_with(']');
}

/// The text of `$In[3]`, to be evaluated again: its value would be an expression, which has no
/// sound. Empty: it is not the input of an entry of this session.
result<std::string> text_of_input(std::string_view reference, const session_state& s) {
  constexpr std::string_view sign = "$In[";
  if (!reference.starts_with(sign)) return std::string{};
  auto number = parse_number(reference.substr(sign.size(), reference.size() - sign.size() - 1));
  if (!number) return std::string{};
  if (*number < 0) *number += s.history.next_index();
  auto e = *number > 0 ? s.history.at(*number) : nullptr;
  if (!e)
    return fail({errc::no_such_entry, "no such entry: " + std::string{reference}, std::nullopt,
                 "`:history` lists the entries."});
  auto eval = std::get_if<eval_entry>(&e->kind);
  if (!eval)
    return fail({errc::no_such_entry, "entry " + std::to_string(*number) + " is not an expression",
                 std::nullopt, "`:history` lists the entries."});
  return eval->text;
}

/// Whether this is an expression and no part and no measures.
bool is_expression(std::string_view text, const session_state& s) {
  if (text.empty()) return false;
  if (std::string_view{"([<'{#"}.find(text.front()) != text.npos) return true;
  if (text.starts_with('$') || is_history_reference(text)) return true;
  return s.env->bindings.contains(text) &&
         !select_in_score(*s.score, {std::string{text}}, {})->measures &&
         !the_part_called(*s.score, std::string{text});
}

std::string measures_name(const score& s, std::pair<int, int> range) {
  auto number = [&](int position) {
    auto longest = longest_part(s);
    auto last = longest ? static_cast<int>(longest->measures.size()) : 0;
    auto index = static_cast<std::size_t>(std::clamp(position, 1, std::max(last, 1)) - 1);
    return longest ? printed_number(*longest, index) : std::to_string(position);
  };
  auto first = number(range.first), last = number(range.second);
  return first == last ? "measure " + first : "measures " + first + "-" + last;
}

result<playback::passage> passage_of_score(const command_call& c,
                                           const std::vector<std::string>& args) {
  auto& s = *c.state.score;
  auto selected = select_in_score(s, args, usage(*c.given.spec));
  if (!selected) return fail(selected.error());
  playback::passage p;
  p.score = c.state.score;
  p.follows_edits = true;
  p.range = selected->measures;
  p.name = p.range ? measures_name(s, *p.range) : "the score";
  auto longest = longest_part(s);
  auto last = longest ? static_cast<int>(longest->measures.size()) : 0;
  if (p.range && p.range->first > last) {
    auto& word = args.front() == selected->part ? args.back() : args.front();
    return fail({errc::no_such_target, "measure " + word + " does not exist", std::nullopt,
                 last == 0
                     ? "The score is empty."
                     : "The last one is measure " +
                           printed_number(*longest, static_cast<std::size_t>(last - 1)) + '.'});
  }
  if (selected->part) {
    auto part = the_part_called(s, *selected->part);
    if (!part) return fail(part.error());
    p.only.push_back(s.parts[*part]->id);
    p.name = *selected->part + (p.range ? ", " + p.name : std::string{});
  }
  return p;
}

/// The score with a proposal, and where it differs from the score without it.
struct compared_scores {
  score_ptr before, after;
  std::optional<std::pair<int, int>> changed_before, changed_after;
};

std::optional<std::pair<int, int>> range_touched(const score_delta& d, const score& s) {
  std::optional<std::pair<int, int>> range;
  auto longest = longest_part(s);
  auto last = longest ? static_cast<int>(longest->measures.size()) : 0;
  for (auto& stretch : touched(d)) {
    if (stretch.first > last) continue;
    auto end = std::min(stretch.last, last);
    if (!range) range = {stretch.first, end};
    range->first = std::min(range->first, stretch.first);
    range->second = std::max(range->second, end);
  }
  return range;
}

result<compared_scores> scores_of(const proposal& p, const session_state& s) {
  compared_scores found;
  auto delta = p.delta;
  auto now = p.state == proposal::state_t::open ? rebase(p, s) : std::nullopt;
  if (now) {
    found.before = s.score;
    found.after = now->score;
    delta = now->delta;
  } else {
    found.before = original_score(p, s);
    found.after = proposed_score(p, s);
  }
  if (!found.before || !found.after)
    return fail({errc::no_such_entry,
                 "the score on which proposal " + std::to_string(p.number) +
                     " is based is no longer available",
                 std::nullopt, "`:diff " + std::to_string(p.number) + "` shows its changes."});
  found.changed_after = range_touched(delta, *found.after);
  found.changed_before = range_touched(inverted(delta), *found.before);
  return found;
}

result<playback::passage> passage_of_proposal(const command_call& c, std::string_view digits) {
  auto number = parse_number(digits);
  if (!number) return fail(number.error());
  auto p = find_proposal(c.state, *number);
  if (!p)
    return fail({errc::no_such_entry, "no such proposal: " + std::string{digits}, std::nullopt,
                 "`:proposals` lists them."});
  auto scores = scores_of(*p, c.state);
  if (!scores) return fail(scores.error());
  playback::passage passage;
  passage.name = "proposal " + std::string{digits};
  passage.score = scores->after;
  passage.range = scores->changed_after;
  return passage;
}

// --- :play ---------------------------------------------------------------------------------------

std::vector<std::string> named_in(const command_call& c, std::string_view option) {
  auto given = c.given.options.find(option);
  return given == c.given.options.end() ? std::vector<std::string>{} : given->second;
}

/// A part or measures, and no form.
bool may_be_selection(std::string_view word) {
  return word.find_first_of("([{'\"#$<") == word.npos && !is_history_reference(word);
}

result<playback::passage> passage_of_expression(const command_call& c, std::string_view text) {
  playback::passage p;
  p.name = text;
  p.expression = text;
  if (!is_history_reference(text)) return p;
  if (!text.starts_with('$')) p.expression.insert(0, 1, '$');
  auto input = text_of_input(p.expression, c.state);
  if (!input) return fail(input.error());
  if (!input->empty()) p.expression = std::move(*input);
  return p;
}

/// `words`: the part and the measures that follow what is played.
result<playback::passage> with_selection(const command_call& c, result<playback::passage> p,
                                         const std::vector<std::string_view>& words) {
  if (!p) return p;
  p->selection = {{words.begin(), words.end()},
                  c.given.option("from").value_or(""),
                  named_in(c, "solo"),
                  named_in(c, "mute")};
  if (!words.empty()) p->name += ", " + joined(words);
  // Of a proposal, what it changes, unless measures are named.
  auto names_measures = !words.empty() || !p->selection.from.empty();
  if (p->score && !p->follows_edits && names_measures) p->range.reset();
  return p;
}

result<playback::passage> chosen_passage(const command_call& c) {
  auto words = words_that_name_music(c);
  auto rest_from = [&](std::size_t first) {
    return std::vector<std::string_view>{
        words.begin() + static_cast<std::ptrdiff_t>(std::min(first, words.size())), words.end()};
  };
  if (!words.empty() && words[0].starts_with(delta_sign))
    return with_selection(c, passage_of_proposal(c, words[0].substr(delta_sign.size())),
                          rest_from(1));
  if (words.size() > 1 && words[0] == proposal_word)
    return with_selection(c, passage_of_proposal(c, words[1]), rest_from(2));
  auto rest = rest_from(1);
  auto has_one_form = std::all_of(rest.begin(), rest.end(), may_be_selection);
  auto text = words.empty() ? std::string{} : has_one_form ? std::string{words[0]} : joined(words);
  if (is_expression(text, c.state))
    return with_selection(c, passage_of_expression(c, text),
                          has_one_form ? rest : std::vector<std::string_view>{});
  return with_selection(c, passage_of_score(c, c.given.args), {});
}

command_outcome play(const command_call& c) {
  auto passage = chosen_passage(c);
  if (!passage) return refused(passage.error());
  playback::play what;
  auto& given = c.given;
  what.options.loop = given.has("loop");
  what.options.count_in = given.has("count-in");
  what.options.metronome = given.has("metronome");
  what.options.exact = given.has("exact");
  if (auto tempo = given.option("tempo")) {
    auto factor = parse_tempo(*tempo);
    if (!factor) return refused(factor.error());
    what.options.tempo = *factor;
  }
  // The score of an expression is not known until it is evaluated.
  if (passage->score) {
    if (auto selected = select_in_passage(*passage, *passage->score); !selected)
      return refused(selected.error());
    if (given.has("from") && passage->follows_edits)
      passage->name = measures_name(*passage->score, *passage->range);
  }
  what.passages.push_back(std::move(*passage));
  return asking_for(std::move(what));
}

command_outcome hear(const command_call& c) {
  auto p = chosen_proposal(c, false);
  if (!p) return refused(p.error());
  auto scores = scores_of(**p, c.state);
  if (!scores) return refused(scores.error());
  if (!scores->changed_after && !scores->changed_before)
    return refused("proposal " + std::to_string((*p)->number) + " has no audible changes");
  playback::play what;
  auto add = [&](std::string name, const score_ptr& s, std::optional<std::pair<int, int>> range) {
    if (!range) return;
    playback::passage passage;
    passage.name = std::move(name) + ", " + measures_name(*s, *range);
    passage.score = s;
    passage.range = range;
    what.passages.push_back(std::move(passage));
  };
  add("before", scores->before, scores->changed_before);
  add("after", scores->after, scores->changed_after);
  return asking_for(std::move(what));
}

// --- while it plays ------------------------------------------------------------------------------

command_outcome pause(const command_call&) { return asking_for(playback::pause{}); }
command_outcome resume(const command_call&) { return asking_for(playback::resume{}); }
command_outcome stop(const command_call&) { return asking_for(playback::stop{}); }

command_outcome seek(const command_call& c) {
  return asking_for(playback::seek{c.given.args.front()});
}

command_outcome tempo(const command_call& c) {
  if (c.given.args.empty()) return asking_for(playback::change_tempo{});
  auto factor = parse_tempo(c.given.args.front());
  if (!factor) return refused(factor.error());
  return asking_for(playback::change_tempo{*factor});
}

command_outcome tap(const command_call&) {
  command_outcome outcome;
  outcome.output = "Tap with the space bar; Enter takes the tempo, Ctrl-C gives it up.";
  outcome.effect.kind = turn_effect::kind_t::tap;
  return outcome;
}

command_outcome switch_metronome(const command_call& c) {
  auto on = parse_switch(c.given.args.front());
  if (!on) return refused(on.error());
  return asking_for(playback::change_metronome{*on});
}

// --- devices -------------------------------------------------------------------------------------

command_outcome devices(const command_call&) { return asking_for(playback::list_devices{}); }

command_outcome connect(const command_call& c) {
  if (c.given.args.front().empty())
    return refused("empty device name", "`:midi devices` lists the devices.");
  return asking_for(playback::connect{c.given.args.front()});
}

command_outcome disconnect(const command_call&) { return asking_for(playback::connect{}); }

command_outcome default_device(const command_call& c) {
  return asking_for(
      playback::change_default{c.given.args.empty() ? std::string{} : c.given.args.front()});
}

command_outcome panic(const command_call&) { return asking_for(playback::panic{}); }

}  // namespace

std::vector<command_spec> playback_commands() {
  constexpr std::string_view topic = "Playback";
  return {
      {.name = "play",
       .arguments = "[PART | EXPRESSION | In[N] | Out[N] | proposal N] [MEASURES]",
       .most_arguments = -1,
       .options = {{"from", "MEASURE", "start at this measure; with --loop, repeat from it"},
                   {"loop", "", "repeat until it is stopped"},
                   {"tempo", "PERCENT", "slower or faster: 80%, 150%"},
                   {"solo", "PART", "only this part; may be given several times"},
                   {"mute", "PART", "without this part; may be given several times"},
                   {"count-in", "", "a measure of clicks first"},
                   {"metronome", "", "a click at each beat"},
                   {"exact", "", "as written, without ornaments, swing and ritardandos"}},
       .help =
           "Plays the score, a part, the music of an expression or an entry, or the score with a "
           "proposal; all of it, or some measures (5, 5-8, 6-, -4, in a score also a rehearsal "
           "mark). Edits are heard from the next measure on. Space on an empty line pauses, Ctrl-C "
           "stops.",
       .example = ":play 1-2 --tempo 80%",
       .topic = topic,
       .back = searches_history::in_turn,
       .run = play},
      {.name = "hear",
       .arguments = "[N]",
       .most_arguments = 1,
       .help = "Plays the measures that a proposal changes, before and after the change.",
       .example = ":hear 1",
       .topic = topic,
       .back = searches_history::in_turn,
       .run = hear},
      {.name = "pause",
       .help = "Pauses playback.",
       .example = ":pause",
       .topic = topic,
       .run = pause},
      {.name = "resume",
       .help = "Continues where playback was paused.",
       .example = ":resume",
       .topic = topic,
       .run = resume},
      {.name = "stop",
       .help = "Stops playback, and ends the recording of this session.",
       .example = ":stop",
       .topic = topic,
       .run = stop},
      {.name = "seek",
       .arguments = "MEASURE",
       .least_arguments = 1,
       .most_arguments = 1,
       .help = "Continues playback at another measure, or at a rehearsal mark.",
       .example = ":seek 1",
       .topic = topic,
       .run = seek},
      {.name = "tempo",
       .arguments = "[PERCENT]",
       .most_arguments = 1,
       .help = "Shows or changes the tempo of what is playing, in percent of the written one. The "
               "score does not change.",
       .example = ":tempo 80%",
       .topic = topic,
       .run = tempo},
      {.name = "tap",
       .help = "Finds a tempo from taps on the space bar; Enter writes it in the input line as a "
               "tempo mark, "
               "Ctrl-C gives it up.",
       .example = ":tap",
       .topic = topic,
       .run = tap},
      {.name = "metronome",
       .arguments = "on|off",
       .least_arguments = 1,
       .most_arguments = 1,
       .help = "Starts or ends clicks at each beat of what is playing.",
       .example = ":metronome on",
       .topic = topic,
       .run = switch_metronome},
      {.name = "midi devices",
       .help = "Lists playback devices: MIDI ports and the synthesizer.",
       .example = ":midi devices",
       .topic = topic,
       .run = devices},
      {.name = "midi connect",
       .arguments = "DEVICE",
       .least_arguments = 1,
       .most_arguments = 1,
       .help = "Plays this session on a device, given by its id, its name or a part of it. The "
               "session remembers it.",
       .example = ":midi connect synth",
       .topic = topic,
       .run = connect},
      {.name = "midi disconnect",
       .help = "Plays this session on the default device again.",
       .example = ":midi disconnect",
       .topic = topic,
       .run = disconnect},
      {.name = "midi default",
       .arguments = "[DEVICE]",
       .most_arguments = 1,
       .help = "Shows or changes the device of all sessions that are not connected to one: "
               "`midi-device` in config.toml.",
       .example = ":midi default",
       .topic = topic,
       .run = default_device},
      {.name = "midi panic",
       .aliases = {"panic"},
       .help = "Ends every note that sounds or might sound, on all channels.",
       .example = ":midi panic",
       .topic = topic,
       .run = panic},
  };
}

}  // namespace fermata
