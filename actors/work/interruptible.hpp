#pragma once

#include "actors/work/evaluator.hpp"
#include "core/memory_meter.hpp"

#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace fermata::actors {

/// What `work` returns; `errc::cancelled` when the flag was set before it was done. For long work
/// that changes nothing until it is done, such as writing a score as text: it is stopped at one of
/// its allocations, as an evaluation is. Its memory is not limited.
template <class Work>
result<std::invoke_result_t<Work&>> interruptibly(
    const std::shared_ptr<std::atomic<bool>>& cancelled, Work work) {
  constexpr auto unlimited = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  memory_meter meter{std::make_shared<memory_pool>(unlimited), [cancelled] {
                       return is_set(cancelled) ? std::optional{errc::cancelled} : std::nullopt;
                     }};
  try {
    memory_meter::stoppable from_here;
    return work();
  } catch (const evaluation_stopped& stop) {
    return fail(error_of(stop));
  }
}

}  // namespace fermata::actors
