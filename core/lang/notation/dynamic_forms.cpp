#include "core/lang/names/phrase_symbols.hpp"
#include "core/lang/names/symbol_names.hpp"
#include "core/lang/notation/direction_options.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// The dynamics of MusicXML 4.0; each is a form.
constexpr std::string_view marks[] = {"p",    "pp",   "ppp",  "pppp",  "ppppp",  "pppppp", "f",
                                      "ff",   "fff",  "ffff", "fffff", "ffffff", "mp",     "mf",
                                      "sf",   "sfp",  "sfpp", "fp",    "rf",     "rfz",    "sfz",
                                      "sffz", "sfzp", "fz",   "n",     "pf"};

result<value> mark_handler(call& c) {
  return direction_answer(c, dynamics{{c.spec().name}, {}}, "below");
}

result<value> dynamics_handler(call& c) {
  dynamics d;
  for (std::size_t i = 0; i < c.rest().size(); ++i) {
    const auto& v = c.rest()[i];
    auto text = text_of(v).value_or(print(v));
    if (!v.as_string() && !is_dynamic(text)) {
      auto e = c.wrong(errc::wrong_type, no_such_dynamic(text));
      e.diagnostics.front().span = c.rest_spans()[i];
      return fail(std::move(e));
    }
    d.values.push_back(std::move(text));
  }
  if (d.values.empty())
    return fail(c.wrong(errc::wrong_argument_count, "which dynamic? (dynamic ff)"));
  return direction_answer(c, std::move(d), "below");
}

struct hairpin {
  std::string_view name, type;
  std::vector<std::string> aliases;
  std::string_view doc;
};

const std::vector<hairpin>& hairpins() {
  static const std::vector<hairpin> table{
      {"cresc", "crescendo", {"crescendo"}, "Starts a crescendo hairpin."},
      {"dim",
       "diminuendo",
       {"decresc", "diminuendo", "decrescendo"},
       "Starts a diminuendo hairpin."},
      {"hairpin-stop", "stop", {"cresc-stop", "dim-stop", "decresc-stop"}, "Ends a hairpin."},
      {"hairpin-continue", "continue", {}, "Continues a hairpin over a system break."},
  };
  return table;
}

result<value> hairpin_handler(call& c) {
  auto row = std::find_if(hairpins().begin(), hairpins().end(),
                          [&](const hairpin& h) { return h.name == c.spec().name; });
  wedge w{std::string{row->type}, 0, {}};
  if (auto n = c.integer("number")) {
    if (*n < 1 || *n > 16)
      return fail(c.wrong(errc::out_of_range, "hairpins are numbered 1 to 16", "number"));
    w.number = static_cast<std::uint8_t>(*n);
  }
  auto niente = c.flag("niente");
  if (!niente) return direction_answer(c, std::move(w), "below");
  w.extra =
      with_attribute(c.has("xml") ? preserved_of(c.get("xml")) : preserved{}, "niente", "yes");
  auto d = read_direction(c, {direction_type{std::move(w)}}, "below");
  if (!d) return fail(std::move(d.error()));
  return music_answer(c, measure_content{std::move(*d)});
}

}  // namespace

completion_words dynamic_words(std::string_view) { return {std::begin(marks), std::end(marks)}; }

bool is_dynamic(std::string_view name) {
  return std::find(std::begin(marks), std::end(marks), name) != std::end(marks);
}

std::string no_such_dynamic(std::string_view word) {
  return "`" + std::string{word} + "` is not a dynamic" +
         meant(word, drawn_names{std::begin(marks), std::end(marks)}) + " (quote other text)";
}

form dynamics_form(const dynamics& x) {
  auto known = x.values.size() == 1 && is_dynamic(x.values.front());
  form f{known ? std::string_view{x.values.front()} : "dynamics"};
  if (!known)
    for (const auto& v : x.values)
      f.add(value::string(v));
  return std::move(f.xml(x.extra));
}

form wedge_form(const wedge& x) {
  auto row = std::find_if(hairpins().begin(), hairpins().end(),
                          [&](const hairpin& h) { return h.type == x.type; });
  form f{row->name};
  if (x.number != 0) f.option("number", value::of(std::int64_t{x.number}));
  return std::move(f.xml(x.extra));
}

void add_dynamic_forms(form_rows& rows) {
  for (auto name : marks)
    rows.push_back(with_direction_options({std::string{name},
                                           {},
                                           "mark",
                                           {},
                                           "Dynamic: " + std::string{name} + ".",
                                           "(" + std::string{name} + ")",
                                           "dynamics",
                                           mark_handler}));
  rows.push_back(with_direction_options(
      {"dynamics",
       {"dynamic", "other-dynamics"},
       "mark",
       {offering(
           rest_param("marks", arg_type::spec, "ff, or any text; several are shown side by side"),
           dynamic_words)},
       "A dynamic mark.",
       "(dynamic ff)",
       "dynamics",
       dynamics_handler}));
  for (const auto& h : hairpins())
    rows.push_back(with_direction_options(
        {std::string{h.name},
         h.aliases,
         "mark",
         {option_param("number", arg_type::integer,
                       "distinguishes hairpins; overlapping ones are numbered automatically"),
          flag_param("niente", "from or to nothing")},
         std::string{h.doc},
         "(" + std::string{h.name} + ")",
         "hairpin",
         hairpin_handler}));
}

}  // namespace fermata
