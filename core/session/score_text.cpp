#include "core/session/score_text.hpp"

namespace fermata {
result<std::string> score_text(const score& s, const std::optional<std::string>&,
                               std::optional<std::pair<int, int>>) {
  return summary(s);
}
std::string delta_text(const score_delta& d) { return to_string(summarize(d)); }
} // namespace fermata
