#include "apps/fermata/commands/commands.hpp"
#include "io/files/files.hpp"
#include "io/formats/formats.hpp"
#include "midi/smf/read.hpp"
#include "midi/smf/to_score.hpp"
#include "midi/transcription/from_file.hpp"
#include "midi/transcription/transcribe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

namespace fermata::app {

namespace {

int transcription_failed(const error& e, const std::string& origin = {}) {
  complain(e, {}, origin);
  return exit_failure;
}

void print_note(const std::string& text) { std::fprintf(stderr, "note: %s\n", text.c_str()); }

/// song.musicxml, song-2.musicxml, ...
std::string numbered(const std::string& path, std::size_t index) {
  if (index == 0) return path;
  std::filesystem::path p{path};
  auto name = p.stem().string() + '-' + std::to_string(index + 1) + p.extension().string();
  return (p.parent_path() / name).string();
}

/// The first number of each line, as beat trackers and label tracks of audio editors have it.
result<std::vector<std::chrono::nanoseconds>> times_in(const std::string& path) {
  constexpr std::size_t most_bytes = 16U << 20;
  auto text = io::read_file(path, most_bytes);
  if (!text) return fail(text.error());
  std::vector<std::chrono::nanoseconds> times;
  std::istringstream lines{std::string{text->begin(), text->end()}};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    double seconds = 0;
    constexpr double longest = 1e6;
    std::istringstream words{line};
    if (!(words >> seconds) || !(std::abs(seconds) < longest))
      return fail({errc::out_of_range,
                   fmt::format("{}: line {} does not begin with a time in seconds", path, number)});
    times.emplace_back(std::llround(seconds * 1e9));
  }
  return times;
}

/// The beats that the options say, if any.
result<std::optional<midi::beat_grid>> known_beats(const transcribe_options& o,
                                                   const std::optional<midi::counted_metre>& m) {
  if (!o.beats.empty()) {
    auto times = times_in(o.beats);
    if (!times) return fail(times.error());
    auto grid = midi::beat_grid::of_beats(std::move(*times), m.value_or(midi::counted_metre{}));
    if (!grid) return fail(grid.error());
    return *grid;
  }
  if (!o.exact_tempo) return std::nullopt;
  auto first = std::chrono::nanoseconds{std::llround(o.first_beat * 1e9)};
  return midi::beat_grid::steady(first, 60 / o.tempo);
}

result<void> write_score(const score& s, const io::score_format& format, const std::string& path) {
  auto out = format.write(s, io::writing::completed);
  if (!out) return fail(out.error());
  for (auto& left : out->left_out)
    print_note(path + ": " + left.message);
  return io::write_file(path, out->bytes);
}

}  // namespace

int transcribe_command(const transcribe_options& o) {
  midi::transcription_options options;
  if (!o.metre.empty()) {
    auto metre = midi::metre_called(o.metre);
    if (!metre) return transcription_failed(metre.error());
    options.tracker.metre = *metre;
  }
  if (o.tempo != 0 && !std::isfinite(o.tempo))
    return transcription_failed({errc::out_of_range, "--tempo must be a number"});
  if (!(std::abs(o.first_beat) < 1e6))
    return transcription_failed({errc::out_of_range, "--first-beat must be a number of seconds"});
  auto beats = known_beats(o, options.tracker.metre);
  if (!beats) return transcription_failed(beats.error());
  options.tracker.beats = *beats;
  std::error_code unknown;
  if (o.output != "-" && std::filesystem::equivalent(o.input, o.output, unknown))
    return transcription_failed({errc::unwritable_file,
                                 o.output + " is the input, which would be overwritten",
                                 std::nullopt, "Choose another name with -o."});
  auto format = o.output == "-" ? result<const io::score_format*>{io::format_by_name("musicxml")}
                                : io::format_of_path(o.output);
  if (!format) return transcription_failed(format.error());
  if (!(*format)->write)
    return transcription_failed(
        {errc::unsupported_format, std::string{(*format)->name} + " can only be read"});
  if (o.output == "-" && o.alternatives > 1)
    return transcription_failed({errc::unwritable_file, "only one reading fits standard output",
                                 std::nullopt, "Name a file with -o."});
  auto bytes = io::read_file(o.input, io::format_by_name("midi")->most_bytes);
  if (!bytes) return transcription_failed(bytes.error());
  auto read = midi::smf::read(*bytes);
  if (!read) return transcription_failed(read.error(), o.input);
  for (auto& remark : read->remarks)
    print_note(midi::smf::to_string(remark));

  // What a notation program wrote says more than could be recognized, unless it is to be read in
  // another way.
  const transcribe_options defaults;
  auto reads_anew = o.performed || !o.metre.empty() || o.tempo != 0 || !o.beats.empty() ||
                    o.grid != defaults.grid || o.tuplets != defaults.tuplets ||
                    o.swing != defaults.swing || o.alternatives > 1;
  if (!reads_anew)
    if (auto as_written = midi::smf::to_score(read->file)) {
      print_note("the notes lie on the grid of the file, which is used; --performed ignores it");
      for (auto& remark : as_written->remarks)
        print_note(remark);
      auto done = write_score(*as_written->score, **format, o.output);
      return done ? exit_ok : transcription_failed(done.error());
    }

  auto parts = midi::performed_parts_of(read->file);
  if (!parts) return transcription_failed(parts.error(), o.input);
  if (o.tempo > 0) options.tracker.quarter_seconds = 60 / o.tempo;
  auto has = [&](int tuplet) {
    return std::find(o.tuplets.begin(), o.tuplets.end(), tuplet) != o.tuplets.end();
  };
  options.tracker.rhythm = {o.grid, has(3), has(5)};
  if (o.swing != "auto")
    options.tracker.swing = o.swing == "on" ? midi::swing_choice::on : midi::swing_choice::off;
  options.alternatives = static_cast<std::size_t>(o.alternatives);
  auto readings = midi::transcribe(*parts, options);
  if (!readings) return transcription_failed(readings.error(), o.input);
  if (readings->size() < options.alternatives)
    print_note(fmt::format("there is one reading for each meter: {} instead of {}",
                           readings->size(), options.alternatives));
  for (std::size_t i = 0; i < readings->size(); ++i) {
    auto& r = (*readings)[i];
    auto path = numbered(o.output, i);
    if (auto done = write_score(*r.score, **format, path); !done)
      return transcription_failed(done.error());
    print_note((path == "-" ? "" : path + ": ") + described(r));
    for (auto& remark : r.remarks)
      print_note(remark);
  }
  return exit_ok;
}

}  // namespace fermata::app
