#include "io/lilypond/loss_list.hpp"

#include "core/score/model/wording.hpp"

#include <algorithm>

namespace fermata::io::lilypond {

loss_list::entry& loss_list::counted(const std::string& what) {
  auto it = std::find_if(entries_.begin(), entries_.end(), [&](auto& e) { return e.what == what; });
  if (it == entries_.end()) it = entries_.insert(entries_.end(), {what, {}, 0});
  ++it->count;
  return *it;
}

void loss_list::add(const std::string& what, std::size_t part, std::size_t measure) {
  auto& e = counted(what);
  if (e.first.empty()) e.first = place_name(score_, part, measure);
}

void loss_list::add(const std::string& what) { counted(what); }

std::vector<diagnostic> loss_list::take() const {
  std::vector<diagnostic> all;
  for (auto& e : entries_)
    all.push_back({errc::left_out,
                   "left out for LilyPond: " + e.what + " (" + std::to_string(e.count) +
                       (e.first.empty() ? "" : ", first in " + e.first) + ")",
                   {},
                   {}});
  return all;
}

}  // namespace fermata::io::lilypond
