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

result<document> read_midi(std::string_view bytes, std::string_view) {
  auto read = midi::smf::read(bytes);
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

result<written_document> write_midi(const score& s, writing_options) {
  auto played = midi::render(s, midi::performed());
  if (!played) return fail(played.error());
  written_document out;
  out.bytes = midi::smf::write(midi::smf::from_performance(*played));
  out.left_out = std::move(played->left_out);
  return out;
}

}  // namespace fermata::io
