#include "io/musicxml/child_elements.hpp"
#include "io/musicxml/fragment_check.hpp"
#include "io/musicxml/import_context.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

/// `number` of a staff in key, time, clef, ... 0 when the attribute is wrong, nothing when absent.
template <class T>
bool read_staff_attribute(pugi::xml_node n, for_staff<T>& out) {
  auto a = n.attribute("number");
  if (!a) return true;
  auto number = parse_integer(a.value());
  if (!number || *number < 1 || *number > 255) return false;
  out.staff = static_cast<std::uint8_t>(*number);
  return true;
}

std::optional<int> small_integer(std::string_view text) {
  auto number = parse_integer(text);
  if (!number || *number < -1000 || *number > 1000) return std::nullopt;
  return static_cast<int>(*number);
}

/// Whether a child has no attributes but those named, with values that the schema takes.
bool has_only(pugi::xml_node k, std::initializer_list<std::string_view> names) {
  return std::all_of(k.attributes_begin(), k.attributes_end(), [&](pugi::xml_attribute a) {
    return std::find(names.begin(), names.end(), a.name()) != names.end() &&
           is_valid_attribute(k.name(), a.name(), a.value());
  });
}

std::optional<for_staff<key_signature>> read_key(import_context& c, pugi::xml_node n) {
  for_staff<key_signature> out;
  auto& k = out.value;
  bool has_fifths = false;
  kept_xml kept;
  if (!read_staff_attribute(n, out)) return std::nullopt;
  for (auto [x, e] : uncounted_elements_in(c, n, kept)) {
    switch (e) {
      case element::cancel: {
        k.cancel = small_integer(c.token(x));
        k.cancel_location = x.attribute("location").value();
        auto location_ok = k.cancel_location.empty() ||
                           is_valid_attribute("cancel", "location", k.cancel_location);
        if (!k.cancel || !location_ok) return std::nullopt;
        break;
      }
      case element::fifths: {
        auto fifths = small_integer(c.token(x));
        if (!fifths) return std::nullopt;
        k.fifths = *fifths;
        has_fifths = true;
        break;
      }
      case element::mode: {
        auto text = c.verbatim(x);
        auto known = parse_mode(text);
        if (known && *known != mode::none)
          k.mode = *known;
        else if (text == "none" || text.empty())
          kept.add({"<mode>" + text + "</mode>"});  // said to have none
        else
          k.other_mode = text;
        break;
      }
      case element::key_step: {
        auto letter = parse_step(c.token(x));
        if (!letter) return std::nullopt;
        k.alterations.push_back({{*letter, 0}, {}, {}});
        break;
      }
      case element::key_alter: {
        auto cents = parse_semitones(c.token(x));
        if (!cents || k.alterations.empty()) return std::nullopt;
        k.alterations.back().name.cents = static_cast<std::int16_t>(*cents);
        break;
      }
      case element::key_accidental: {
        auto value = c.token(x);
        if (k.alterations.empty() || !has_only(x, {"smufl"}) ||
            !is_valid_text("key-accidental", value))
          return std::nullopt;
        k.alterations.back().accidental = value;
        k.alterations.back().smufl = x.attribute("smufl").value();
        break;
      }
      case element::key_octave: {
        auto number = small_integer(x.attribute("number").value());
        auto octave = small_integer(c.token(x));
        if (!number || !octave || *number < 1 || *octave < 0 || *octave > 9 ||
            !has_only(x, {"number", "cancel"}))
          return std::nullopt;
        k.key_octaves.push_back({*number, *octave, x.attribute("cancel").value()});
        break;
      }
      default: return std::nullopt;
    }
  }
  // Neither fifths nor steps, or both: not a key that the score can hold.
  if (has_fifths == !k.alterations.empty()) return std::nullopt;
  kept.attributes(c, n, element::key, {"number"});
  out.extra = kept.take();
  return out;
}

/// "3+2" as {3, 2}.
std::optional<std::vector<int>> parse_beats(std::string_view text) {
  std::vector<int> beats;
  for (;;) {
    auto plus = text.find('+');
    auto number = parse_integer(text.substr(0, plus));
    if (!number || *number < 1 || *number > 10000) return std::nullopt;
    beats.push_back(static_cast<int>(*number));
    if (plus == std::string_view::npos) return beats;
    text.remove_prefix(plus + 1);
  }
}

std::optional<for_staff<time_signature>> read_time(import_context& c, pugi::xml_node n) {
  for_staff<time_signature> out;
  auto& t = out.value;
  t.fractions.clear();
  kept_xml kept;
  bool senza = false;
  std::optional<std::vector<int>> beats;
  if (!read_staff_attribute(n, out)) return std::nullopt;
  std::vector<pugi::xml_node> others;
  for (auto [x, e] : uncounted_elements_in(c, n, kept)) {
    switch (e) {
      case element::beats:
        if (beats || !(beats = parse_beats(c.token(x)))) return std::nullopt;
        break;
      case element::beat_type: {
        auto type = parse_integer(c.token(x));
        if (!beats || !type || *type < 1 || *type > 10000) return std::nullopt;
        t.fractions.push_back({std::move(*beats), static_cast<int>(*type)});
        beats.reset();
        break;
      }
      case element::senza_misura:
        t.senza_text = c.verbatim(x);
        senza = true;
        break;
      case element::interchangeable: others.push_back(x); break;
      default: return std::nullopt;
    }
  }
  if (beats || senza == !t.fractions.empty() || (senza && !others.empty())) return std::nullopt;
  auto symbol = n.attribute("symbol");
  if (symbol && is_valid_attribute("time", "symbol", symbol.value())) t.symbol = symbol.value();
  kept.attributes(c, n, element::time, {"number", "symbol"});
  for (auto x : others) {
    c.report.typed(element::interchangeable);
    kept.child(c, element::time, x);
  }
  out.extra = kept.take();
  return out;
}

std::optional<for_staff<clef>> read_clef(import_context& c, pugi::xml_node n) {
  for_staff<clef> out;
  auto& x = out.value;
  kept_xml kept;
  bool has_sign = false;
  if (!read_staff_attribute(n, out)) return std::nullopt;
  for (auto [k, e] : uncounted_elements_in(c, n, kept)) {
    auto text = c.token(k);
    switch (e) {
      case element::sign:
        if (!is_valid_text("sign", text)) return std::nullopt;
        x.sign = text;
        has_sign = true;
        break;
      case element::line: {
        auto line = small_integer(text);
        if (!line || *line == 0)  // 0 is how the score says "the usual line"
          return std::nullopt;
        x.line = *line;
        break;
      }
      case element::clef_octave_change: {
        auto change = small_integer(text);
        if (!change) return std::nullopt;
        x.octave_change = *change;
        if (*change == 0) kept.add({"<clef-octave-change>0</clef-octave-change>"});
        break;
      }
      default: return std::nullopt;
    }
  }
  if (!has_sign) return std::nullopt;
  kept.attributes(c, n, element::clef, {"number"});
  out.extra = kept.take();
  return out;
}

std::optional<for_staff<transposition>> read_transpose(import_context& c, pugi::xml_node n) {
  for_staff<transposition> out;
  auto& t = out.value;
  kept_xml kept;
  bool has_chromatic = false;
  if (!read_staff_attribute(n, out)) return std::nullopt;
  for (auto [k, e] : uncounted_elements_in(c, n, kept)) {
    auto text = c.token(k);
    switch (e) {
      case element::diatonic: {
        auto number = small_integer(text);
        if (!number) return std::nullopt;
        t.diatonic = *number;
        t.diatonic_given = true;
        break;
      }
      case element::chromatic:
        if (!is_valid_text("chromatic", text)) return std::nullopt;
        t.chromatic = text;
        has_chromatic = true;
        break;
      case element::octave_change: {
        auto number = small_integer(text);
        if (!number) return std::nullopt;
        t.octaves = *number;
        if (*number == 0) kept.add({"<octave-change>0</octave-change>"});
        break;
      }
      case element::double_: {
        t.doubled = true;
        t.double_above = k.attribute("above").value();
        if (!t.double_above.empty() && !is_valid_attribute("double", "above", t.double_above))
          return std::nullopt;
        break;
      }
      default: return std::nullopt;
    }
  }
  if (!has_chromatic) return std::nullopt;
  kept.attributes(c, n, element::transpose, {"number"});
  out.extra = kept.take();
  return out;
}

/// Counts an element that became typed, with its children.
void count_typed(import_context& c, pugi::xml_node n) {
  for (auto [k, e] : uncounted_elements_in(c, n))
    if (e != element::interchangeable)  // counted where it was kept
      c.typed(k, e);
}

struct attributes_reader {
  import_context& c;
  attributes& a;
  kept_xml& kept;

  /// Typed if it can be, else kept whole.
  template <class T, class Read>
  void take(pugi::xml_node k, std::vector<T>& target, Read&& read) {
    if (auto x = read(c, k)) {
      count_typed(c, k);
      target.push_back(std::move(*x));
    } else {
      keep(k);
    }
  }
  void keep(pugi::xml_node k) {
    c.report.not_typed(element_of(k.name()));
    if (auto f = kept_fragment(c, k); is_wrapped(f))
      kept.add(std::move(f));
    else
      a.others.push_back(std::move(f));
  }
  /// <measure-style><multiple-rest>4</multiple-rest></measure-style> without anything more.
  bool read_multiple_rest(pugi::xml_node k) {
    auto rest = k.first_child();
    if (a.multiple_rest || k.first_attribute() ||
        element_of(rest.name()) != element::multiple_rest || rest.first_attribute() ||
        rest.next_sibling())
      return false;
    auto count = parse_integer(rest.child_value());
    if (!count || *count < 1 || *count > 1'000'000) return false;
    a.multiple_rest = static_cast<int>(*count);
    c.report.typed(element::multiple_rest);
    return true;
  }
};

}  // namespace

std::optional<attributes> read_attributes(import_context& c, pugi::xml_node node) {
  attributes a;
  kept_xml kept;
  kept.attributes(c, node, element::attributes);
  attributes_reader reader{c, a, kept};
  for (auto [k, e] : elements_in(c, node, kept)) {
    switch (e) {
      case element::divisions: {
        auto divisions = parse_decimal(c.token(k));
        if (divisions && *divisions > rational{0})
          c.divisions = *divisions;
        else
          c.warn(k, "divisions must be greater than zero; the previous value stays in force");
        break;
      }
      case element::key: reader.take(k, a.keys, read_key); break;
      case element::time: reader.take(k, a.times, read_time); break;
      case element::clef: reader.take(k, a.clefs, read_clef); break;
      case element::transpose: reader.take(k, a.transpositions, read_transpose); break;
      case element::staves:
        if (auto staves = parse_integer(c.token(k));
            staves && *staves >= 1 && *staves <= 255 && !a.staves)
          a.staves = static_cast<int>(*staves);
        else  // MusicXML has none and any number of them
          reader.keep(k);
        break;
      case element::measure_style:
        if (!reader.read_multiple_rest(k)) reader.keep(k);
        break;
      case element::part_symbol:
      case element::instruments:
      case element::staff_details:
      case element::for_part:
      case element::directive: reader.keep(k); break;
      default: kept.child(c, element::attributes, k);
    }
  }
  a.extra = kept.take();
  if (a == attributes{}) return std::nullopt;
  return a;
}

}  // namespace fermata::io::musicxml::detail
