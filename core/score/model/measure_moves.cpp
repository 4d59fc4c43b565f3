#include "core/score/model/measure_moves.hpp"

#include "core/score/model/delta.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// More moves of one part are not followed: each is compared with all runs so far.
constexpr std::ptrdiff_t most_moves = 1'000;

/// The runs after one more move.
std::vector<stayed_run> moved(const std::vector<stayed_run>& runs, const measure_move& move) {
  std::vector<stayed_run> out;
  auto end = move.first + move.removed;
  for (auto& run : runs) {
    if (run.j < move.first) out.push_back({run.i, run.j, std::min(run.count, move.first - run.j)});
    if (run.j + run.count > end) {
      auto skipped = std::max(run.j, end) - run.j;
      out.push_back(
          {run.i + skipped, run.j + skipped - move.removed + move.added, run.count - skipped});
    }
  }
  return out;
}

}  // namespace

measure_moves moves_of(const score_delta& d) {
  measure_moves all;
  for (auto& change : d.changed) {
    std::size_t gone = 0, come = 0;
    for (auto& r : change.measures) {
      if (r.before.size() != r.after.size())
        all.push_back({change.id, r.first + come - gone, r.before.size(), r.after.size()});
      gone += r.before.size();
      come += r.after.size();
    }
  }
  return all;
}

std::vector<stayed_run> stayed_runs(const measure_moves& moves, std::string_view part,
                                    std::size_t before, std::size_t after) {
  auto is_of_part = [&](const measure_move& move) { return move.part == part; };
  auto count = std::count_if(moves.begin(), moves.end(), is_of_part);
  if (count == 0 || count > most_moves) return {};
  std::vector<stayed_run> runs{{0, 0, before}};
  auto size = before;
  for (auto& move : moves) {
    if (!is_of_part(move)) continue;
    if (move.first > size || move.removed > size - move.first) return {};
    size = size - move.removed + move.added;
    runs = moved(runs, move);
  }
  if (size > after) return {};
  return runs;
}

}  // namespace fermata
