#include "core/session/timeline/step_report.hpp"

#include <charconv>

namespace fermata {

namespace {

std::string_view verb(step_way way) { return way == step_way::back ? "Undid" : "Redid"; }

/// What journals of earlier versions say instead.
std::string_view earlier_verb(step_way way) {
  return way == step_way::back ? "took back" : "made again";
}

/// Between the first and the last of entries that follow each other.
constexpr std::string_view range_word = " to ";
/// More entries than a timeline ever has; a damaged number is not counted up to.
constexpr std::int64_t longest_range = 100'000'000;

bool skip(std::string_view& text, std::string_view head) {
  if (!text.starts_with(head)) return false;
  text.remove_prefix(head.size());
  return true;
}

/// `In[7]` or `In 7`.
std::optional<std::int64_t> take_entry(std::string_view& text) {
  auto bracket = skip(text, "In[");
  if (!bracket && !skip(text, "In ")) return std::nullopt;
  std::int64_t number = 0;
  auto [stop, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || number < 1) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  if (bracket && !skip(text, "]")) return std::nullopt;
  return number;
}

}  // namespace

std::string to_text(const moved_steps& moved, bool accessible) {
  auto& all = moved.entries;
  auto name = [&](std::size_t i) {
    auto number = std::to_string(all[i]);
    return "In" + (accessible ? ' ' + number : '[' + number + ']');
  };
  auto step = moved.way == step_way::back ? -1 : 1;
  std::string text{verb(moved.way)};
  for (std::size_t begin = 0, last = 0; begin < all.size(); begin = last + 1) {
    for (last = begin; last + 1 < all.size() && all[last + 1] == all[last] + step;)
      ++last;
    // Two are as short by themselves.
    if (last == begin + 1) last = begin;
    text += (begin == 0 ? " " : ", ") + name(begin);
    if (last > begin) text += std::string{range_word} + name(last);
  }
  return text;
}

std::optional<moved_steps> read_moved_steps(std::string_view output) {
  for (auto way : {step_way::back, step_way::forth}) {
    auto rest = output;
    if (!(skip(rest, verb(way)) || skip(rest, earlier_verb(way))) || !skip(rest, " ")) continue;
    moved_steps moved{way, {}};
    do {
      auto first = take_entry(rest);
      if (!first) return std::nullopt;
      auto last = skip(rest, range_word) ? take_entry(rest) : first;
      auto steps = last ? (way == step_way::back ? *first - *last : *last - *first) : -1;
      if (steps < 0 || steps > longest_range) return std::nullopt;
      for (std::int64_t i = 0; i <= steps; ++i)
        moved.entries.push_back(way == step_way::back ? *first - i : *first + i);
    } while (skip(rest, ", "));
    if (!rest.starts_with(':')) return std::nullopt;
    return moved;
  }
  return std::nullopt;
}

bool may_contain_moved_steps(std::string_view text) {
  for (auto way : {step_way::back, step_way::forth})
    if (text.find(verb(way)) != text.npos || text.find(earlier_verb(way)) != text.npos) return true;
  return false;
}

}  // namespace fermata
