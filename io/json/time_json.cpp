#include "io/json/time_json.hpp"

#include <fmt/format.h>

#include <charconv>

namespace fermata::io {

std::string time_text(timestamp t) {
  using namespace std::chrono;
  auto day = floor<days>(t);
  year_month_day date{day};
  hh_mm_ss time{t - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

result<timestamp> parse_time_text(std::string_view text) {
  using namespace std::chrono;
  auto wrong = fail({errc::wrong_type, "`" + std::string{text} + "` is not a time", std::nullopt,
                     "Write 2026-02-01T14:03:07.120Z."});
  constexpr std::string_view shape = "0000-00-00T00:00:00.000Z";
  if (text.size() != shape.size()) return wrong;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != shape[i]) return wrong;
  auto number = [&](std::size_t at, std::size_t length) {
    int n = 0;
    std::from_chars(text.data() + at, text.data() + at + length, n);
    return n;
  };
  year_month_day date{year{number(0, 4)}, month{static_cast<unsigned>(number(5, 2))},
                      day{static_cast<unsigned>(number(8, 2))}};
  if (!date.ok() || number(11, 2) > 23 || number(14, 2) > 59 || number(17, 2) > 59) return wrong;
  return timestamp{sys_days{date}} + hours{number(11, 2)} + minutes{number(14, 2)} +
         seconds{number(17, 2)} + milliseconds{number(20, 3)};
}

}  // namespace fermata::io
