#include "core/session/timeline/wall_clock.hpp"

#include <fmt/format.h>

#include <utility>

namespace fermata {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

seconds ahead(wall_clock clock, timestamp t) {
  return clock.ahead_of_utc ? clock.ahead_of_utc(t) : seconds{0};
}

/// The instant at which the clock shows `shown`, which is counted as if it were UTC. Zones are put
/// forward or back at most once in two days, so the offsets of the days around are all there are.
timestamp instant_of(timestamp shown, wall_clock clock) {
  auto before = shown - ahead(clock, shown - days{1});
  if (before + ahead(clock, before) == shown) return before;
  auto after = shown - ahead(clock, shown + days{1});
  return after + ahead(clock, after) == shown ? after : before;
}

/// Eats digits and separators from the front of a text.
class scanner {
public:
  explicit scanner(std::string_view text) : text_(text) {}
  bool done() const { return text_.empty(); }
  std::size_t left() const { return text_.size(); }
  bool eat(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  /// Exactly `digits` digits.
  std::optional<int> number(std::size_t digits) {
    int n = 0;
    if (text_.size() < digits) return std::nullopt;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!is_digit(text_[i])) return std::nullopt;
      n = n * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(digits);
    return n;
  }
  /// The same, as a number up to `most`.
  std::optional<int> number(std::size_t digits, int most) {
    auto n = number(digits);
    return n && *n <= most ? n : std::nullopt;
  }
  /// Digits after a decimal point, as milliseconds.
  std::optional<milliseconds> fraction() {
    std::int64_t n = 0;
    std::size_t count = 0;
    for (; count < text_.size() && is_digit(text_[count]); ++count)
      if (count < 3) n = n * 10 + (text_[count] - '0');
    if (count == 0) return std::nullopt;
    text_.remove_prefix(count);
    for (auto c = count; c < 3; ++c)
      n *= 10;
    return milliseconds{n};
  }

private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  std::string_view text_;
};

std::optional<timestamp> parse_day(scanner& in) {
  auto year = in.number(4);
  if (!year || !in.eat('-')) return std::nullopt;
  auto month = in.number(2, 12);
  if (!month || !in.eat('-')) return std::nullopt;
  auto day = in.number(2, 31);
  if (!day) return std::nullopt;
  std::chrono::year_month_day date{std::chrono::year{*year},
                                   std::chrono::month{static_cast<unsigned>(*month)},
                                   std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  return timestamp{std::chrono::sys_days{date}};
}

struct time_of_day {
  milliseconds from_midnight;
  milliseconds length;  ///< of what was said: a minute, a second, a part of one
};

std::optional<time_of_day> parse_time_of_day(scanner& in) {
  auto hour = in.number(2, 23);
  if (!hour || !in.eat(':')) return std::nullopt;
  auto minute = in.number(2, 59);
  if (!minute) return std::nullopt;
  milliseconds t = hours{*hour} + minutes{*minute};
  if (!in.eat(':')) return time_of_day{t, minutes{1}};
  auto second = in.number(2, 60);  // a leap second
  if (!second) return std::nullopt;
  t += seconds{*second};
  if (!in.eat('.')) return time_of_day{t, seconds{1}};
  auto before = in.left();
  auto part = in.fraction();
  if (!part) return std::nullopt;
  auto digits = before - in.left();
  return time_of_day{t + *part, milliseconds{digits == 1 ? 100 : digits == 2 ? 10 : 1}};
}

/// `+01:00`, `-0530`, `+01`: how far the time before it is ahead of UTC.
std::optional<minutes> parse_offset(scanner& in) {
  const bool behind = in.eat('-');
  if (!behind && !in.eat('+')) return std::nullopt;
  auto hour = in.number(2, 23);
  if (!hour) return std::nullopt;
  std::optional<int> minute = 0;
  if (!in.done()) {
    in.eat(':');
    minute = in.number(2, 59);
  }
  if (!minute) return std::nullopt;
  auto offset = hours{*hour} + minutes{*minute};
  return behind ? -offset : offset;
}

}  // namespace

std::string to_text(timestamp t, wall_clock clock) {
  auto shown = t + ahead(clock, t);
  auto day = std::chrono::floor<days>(shown);
  std::chrono::year_month_day date{day};
  std::chrono::hh_mm_ss time{std::chrono::floor<seconds>(shown - day)};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}{}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     clock.ahead_of_utc ? "" : "Z");
}

namespace {

/// The first instant of what is named, and the first one behind it.
std::optional<std::pair<timestamp, timestamp>> parse_stretch(std::string_view text,
                                                             wall_clock clock) {
  scanner in{text};
  auto shown = parse_day(in);
  if (!shown) return std::nullopt;
  if (in.done()) return std::pair{instant_of(*shown, clock), instant_of(*shown + days{1}, clock)};
  if (!in.eat('T') && !in.eat(' ')) return std::nullopt;
  auto time = parse_time_of_day(in);
  if (!time) return std::nullopt;
  *shown += time->from_midnight;
  auto from = *shown;
  if (in.done()) {
    from = instant_of(*shown, clock);
  } else if (!in.eat('Z')) {
    auto offset = parse_offset(in);
    if (!offset) return std::nullopt;
    from -= *offset;
  }
  if (!in.done()) return std::nullopt;
  return std::pair{from, from + time->length};
}

}  // namespace

std::optional<timestamp> parse_moment(std::string_view text, wall_clock clock) {
  auto named = parse_stretch(text, clock);
  return named ? std::optional{named->first} : std::nullopt;
}

std::optional<timestamp> parse_end_of_moment(std::string_view text, wall_clock clock) {
  auto named = parse_stretch(text, clock);
  return named ? std::optional{named->second - milliseconds{1}} : std::nullopt;
}

}  // namespace fermata
