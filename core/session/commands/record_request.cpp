#include "core/session/commands/record_request.hpp"

#include "core/score/analysis/unfold.hpp"
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
#include <vector>

namespace fermata {

namespace {

constexpr int most_measures = 1'000;
/// Of a metronome that goes on until `:stop`: they are repeated.
constexpr int endless_measures = 100;
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

bool is_supported(const time_signature& t) {
  if (t.fractions.size() != 1 || t.fractions.front().beats.size() != 1) return false;
  auto& f = t.fractions.front();
  return std::find(meters.begin(), meters.end(), std::pair{f.beats.front(), f.beat_type}) !=
         meters.end();
}

/// That of the last measure of the score, if takes can be transcribed in it.
time_signature meter_to_go_on_in(const score& s) {
  time_signature usual;
  auto longest = longest_part(s);
  if (!longest || longest->measures.empty()) return usual;
  auto last = time_in_force(*longest, longest->measures.size() - 1).value_or(usual);
  return is_supported(last) ? last : usual;
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

/// That of --meter, or of the end of the score.
result<time_signature> wanted_meter(const command_call& c) {
  if (auto text = c.given.option("meter")) return meter_called(*text);
  return meter_to_go_on_in(*c.state.score);
}

result<playback::passage> click_track(const command_call& c, std::optional<int> count,
                                      playback::play_options& how) {
  auto meter = wanted_meter(c);
  if (!meter) return fail(meter.error());
  if (auto text = c.given.option("tempo")) {
    auto tempo = parse_decimal(*text);
    if (!tempo || !(*tempo >= 20 && *tempo <= 500))
      return wrong("--tempo " + *text + " is out of range",
                   "Give quarter notes per minute, from 20 to 500.");
    how.tempo = *tempo / usual_tempo;
  }
  // After a count-in one may want to play alone.
  how.metronome = c.given.has("metronome") || !c.given.has("count-in");
  how.loop = !count;
  playback::passage p;
  p.name = "a metronome";
  p.score = measures_of_rest(*meter, count.value_or(endless_measures));
  return p;
}

/// Whether these measures are played one after another, whole, in one time signature that can be
/// transcribed.
result<void> can_be_recorded(const score& s, const part& longest, std::pair<int, int> range) {
  auto advice = "`:play` them while `:record` records, or choose others with --punch.";
  auto time = time_in_force(longest, static_cast<std::size_t>(range.first - 1));
  for (int i = range.first; i <= range.second; ++i) {
    auto index = static_cast<std::size_t>(i - 1);
    auto number = printed_number(longest, index);
    auto here = time_in_force(longest, index);
    if (longest.measures.music_at(index).implicit)
      return wrong("measure " + number + " is not a whole measure", advice);
    if (!is_supported(here.value_or(time_signature{})))
      return wrong("the time signature of measure " + number + " is not supported",
                   "Takes can be transcribed in 2/4, 3/4, 4/4, 5/4, 6/8, 9/8 and 12/8.");
    if (here != time) return wrong("the time signature changes at measure " + number, advice);
  }
  auto order = playing_order(s);
  if (!order) return fail(order.error());
  auto is_within = [&](auto& m) {
    auto position = static_cast<int>(m.measure) + 1;
    return position >= range.first && position <= range.second;
  };
  auto at = std::find_if(order->begin(), order->end(), is_within);
  for (int i = range.first; i <= range.second; ++i, ++at)
    if (at == order->end() || static_cast<int>(at->measure) + 1 != i)
      return wrong("these measures are repeated, or not played one after another", advice);
  if (at != order->end() && is_within(*at))
    return wrong("these measures are repeated, or not played one after another", advice);
  return {};
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
    if (selected && !selected->measures)
      return wrong("--punch needs measures", "For example: `:record --punch 5-8`.");
    // By the numbers of the part.
    if (selected && !c.given.args.empty())
      selected = select_in_score(s, {*punch, c.given.args.front()}, "--punch MEASURES");
    if (!selected) return fail(selected.error());
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
  // Nothing is recorded into a pickup.
  if (longest->measures.music_at(static_cast<std::size_t>(range.first - 1)).implicit &&
      range.first < range.second)
    ++range.first;
  if (auto done = can_be_recorded(s, *longest, range); !done) return fail(done.error());
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
  if (given.has("clock")) {
    for (auto option : {"metronome", "count-in", "measures", "tempo", "overdub", "punch"})
      if (given.has(option))
        return wrong(std::string{"--clock excludes --"} + option,
                     "A take to a MIDI clock begins and ends with the clock.");
    auto meter = wanted_meter(c);
    if (!meter) return fail(meter.error());
    auto& f = meter->fractions.front();
    what.clock_metre = {f.beats.front(), f.beat_type};
    return what;
  }
  playback::play with;
  with.options.count_in = given.has("count-in");
  with.options.metronome = given.has("metronome");
  auto passage =
      plays_score ? accompaniment(c, *count, what) : click_track(c, *count, with.options);
  if (!passage) return fail(passage.error());
  passage->may_be_silent = true;
  with.passages.push_back(std::move(*passage));
  what.with = std::move(with);
  return what;
}

}  // namespace fermata
