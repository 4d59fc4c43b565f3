#include "core/session/catalog/session_summary.hpp"

#include <algorithm>
#include <tuple>

namespace fermata {

void sort_for_a_list(std::vector<session_summary>& all) {
  std::sort(all.begin(), all.end(), [](auto& a, auto& b) {
    return std::tie(a.meta.created, a.meta.slug) < std::tie(b.meta.created, b.meta.slug);
  });
}

}  // namespace fermata
