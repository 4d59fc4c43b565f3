#include "io/protocol/score_text.hpp"

#include "core/session/score_text.hpp"
#include "io/musicxml/export.hpp"
#include "io/protocol/common_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fermata::io::protocol {

namespace {

answer<std::string> rendered(const score& s, const excerpt_range& range, score_format format) {
  const auto part = make_excerpt(s, range);
  if (format == score_format::musicxml) return io::musicxml::write(part);
  auto text = fermata::score_text(part);
  if (!text)
    return refuse({fault_code::internal, text.error().first().message,
                   "please report it together with the score"});
  return std::move(*text);
}

/// Measures that a first try renders: a guess from below the usual density of each format, so that
/// a page of a long score costs a page and not the score.
std::size_t first_guess(const excerpt_range& range, score_format format, std::size_t limit) {
  const std::size_t per_measure = format == score_format::musicxml ? 400 : 25;
  const auto parts = std::max<std::size_t>(range.parts.size(), 1);
  return std::max<std::size_t>(1, limit / (per_measure * parts));
}

}  // namespace

answer<score_page> fitting_page(const score& s, const excerpt_range& range, score_format format,
                                std::size_t limit) {
  auto part = range;
  auto count = std::min(range.last - range.first, first_guess(range, format, limit));
  for (;;) {
    part.last = range.first + count;
    auto text = rendered(s, part, format);
    if (!text) return refuse(std::move(text.error()));
    if (text->size() <= limit || (count <= 1 && text->size() <= max_text_limit))
      return score_page{std::move(*text), part.last};
    if (count <= 1)
      return refuse({fault_code::out_of_range,
                     fmt::format("measure {} alone has {} characters in this format",
                                 part.first + 1, text->size()),
                     "ask for one part with `part`",
                     {{"max", max_text_limit}, {"got", text->size()}}});
    // Somewhat fewer than the proportion says, so that few rounds are needed.
    count = std::clamp<std::size_t>(count * limit / text->size() * 9 / 10, 1, count - 1);
  }
}

answer<std::string> measure_text(const score& s, std::size_t part, std::size_t measure) {
  // Of this part alone: ids need not be unique in a file.
  score one;
  one.parts = {s.parts[part]};
  const auto number = static_cast<int>(measure) + 1;
  auto text = fermata::score_text(one, one.parts.front()->id, std::pair{number, number});
  if (!text)
    return refuse({fault_code::internal, text.error().first().message,
                   "please report it together with the score"});
  // Without the line that names the part.
  if (text->substr(0, 1) == ";") text->erase(0, std::min(text->find('\n'), text->size() - 1) + 1);
  return std::move(*text);
}

}  // namespace fermata::io::protocol
