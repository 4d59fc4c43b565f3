#include "core/session/step_report.hpp"

#include <charconv>

namespace fermata {

namespace {

std::string_view verb(step_way way) { return way == step_way::back ? "took back" : "made again"; }

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

std::string to_text(const moved_steps& moved, bool in_words) {
  std::string text{verb(moved.way)};
  for (std::size_t i = 0; i < moved.entries.size(); ++i) {
    auto number = std::to_string(moved.entries[i]);
    text += (i == 0 ? " In" : ", In") + (in_words ? ' ' + number : '[' + number + ']');
  }
  return text;
}

std::optional<moved_steps> read_moved_steps(std::string_view output) {
  for (auto way : {step_way::back, step_way::forth}) {
    auto rest = output;
    if (!skip(rest, verb(way)) || !skip(rest, " ")) continue;
    moved_steps moved{way, {}};
    do {
      auto entry = take_entry(rest);
      if (!entry) return std::nullopt;
      moved.entries.push_back(*entry);
    } while (skip(rest, ", "));
    if (!rest.starts_with(':')) return std::nullopt;
    return moved;
  }
  return std::nullopt;
}

bool may_tell_of_moved_steps(std::string_view text) {
  return text.find(verb(step_way::back)) != text.npos ||
         text.find(verb(step_way::forth)) != text.npos;
}

}  // namespace fermata
