#pragma once

#include "core/session/timeline/entry.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <string>

namespace fermata {

/// How many new sessions clients may make: so many at once, and one more after each interval.
struct creation_limits {
  double one_client = 32;
  std::chrono::milliseconds one_client_interval{5'000};
  double all_clients = 128;
  std::chrono::milliseconds all_clients_interval{1'000};
};

/// Token buckets, one for each client by name and one for all together, so that a client that makes
/// sessions in a loop fills neither the disk nor the memory.
class creation_allowance {
public:
  explicit creation_allowance(creation_limits limits = {}) : limits_(limits) {}

  /// Nothing: the client may make a session now, and that is counted. Otherwise how long it has to
  /// wait.
  std::optional<std::chrono::milliseconds> take(const std::string& client, timestamp now) {
    // A client whose allowance is full again need not be remembered.
    std::erase_if(clients_, [&](auto& known) {
      return refilled(known.second, limits_.one_client, limits_.one_client_interval, now) >=
             limits_.one_client;
    });
    auto& own = clients_.try_emplace(client, bucket{limits_.one_client, now}).first->second;
    if (!all_) all_ = bucket{limits_.all_clients, now};
    auto left = refilled(own, limits_.one_client, limits_.one_client_interval, now);
    auto left_for_all = refilled(*all_, limits_.all_clients, limits_.all_clients_interval, now);
    if (left < 1 || left_for_all < 1)
      return std::max(until_one(left, limits_.one_client_interval),
                      until_one(left_for_all, limits_.all_clients_interval));
    own = {left - 1, now};
    all_ = bucket{left_for_all - 1, now};
    return std::nullopt;
  }

private:
  struct bucket {
    double left = 0;
    timestamp at;
  };
  static double refilled(const bucket& b, double most, std::chrono::milliseconds interval,
                         timestamp now) {
    auto passed = std::max(now - b.at, timestamp::duration{0});
    return std::min(most, b.left + std::chrono::duration<double>(passed) /
                                       std::chrono::duration<double>(interval));
  }
  static std::chrono::milliseconds until_one(double left, std::chrono::milliseconds interval) {
    if (left >= 1) return std::chrono::milliseconds{0};
    return std::chrono::milliseconds{
        static_cast<std::int64_t>(std::ceil((1 - left) * static_cast<double>(interval.count())))};
  }

  creation_limits limits_;
  std::map<std::string, bucket> clients_;
  std::optional<bucket> all_;
};

}  // namespace fermata
