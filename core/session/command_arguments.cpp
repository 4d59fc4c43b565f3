#include "core/session/command_arguments.hpp"

#include "core/music/name_match.hpp"
#include "core/score/section.hpp"

#include <array>
#include <charconv>
#include <string>

namespace fermata {

namespace {

error unreadable(std::string_view what, std::string_view text, std::string_view forms) {
  return {errc::wrong_type, "`" + std::string{text} + "` is not " + std::string{what}, std::nullopt,
          "Write " + std::string{forms} + '.'};
}

template <class T>
std::optional<T> number(std::string_view text) {
  T n{};
  auto end = text.data() + text.size();
  auto [stop, failed] = std::from_chars(text.data(), end, n);
  if (text.empty() || failed != std::errc{} || stop != end) return std::nullopt;
  return n;
}

/// `In[7]`, `$Out[7]` and `7` name the same entry.
std::string_view bare_index(std::string_view text) {
  for (std::string_view head : {"$In[", "In[", "$Out[", "Out[", "Err["})
    if (text.substr(0, head.size()) == head && text.back() == ']')
      return text.substr(head.size(), text.size() - head.size() - 1);
  return text;
}

struct unit_of_time {
  std::string_view name;
  std::chrono::seconds length;
};
constexpr std::array units{unit_of_time{"s", std::chrono::seconds{1}},
                           unit_of_time{"second", std::chrono::seconds{1}},
                           unit_of_time{"m", std::chrono::minutes{1}},
                           unit_of_time{"min", std::chrono::minutes{1}},
                           unit_of_time{"minute", std::chrono::minutes{1}},
                           unit_of_time{"h", std::chrono::hours{1}},
                           unit_of_time{"hour", std::chrono::hours{1}},
                           unit_of_time{"d", std::chrono::hours{24}},
                           unit_of_time{"day", std::chrono::hours{24}}};

std::optional<std::chrono::seconds> span_of_time(std::string_view text) {
  auto digits = text.find_first_not_of("0123456789");
  if (digits == 0 || digits == text.npos) return std::nullopt;
  auto n = number<std::int64_t>(text.substr(0, digits));
  auto unit = text.substr(text.find_first_not_of(' ', digits));
  if (unit.size() > 3 && unit.back() == 's') unit.remove_suffix(1);
  for (auto& row : units)
    if (row.name == unit && n && *n < 1'000'000'000) return row.length * *n;
  return std::nullopt;
}

/// "2026-02-01T14:03:07": the parts that are there.
std::optional<timestamp> moment(std::string_view text) {
  using namespace std::chrono;
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  auto y = number<int>(text.substr(0, 4));
  auto m = number<unsigned>(text.substr(5, 2)), d = number<unsigned>(text.substr(8, 2));
  if (!y || !m || !d) return std::nullopt;
  year_month_day date{year{*y}, month{*m}, day{*d}};
  if (!date.ok()) return std::nullopt;
  timestamp t{sys_days{date}};
  auto rest = text.substr(10);
  if (!rest.empty() && rest.back() == 'Z') rest.remove_suffix(1);
  if (rest.empty()) return t;
  if ((rest.front() != 'T' && rest.front() != ' ') || (rest.size() != 6 && rest.size() != 9) ||
      rest[3] != ':' || (rest.size() == 9 && rest[6] != ':'))
    return std::nullopt;
  auto hour = number<int>(rest.substr(1, 2)), minute = number<int>(rest.substr(4, 2));
  auto second = rest.size() == 9 ? number<int>(rest.substr(7, 2)) : 0;
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60)
    return std::nullopt;
  return t + hours{*hour} + minutes{*minute} + seconds{*second};
}

}  // namespace

result<std::int64_t> parse_number(std::string_view text) {
  if (auto n = number<std::int64_t>(text)) return *n;
  return fail(unreadable("a whole number", text, "digits"));
}

result<index_range> parse_index_range(std::string_view text) {
  if (text == "0" || text.substr(0, 2) == "0:")
    return fail(
        {errc::out_of_range, "entries are counted from 1", std::nullopt, "-1 is the last one."});
  auto wrong = fail(unreadable("a range of entries", text, "42, 10:20, 5:, :15 or -5:"));
  auto colon = text.find(':');
  if (colon == text.npos) {
    auto n = number<std::int64_t>(bare_index(text));
    if (!n) return wrong;
    return index_range{n, n};
  }
  auto first = bare_index(text.substr(0, colon)), last = bare_index(text.substr(colon + 1));
  index_range range;
  if (first.empty() && last.empty()) return wrong;
  if (!first.empty() && !(range.from = number<std::int64_t>(first))) return wrong;
  if (!last.empty() && !(range.to = number<std::int64_t>(last))) return wrong;
  // Ends of different kinds (3:-2) can only be compared where the timeline is known.
  if (range.from && range.to && (*range.from < 0) == (*range.to < 0) && *range.to < *range.from)
    return fail({errc::out_of_range, "`" + std::string{text} + "` ends before it begins",
                 std::nullopt, "The lower number comes first."});
  return range;
}

result<std::pair<int, int>> parse_measures(std::string_view text) {
  auto wrong = fail(unreadable("a range of measures", text, "5 or 5-8"));
  auto middle = text.find_first_of("-:", 1);
  auto first = number<int>(text.substr(0, middle));
  auto last = middle == text.npos ? first : number<int>(text.substr(middle + 1));
  if (!first || !last || *first < 1 || *last < *first) return wrong;
  return std::pair{*first, *last};
}

result<std::pair<int, int>> parse_measures(std::string_view text, const score& s) {
  auto range = parse_measures(text);
  if (range) return range;
  if (auto named = find_section(s, text)) return std::pair{named->first, named->last};
  auto sections = sections_of(s);
  auto failure = range.error();
  if (sections.empty()) return fail(failure);
  std::vector<std::string_view> names;
  for (auto& x : sections)
    names.push_back(x.name);
  auto& d = failure.diagnostics.front();
  d.message += " and no rehearsal mark";
  auto guess = nearest(text, names);
  d.hint = guess ? "Did you mean `" + *guess + "`?"
                 : "Write 5, 5-8 or a rehearsal mark such as `" + sections.front().name + "`.";
  return fail(failure);
}

result<timestamp> parse_time(std::string_view text, timestamp now) {
  if (auto back = span_of_time(text)) return now - *back;
  if (auto t = moment(text)) return *t;
  return fail(unreadable("a time", text, "10m, 2h, 3d or 2026-02-01T14:03"));
}

result<bool> parse_switch(std::string_view text) {
  if (text == "on" || text == "off") return text == "on";
  return fail(unreadable("on or off", text, "on or off"));
}

std::string unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.find('"', 1) == text.size() - 1)
    text = text.substr(1, text.size() - 2);
  return std::string{text};
}

}  // namespace fermata
