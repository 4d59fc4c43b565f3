#include "actors/midi/plan_maker.hpp"

#include "actors/work/interruptible.hpp"
#include "actors/work/strand.hpp"
#include "core/lang/evaluation/evaluate.hpp"
#include "core/music/rational.hpp"
#include "messages/errors.hpp"

#include <caf/all.hpp>

#include <algorithm>

namespace fermata::actors {

namespace {

/// Where these measures of `before` are in the plan of the edited score; one that was deleted
/// counts as the measure in its place.
std::pair<int, int> followed(std::pair<int, int> measures, const midi::playback_plan& before,
                             const midi::playback_plan& after) {
  auto position_after = [&](int position) {
    auto index = static_cast<std::size_t>(position - 1);
    if (position < 1 || index >= before.identities.size()) return position;
    auto& now = after.identities;
    auto there = std::find(now.begin(), now.end(), before.identities[index]);
    return there == now.end() ? position : static_cast<int>(there - now.begin()) + 1;
  };
  auto first = position_after(measures.first);
  return {first, std::max(first, position_after(measures.second))};
}

/// Music alone: on an empty score, with the defaults of its session.
result<score_ptr> score_with(const value& music, const environment_ptr& given) {
  environment env;
  if (given) env.defaults = given->defaults;
  try {
    return commit(music, empty_score(), env);
  } catch (const rational_overflow&) {
    return fail({errc::number_too_large, "a duration is too large a fraction to be played"});
  }
}

result<prepared_passage> prepared(const playback::passage& p, bool exact,
                                  const midi::playback_plan_ptr& before) {
  auto score = p.score ? result<score_ptr>{p.score} : score_with(*p.music, p.env);
  if (!score) return fail(score.error());
  auto plan = midi::playback_plan_of(**score, exact ? midi::exact() : midi::performed(), before);
  if (!plan) return fail(plan.error());
  if ((*plan)->events.empty())
    return fail({errc::out_of_range, "there is nothing to play in " + p.name});
  prepared_passage made{
      std::move(*plan), {}, p.range, std::vector<bool>((*score)->parts.size(), false)};
  made.range.to = made.plan->end;
  if (made.measures) {
    if (before) made.measures = followed(*made.measures, *before, *made.plan);
    auto range = range_of_positions(*made.plan, *made.measures);
    if (!range) return fail(range.error());
    made.range = *range;
  }
  for (auto part : p.silent)
    if (part < made.silent.size()) made.silent[part] = true;
  return made;
}

caf::result<prepared_passages> prepare(const preparation_job& job) {
  prepared_passages made;
  for (auto& p : job.passages) {
    auto before = &p == &job.passages.front() ? job.before : nullptr;
    auto done = interruptibly(job.cancelled, [&] { return prepared(p, job.exact, before); });
    if (!done) return make_problem(problem::failed, "interrupted");
    if (!*done) return to_problem(done->error());
    made.all.push_back(std::move(**done));
  }
  return made;
}

}  // namespace

result<midi::time_range> range_of_positions(const midi::playback_plan& plan,
                                            std::pair<int, int> measures) {
  auto is_within = [&](const midi::playback_plan::bar& b) {
    auto position = static_cast<std::int64_t>(b.measure) + 1;
    return position >= measures.first && position <= measures.second;
  };
  auto& bars = plan.bars;
  auto first = std::find_if(bars.begin(), bars.end(), is_within);
  if (first == bars.end())
    return fail({errc::no_such_target, "these measures are not played", std::nullopt,
                 "Give measures of the score."});
  // With repeats the last measure may come several times; without it, the last one that is played.
  auto end = std::find_if(first, bars.end(), [&](auto& b) {
    return static_cast<std::int64_t>(b.measure) + 1 == measures.second;
  });
  midi::time_range range{first->time, plan.end};
  if (end != bars.end() && ++end != bars.end()) range.to = end->time;
  return range;
}

plan_maker_actor::behavior_type plan_maker(plan_maker_actor::pointer self,
                                           worker_pool_ptr workers) {
  set_quiet_handlers(self);
  return {
      [self,
       work = strand{std::move(workers), work_kind::performance}](const preparation_job& job) {
        return work.answer<prepared_passages>(self, [job] { return prepare(job); });
      },
  };
}

}  // namespace fermata::actors
