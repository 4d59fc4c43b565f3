#include "io/json/listing_text.hpp"

#include "core/session/entry_text.hpp"
#include "io/json/entry_json.hpp"

namespace fermata::io {

std::string listed_text(const entry_listing& l, std::size_t i) {
  auto entry = l.at(i);
  return l.as_json ? to_json_line(*entry) : to_text(*entry, l.in_words);
}

}  // namespace fermata::io
