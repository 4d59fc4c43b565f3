#include "io/text/word_columns.hpp"

#include "core/utf8.hpp"
#include "io/text/code_point.hpp"
#include "io/text/wrap.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fermata::io {

std::string in_columns(const std::vector<std::string>& words, std::size_t columns, std::size_t rows,
                       std::string_view end) {
  std::size_t width = 1;
  for (auto& w : words)
    width = std::max(width, display_width(w) + 2);
  auto per_row = std::max<std::size_t>(columns / width, 1);
  auto shown = std::min(words.size(), per_row * std::max<std::size_t>(rows, 1));
  std::string list;
  for (std::size_t i = 0; i < shown; ++i) {
    list += words[i];
    if ((i + 1) % per_row == 0 || i + 1 == shown)
      list += end;
    else
      list.append(width - display_width(words[i]), ' ');
  }
  if (shown < words.size()) list += fmt::format("... {} more{}", words.size() - shown, end);
  return list;
}

std::string common_beginning(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  std::size_t common = words.front().size();
  for (auto& w : words) {
    auto end = std::min(common, w.size());
    common = static_cast<std::size_t>(std::mismatch(w.begin(),
                                                    w.begin() + static_cast<std::ptrdiff_t>(end),
                                                    words.front().begin())
                                          .first -
                                      w.begin());
  }
  // Up to the last character that is whole, with the accents that stand on it.
  auto whole = [&](const std::string& w) {
    return common == w.size() ||
           (!is_utf8_continuation(w[common]) && cells(code_point_at(w, common).value) > 0);
  };
  while (common > 0 && !std::all_of(words.begin(), words.end(), whole))
    --common;
  return words.front().substr(0, common);
}

}  // namespace fermata::io
