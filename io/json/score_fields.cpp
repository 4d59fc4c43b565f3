#include "io/json/score_fields.hpp"

#include <cmath>

namespace fermata::io {

namespace json = boost::json;

namespace {

/// Names of the enumerators of small enums, in their order.
template <class E>
struct enum_names;
template <>
struct enum_names<spanner_kind> {
  static constexpr std::array<std::string_view, 9> all{"tied",      "slur",     "tuplet",
                                                       "glissando", "slide",    "wavy-line",
                                                       "hammer-on", "pull-off", "tremolo"};
};
template <>
struct enum_names<span_end> {
  static constexpr std::array<std::string_view, 4> all{"start", "stop", "continue", "let-ring"};
};
constexpr std::array<std::string_view, 4> group_names{"articulation", "ornament", "technical",
                                                      "notation"};

template <class E>
json::value write_enum(E x) {
  return json::string{enum_names<E>::all[static_cast<std::size_t>(x)]};
}

template <class E>
bool read_enum(const json::value& v, E& x) {
  if (!v.is_string()) return false;
  auto& names = enum_names<E>::all;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == std::string_view{v.get_string()}) {
      x = static_cast<E>(i);
      return true;
    }
  return false;
}

/// From the text of a string by a function that answers an optional.
template <class T, class F>
bool read_text(const json::value& v, T& x, F parse) {
  if (!v.is_string()) return false;
  auto parsed = parse(std::string_view{v.get_string()});
  if (parsed) x = static_cast<T>(*parsed);
  return parsed.has_value();
}

std::string_view view(const std::string& s) { return s; }

}  // namespace

json::value json_codec<rational>::write(const rational& x) {
  if (x.is_integer()) return x.numerator();
  return json::value(view(to_string(x)));
}
bool json_codec<rational>::read(const json::value& v, rational& x) {
  if (v.is_int64()) return x = rational{v.get_int64()}, true;
  return read_text(v, x, parse_rational);
}

json::value json_codec<quarters>::write(const quarters& x) { return write_json(x.value); }
bool json_codec<quarters>::read(const json::value& v, quarters& x) {
  return json_codec<rational>::read(v, x.value);
}
json::value json_codec<measure_position>::write(const measure_position& x) {
  return write_json(x.value);
}
bool json_codec<measure_position>::read(const json::value& v, measure_position& x) {
  return json_codec<rational>::read(v, x.value);
}

json::value json_codec<double>::write(const double& x) { return x; }
bool json_codec<double>::read(const json::value& v, double& x) {
  if (v.is_double()) return x = v.get_double(), std::isfinite(x);
  return v.is_int64() ? (x = static_cast<double>(v.get_int64()), true) : false;
}

json::value json_codec<key_octave>::write(const key_octave& x) {
  json::array a{x.number, x.octave};
  if (!x.cancel.empty()) a.emplace_back(x.cancel);
  return a;
}
bool json_codec<key_octave>::read(const json::value& v, key_octave& x) {
  auto a = v.if_array();
  if (!a || a->size() < 2 || a->size() > 3) return false;
  json_fault fault;
  return read_json((*a)[0], x.number, fault) && read_json((*a)[1], x.octave, fault) &&
         (a->size() < 3 || read_json((*a)[2], x.cancel, fault));
}

// A value whose spelling does not say all of it (an octave far from the staff) is written in
// numbers.

json::value json_codec<note_value>::write(const note_value& x) {
  auto text = to_string(x);
  if (parse_note_value(text) == x) return json::value(view(text));
  return json::array{static_cast<int>(x.base), x.dots};
}
bool json_codec<note_value>::read(const json::value& v, note_value& x) {
  std::pair<std::uint8_t, std::uint8_t> numbers;
  json_fault ignored;
  if (v.is_array() && read_json(v, numbers, ignored) &&
      numbers.first <= static_cast<int>(note_base::n1024th))
    return x = {static_cast<note_base>(numbers.first), numbers.second}, true;
  return read_text(v, x, parse_note_value);
}

json::value json_codec<pitch>::write(const pitch& x) {
  auto text = to_string(x);
  if (parse_pitch(text) == x) return json::value(view(text));
  return json::array{write_json(x.letter), x.cents, x.octave};
}
bool json_codec<pitch>::read(const json::value& v, pitch& x) {
  if (!v.is_array()) return read_text(v, x, parse_pitch);
  auto& a = v.get_array();
  json_fault ignored;
  return a.size() == 3 && read_json(a[0], x.letter, ignored) && read_json(a[1], x.cents, ignored) &&
         read_json(a[2], x.octave, ignored);
}

json::value json_codec<step>::write(const step& x) {
  return json::value(std::string_view{"cdefgab"}.substr(static_cast<std::size_t>(x), 1));
}
bool json_codec<step>::read(const json::value& v, step& x) {
  return read_text(v, x, [](std::string_view text) -> std::optional<std::size_t> {
    auto at = std::string_view{"cdefgab"}.find(text);
    return text.size() == 1 && at != text.npos ? std::optional{at} : std::nullopt;
  });
}

json::value json_codec<pitch_name>::write(const pitch_name& x) {
  if (x.cents == 0) return write_json(x.letter);
  return json::array{write_json(x.letter), x.cents};
}
bool json_codec<pitch_name>::read(const json::value& v, pitch_name& x) {
  json_fault ignored;
  if (!v.is_array()) return x.cents = 0, read_json(v, x.letter, ignored);
  auto& a = v.get_array();
  return a.size() == 2 && read_json(a[0], x.letter, ignored) && read_json(a[1], x.cents, ignored);
}

json::value json_codec<mode>::write(const mode& x) {
  if (x == mode::none) return "none";
  return json::value(to_string(x));
}
bool json_codec<mode>::read(const json::value& v, mode& x) {
  if (v.is_string() && v.get_string() == "none") return x = mode::none, true;
  return read_text(v, x, parse_mode);
}

json::value json_codec<mark_kind>::write(const mark_kind& x) {
  auto& row = info(x);
  return json::value(view(std::string{group_names[static_cast<std::size_t>(row.group)]} + '/' +
                          std::string{row.xml_name}));
}
bool json_codec<mark_kind>::read(const json::value& v, mark_kind& x) {
  return read_text(v, x, [](std::string_view text) -> std::optional<mark_kind> {
    auto slash = text.find('/');
    for (std::size_t i = 0; i < group_names.size() && slash != text.npos; ++i)
      if (group_names[i] == text.substr(0, slash))
        return mark_by_xml_name(static_cast<mark_group>(i), text.substr(slash + 1));
    return std::nullopt;
  });
}

json::value json_codec<spanner_kind>::write(const spanner_kind& x) { return write_enum(x); }
bool json_codec<spanner_kind>::read(const json::value& v, spanner_kind& x) {
  return read_enum(v, x);
}
json::value json_codec<span_end>::write(const span_end& x) { return write_enum(x); }
bool json_codec<span_end>::read(const json::value& v, span_end& x) { return read_enum(v, x); }

json::value json_codec<fragment>::write(const fragment& x) { return json::value(view(x.xml)); }
bool json_codec<fragment>::read(const json::value& v, fragment& x) {
  return v.is_string() ? (x.xml = v.get_string(), true) : false;
}

json::value json_codec<measure_ptr>::write(const measure_ptr& x) {
  return x ? write_json(*x) : json::value{};
}
bool json_codec<measure_ptr>::read(const json::value& v, measure_ptr& x) {
  measure m;
  json_fault ignored;
  if (!read_json(v, m, ignored)) return false;
  x = std::make_shared<const measure>(std::move(m));
  return true;
}

json::value json_codec<part_ptr>::write(const part_ptr& x) {
  return x ? write_json(*x) : json::value{};
}
bool json_codec<part_ptr>::read(const json::value& v, part_ptr& x) {
  part p;
  json_fault ignored;
  if (!read_json(v, p, ignored)) return false;
  p.measures.seal();
  x = std::make_shared<const part>(std::move(p));
  return true;
}

}  // namespace fermata::io
