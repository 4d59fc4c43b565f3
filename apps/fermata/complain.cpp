#include "apps/fermata/commands.hpp"
#include "core/lang/token.hpp"

#include <algorithm>
#include <cstdio>

namespace fermata::app {

namespace {

/// What was packed (.mxl) has no lines to show; where in the document it is stands in the words.
bool has_lines(std::string_view source) {
  return source.find('\0') == source.npos && find_invalid_utf8(source) == source.npos;
}

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

void complain(const error& given, std::string_view source, std::string_view origin) {
  auto e = given;
  if (!has_lines(source)) {
    source = {};
    for (auto& d : e.diagnostics)
      d.span.reset();
  }
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
