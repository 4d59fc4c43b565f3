#include "io/protocol/score_text.hpp"

#include "core/session/timeline/score_text.hpp"
#include "io/musicxml/export.hpp"
#include "io/protocol/common_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>

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

/// Measures that a first try renders. What they come to says how many fit, so that a page of a long
/// score costs little more than the page, however dense it is.
constexpr std::size_t sample = 16;

/// So many measures as the proportion says.
std::size_t fitting(std::size_t measures, std::size_t characters, std::size_t limit) {
  return measures * limit / std::max<std::size_t>(characters, 1);
}

struct remembered {
  std::weak_ptr<const score> of;
  excerpt_range range;
  score_format format = score_format::fermata;
  std::size_t limit = 0;
  score_page page;

  bool is_for(const score_ptr& s, const excerpt_range& wanted, score_format as,
              std::size_t at_most) const {
    return of.lock() == s && range.parts == wanted.parts && range.first == wanted.first &&
           range.last == wanted.last && format == as && limit == at_most;
  }
};

/// Of few pages: each may have `max_text_limit` characters.
struct page_memory {
  static constexpr std::size_t most = 8;
  std::mutex mutex;
  std::deque<remembered> pages;  ///< the newest first
};

}  // namespace

answer<score_page> fitting_page(const score& s, const excerpt_range& range, score_format format,
                                std::size_t limit) {
  auto part = range;
  const auto all = range.last - range.first;
  auto count = std::min(all, sample);
  for (bool is_sample = true;; is_sample = false) {
    part.last = range.first + count;
    auto text = rendered(s, part, format);
    if (!text) return refuse(std::move(text.error()));
    if (is_sample && count < all && text->size() <= limit) {
      // More may fit; when no more does, this is the page. What stands before the music counts in
      // each sample and once in the page, so this says too few measures rather than too many.
      const auto more = std::min(all, fitting(count, text->size(), limit));
      if (more > count) {
        count = more;
        continue;
      }
    }
    if (text->size() <= limit || (count <= 1 && text->size() <= max_text_limit))
      return score_page{std::move(*text), part.last};
    if (count <= 1)
      return refuse({fault_code::out_of_range,
                     fmt::format("measure {} alone has {} characters in this format",
                                 part.first + 1, text->size()),
                     "ask for one part with `part`",
                     {{"max", max_text_limit}, {"got", text->size()}}});
    // Somewhat fewer, so that few rounds are needed.
    count = std::clamp<std::size_t>(fitting(count, text->size(), limit) * 9 / 10, 1, count - 1);
  }
}

answer<score_page> remembered_page(const score_ptr& s, const excerpt_range& range,
                                   score_format format, std::size_t limit) {
  static page_memory memory;
  {
    std::lock_guard lock{memory.mutex};
    for (auto& known : memory.pages)
      if (known.is_for(s, range, format, limit)) return known.page;
  }
  auto page = fitting_page(*s, range, format, limit);
  if (!page) return page;
  std::lock_guard lock{memory.mutex};
  std::erase_if(memory.pages, [](auto& known) { return known.of.expired(); });
  memory.pages.push_front({s, range, format, limit, *page});
  if (memory.pages.size() > page_memory::most) memory.pages.pop_back();
  return page;
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
