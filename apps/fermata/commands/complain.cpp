#include "apps/fermata/commands/commands.hpp"
#include "apps/fermata/commands/source_lines.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <cstdio>

namespace fermata::app {

namespace {

/// Said once, with how often, when a file has the same fault again and again.
std::vector<diagnostic> each_once(const std::vector<diagnostic>& all) {
  std::vector<diagnostic> kept;
  std::vector<std::size_t> times;
  for (auto& d : all) {
    auto same = std::find(kept.begin(), kept.end(), d);
    if (same == kept.end()) {
      kept.push_back(d);
      times.push_back(1);
    } else {
      ++times[static_cast<std::size_t>(same - kept.begin())];
    }
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (times[i] > 1) kept[i].message += " (" + std::to_string(times[i]) + " times)";
  return kept;
}

}  // namespace

std::string_view source_lines(std::string_view bytes, const io::score_format& format) {
  if (format.name == "fermata") return bytes;
  auto is_as_read = bytes.find('\0') == bytes.npos && find_invalid_utf8(bytes) == bytes.npos;
  if (!is_as_read) return {};
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
  return bytes;
}

void complain(const error& given, std::string_view source, std::string_view origin) {
  auto e = given;
  if (source.empty())
    for (auto& d : e.diagnostics)
      d.span.reset();
  e.diagnostics = each_once(e.diagnostics);
  auto text = render(e, source, origin);
  if (text.empty() || text.back() != '\n') text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void warn(const std::vector<diagnostic>& warnings, std::string_view source,
          std::string_view origin) {
  if (warnings.empty()) return;
  for (auto& d : each_once(warnings)) {
    error e;
    e.diagnostics.push_back(d);
    if (source.empty()) e.diagnostics.front().span.reset();
    auto text = render(e, source, origin);
    // Nothing failed, so no error is named.
    auto code = std::string{info(d.code).name} + ": ";
    if (auto at = text.find(code); at != text.npos) text.replace(at, code.size(), "warning: ");
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
}

}  // namespace fermata::app
