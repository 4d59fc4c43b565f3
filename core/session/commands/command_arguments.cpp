#include "core/session/commands/command_arguments.hpp"

#include "core/session/timeline/whole_number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace fermata {

namespace {

error unreadable(std::string_view what, std::string_view text, std::string_view forms) {
  return {errc::wrong_type, "`" + std::string{text} + "` is not " + std::string{what}, std::nullopt,
          "Write " + std::string{forms} + '.'};
}

/// `In[7]`, `$Out[7]`, `[7]` and `7` name the same entry.
std::string_view bare_index(std::string_view text) {
  for (std::string_view head : {"$In[", "In[", "$Out[", "Out[", "Err[", "["})
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
  auto n = whole_number<std::int64_t>(text.substr(0, digits));
  auto unit = text.substr(text.find_first_not_of(' ', digits));
  if (unit.size() > 3 && unit.back() == 's') unit.remove_suffix(1);
  for (auto& row : units)
    if (row.name == unit && n && *n < 1'000'000'000) return row.length * *n;
  return std::nullopt;
}

}  // namespace

result<std::int64_t> parse_number(std::string_view text) {
  if (auto n = whole_number<std::int64_t>(text)) return *n;
  return fail(unreadable("a whole number", text, "digits"));
}

std::optional<double> parse_decimal(std::string_view text) {
  double value = 0;
  auto end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return value;
}

result<index_range> parse_index_range(std::string_view text) {
  if (text == "0" || text.substr(0, 2) == "0:")
    return fail(
        {errc::out_of_range, "entry numbers start at 1", std::nullopt, "-1 is the last entry."});
  auto wrong = fail(unreadable("a range of entries", text, "42, 10:20, 5:, :15 or -5:"));
  auto colon = text.find(':');
  if (colon == text.npos) {
    auto n = whole_number<std::int64_t>(bare_index(text));
    if (!n) return wrong;
    return index_range{n, n};
  }
  auto first = bare_index(text.substr(0, colon)), last = bare_index(text.substr(colon + 1));
  index_range range;
  if (first.empty() && last.empty()) return wrong;
  if (!first.empty() && !(range.from = whole_number<std::int64_t>(first))) return wrong;
  if (!last.empty() && !(range.to = whole_number<std::int64_t>(last))) return wrong;
  // Ends of different kinds (3:-2) can only be compared where the timeline is known.
  if (range.from && range.to && (*range.from < 0) == (*range.to < 0) && *range.to < *range.from)
    return fail({errc::out_of_range, "`" + std::string{text} + "` is an empty range", std::nullopt,
                 "Write the lower number first."});
  return range;
}

namespace {

using moment_reader = std::optional<timestamp> (*)(std::string_view, wall_clock);

result<timestamp> read_time(std::string_view text, timestamp now, wall_clock clock,
                            moment_reader read_moment) {
  if (auto back = span_of_time(text)) return now - *back;
  if (auto t = read_moment(text, clock)) return *t;
  return fail(unreadable("a time", text, "10m, 2h, 3d or 2026-02-01T14:03"));
}

}  // namespace

result<timestamp> parse_time(std::string_view text, timestamp now, wall_clock clock) {
  return read_time(text, now, clock, parse_moment);
}

result<timestamp> parse_end_time(std::string_view text, timestamp now, wall_clock clock) {
  return read_time(text, now, clock, parse_end_of_moment);
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

result<double> parse_tempo(std::string_view text) {
  constexpr double least = 0.1, most = 10;
  auto number = text;
  auto percent = number.ends_with('%');
  if (percent) number.remove_suffix(1);
  double value = 0;
  auto end = number.data() + number.size();
  auto read = std::from_chars(number.data(), end, value);
  auto is_number = read.ec == std::errc{} && read.ptr == end;
  if (percent) value /= 100;
  if (is_number && value >= least && value <= most) return value;
  return fail({errc::out_of_range, "`" + std::string{text} + "` is not a tempo", std::nullopt,
               "Give a percentage from 10% to 1000%."});
}

}  // namespace fermata
