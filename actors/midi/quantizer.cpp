#include "actors/midi/quantizer.hpp"

#include "actors/midi/take_notation.hpp"
#include "actors/work/interruptible.hpp"
#include "actors/work/strand.hpp"
#include "messages/errors.hpp"
#include "midi/transcription/take.hpp"

#include <caf/all.hpp>

#include <fmt/format.h>

#include <utility>

namespace fermata::actors {

namespace {

result<midi::transcription_options> options_for(const recording::quantize& how) {
  midi::transcription_options o;
  if (!how.meter.empty()) {
    auto metre = midi::metre_called(how.meter);
    if (!metre) return fail(metre.error());
    o.tracker.metre = *metre;
  }
  if (how.tempo) o.tracker.quarter_seconds = 60 / *how.tempo;
  o.tracker.rhythm = {how.grid, how.triplets, how.quintuplets};
  o.tracker.swing = how.swing == "on"    ? midi::swing_choice::on
                    : how.swing == "off" ? midi::swing_choice::off
                                         : midi::swing_choice::recognized;
  o.alternatives = midi::counted_metres.size();
  return o;
}

result<quantized_take> quantized(const quantization_job& job) {
  quantized_take done;
  io::stored_take stored;
  if (job.take) {
    done.number = job.take->number;
    stored = job.take->what;
  } else {
    auto numbers = io::take_numbers(job.folder);
    if (!job.how.take && numbers.empty())
      return fail({errc::no_such_entry, "this session has no takes", std::nullopt,
                   "`:record` records one, `:keep` makes one of what was just played."});
    done.number = job.how.take.value_or(numbers.empty() ? 0 : numbers.back());
    auto read = io::load_take(job.folder, done.number);
    if (!read) return fail(read.error());
    stored = std::move(*read);
  }
  auto& music = stored.music;
  done.notes = midi::count_notes(music);
  done.length = music.end;
  auto options = options_for(job.how);
  if (!options) return fail(options.error());
  std::vector<std::string> remarks;
  if (job.how.meter.empty() && !job.how.tempo) {
    auto known = midi::known_beats_of(music);
    if (!known) {
      remarks.push_back("the beats are not used: " + known.error().first().message);
    } else if (*known) {
      options->tracker.metre = (*known)->metre;
      options->tracker.beats = std::move((*known)->beats);
    }
  }
  auto target = target_of(stored, options->tracker.beats.has_value(), job.to, remarks);
  auto readings = midi::transcribe(parts_for(target, music), *options);
  if (!readings) return fail(readings.error());
  done.readings = std::move(*readings);
  if (job.how.reading > done.readings.size())
    return fail({errc::out_of_range,
                 fmt::format("there is no reading {} of take {}", job.how.reading, done.number),
                 std::nullopt,
                 fmt::format("There {}.", done.readings.size() == 1
                                              ? "is only one"
                                              : fmt::format("are {}", done.readings.size()))});
  done.chosen = job.how.reading - 1;
  auto& chosen = done.readings[done.chosen];
  chosen.remarks.insert(chosen.remarks.begin(), remarks.begin(), remarks.end());
  done.text = text_that_adds(*chosen.score, target, done.number);
  return done;
}

}  // namespace

quantizer_actor::behavior_type quantizer(quantizer_actor::pointer self, worker_pool_ptr workers) {
  set_quiet_handlers(self);
  strand of_user{workers, work_kind::performance};
  strand of_clients{std::move(workers), work_kind::performance};
  return {
      [self, of_user, of_clients](const quantization_job& job) {
        auto& work = job.of_client ? of_clients : of_user;
        return work.answer<quantized_take>(self, [job]() -> caf::result<quantized_take> {
          auto done = interruptibly(job.cancelled, [&] { return quantized(job); });
          if (!done) return make_problem(problem::failed, "interrupted");
          if (!*done) return to_problem((*done).error());
          return std::move(**done);
        });
      },
  };
}

}  // namespace fermata::actors
