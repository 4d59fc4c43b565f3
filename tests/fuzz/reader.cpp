// Any bytes: the reader answers with data, openers or errors whose spans lie in the text, and what
// it read prints as text that reads as the same data.
#include "core/lang/syntax/reader.hpp"

#include "core/lang/reference/complete.hpp"
#include "core/lang/reference/highlight.hpp"

#include <cstdint>
#include <cstdlib>

using namespace fermata;

namespace {
void must(bool holds) {
  if (!holds) std::abort();
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text{reinterpret_cast<const char*>(data), size};
  auto r = read(text);
  for (auto& d : r.errors.diagnostics)
    must(!d.message.empty() && d.span && d.span->begin <= d.span->end && d.span->end <= size);
  for (auto& s : r.open)
    must(s.begin < s.end && s.end <= size);
  for (auto& f : r.forms) {
    must(f.span.begin < f.span.end && f.span.end <= size);
    auto again = read(print(f.datum));
    must(again.complete() && again.forms.size() == 1 && again.forms[0].datum == f.datum);
  }
  if (!r.errors.diagnostics.empty()) (void)render(r.errors, text);
  std::size_t end = 0;
  for (auto& p : highlight(text)) {
    must(p.span.begin >= end && p.span.end > p.span.begin && p.span.end <= size);
    end = p.span.end;
  }
  if (size < 200) (void)complete(text, size / 2);
  return 0;
}
