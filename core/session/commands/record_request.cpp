#include "core/session/commands/record_request.hpp"

#include "core/score/model/measure_names.hpp"
#include "core/score/model/walk.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "core/session/commands/score_selection.hpp"
#include "core/session/timeline/score_text.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace fermata {

namespace {

/// Of a metronome: longer than anyone plays at once, and short enough to be prepared at once.
constexpr int most_measures = 1'000;
/// Quarter notes a minute of music without a tempo, also when it is played.
constexpr double usual_tempo = 120;
/// The meters in which takes can be transcribed.
constexpr std::array<std::pair<int, int>, 7> meters{
    {{2, 4}, {3, 4}, {4, 4}, {5, 4}, {6, 8}, {9, 8}, {12, 8}}};

tl::unexpected<error> wrong(std::string message, std::string advice) {
  return fail({errc::out_of_range, std::move(message), std::nullopt, std::move(advice)});
}

result<time_signature> meter_called(const std::string& text) {
  for (auto [beats, type] : meters)
    if (text == std::to_string(beats) + '/' + std::to_string(type))
      return time_signature{{{{beats}, type}}, {}, {}};
  return wrong("--meter " + text + " is not supported",
               "Give 2/4, 3/4, 4/4, 5/4, 6/8, 9/8 or 12/8.");
}

/// That of the last measure of the score, if takes can be transcribed in it.
time_signature meter_to_go_on_in(const score& s) {
  time_signature usual;
  auto longest = longest_part(s);
  if (!longest || longest->measures.empty()) return usual;
  auto last = time_in_force(*longest, longest->measures.size() - 1).value_or(usual);
  if (last.fractions.size() != 1 || last.fractions.front().beats.size() != 1) return usual;
  auto& f = last.fractions.front();
  auto found = std::find(meters.begin(), meters.end(), std::pair{f.beats.front(), f.beat_type});
  return found == meters.end() ? usual : last;
}

/// Measures without notes.
score_ptr measures_of_rest(const time_signature& meter, int count) {
  measure first;
  attributes a;
  a.times.push_back({std::nullopt, meter, {}});
  first.items.push_back({measure_position{}, a});
  measure other;
  chord_rest silence;
  silence.length = measure_length(meter);
  note n;
  n.tone = rest{.whole_measure = true};
  silence.notes.push_back(n);
  first.items.push_back({measure_position{}, silence});
  other.items.push_back({measure_position{}, silence});
  part p;
  p.measures.push_back(std::make_shared<const measure>(first));
  auto shared = std::make_shared<const measure>(other);
  for (int i = 1; i < count; ++i)
    p.measures.push_back(shared);
  auto s = *empty_score();
  s.parts = {std::make_shared<const part>(std::move(p))};
  s.part_list = {std::size_t{0}};
  return std::make_shared<const score>(std::move(s));
}

result<std::optional<int>> count_of_measures(const command_call& c) {
  auto text = c.given.option("measures");
  if (!text) return std::optional<int>{};
  auto count = parse_number(*text);
  if (!count) return fail(count.error());
  if (*count < 1 || *count > most_measures)
    return wrong("--measures " + *text + " is out of range",
                 "Give a number of measures from 1 to " + std::to_string(most_measures) + '.');
  return std::optional{static_cast<int>(*count)};
}

result<playback::passage> click_track(const command_call& c, std::optional<int> count,
                                    playback::play_options& how) {
  auto meter = meter_to_go_on_in(*c.state.score);
  if (auto text = c.given.option("meter")) {
    auto given = meter_called(*text);
    if (!given) return fail(given.error());
    meter = *given;
  }
  if (auto text = c.given.option("tempo")) {
    auto tempo = parse_decimal(*text);
    if (!tempo || !(*tempo >= 20 && *tempo <= 500))
      return wrong("--tempo " + *text + " is out of range",
                   "Give quarter notes per minute, from 20 to 500.");
    how.tempo = *tempo / usual_tempo;
  }
  // After a count-in one may want to play alone.
  how.metronome = c.given.has("metronome") || !c.given.has("count-in");
  playback::passage p;
  p.name = "a metronome";
  p.score = measures_of_rest(meter, count.value_or(most_measures));
  return p;
}

/// The score, while it is played along with.
result<playback::passage> accompaniment(const command_call& c, std::optional<int> count,
                                        recording::start& what) {
  auto& s = *c.state.score;
  auto longest = longest_part(s);
  auto last = longest ? static_cast<int>(longest->measures.size()) : 0;
  if (last == 0)
    return wrong("the score is empty", "`:record --metronome` records to a metronome.");
  playback::passage p;
  p.name = "the score";
  p.score = c.state.score;
  std::pair range{1, count.value_or(last)};
  if (auto punch = c.given.option("punch")) {
    auto selected = select_in_score(s, {*punch}, "--punch MEASURES");
    if (!selected) return fail(selected.error());
    if (!selected->measures)
      return wrong("--punch needs measures", "For example: `:record --punch 5-8`.");
    range = *selected->measures;
    if (count) range.second = range.first + *count - 1;
    if (what.part.empty()) {
      if (s.parts.size() > 1)
        return wrong("--punch needs a part", "Name the part to be recorded: `:record PART --punch "
                                             "5-8`.");
      what.part = s.parts.front()->id;
    }
    // What is to be replaced is not heard.
    p.muted = {what.part};
  }
  if (range.first > last)
    return fail({errc::no_such_target, "these measures do not exist", std::nullopt,
                 "The last one is measure " +
                     printed_number(*longest, static_cast<std::size_t>(last - 1)) + '.'});
  range.second = std::min(range.second, last);
  p.range = range;
  what.replaces = range;
  return p;
}

}  // namespace

result<recording::start> record_request(const command_call& c) {
  recording::start what;
  auto& given = c.given;
  if (!given.args.empty()) {
    auto part = the_part_called(*c.state.score, given.args.front());
    if (!part) return fail(part.error());
    what.part = c.state.score->parts[*part]->id;
  }
  auto count = count_of_measures(c);
  if (!count) return fail(count.error());
  auto plays_score = given.has("overdub") || given.has("punch");
  for (auto option : {"tempo", "meter"})
    if (plays_score && given.has(option))
      return wrong(std::string{"--"} + option + " is for a metronome",
                   "With --overdub and --punch, those of the score apply.");
  if (given.options.empty()) return what;
  playback::play with;
  with.options.count_in = given.has("count-in");
  with.options.metronome = given.has("metronome");
  auto passage = plays_score ? accompaniment(c, *count, what) : click_track(c, *count, with.options);
  if (!passage) return fail(passage.error());
  passage->may_be_silent = true;
  with.passages.push_back(std::move(*passage));
  what.with = std::move(with);
  return what;
}

}  // namespace fermata
