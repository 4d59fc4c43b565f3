#include "io/json/listing_text.hpp"

#include "core/session/timeline/entry_text.hpp"
#include "io/json/entry_json.hpp"

namespace fermata::io {

namespace {

/// The time in front, and further lines below the text behind it.
std::string with_time(const history_entry& e, const wall_clock& clock, const std::string& text,
                      bool accessible) {
  auto label = to_text(e.time, clock) + (accessible ? ", " : "  ");
  std::string out = label;
  for (char c : text) {
    out += c;
    if (c == '\n' && !accessible) out.append(label.size(), ' ');
  }
  return out;
}

}  // namespace

std::string listed_text(const entry_listing& l, std::size_t i) {
  auto entry = l.at(i);
  if (l.as_json) return to_json_line(*entry);
  auto text = to_text(*entry, l.accessible);
  return l.clock ? with_time(*entry, *l.clock, text, l.accessible) : text;
}

}  // namespace fermata::io
