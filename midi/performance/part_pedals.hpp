#pragma once

#include "core/score/analysis/sounding.hpp"
#include "core/score/model/score.hpp"
#include "midi/performance/event.hpp"

#include <cstdint>
#include <vector>

namespace fermata::midi {

/// The pedals of a part as they are played, repeats unfolded. What is still down at the end of the
/// piece is lifted there.
class part_pedals {
public:
  struct change {
    quarters at;
    std::uint8_t number = 0, value = 0;
    score_source source;
  };

  part_pedals(const part& p, std::uint32_t index, const unfolded_time& time);

  const std::vector<change>& changes() const { return changes_; }

  /// When a note that ends here is silent: when the damper pedal is lifted.
  quarters silent_after(quarters end) const;

private:
  std::vector<change> changes_;
  std::vector<quarters> damper_at_;  ///< the changes of the damper pedal
  std::vector<quarters> up_;         ///< when it is up next, from each of them on
};

}  // namespace fermata::midi
