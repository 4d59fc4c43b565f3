#include "io/protocol/time_text.hpp"

#include <fmt/format.h>

#include <charconv>

namespace fermata::io::protocol {

using std::chrono::milliseconds;

std::string to_text(timestamp t) {
  auto day = std::chrono::floor<std::chrono::days>(t);
  std::chrono::year_month_day date{day};
  std::chrono::hh_mm_ss<milliseconds> time{t - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

namespace {

/// Eats digits and separators from the front of a text.
class scanner {
public:
  explicit scanner(std::string_view text) : text_(text) {}
  bool done() const { return text_.empty(); }
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
      if (text_[i] < '0' || text_[i] > '9') return std::nullopt;
      n = n * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(digits);
    return n;
  }
  /// Digits after a decimal point, as milliseconds.
  std::optional<int> fraction() {
    int n = 0;
    std::size_t count = 0;
    for (; count < text_.size() && text_[count] >= '0' && text_[count] <= '9'; ++count)
      if (count < 3) n = n * 10 + (text_[count] - '0');
    if (count == 0) return std::nullopt;
    text_.remove_prefix(count);
    for (auto c = count; c < 3; ++c)
      n *= 10;
    return n;
  }

private:
  std::string_view text_;
};

std::optional<timestamp> parse_age(std::string_view text, timestamp now) {
  std::int64_t n = 0;
  auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (ec != std::errc{} || end + 1 != text.data() + text.size() || n < 0 || n > 1'000'000'000)
    return std::nullopt;
  switch (*end) {
    case 's': return now - std::chrono::seconds{n};
    case 'm': return now - std::chrono::minutes{n};
    case 'h': return now - std::chrono::hours{n};
    case 'd': return now - std::chrono::hours{24 * n};
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<timestamp> parse_time(std::string_view text, timestamp now) {
  if (auto age = parse_age(text, now)) return age;
  scanner in{text};
  auto year = in.number(4);
  if (!year || !in.eat('-')) return std::nullopt;
  auto month = in.number(2);
  if (!month || !in.eat('-')) return std::nullopt;
  auto day = in.number(2);
  if (!day) return std::nullopt;
  std::chrono::year_month_day date{std::chrono::year{*year},
                                   std::chrono::month{static_cast<unsigned>(*month)},
                                   std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  timestamp out = std::chrono::sys_days{date};
  if (in.done()) return out;
  if (!in.eat('T') && !in.eat(' ')) return std::nullopt;
  auto hours = in.number(2);
  if (!hours || *hours > 23 || !in.eat(':')) return std::nullopt;
  auto minutes = in.number(2);
  if (!minutes || *minutes > 59) return std::nullopt;
  out += std::chrono::hours{*hours} + std::chrono::minutes{*minutes};
  if (in.eat(':')) {
    auto seconds = in.number(2);
    if (!seconds || *seconds > 60) return std::nullopt;
    out += std::chrono::seconds{*seconds};
    if (in.eat('.')) {
      auto part = in.fraction();
      if (!part) return std::nullopt;
      out += milliseconds{*part};
    }
  }
  if (in.done() || (in.eat('Z') && in.done())) return out;
  const bool behind = in.eat('-');
  if (!behind && !in.eat('+')) return std::nullopt;
  auto offset_hours = in.number(2);
  if (!offset_hours) return std::nullopt;
  in.eat(':');
  auto offset_minutes = in.number(2);
  if (!offset_minutes || !in.done()) return std::nullopt;
  auto offset = std::chrono::hours{*offset_hours} + std::chrono::minutes{*offset_minutes};
  return behind ? out + offset : out - offset;
}

}  // namespace fermata::io::protocol
