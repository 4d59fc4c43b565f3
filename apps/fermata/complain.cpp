#include "apps/fermata/commands.hpp"
#include "apps/fermata/source_lines.hpp"
#include "core/lang/token.hpp"

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
  return is_as_read ? bytes : std::string_view{};
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
  error e;
  e.diagnostics = warnings;
  complain(e, source, origin);
}

}  // namespace fermata::app
