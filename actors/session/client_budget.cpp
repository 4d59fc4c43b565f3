#include "actors/session/client_budget.hpp"

#include <algorithm>
#include <cmath>

namespace fermata::actors {

void client_budget::refill(timestamp now) {
  if (last_ && now > *last_)
    left_ = std::min(burst_, left_ + per_ms_ * static_cast<double>((now - *last_).count()));
  last_ = std::max(last_.value_or(now), now);
}

std::optional<std::chrono::milliseconds> client_budget::must_wait(timestamp now) {
  refill(now);
  if (left_ > 0) return std::nullopt;
  return std::chrono::milliseconds{static_cast<std::int64_t>(std::ceil((1 - left_) / per_ms_))};
}

void client_budget::spend(std::uint64_t bytes, timestamp now) {
  refill(now);
  left_ -= static_cast<double>(bytes);
}

}  // namespace fermata::actors
