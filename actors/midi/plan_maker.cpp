#include "actors/midi/plan_maker.hpp"

#include "actors/work/interruptible.hpp"
#include "actors/work/strand.hpp"
#include "core/lang/evaluation/evaluate.hpp"
#include "core/music/rational.hpp"
#include "core/session/commands/passage_selection.hpp"
#include "messages/errors.hpp"

#include <caf/all.hpp>

#include <algorithm>

namespace fermata::actors {

namespace {

/// Where these measures of `before` are in the plan of the edited score: from the first of them
/// that is still there to the last. Empty: none is.
std::optional<std::pair<int, int>> followed(std::pair<int, int> measures,
                                            const midi::playback_plan& before,
                                            const midi::playback_plan& after) {
  auto& was = before.identities;
  auto& is = after.identities;
  auto first = static_cast<std::size_t>(std::max(measures.first, 1) - 1);
  auto end = static_cast<std::size_t>(std::max(measures.second, 0));
  std::optional<std::pair<int, int>> found;
  for (auto i = first; i < std::min(end, was.size()); ++i) {
    auto there = std::find(is.begin(), is.end(), was[i]);
    if (there == is.end()) continue;
    auto position = static_cast<int>(there - is.begin()) + 1;
    if (!found) found = {position, position};
    found->second = std::max(found->second, position);
  }
  // An open end stays open.
  if (found && end > was.size()) found->second = measures.second;
  return found;
}

tl::unexpected<error> not_played() {
  return fail({errc::no_such_target, "these measures are not played", std::nullopt,
               "Give measures of the score."});
}

/// Parts that are not heard.
std::vector<bool> silent_parts(const playback::passage& p, const score& s) {
  std::vector<bool> silent;
  for (auto& part : s.parts) {
    auto is_in = [&](auto& ids) {
      return std::find(ids.begin(), ids.end(), part->id) != ids.end();
    };
    silent.push_back((!p.only.empty() && !is_in(p.only)) || is_in(p.muted));
  }
  return silent;
}

bool is_heard(const prepared_passage& p) { return midi::has_notes(*p.plan, p.range, p.silent); }

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

result<prepared_passage> prepared(playback::passage p, bool exact,
                                  const midi::playback_plan_ptr& before) {
  auto score = p.score ? result<score_ptr>{p.score} : score_with(*p.music, p.env);
  if (!score) return fail(score.error());
  // If the score was known, the command has already applied the selection.
  if (!p.score)
    if (auto selected = select_in_passage(p, **score); !selected) return fail(selected.error());
  auto plan = midi::playback_plan_of(**score, exact ? midi::exact() : midi::performed(), before);
  if (!plan) return fail(plan.error());
  prepared_passage made{*score, std::move(*plan), {}, p.range, silent_parts(p, **score)};
  made.range.to = made.plan->end;
  if (made.measures) {
    if (before) made.measures = followed(*made.measures, *before, *made.plan);
    auto range = made.measures ? range_of_positions(*made.plan, *made.measures)
                               : result<midi::time_range>{not_played()};
    if (!range) return fail(range.error());
    made.range = *range;
  }
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
  auto may_be_silent = std::any_of(job.passages.begin(), job.passages.end(),
                                   [](auto& p) { return p.may_be_silent; });
  if (!may_be_silent && std::none_of(made.all.begin(), made.all.end(), is_heard))
    return to_problem(
        error{errc::out_of_range, "there is nothing to play in " + job.passages.front().name});
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
  if (first == bars.end()) return not_played();
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
