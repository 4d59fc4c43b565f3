#include "core/session/commands/score_selection.hpp"

#include "core/score/model/measure_names.hpp"
#include "core/score/model/part_names.hpp"
#include "core/session/timeline/measure_range.hpp"

namespace fermata {

namespace {

bool names_a_part(const score& s, std::string_view name) { return !parts_called(s, name).empty(); }

/// Digits and what ranges are written with: a range, if a wrong one, and no part.
bool looks_like_a_range(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789-:,;.") == text.npos;
}

tl::unexpected<error> one_too_many(const std::string& word, std::string_view usage,
                                   std::string_view advice) {
  return fail({errc::wrong_argument_count, "unexpected argument `" + word + '`', std::nullopt,
               "Usage: " + std::string{usage} + "; " + std::string{advice}});
}

}  // namespace

result<score_selection> select_in_score(const score& s, const std::vector<std::string>& args,
                                        std::string_view usage) {
  score_selection selected;
  // Measures are those of the part that is named beside them.
  std::vector<std::size_t> parts;
  for (auto& given : args)
    if (auto called = parts_called(s, given); !called.empty() && !looks_like_a_range(given))
      parts = std::move(called);
  for (auto& given : args) {
    auto may_be_measures = looks_like_a_range(given) || !names_a_part(s, given);
    auto range = names_a_part(s, given) ? parse_measure_numbers(given, s, parts)
                                        : parse_measures(given, s, parts);
    if (range && may_be_measures && !selected.measures)
      selected.measures = *range;
    else if (range && !names_a_part(s, given))
      return one_too_many(given, usage, "write consecutive measures as 5-8.");
    else if (looks_like_a_range(given) && !names_a_part(s, given))
      return fail(range.error());
    else if (!selected.part)
      selected.part = given;
    else
      return one_too_many(given, usage, "quote names that contain spaces.");
  }
  return selected;
}

result<int> single_measure(const score& s, const std::string& word) {
  auto longest = longest_part(s);
  auto last = longest ? static_cast<int>(longest->measures.size()) : 0;
  if (last == 0) return fail({errc::no_such_target, "the score is empty"});
  auto range = parse_measures(word, s);
  if (!range) return fail(range.error());
  // A rehearsal mark stands for the measures up to the next one.
  if (auto numbers = parse_measure_numbers(word, s); numbers && numbers->first != numbers->second)
    return fail({errc::wrong_argument_count, "`" + word + "` is more than one measure",
                 std::nullopt, "Give one measure or a rehearsal mark."});
  if (range->first > last)
    return fail({errc::no_such_target, "measure " + word + " does not exist", std::nullopt,
                 "The last one is measure " +
                     printed_number(*longest, static_cast<std::size_t>(last - 1)) + '.'});
  return range->first;
}

}  // namespace fermata
