#include "io/musicxml/playback.hpp"

#include "core/music/duration.hpp"

#include <algorithm>
#include <cctype>

namespace fermata::io::musicxml::detail {

namespace {

/// The first number in "c. 96", "120-132", "66.5", as written.
std::string_view first_number(std::string_view text) {
  auto begin = text.find_first_of("0123456789");
  if (begin == std::string_view::npos) return {};
  auto end = text.find_first_not_of("0123456789.", begin);
  auto number = text.substr(begin, end == std::string_view::npos ? end : end - begin);
  while (number.ends_with('.'))
    number.remove_suffix(1);
  return number;
}

/// Quarter notes per minute as a decimal with at most three places.
std::string tempo_text(rational quarters_per_minute) {
  auto thousandths = floor(quarters_per_minute * rational{1000} + rational{1, 2});
  auto text = std::to_string(thousandths / 1000);
  if (auto rest = thousandths % 1000) {
    auto places = std::to_string(1000 + rest).substr(1);
    while (places.back() == '0')
      places.pop_back();
    text += '.' + places;
  }
  return text;
}

std::optional<std::string> tempo_of(const metronome& m) {
  auto number = parse_rational(first_number(m.per_minute));
  if (!number || *number <= rational{0}) return std::nullopt;
  try {
    return tempo_text(*number * length(m.beat).value);
  } catch (const rational_overflow&) {
    return std::nullopt;  // no tempo anybody can play
  }
}

/// Lower case letters and digits only: "D. C. al Fine" is "dcalfine".
std::string squeezed(std::string_view text) {
  std::string out;
  for (unsigned char ch : text)
    if (std::isalnum(ch)) out += static_cast<char>(std::tolower(ch));
  return out;
}

struct jump {
  std::string_view beginning;  ///< of the squeezed words
  bool whole;                  ///< the words say nothing else
  std::string_view attribute, value;
};
constexpr jump jumps[] = {
    {"fine", true, "fine", "yes"},
    {"dacapo", false, "dacapo", "yes"},
    {"dc", true, "dacapo", "yes"},
    {"dcal", false, "dacapo", "yes"},
    {"dalsegno", false, "dalsegno", "segno"},
    {"ds", true, "dalsegno", "segno"},
    {"dsal", false, "dalsegno", "segno"},
    {"tocoda", true, "tocoda", "coda"},
    {"alcoda", true, "tocoda", "coda"},
};

}  // namespace

std::vector<std::pair<std::string_view, std::string>> playback_of(const direction& d) {
  std::vector<std::pair<std::string_view, std::string>> found;
  auto add = [&](std::string_view name, std::string value) {
    if (std::none_of(found.begin(), found.end(), [&](auto& f) { return f.first == name; }))
      found.emplace_back(name, std::move(value));
  };
  for (auto& type : d.types) {
    if (auto* m = std::get_if<metronome>(&type)) {
      if (auto tempo = tempo_of(*m)) add("tempo", *tempo);
    } else if (std::holds_alternative<segno_mark>(type)) {
      add("segno", "segno");
    } else if (std::holds_alternative<coda_mark>(type)) {
      add("coda", "coda");
    } else if (auto* w = std::get_if<words>(&type)) {
      auto text = squeezed(w->text);
      for (auto& j : jumps)
        if (j.whole ? text == j.beginning : text.starts_with(j.beginning)) {
          add(j.attribute, std::string{j.value});
          break;
        }
    }
  }
  // "To Coda" beside a coda sign is the place to leave from, not the coda itself.
  auto has = [&](std::string_view name) {
    return std::any_of(found.begin(), found.end(), [&](auto& f) { return f.first == name; });
  };
  if (has("tocoda")) std::erase_if(found, [](auto& f) { return f.first == "coda"; });
  if (has("dalsegno")) std::erase_if(found, [](auto& f) { return f.first == "segno"; });
  return found;
}

void write_completed_sound(export_context& c, const direction& d) {
  auto found = playback_of(d);
  if (found.empty()) return;
  c.out.open("sound");
  for (auto& [name, value] : found)
    c.out.attribute(name, value);
  c.out.close("sound");
}

}  // namespace fermata::io::musicxml::detail
