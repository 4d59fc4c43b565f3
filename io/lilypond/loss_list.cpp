#include "io/lilypond/loss_list.hpp"

#include "core/score/wording.hpp"

#include <algorithm>

namespace fermata::io::lilypond {

void loss_list::add(const std::string& what, std::size_t part, std::size_t measure) {
  auto it = std::find_if(entries_.begin(), entries_.end(), [&](auto& e) { return e.what == what; });
  if (it == entries_.end())
    it = entries_.insert(entries_.end(), {what, place_name(score_, part, measure), 0});
  ++it->count;
}

std::vector<diagnostic> loss_list::take() const {
  std::vector<diagnostic> all;
  for (auto& e : entries_)
    all.push_back({errc::left_out,
                   "left out for LilyPond: " + e.what + " (" + std::to_string(e.count) +
                       ", first in " + e.first + ")",
                   {},
                   {}});
  return all;
}

}  // namespace fermata::io::lilypond
