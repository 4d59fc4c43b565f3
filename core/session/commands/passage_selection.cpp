#include "core/session/commands/passage_selection.hpp"

#include "core/score/model/measure_names.hpp"
#include "core/session/commands/score_selection.hpp"
#include "core/session/timeline/measure_range.hpp"
#include "core/session/timeline/score_text.hpp"

#include <algorithm>

namespace fermata {

namespace {

int measures_in(const score& s) {
  auto longest = longest_part(s);
  return longest ? static_cast<int>(longest->measures.size()) : 0;
}

result<void> add_parts(const std::vector<std::string>& names, const score& s,
                       std::vector<std::string>& ids) {
  for (auto& name : names) {
    auto part = the_part_called(s, name);
    if (!part) return fail(part.error());
    ids.push_back(s.parts[*part]->id);
  }
  return {};
}

result<void> select_words(playback::passage& p, const score& s) {
  auto& words = p.selection.words;
  if (words.empty()) return {};
  auto selected = select_in_score(s, words, "a part and measures");
  if (!selected) return fail(selected.error());
  if (selected->part)
    if (auto added = add_parts({*selected->part}, s, p.only); !added) return added;
  if (!selected->measures) return {};
  auto last = measures_in(s);
  auto& word = words.front() == selected->part ? words.back() : words.front();
  if (selected->measures->first > last)
    return fail({errc::no_such_target, "measure " + word + " does not exist", std::nullopt,
                 last == 0
                     ? "There are no measures."
                     : "The last one is measure " +
                           printed_number(*longest_part(s), static_cast<std::size_t>(last - 1)) +
                           '.'});
  p.range = selected->measures;
  return {};
}

result<void> select_beginning(playback::passage& p, const score& s) {
  auto& from = p.selection.from;
  if (from.empty()) return {};
  auto first = single_measure(s, from);
  if (!first) return fail(first.error());
  auto last = p.range ? p.range->second : to_the_end;
  if (*first > last || (p.range && *first < p.range->first))
    return fail({errc::out_of_range, "measure " + from + " is not in " + p.name});
  p.range = {*first, last};
  return {};
}

result<void> select_parts(playback::passage& p, const score& s) {
  if (auto added = add_parts(p.selection.solo, s, p.only); !added) return added;
  if (auto added = add_parts(p.selection.mute, s, p.muted); !added) return added;
  auto is_heard = [&](auto& part) {
    auto is_in = [&](auto& ids) {
      return std::find(ids.begin(), ids.end(), part->id) != ids.end();
    };
    return (p.only.empty() || is_in(p.only)) && !is_in(p.muted);
  };
  if (!s.parts.empty() && std::none_of(s.parts.begin(), s.parts.end(), is_heard))
    return fail({errc::out_of_range, "no parts left to play"});
  return {};
}

}  // namespace

result<void> select_in_passage(playback::passage& p, const score& s) {
  if (auto done = select_words(p, s); !done) return done;
  if (auto done = select_beginning(p, s); !done) return done;
  return select_parts(p, s);
}

}  // namespace fermata
