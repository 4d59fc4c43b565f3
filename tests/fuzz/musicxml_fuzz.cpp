// Any bytes are read or refused; what was read is written, and read again to the same score, whose
// text then does not change any more.

#include "io/musicxml/export.hpp"
#include "io/musicxml/container/read.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace fermata::io::musicxml;

namespace {

[[noreturn]] void broken(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s\n%s\n", what, text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read_limits limits;
  limits.bytes = 1 << 20;
  auto first = read({reinterpret_cast<const char*>(data), size}, "fuzz", limits);
  if (!first) {
    if (first.error().diagnostics.empty() || first.error().first().message.empty()) std::abort();
    return 0;
  }
  write_options options;
  // The first byte also decides what is completed, so that all of the writer is reached.
  if (size > 0 && data[0] % 2 == 0)
    options.accidentals = options.beams = options.playback = completion::as_given;
  auto text = write(*first->score, options);
  auto again = read(text, "written");
  if (!again) broken("what was written cannot be read", text);
  auto second = write(*again->score, options);
  if (second != text) broken("writing is not stable", text + "\n----\n" + second);
  return 0;
}
