#pragma once

#include <any>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace fermata::catalog {

/// Why a request or an action failed.
struct failure {
  enum class kind_t : std::uint8_t {
    invalid_state,
    not_found,
    conflict,
    failed,
    busy,
    internal,
    other,  ///< only `original` tells
  };
  kind_t kind = kind_t::internal;
  std::string message;
  std::string advice = {};
  std::optional<std::chrono::milliseconds> retry_after = {};  ///< of `busy`
  /// The error as whoever executes the actions knows it; returned unchanged to the requester.
  std::any original = {};
};

}  // namespace fermata::catalog
