#include "core/lang/music/forms.hpp"
#include "core/lang/music/phrase_signs.hpp"
#include "core/theory/chord_symbol.hpp"

#include <algorithm>
#include <map>

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
  auto type = type_of(*symbol);
  h.kind = type && !type->musicxml_kind.empty() ? std::string{type->musicxml_kind} : "other";
  return h;
}

result<value> harmony_handler(call& c) {
  harmony h;
  if (c.has("symbol")) {
    auto made = harmony_from(c.text("symbol").value_or(""));
    if (!made)
      return fail(c.wrong(errc::invalid_chord,
                          "\"" + c.text("symbol").value_or("") + "\" is no chord symbol",
                          "symbol"));
    h = std::move(*made);
  }
  auto name = [&](const char* param, std::optional<pitch_name>& into) {
    if (!c.has(param)) return true;
    into = parse_pitch_name(c.text(param).value_or(""));
    return into.has_value();
  };
  if (!name("root", h.root) || !name("bass", h.bass))
    return fail(c.wrong(errc::invalid_chord, "a root is a letter with its sign: c, f#, bb"));
  if (c.has("function")) h.function = c.text("function").value_or("");
  if (c.has("numeral")) h.numeral = fragment{c.text("numeral").value_or("")};
  if (c.has("kind")) h.kind = c.text("kind").value_or("");
  if (c.has("text")) h.kind_text = c.text("text").value_or("");
  if (auto n = c.integer("inversion")) h.inversion = static_cast<int>(*n);
  for (const auto& x : c.in_order())
    if (c.spec().params[x.param].name == "degree") {
      spec s{x.given, {"cents", "xml"}};
      harmony::degree d;
      d.type = s.word(0);
      d.value = s.size() > 1 ? int_of(s.words()[1]).value_or(0) : 0;
      d.cents = s.integer("cents").value_or(0);
      d.extra = s.xml();
      h.degrees.push_back(std::move(d));
    }
  if (auto n = c.get("offset").as_number()) h.offset = quarters{*n * rational{4}};
  if (c.has("staff"))
    h.staff = static_cast<std::uint8_t>(
        c.text("staff") == "none" ? 0 : int_of(c.get("staff")).value_or(1));
  if (c.has("xml")) h.extra = preserved_of(c.get("xml"));
  if (!h.root && h.function.empty() && h.numeral.xml.empty() && h.kind != "none" && !c.has("kind"))
    return fail(c.wrong(errc::wrong_argument_count, "which chord? (harmony \"Dm7\")"));
  return music_answer(c, measure_content{std::move(h)});
}

// figured bass

const std::map<std::string, std::string, std::less<>>& signs() {
  static const std::map<std::string, std::string, std::less<>> table{
      {"#", "sharp"}, {"b", "flat"}, {"n", "natural"}, {"x", "double-sharp"}, {"bb", "flat-flat"}};
  return table;
}

figured_bass::figure figure_from(const value& v) {
  figured_bass::figure f;
  if (v.as_list()) {
    spec s{v, {"prefix", "number", "suffix", "xml"}};
    f.prefix = s.text("prefix");
    f.number = s.named("number") ? s.text("number") : s.word(0);
    f.suffix = s.text("suffix");
    f.extra = s.xml();
    return f;
  }
  auto text = text_of(v).value_or("");
  auto digits = text.find_first_of("0123456789");
  auto sign = signs().find(text.substr(0, digits));
  if (sign != signs().end()) {
    f.prefix = sign->second;
    text.erase(0, sign->first.size());
  }
  f.number = text;
  return f;
}

value figure_to(const figured_bass::figure& x) {
  if (x.suffix.empty() && !x.extra) {
    auto sign = std::find_if(signs().begin(), signs().end(),
                             [&](const auto& s) { return s.second == x.prefix; });
    auto plain = x.prefix.empty()        ? x.number
                 : sign != signs().end() ? sign->first + x.number
                                         : std::string{};
    auto read = figure_from(value::string(plain));
    if (!plain.empty() && read == x) return text_value(plain);
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
      b.length = length(*d);
      continue;
    }
    // A list of numbers and signs is figures, one with names is a single figure.
    auto list = v.as_list();
    auto plain = list && std::none_of(list->items.begin(), list->items.end(),
                                      [](const value& x) { return x.as_keyword() || x.as_list(); });
    auto written = plain ? list->items : std::vector<value>{v};
    for (const auto& x : written) {
      if (!x.as_list() && !text_of(x)) {
        auto e = c.wrong(errc::wrong_type, "a figure is a number with or without a sign, such as 6 "
                                           "or \"#4\", not " +
                                               print(x));
        e.diagnostics.front().span = c.rest_spans()[i];
        return fail(std::move(e));
      }
      b.figures.push_back(figure_from(x));
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
  plain.degrees.clear();
  plain.offset.reset();
  plain.staff.reset();
  plain.extra = {};
  if (auto written = harmony_symbol(plain)) {
    f.add(value::string(*written));
  } else {
    if (x.root) f.option("root", value::kw(to_string(*x.root)));
    f.text("function", x.function).text("numeral", x.numeral.xml);
    f.option("kind", word_value(x.kind));
    f.text("text", x.kind_text);
    if (x.bass) f.option("bass", value::kw(to_string(*x.bass)));
  }
  if (x.inversion) f.option("inversion", value::of(std::int64_t{*x.inversion}));
  for (const auto& d : x.degrees) {
    form one;
    one.word(d.type).add(value::of(std::int64_t{d.value}));
    if (d.cents != 0) one.option("cents", value::of(std::int64_t{d.cents}));
    f.option("degree", one.xml(d.extra).done());
  }
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
  rows.push_back({"harmony",
                  {"chord-symbol"},
                  "mark",
                  {optional_param("symbol", arg_type::string, "\"Dm7\", \"F#7/A#\""),
                   option_param("root", arg_type::text, "c, f#, bb"),
                   option_param("function", arg_type::text, "instead of a root: I, V7"),
                   option_param("numeral", arg_type::string, "<numeral> as MusicXML"),
                   option_param("kind", arg_type::text, "MusicXML kind: minor-seventh"),
                   option_param("text", arg_type::text, "how the kind is shown"),
                   option_param("bass", arg_type::text, "bass note"),
                   option_param("inversion", arg_type::integer, "0 root position"), degree,
                   option_param("offset", arg_type::number, "whole notes by which it stands later"),
                   option_param("staff", arg_type::text, "staff it belongs to"),
                   option_param("xml", arg_type::spec, "MusicXML attributes and children")},
                  "A chord symbol above the staff.",
                  "(harmony \"Dm7\")",
                  "harmony",
                  harmony_handler});
  rows.push_back(
      {"figured-bass",
       {},
       "mark",
       {rest_param("figures", arg_type::spec, "6, \"#6\", (:number 6 :suffix slash), a duration"),
        option_param("lasts", arg_type::number, "length in whole notes"),
        flag_param("parentheses", "in parentheses"),
        option_param("xml", arg_type::spec, "MusicXML attributes and children")},
       "Figures under a bass note, from the top.",
       "(figured-bass 6 4)",
       "figured-bass",
       figured_bass_handler});
}

}  // namespace fermata
