#include "midi/transport/plan_exchange.hpp"

#include "core/score/merge/alignment.hpp"

#include <algorithm>

namespace fermata::midi {

namespace {

std::uint64_t identity_of(const playback_plan& plan, std::size_t bar) {
  auto measure = plan.bars[bar].measure;
  return measure < plan.identities.size() ? plan.identities[measure] : measure;
}

struct bars_of_measure {
  std::vector<playback_plan::identified_bar>::const_iterator begin, end;
  bool empty() const { return begin == end; }
};

bars_of_measure bars_of(const playback_plan& plan, std::uint64_t identity) {
  auto& all = plan.bars_by_identity;
  return {std::lower_bound(all.begin(), all.end(), playback_plan::identified_bar{identity, 0}),
          std::lower_bound(all.begin(), all.end(), playback_plan::identified_bar{identity + 1, 0})};
}

/// The same measure, the same time through the repeats or the last one.
std::optional<std::size_t> same_bar(const playback_plan& playing, std::size_t bar,
                                    const playback_plan& next) {
  auto identity = identity_of(playing, bar);
  auto there = bars_of(next, identity);
  if (there.empty()) return std::nullopt;
  auto here = bars_of(playing, identity);
  auto times = std::count_if(here.begin, here.end, [&](auto& b) { return b.bar < bar; });
  return (there.begin + std::min(times, there.end - there.begin - 1))->bar;
}

score score_of(const playback_plan& plan) {
  score s;
  s.parts = plan.written;
  return s;
}

}  // namespace

void identify_measures(playback_plan& plan, const playback_plan* before) {
  auto now = score_of(plan);
  constexpr auto none = static_cast<std::uint64_t>(-1);
  plan.identities.assign(columns_of(now), none);
  if (before) {
    plan.next_identity = before->next_identity;
    auto was = score_of(*before);
    for (auto [i, j] : align_columns(was, now, align_parts(was, now)))
      if (i < before->identities.size() && j < plan.identities.size())
        plan.identities[j] = before->identities[i];
  }
  for (auto& identity : plan.identities)
    if (identity == none) identity = plan.next_identity++;
  plan.bars_by_identity.clear();
  for (std::size_t b = 0; b < plan.bars.size(); ++b)
    plan.bars_by_identity.push_back({identity_of(plan, b), static_cast<std::uint32_t>(b)});
  std::sort(plan.bars_by_identity.begin(), plan.bars_by_identity.end());
}

std::optional<std::size_t> continuation(const playback_plan& playing, std::size_t bar,
                                        const playback_plan& next) {
  auto if_played = [&](std::size_t there) {
    return there < next.bars.size() ? std::optional{there} : std::nullopt;
  };
  if (bar == 0) return if_played(0);
  if (auto there = same_bar(playing, bar - 1, next)) return if_played(*there + 1);
  // The next measure that stayed, and before it as many new ones as it replaces.
  for (auto stayed = bar; stayed < playing.bars.size(); ++stayed) {
    auto there = same_bar(playing, stayed, next);
    if (!there) continue;
    for (auto gone = stayed - bar; gone > 0 && *there > 0; --gone) {
      if (!bars_of(playing, identity_of(next, *there - 1)).empty()) break;
      --*there;
    }
    return there;
  }
  // Nothing stayed from here on: as far behind the last one that did.
  for (auto stayed = bar - 1; stayed-- > 0;)
    if (auto there = same_bar(playing, stayed, next)) return if_played(*there + (bar - stayed));
  return if_played(bar);
}

}  // namespace fermata::midi
