// Any bytes are read or refused; what was read is written, and read again as the same file, whose
// bytes then do not change any more. A score made of it has no errors, and its length is bounded.

#include "core/score/analysis/validate.hpp"
#include "midi/smf/read.hpp"
#include "midi/smf/to_score.hpp"
#include "midi/smf/write.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace fermata::midi;

namespace {

[[noreturn]] void broken(const char* what, const std::string& detail = {}) {
  std::fprintf(stderr, "%s %s\n", what, detail.c_str());
  std::abort();
}

void check_written(const smf::file& f, bool running_status) {
  smf::write_options options;
  options.running_status = running_status;
  auto text = smf::write(f, options);
  auto again = smf::read(text);
  if (!again) broken("what was written cannot be read:", again.error().first().message);
  if (smf::write(again->file, options) != text) broken("writing is not stable");
  // What was odd in an event stays so; the frame of the file is right.
  for (auto& r : again->remarks)
    switch (r.kind) {
      case smf::remark_kind::riff_wrapper:
      case smf::remark_kind::frame_rate:
      case smf::remark_kind::meta_type_unknown:
      case smf::remark_kind::meta_length:
      case smf::remark_kind::tempo_zero:
      case smf::remark_kind::unfinished_sysex: break;
      default: broken("what was written has a fault:", smf::to_string(r));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  smf::read_limits limits;
  limits.bytes = 1 << 20;
  auto found = smf::read({reinterpret_cast<const char*>(data), size}, limits);
  if (!found) {
    if (found.error().diagnostics.empty() || found.error().first().message.empty())
      broken("an error without a message");
    return 0;
  }
  check_written(found->file, false);
  check_written(found->file, true);
  smf::score_limits score_limits;
  score_limits.items = 2000;
  score_limits.measures = 500;
  auto converted = smf::to_score(found->file, score_limits);
  if (!converted) return 0;
  for (auto& f : fermata::validate(*converted->score))
    if (f.level() == fermata::severity::error) broken("the score has an error:", f.message);
  return 0;
}
