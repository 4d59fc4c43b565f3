#include "core/session/commands/command.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "core/session/commands/record_request.hpp"

#include <limits>
#include <optional>
#include <string>
#include <utility>

// Recording from MIDI inputs, and transcribing takes.

namespace fermata {

namespace {

command_outcome recorder_does(recording::request what) {
  command_outcome outcome;
  outcome.requested_effect = recording_effect{std::move(what)};
  return outcome;
}

result<int> take_number(const std::string& word) {
  auto number = parse_number(word);
  if (!number) return fail(number.error());
  if (*number < 1 || *number > std::numeric_limits<int>::max())
    return fail({errc::no_such_entry, "there is no take " + word, std::nullopt,
                 "`:takes` lists the takes."});
  return static_cast<int>(*number);
}

command_outcome record(const command_call& c) {
  auto what = record_request(c);
  return what ? recorder_does(std::move(*what)) : refused(what.error());
}

command_outcome list_takes(const command_call& c) {
  recording::list_takes what;
  auto& args = c.given.args;
  if (args.empty()) return recorder_does(what);
  if (args.size() != 2)
    return refused("expected the numbers of two takes", "For example: `:takes 1 2`.");
  auto first = take_number(args[0]), second = take_number(args[1]);
  if (!first) return refused(first.error());
  if (!second) return refused(second.error());
  what.compared = {*first, *second};
  return recorder_does(what);
}

command_outcome list_inputs(const command_call&) { return recorder_does(recording::list_inputs{}); }

command_outcome enter_steps(const command_call&) {
  auto outcome = recorder_does(recording::enter_steps{});
  outcome.effect.kind = turn_effect::kind_t::step;
  return outcome;
}

command_outcome keep(const command_call& c) {
  recording::keep what;
  if (c.given.args.empty()) return recorder_does(what);
  auto& word = c.given.args.front();
  if (word == "all") {
    what.length = recording::remembered;
    return recorder_does(what);
  }
  auto from = parse_time(word, c.now, c.options.clock);
  if (!from)
    return refused("`" + word + "` is not a length",
                   "For example: `:keep 30s`, `:keep 2m`, `:keep all`; `:keep` takes the last "
                   "phrase.");
  if (*from >= c.now || c.now - *from > recording::remembered)
    return refused("`" + word + "` is out of range",
                   "Up to 10 minutes are remembered: `:keep all`.");
  what.length = c.now - *from;
  return recorder_does(what);
}

command_outcome quantize(const command_call& c) {
  recording::quantize what;
  auto& given = c.given;
  if (!given.args.empty()) {
    auto number = take_number(given.args.front());
    if (!number) return refused(number.error());
    what.take = *number;
  }
  if (auto as = given.option("as")) {
    auto number = parse_number(*as);
    if (!number) return refused(number.error());
    if (*number < 1 || *number > 6)
      return refused("--as " + *as + " is out of range", "There are up to 6 readings.");
    what.reading = static_cast<std::size_t>(*number);
  }
  if (auto meter = given.option("meter")) what.meter = *meter;
  if (auto tempo = given.option("tempo")) {
    what.tempo = parse_decimal(*tempo);
    if (!what.tempo || !(*what.tempo >= 20 && *what.tempo <= 500))
      return refused("--tempo " + *tempo + " is out of range",
                     "Give quarter notes per minute, from 20 to 500.");
  }
  if (auto grid = given.option("grid")) {
    if (*grid != "8" && *grid != "16" && *grid != "32")
      return refused("--grid " + *grid + " is out of range",
                     "Give the shortest note value: 8, 16 or 32.");
    what.grid = std::stoi(*grid);
  }
  if (auto tuplets = given.option("tuplets")) {
    if (*tuplets != "3" && *tuplets != "5" && *tuplets != "3,5" && *tuplets != "none")
      return refused("--tuplets " + *tuplets + " is not supported", "Give 3, 5, 3,5 or none.");
    what.triplets = tuplets->find('3') != std::string::npos;
    what.quintuplets = tuplets->find('5') != std::string::npos;
  }
  if (auto swing = given.option("swing")) {
    if (*swing != "auto" && *swing != "on" && *swing != "off")
      return refused("--swing " + *swing + " is not supported", "Give auto, on or off.");
    what.swing = *swing;
  }
  return recorder_does(std::move(what));
}

command_outcome choose_input(const command_call& c) {
  if (c.given.args.empty()) return recorder_does(recording::choose_input{});
  if (c.given.args.front().empty())
    return refused("empty device name", "`:midi inputs` lists the inputs.");
  return recorder_does(recording::choose_input{c.given.args.front()});
}

command_outcome change_thru(const command_call& c) {
  if (c.given.args.empty()) return recorder_does(recording::change_thru{});
  auto on = parse_switch(c.given.args.front());
  return on ? recorder_does(recording::change_thru{*on}) : refused(on.error());
}

}  // namespace

std::vector<command_spec> recording_commands() {
  constexpr std::string_view topic = "Recording";
  return {
      {.name = "record",
       .arguments = "[PART]",
       .most_arguments = 1,
       .options =
           {{"metronome", "", "with a click on each beat"},
            {"count-in", "", "after a measure of clicks"},
            {"measures", "N", "so many measures; then the take ends by itself"},
            {"tempo", "TEMPO", "of the metronome, in quarter notes per minute"},
            {"meter", "METER", "of the metronome or clock: 2/4, 3/4, 4/4, 5/4, 6/8, 9/8 or 12/8"},
            {"clock", "", "on the beats of a MIDI clock that an input receives, until it stops"},
            {"overdub", "", "while the score is played, as a new part, or into PART"},
            {"punch", "MEASURES", "only these measures of PART, while the other parts play"}},
       .help =
           "Records what is played on the MIDI inputs as a take of this session, for PART if one "
           "is named. `:stop` ends the take and proposes its notation. What is played to a "
           "metronome or to the score is transcribed on their beats.",
       .example = ":record --metronome --count-in --tempo 90 --measures 8",
       .topic = topic,
       .run = record},
      {.name = "step",
       .help =
           "Enters music note by note: play a note or a chord on a MIDI input and it is written "
           "in the input line. The keys 1 to 8 choose the value (5 is a quarter, 4 an eighth), `.` "
           "dots it, 0 is a rest, t ties, | is a barline and Backspace removes the last step. "
           "Enter submits the line; on an empty phrase it ends step entry, and so does Ctrl-C.",
       .example = ":step",
       .topic = topic,
       .run = enter_steps},
      {.name = "keep",
       .arguments = "[LENGTH]",
       .most_arguments = 1,
       .help = "Makes a take of what was just played, without `:record`: the last phrase, which "
               "begins after three seconds without a key down, or a length such as 30s or 2m; "
               "`all` takes the last 10 minutes. Proposes its notation.",
       .example = ":keep 30s",
       .topic = topic,
       .run = keep},
      {.name = "takes",
       .arguments = "[TAKE TAKE]",
       .most_arguments = 2,
       .help = "Lists the takes of this session. With two numbers, compares these takes: the "
               "notes that only one of them has, tempo, timing and loudness.",
       .example = ":takes 1 2",
       .topic = topic,
       .run = list_takes},
      {.name = "quantize",
       .aliases = {"requantize"},
       .arguments = "[TAKE]",
       .most_arguments = 1,
       .options = {{"as", "N", "the Nth reading, not the likeliest"},
                   {"meter", "METER", "time signature: 2/4, 3/4, 4/4, 5/4, 6/8, 9/8 or 12/8"},
                   {"tempo", "TEMPO", "quarter notes per minute, roughly"},
                   {"grid", "VALUE", "shortest note value: 8, 16 or 32"},
                   {"tuplets", "NUMBERS", "in simple meters: 3 (default), 5, 3,5 or none"},
                   {"swing", "CHOICE", "whether eighths are swung: auto (default), on or off"}},
       .help = "Transcribes a take, by default the last one, and proposes the result, which "
               "`:accept` appends to the score. Lists the other readings. Replaces an open "
               "proposal of the same take.",
       .example = ":quantize 1 --as 2",
       .topic = topic,
       .run = quantize},
      {.name = "midi inputs",
       .help = "Lists the MIDI inputs: keyboards, and ports of other programs.",
       .example = ":midi inputs",
       .topic = topic,
       .run = list_inputs},
      {.name = "midi input",
       .arguments = "[all|off|auto|DEVICE]",
       .most_arguments = 1,
       .help = "Shows or changes which inputs are recorded in all sessions: `midi-input` in "
               "config.toml.",
       .example = ":midi input all",
       .topic = topic,
       .run = choose_input},
      {.name = "midi thru",
       .arguments = "[on|off]",
       .most_arguments = 1,
       .help =
           "Shows or changes whether what is played on the MIDI inputs is heard on the playback "
           "device: `midi-thru` in config.toml.",
       .example = ":midi thru on",
       .topic = topic,
       .run = change_thru},
  };
}

}  // namespace fermata
