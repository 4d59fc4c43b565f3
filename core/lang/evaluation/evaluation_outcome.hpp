#pragma once

#include "core/lang/evaluation/evaluate.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace fermata {

/// Outcome of an evaluation, with measurements taken during it. An error in the text is an outcome
/// too.
struct evaluation_outcome {
  result<evaluation> what;
  std::optional<std::string> printed = {};  ///< its values as text, when it has some
  std::chrono::microseconds took{0};
  bool out_of_time = false;       ///< it exceeded its wall time
  std::uint64_t peak_memory = 0;  ///< bytes that it held at most
};

/// The outcome of an evaluation that was interrupted.
inline result<evaluation> interrupted_evaluation() {
  return fail({errc::cancelled, "the evaluation was interrupted; nothing was changed"});
}

}  // namespace fermata
