#include "core/session/timeline/measure_range.hpp"

#include "core/music/name_match.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/score/model/section.hpp"
#include "core/score/model/wording.hpp"
#include "core/session/timeline/whole_number.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace fermata {

namespace {

error unreadable(std::string_view text) {
  return {errc::wrong_type, "`" + std::string{text} + "` is not a range of measures", std::nullopt,
          "Write " + std::string{measure_forms} + '.'};
}

constexpr int as_place(std::size_t index) {
  return static_cast<int>(std::min<std::size_t>(index, to_the_end - 1)) + 1;
}

/// The two ends of a range of measures, as they are written.
struct measure_bounds {
  std::string_view first, last;
  bool from_the_end;  ///< numbers below zero count from there
  std::size_t count;  ///< measures there are

  /// Whether a number counts from the end, and back behind the first measure.
  bool is_before_all(std::string_view digits) const {
    auto n = whole_number<int>(digits);
    return from_the_end && n && *n < 0 && static_cast<std::int64_t>(count) + *n < 0;
  }

  /// The place of one end where `index_of` knows the number.
  template <class IndexOf>
  std::optional<int> place(std::string_view digits, int open, IndexOf index_of) const {
    if (digits.empty()) return open;
    if (auto n = whole_number<int>(digits); n && *n < 0 && from_the_end)
      return static_cast<int>(count) + 1 + *n;
    auto index = index_of(digits);
    return index ? std::optional{as_place(*index)} : std::nullopt;
  }
};

/// "there is no measure 0; Flute has 1 to 4"
error no_such_measure(std::string_view number, const part& p) {
  auto count = p.measures.size();
  return {errc::no_such_target,
          "there is no measure " + std::string{number} + "; " +
              (count == 0 ? std::string{"the part is empty"}
                          : part_label(p) + " has " + printed_number(p, 0) + " to " +
                                printed_number(p, count - 1)),
          std::nullopt,
          "Use printed measure numbers; a pickup is 0, a later uncounted measure X1."};
}

}  // namespace

result<std::pair<int, int>> parse_measure_numbers(std::string_view text, const score& s,
                                                  const std::vector<std::size_t>& parts) {
  auto wrong = fail(unreadable(text));
  score meant;
  for (auto i : parts)
    meant.parts.push_back(s.parts[i]);
  if (parts.empty()) meant.parts = s.parts;
  if (meant.parts.empty()) meant.parts.push_back(std::make_shared<part>());
  auto& longest = *longest_part(meant);

  auto from_the_end = text.find(':') != text.npos;
  auto middle = text.find(from_the_end ? ':' : '-');
  auto first = text.substr(0, middle), last = middle == text.npos ? first : text.substr(middle + 1);
  if (first.empty() && last.empty()) return wrong;
  measure_bounds bounds{first, last, from_the_end, longest.measures.size()};
  if (bounds.is_before_all(first) || bounds.is_before_all(last))
    return fail({errc::out_of_range,
                 "`" + std::string{text} + "` reaches back further than the " +
                     std::to_string(bounds.count) + (bounds.count == 1 ? " measure" : " measures") +
                     " there are",
                 std::nullopt, "`:-1` selects all of them."});

  std::optional<int> from, to;
  auto look = [&](auto index_of) {
    from = bounds.place(first, 1, index_of);
    to = bounds.place(last, to_the_end, index_of);
    return from && to;
  };
  auto found = std::any_of(meant.parts.begin(), meant.parts.end(), [&](auto& p) {
    return look([&](std::string_view n) { return index_of_number(*p, n); });
  });
  // No part has both: each where there is one, or where it would come to stand.
  if (!found)
    look([&](std::string_view n) {
      std::optional<std::size_t> index;
      for (auto p = meant.parts.begin(); !index && p != meant.parts.end(); ++p)
        index = index_of_number(**p, n);
      return index ? index : index_past_end(longest, n);
    });
  if (!from || !to) {
    auto can_be = [](auto digits) {
      if (digits.starts_with('X')) digits.remove_prefix(1);
      return digits.empty() || whole_number<int>(digits).value_or(-1) >= 0;
    };
    if (can_be(first) && can_be(last)) return fail(no_such_measure(from ? last : first, longest));
    return wrong;
  }
  if (*to < *from)
    return fail({errc::out_of_range, "`" + std::string{text} + "` is an empty range", std::nullopt,
                 "Write the earlier measure first."});
  return std::pair{*from, *to};
}

result<std::pair<int, int>> parse_measures(std::string_view text, const score& s,
                                           const std::vector<std::size_t>& parts) {
  auto range = parse_measure_numbers(text, s, parts);
  if (range) return range;
  if (auto named = find_section(s, text)) return std::pair{named->first, named->last};
  auto sections = sections_of(s);
  auto failure = range.error();
  if (sections.empty()) return fail(failure);
  std::vector<std::string_view> names;
  for (auto& x : sections)
    names.push_back(x.name);
  auto& d = failure.diagnostics.front();
  if (d.code == errc::wrong_type) d.message += " or a rehearsal mark";
  auto guess = nearest(text, names);
  d.hint = guess ? "Did you mean `" + *guess + "`?"
                 : "Write " + std::string{measure_forms} + ", or a rehearsal mark such as `" +
                       sections.front().name + "`.";
  return fail(failure);
}

}  // namespace fermata
