// Any text that reads: formatting keeps its data, and formatting again changes nothing.
#include "core/lang/reference/format.hpp"
#include "core/lang/syntax/reader.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/line_ends.hpp"

#include <cstdint>
#include <cstdlib>

using namespace fermata;

namespace {
void must(bool holds) {
  if (!holds) std::abort();
}

/// What the comments of a text say, in order: blanks aside, which end lines, and with one kind of
/// line end, as CR and CR LF are line ends that become LF.
std::string comments(std::string_view text) {
  std::string all;
  for (std::size_t at = 0; at < text.size();) {
    auto t = next_token(text, at);
    at = t.span.end;
    if (t.kind == token_kind::comment || t.kind == token_kind::block_comment)
      for (char c : with_line_feeds(text.substr(t.span.begin, t.span.end - t.span.begin)))
        if (c != ' ' && c != '\t') all += c;
  }
  return all;
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text{reinterpret_cast<const char*>(data), size};
  auto before = read(text);
  auto once = format(text);
  if (!before.complete()) {
    must(once == text);
    return 0;
  }
  auto after = read(once);
  must(after.complete() && after.forms.size() == before.forms.size());
  for (std::size_t i = 0; i < before.forms.size(); ++i)
    must(before.forms[i].datum == after.forms[i].datum);
  must(comments(once) == comments(text));
  must(format(once) == once);
  return 0;
}
