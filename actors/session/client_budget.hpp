#pragma once

#include "core/session/timeline/journal_bytes.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace fermata::actors {

/// How many bytes clients, all together, may write to the journal of a session. Whoever opens the
/// session reads them again, so that this bounds how long that takes: a client in a loop would
/// otherwise fill the disk overnight. What the user types is not counted.
///
/// A bucket: it holds `burst` bytes, and what was taken out comes back at a steady rate.
class client_budget {
public:
  client_budget(std::uint64_t burst, std::uint64_t per_hour)
    : burst_(static_cast<double>(burst)),
      per_ms_(static_cast<double>(per_hour) / 3'600'000),
      left_(burst_) {}

  /// Empty: some budget is left. Otherwise the time until there is some again.
  std::optional<std::chrono::milliseconds> must_wait(timestamp now);
  /// May overdraw the budget: the length of a line is only known once it has been made.
  void spend(std::uint64_t bytes, timestamp now);

private:
  void refill(timestamp now);

  double burst_, per_ms_, left_;
  std::optional<timestamp> last_;
};

}  // namespace fermata::actors
