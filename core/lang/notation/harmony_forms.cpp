#include "core/lang/names/phrase_symbols.hpp"
#include "core/lang/names/symbol_names.hpp"
#include "core/lang/names/xml_text.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/lang/value/make.hpp"
#include "core/theory/chord_degrees.hpp"
#include "core/theory/chord_symbol.hpp"

#include <algorithm>
#include <optional>

namespace fermata {

namespace {

/// A chord symbol as MusicXML divides it.
result<harmony> harmony_from(std::string_view text) {
  auto symbol = parse_chord_symbol(text);
  if (!symbol) return fail(std::move(symbol.error()));
  harmony h;
  h.root = symbol->root;
  h.bass = symbol->bass;
  h.kind_text = symbol->quality;
  if (!symbol->root) {
    h.kind = "none";
    h.kind_text = text;
    return h;
  }
  auto divided = chord_as_degrees(symbol->intervals);
  h.kind = divided.kind;
  // What is read is the symbol, which names them.
  const preserved unseen = preserved_xml{{{"print-object", "no"}}, {}};
  for (const auto& d : divided.degrees)
    h.degrees.push_back({d.number, d.cents, std::string{d.type}, unseen});
  return h;
}

/// `(add 9)`, `(alter 5 :cents -100)`; answers what is wrong, or nothing.
std::string read_degree(const value& v, harmony::degree& d) {
  spec s{v, {"cents", "xml"}};
  if (auto more = s.beyond(2); !more.empty()) return more;
  const char* shape = "write a degree as (add 9), (alter 5 :cents -100) or (subtract 3)";
  if (s.size() == 0) return shape;
  auto type = drawn_text(s.words()[0], degree_type_names());
  if (!type) return no_such_name(s.words()[0], degree_type_names(), "degree") + "; " + shape;
  d.type = *type;
  auto number = s.size() > 1 ? int_of(s.words()[1]) : std::nullopt;
  if (!number) return shape;
  d.value = *number;
  auto cents = s.integer("cents");
  if (s.named("cents") && !cents)
    return ":cents must be a whole number, not " + print(*s.named("cents"));
  d.cents = cents.value_or(0);
  d.extra = s.xml();
  return {};
}

/// `"B7"` or `(harmony "B7")` as a chord of a polychord.
std::optional<harmony> further_chord(const value& v) {
  if (auto text = v.as_string()) {
    auto h = harmony_from(*text);
    return h ? std::optional{std::move(*h)} : std::nullopt;
  }
  auto m = v.as_music();
  auto h = m ? leaf<harmony>(*m) : nullptr;
  return h && !h->offset && !h->staff && h->further.empty() ? std::optional{*h} : std::nullopt;
}

result<value> harmony_handler(call& c) {
  harmony h;
  if (c.has("symbol")) {
    auto made = harmony_from(c.text("symbol").value_or(""));
    if (!made)
      return fail(c.wrong(errc::invalid_chord,
                          "\"" + c.text("symbol").value_or("") + "\" is not a chord symbol",
                          "symbol"));
    h = std::move(*made);
  }
  for (auto part : {"kind", "text"})
    if (c.has("symbol") && c.has(part))
      return fail(c.wrong(errc::wrong_argument_count,
                          "the symbol already gives the " + std::string{part} + "; use only one",
                          part));
  if (h.bass && c.has("bass"))
    return fail(c.wrong(errc::wrong_argument_count,
                        "the symbol already gives the bass; use only one", "bass"));
  auto name = [&](const char* param, std::optional<pitch_name>& into) {
    if (!c.has(param)) return true;
    into = parse_pitch_name(c.text(param).value_or(""));
    return into.has_value();
  };
  if (!name("root", h.root) || !name("bass", h.bass))
    return fail(
        c.wrong(errc::invalid_chord, "a root is a letter with an optional accidental: c, f#, bb"));
  if (c.has("function")) h.function = c.text("function").value_or("");
  if (c.has("numeral")) {
    h.numeral = fragment{c.text("numeral").value_or("")};
    if (auto fault = fault_of_element(h.numeral.xml); !fault.empty())
      return fail(c.wrong(errc::invalid_xml, std::move(fault), "numeral"));
  }
  if (c.has("kind")) h.kind = c.text("kind").value_or("");
  if (c.has("text")) h.kind_text = c.text("text").value_or("");
  if (auto n = c.integer("inversion")) h.inversion = static_cast<int>(*n);
  for (const auto& x : c.in_order())
    if (c.spec().params[x.param].name == "degree") {
      harmony::degree d;
      if (auto fault = read_degree(x.given, d); !fault.empty()) {
        auto e = c.wrong(errc::invalid_chord, std::move(fault));
        e.diagnostics.front().span = x.span;
        return fail(std::move(e));
      }
      h.degrees.push_back(std::move(d));
    }
  for (const auto& x : c.in_order())
    if (c.spec().params[x.param].name == "polychord") {
      auto chord = further_chord(x.given);
      if (!chord) {
        auto e = c.wrong(
            errc::invalid_chord,
            "a further chord must be a symbol or a harmony, such as \"B7\" or (harmony \"B7\"), "
            "without offset and staff; not " +
                print(x.given));
        e.diagnostics.front().span = x.span;
        return fail(std::move(e));
      }
      h.further.push_back(std::move(*chord));
    }
  if (auto n = c.get("offset").as_number()) h.offset = quarters{*n * rational{4}};
  if (c.has("staff")) {
    auto n = c.text("staff") == "none" ? std::optional{0} : int_of(c.get("staff"));
    if (!n || *n < 0 || *n > 64)
      return fail(c.wrong(errc::out_of_range, "a staff must be a number from 1 to 64", "staff"));
    h.staff = static_cast<std::uint8_t>(*n);
  }
  if (c.has("xml")) h.extra = preserved_of(c.get("xml"));
  if (!h.root && h.function.empty() && h.numeral.xml.empty() && h.kind != "none" && !c.has("kind"))
    return fail(c.wrong(errc::wrong_argument_count, "which chord? (harmony \"Dm7\")"));
  return music_answer(c, measure_content{std::move(h)});
}

// figured bass

struct figure_sign {
  std::string_view sign, name;
};
/// Signs on both sides of a number. Of several for one name the first is printed.
constexpr figure_sign figure_signs[] = {
    {"#", "sharp"},
    {"b", "flat"},
    {"n", "natural"},
    {"x", "double-sharp"},
    {"##", "double-sharp"},
    {"bb", "flat-flat"},
    {"+", "plus"},
    {"\u266f", "sharp"},
    {"\u266d", "flat"},
    {"\u266e", "natural"},
    {"\U0001d12a", "double-sharp"},
    {"\U0001d12b", "flat-flat"},
    {"\u266f\u266f", "double-sharp"},
    {"\u266d\u266d", "flat-flat"},
};
/// Strokes through a number: before it or behind it, they are written behind.
constexpr figure_sign figure_strokes[] = {{"/", "slash"}, {"\\", "back-slash"}, {"|", "vertical"}};

template <std::size_t N>
std::optional<std::string> sign_meaning(const figure_sign (&table)[N], std::string_view sign) {
  for (auto& row : table)
    if (row.sign == sign) return std::string{row.name};
  return std::nullopt;
}
template <std::size_t N>
std::optional<std::string> sign_meant(const figure_sign (&table)[N], std::string_view name) {
  for (auto& row : table)
    if (row.name == name) return std::string{row.sign};
  return std::nullopt;
}

/// `(:prefix sharp :number 6 :suffix slash)`; answers what is wrong, or nothing.
std::string read_figure_in_words(const value& v, figured_bass::figure& f) {
  spec s{v, {"prefix", "number", "suffix", "xml"}};
  if (auto more = s.beyond(s.named("number") ? 0 : 1); !more.empty()) return more;
  auto word = [&](const char* name, const drawn_names& names, std::string& into) -> std::string {
    auto said = s.named(name);
    auto known = said ? drawn_text(*said, names) : std::nullopt;
    if (said && !known) return no_such_name(*said, names, name);
    if (known) into = *known;
    return {};
  };
  if (auto fault = word("prefix", figure_prefix_names(), f.prefix); !fault.empty()) return fault;
  if (auto fault = word("suffix", figure_suffix_names(), f.suffix); !fault.empty()) return fault;
  f.number = s.named("number") ? s.text("number") : s.word(0);
  f.extra = s.xml();
  return {};
}

figured_bass::figure figure_from(std::string_view text) {
  figured_bass::figure f;
  auto first = text.find_first_of("0123456789");
  if (first == std::string_view::npos) {
    // A sign alone is that of the third.
    if (auto sign = sign_meaning(figure_signs, text))
      f.prefix = *sign;
    else
      f.number = text;
    return f;
  }
  auto last = std::min(text.find_first_not_of("0123456789", first), text.size());
  auto before = text.substr(0, first), behind = text.substr(last);
  f.number = text.substr(first, last - first);
  auto prefix = sign_meaning(figure_signs, before);
  auto stroke = before.empty() || prefix ? std::nullopt : sign_meaning(figure_strokes, before);
  auto suffix = sign_meaning(figure_signs, behind);
  if (!suffix) suffix = sign_meaning(figure_strokes, behind);
  // What is nothing of this kind stays the text it is.
  if ((!before.empty() && !prefix && !stroke) || (!behind.empty() && !suffix) || (stroke && suffix))
    return {{}, std::string{text}, {}, {}};
  f.prefix = prefix.value_or("");
  f.suffix = suffix ? *suffix : stroke.value_or("");
  return f;
}

value figure_to(const figured_bass::figure& x) {
  if (!x.extra) {
    auto stroke = sign_meant(figure_strokes, x.suffix);
    auto plain = sign_meant(figure_signs, x.prefix).value_or("") + x.number +
                 (stroke ? *stroke : sign_meant(figure_signs, x.suffix).value_or(""));
    if (!plain.empty() && figure_from(plain) == x) return text_value(plain);
  }
  form f;
  f.text("prefix", x.prefix).text("number", x.number).text("suffix", x.suffix).xml(x.extra);
  return f.size() == 0 ? f.option("number", value::string("")).done() : f.done();
}

result<value> figured_bass_handler(call& c) {
  figured_bass b;
  for (std::size_t i = 0; i < c.rest().size(); ++i) {
    const auto& v = c.rest()[i];
    if (auto d = v.as_keyword() ? duration_value_of(v) : std::nullopt) {
      if (b.length != quarters{} || c.has("lasts")) {
        auto e = c.wrong(errc::wrong_argument_count, "the duration of the figures is given twice");
        e.diagnostics.front().span = c.rest_spans()[i];
        return fail(std::move(e));
      }
      b.length = length(*d);
      continue;
    }
    if (auto k = v.as_keyword()) return fail(unknown_keyword(c, *k, c.rest_spans()[i]));
    // A list of numbers and signs is figures, one with names is a single figure.
    auto list = v.as_list();
    auto plain = list && std::none_of(list->items.begin(), list->items.end(),
                                      [](const value& x) { return x.as_keyword() || x.as_list(); });
    auto written = plain ? list->items : std::vector<value>{v};
    for (const auto& x : written) {
      if (!x.as_list() && !text_of(x)) {
        auto e =
            c.wrong(errc::wrong_type, "expected a figure such as 6 or \"#4\", not " + print(x));
        e.diagnostics.front().span = c.rest_spans()[i];
        return fail(std::move(e));
      }
      if (!x.as_list()) {
        b.figures.push_back(figure_from(text_of(x).value_or("")));
        continue;
      }
      figured_bass::figure f;
      if (auto fault = read_figure_in_words(x, f); !fault.empty()) {
        auto e = c.wrong(errc::wrong_type, std::move(fault));
        e.diagnostics.front().span = c.rest_spans()[i];
        return fail(std::move(e));
      }
      b.figures.push_back(std::move(f));
    }
  }
  if (auto n = c.get("lasts").as_number()) b.length = quarters{*n * rational{4}};
  b.parentheses = c.flag("parentheses");
  if (c.has("xml")) b.extra = preserved_of(c.get("xml"));
  return music_answer(c, measure_content{std::move(b)});
}

}  // namespace

std::optional<harmony> harmony_of(std::string_view symbol) {
  auto h = harmony_from(symbol);
  return h ? std::optional{std::move(*h)} : std::nullopt;
}

std::optional<std::string> harmony_symbol(const harmony& x) {
  auto written =
      x.root ? symbol_name(*x.root) + x.kind_text + (x.bass ? "/" + symbol_name(*x.bass) : "")
             : x.kind_text;
  auto same = written.empty() ? std::nullopt : harmony_of(written);
  return same && *same == x ? std::optional{written} : std::nullopt;
}

value harmony_form(const harmony& x) {
  form f{"harmony"};
  auto plain = x;
  plain.inversion.reset();
  plain.offset.reset();
  plain.staff.reset();
  plain.extra = {};
  plain.further.clear();
  auto written = harmony_symbol(plain);
  auto named = plain.degrees.size();  // how many degrees the symbol says
  if (!written) {
    plain.degrees.clear();
    named = 0;
    written = harmony_symbol(plain);
  }
  if (written) {
    f.add(value::string(*written));
  } else {
    if (x.root) f.option("root", word_value(to_string(*x.root)));
    f.text("function", x.function).text("numeral", x.numeral.xml);
    f.option("kind", named_value(x.kind, chord_kind_names()));
    f.text("text", x.kind_text);
    if (x.bass) f.option("bass", word_value(to_string(*x.bass)));
  }
  if (x.inversion) f.option("inversion", value::of(std::int64_t{*x.inversion}));
  for (auto i = named; i < x.degrees.size(); ++i) {
    const auto& d = x.degrees[i];
    form one;
    one.add(named_value(d.type, degree_type_names())).add(value::of(std::int64_t{d.value}));
    if (d.cents != 0) one.option("cents", value::of(std::int64_t{d.cents}));
    f.option("degree", one.xml(d.extra).done());
  }
  for (const auto& chord : x.further)
    f.option("polychord", harmony_form(chord));
  if (x.offset) f.option("offset", value::of(x.offset->value / rational{4}));
  if (x.staff == 0)
    f.option("staff", value::kw("none"));
  else if (x.staff)
    f.option("staff", value::of(std::int64_t{*x.staff}));
  return f.xml(x.extra).done();
}

value figured_bass_form(const figured_bass& x) {
  form f{"figured-bass"};
  for (const auto& figure : x.figures)
    f.add(figure_to(figure));
  if (x.length != quarters{}) f.option("lasts", value::of(x.length.value / rational{4}));
  if (x.parentheses) f.flag("parentheses");
  return f.xml(x.extra).done();
}

void add_harmony_forms(form_rows& rows) {
  auto degree = option_param("degree", arg_type::spec, "(add 9), (alter 5 :cents -100)");
  degree.repeats = true;
  auto further = option_param("polychord", arg_type::any, "a further chord: \"B7\"");
  further.repeats = true;
  rows.push_back(
      {"harmony",
       {"chord-symbol"},
       "mark",
       {one_of("root", optional_param("symbol", arg_type::string, "\"Dm7\", \"F#7/A#\"")),
        one_of("root", option_param("root", arg_type::text, "c, f#, bb")),
        one_of("root", option_param("function", arg_type::text, "instead of a root: I, V7")),
        one_of("root", option_param("numeral", arg_type::string, "<numeral> as MusicXML")),
        named_option("kind", "MusicXML kind: minor-seventh", drawn_words(chord_kind_names())),
        option_param("text", arg_type::text, "displayed text of the kind"),
        option_param("bass", arg_type::text, "bass note"),
        option_param("inversion", arg_type::integer, "0 root position"), degree, further,
        option_param("offset", arg_type::number, "offset in whole notes"),
        option_param("staff", arg_type::text, "its staff"),
        option_param("xml", arg_type::xml, "further MusicXML attributes and elements")},
       "A chord symbol above the staff.",
       "(harmony \"Dm7\")",
       "harmony",
       harmony_handler});
  rows.push_back({"figured-bass",
                  {},
                  "mark",
                  {rest_param("figures", arg_type::spec,
                              "6, \"#6\", \"4+\", (:number 6 :suffix slash), a duration"),
                   option_param("lasts", arg_type::number, "length in whole notes"),
                   flag_param("parentheses", "in parentheses"),
                   option_param("xml", arg_type::xml, "further MusicXML attributes and elements")},
                  "Figured bass under a note, from top to bottom.",
                  "(figured-bass 6 4)",
                  "figured-bass",
                  figured_bass_handler});
}

}  // namespace fermata
