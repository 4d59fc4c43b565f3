// Any bytes are read as a take or refused; what was read is written, and read again as the same
// take. The notation of its notes, on the beats to which they were played and without them, has no
// errors.

#include "io/store/take_file.hpp"

#include "core/score/analysis/validate.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace fermata;

namespace {

[[noreturn]] void broken(const char* what, const std::string& detail = {}) {
  std::fprintf(stderr, "%s %s\n", what, detail.c_str());
  std::abort();
}

void check_written(const io::stored_take& t) {
  auto text = io::take_text(t);
  auto again = io::read_take(text);
  if (!again) broken("what was written cannot be read:", again.error().first().message);
  if (!again->damage.empty()) broken("what was written is damaged:", again->damage);
  if (again->music.ports != t.music.ports || again->music.events != t.music.events ||
      again->music.beats != t.music.beats || again->place != t.place)
    broken("another take was written");
  if (io::take_text(*again) != text) broken("writing is not stable");
}

void check_notation(const std::vector<midi::performed_part>& parts,
                    const midi::transcription_options& options) {
  auto found = midi::transcribe(parts, options);
  if (!found) {
    if (found.error().diagnostics.empty() || found.error().first().message.empty())
      broken("an error without a message");
    return;
  }
  for (auto& f : validate(*found->front().score))
    if (f.level() == severity::error) broken("the score has an error:", f.message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto read = io::read_take({reinterpret_cast<const char*>(data), size});
  if (!read) {
    if (read.error().diagnostics.empty() || read.error().first().message.empty())
      broken("an error without a message");
    return 0;
  }
  check_written(*read);
  auto parts = midi::performed_parts_of(read->music);
  midi::transcription_options options;
  options.notes = 500;
  options.measures = 500;
  check_notation(parts, options);
  auto beats = midi::known_beats_of(read->music);
  if (beats && *beats) {
    options.tracker.metre = (*beats)->metre;
    options.tracker.beats = (*beats)->beats;
    check_notation(parts, options);
  }
  return 0;
}
