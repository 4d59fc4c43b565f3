#include "apps/fermata/commands.hpp"

#include <cstdio>

namespace fermata::app {

void complain(const error& e, std::string_view source, std::string_view origin) {
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
