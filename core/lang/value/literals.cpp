#include "core/lang/value/literals.hpp"

#include "core/music/note_value_names.hpp"

#include <algorithm>
#include <charconv>

namespace fermata {

namespace {

constexpr int largest_number = 1024;  // of those in a time signature

std::optional<int> whole(std::string_view s) {
  int n = 0;
  auto [end, failed] = std::from_chars(s.data(), s.data() + s.size(), n);
  if (failed != std::errc{} || end != s.data() + s.size() || n < 1 || n > largest_number)
    return std::nullopt;
  return n;
}

std::optional<int> whole(const value& v) {
  auto n = v.as_number();
  if (n == nullptr || !n->is_integer() || n->numerator() < 1 || n->numerator() > largest_number)
    return std::nullopt;
  return static_cast<int>(n->numerator());
}

std::optional<std::vector<int>> additive(std::string_view s) {
  std::vector<int> beats;
  while (true) {
    auto plus = s.find('+');
    auto n = whole(s.substr(0, plus));
    if (!n) return std::nullopt;
    beats.push_back(*n);
    if (plus == std::string_view::npos) return beats;
    s.remove_prefix(plus + 1);
  }
}

std::optional<time_signature> one_fraction(std::optional<std::vector<int>> beats,
                                           std::optional<int> type) {
  if (!beats || !type) return std::nullopt;
  time_signature t;
  t.fractions = {{std::move(*beats), *type}};
  return t;
}

std::optional<std::vector<int>> beats_of(const value& v) {
  if (auto n = whole(v)) return std::vector{*n};
  if (auto s = v.as_symbol()) return additive(*s);
  return std::nullopt;
}

struct time_word {
  std::string_view name;
  time_signature value;
};
const std::vector<time_word>& time_table() {
  static const std::vector<time_word> table{{"common", {{{{4}, 4}}, "common", ""}},
                                            {"cut", {{{{2}, 2}}, "cut", ""}},
                                            {"senza-misura", {{}, "", ""}}};
  return table;
}

std::optional<time_signature> parse_time_word(std::string_view s) {
  if (s == "senza") s = "senza-misura";
  for (auto& row : time_table())
    if (row.name == s) return row.value;
  auto slash = s.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  return one_fraction(additive(s.substr(0, slash)), whole(s.substr(slash + 1)));
}

}  // namespace

std::optional<key_signature> parse_key(std::string_view text) {
  if (auto tonic = parse_pitch_name(text)) return key_on(*tonic, mode::major);
  auto dash = text.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  auto tonic = parse_pitch_name(text.substr(0, dash));
  auto m = parse_mode(text.substr(dash + 1));
  if (!tonic || !m || *m == mode::none) return std::nullopt;
  return key_on(*tonic, *m);
}

std::vector<std::string_view> time_word_names() {
  std::vector<std::string_view> names;
  for (auto& row : time_table())
    names.push_back(row.name);
  return names;
}

std::optional<time_signature> parse_time(const value& v) {
  if (auto s = v.as_symbol()) return parse_time_word(*s);
  if (auto s = v.as_keyword()) return parse_time_word(*s);
  if (auto s = v.as_string()) return parse_time_word(*s);
  if (auto n = v.as_number(); n != nullptr && !n->is_integer())
    return parse_time_word(to_string(*n));
  auto list = v.as_list();
  if (list == nullptr || list->items.empty()) return std::nullopt;
  if (!list->items.front().as_list())
    return list->items.size() == 2 ? one_fraction(beats_of(list->items[0]), whole(list->items[1]))
                                   : std::nullopt;
  time_signature t;
  t.fractions.clear();
  for (auto& item : list->items) {
    auto inner = item.as_list();
    if (inner == nullptr || inner->items.size() != 2 || inner->items[0].as_list())
      return std::nullopt;
    auto one = parse_time(item);
    if (!one) return std::nullopt;
    t.fractions.push_back(one->fractions.front());
  }
  return t;
}

std::optional<ratio> parse_ratio(const value& v) {
  auto of = [](std::optional<int> actual, std::optional<int> normal) -> std::optional<ratio> {
    if (!actual || !normal) return std::nullopt;
    return ratio{*actual, *normal};
  };
  if (auto s = v.as_symbol()) {
    auto between = s->find_first_of(":/");
    if (between == std::string::npos) return std::nullopt;
    return of(whole(std::string_view{*s}.substr(0, between)),
              whole(std::string_view{*s}.substr(between + 1)));
  }
  if (auto n = v.as_number()) {
    if (!n->is_integer())
      return of(whole(value::of(n->numerator())), whole(value::of(n->denominator())));
    auto actual = whole(v);
    if (!actual || *actual < 2) return std::nullopt;
    int normal = 1;
    while (normal * 2 < *actual)
      normal *= 2;
    return ratio{*actual, normal};
  }
  if (auto list = v.as_list(); list != nullptr && list->items.size() == 2)
    return of(whole(list->items[0]), whole(list->items[1]));
  return std::nullopt;
}

std::optional<pitch> pitch_of(const value& v) {
  if (auto p = v.as_pitch()) return *p;
  if (auto s = v.as_symbol()) return parse_pitch(*s);
  if (auto k = v.as_keyword()) return parse_pitch(*k);
  return std::nullopt;
}

std::optional<note_value> duration_value_of(const value& v) {
  if (auto d = v.get_if<note_value>()) return *d;
  if (auto s = v.as_symbol()) return parse_note_value(*s);
  if (auto k = v.as_keyword()) return parse_note_value(*k);
  return std::nullopt;
}

bool is_rhythm(const value& v) {
  auto list = v.as_list();
  return list && !list->items.empty() &&
         std::all_of(list->items.begin(), list->items.end(), [](const value& x) {
           return !x.as_number() && !x.as_list() && duration_value_of(x).has_value();
         });
}

bool is_pitches(const value& v) {
  auto all_pitches = [](const value& x) {
    auto list = x.as_list();
    return list && !list->items.empty() &&
           std::all_of(list->items.begin(), list->items.end(),
                       [](const value& p) { return p.as_pitch() != nullptr; });
  };
  auto list = v.as_list();
  return list && !list->items.empty() &&
         std::all_of(list->items.begin(), list->items.end(),
                     [&](const value& x) { return x.as_pitch() || all_pitches(x); });
}

}  // namespace fermata
