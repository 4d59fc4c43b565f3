#include "io/formats/midi_format.hpp"

#include "midi/performance/render.hpp"
#include "midi/smf/from_performance.hpp"
#include "midi/smf/read.hpp"
#include "midi/smf/to_score.hpp"
#include "midi/smf/write.hpp"

#include <utility>

namespace fermata::io {

bool looks_like_midi(std::string_view bytes) {
  return bytes.starts_with("MThd") || (bytes.starts_with("RIFF") && bytes.substr(8, 4) == "RMID");
}

namespace {

result<document> midi_document(std::string_view bytes, bool in_riff) {
  auto read = read_midi_file(bytes, in_riff);
  if (!read) return fail(read.error());
  auto made = midi::smf::to_score(read->file);
  if (!made) return fail(made.error());
  document d{made->score, {}, {}, {}};
  auto warn = [&](std::string message) {
    d.warnings.push_back({errc::unsupported_format, std::move(message), std::nullopt, {}});
  };
  for (auto& remark : read->remarks)
    warn(midi::smf::to_string(remark));
  if (read->remarks_left_out > 0)
    warn("... and " + std::to_string(read->remarks_left_out) + " more oddities of the file");
  for (auto& remark : made->remarks)
    warn(remark);
  return d;
}

}  // namespace

result<midi::smf::reading> read_midi_file(std::string_view bytes, bool in_riff) {
  auto read = midi::smf::read(bytes);
  if (read && in_riff)
    std::erase_if(read->remarks,
                  [](auto& r) { return r.kind == midi::smf::remark_kind::riff_wrapper; });
  return read;
}

result<document> read_midi(std::string_view bytes, std::string_view) {
  return midi_document(bytes, false);
}

result<document> read_rmid(std::string_view bytes, std::string_view) {
  return midi_document(bytes, true);
}

namespace {

result<written_document> written_midi(const score& s, const writing_options& how, bool in_riff) {
  auto played = midi::render(s, how.exact ? midi::exact() : midi::performed());
  if (!played) return fail(played.error());
  auto file = midi::smf::from_performance(*played, {.format = how.midi_format});
  file.riff = in_riff;
  written_document out;
  out.bytes = midi::smf::write(file);
  out.left_out = std::move(played->left_out);
  if (file.format != how.midi_format)
    out.left_out.push_back(
        {errc::left_out,
         "format 0 has only 16 channels and the score needs more; wrote format 1 "
         "instead",
         std::nullopt,
         {}});
  return out;
}

}  // namespace

result<written_document> write_midi(const score& s, writing_options how) {
  return written_midi(s, how, false);
}

result<written_document> write_rmid(const score& s, writing_options how) {
  return written_midi(s, how, true);
}

}  // namespace fermata::io
