#include "core/lang/evaluation/bind.hpp"
#include "core/lang/layout/layers.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/lang/notation/header_options.hpp"
#include "core/lang/value/literals.hpp"
#include "core/lang/value/make.hpp"
#include "core/music/instruments.hpp"

#include <algorithm>

namespace fermata {

namespace {

result<value> measure_handler(call& c) {
  measure_music m;
  m.number = c.text("number");
  m.implicit = c.flag("pickup");
  m.free = c.flag("free");
  if (auto at = c.get("padded-to").as_number()) m.padded_to = measure_position{*at};
  if (c.has("xml")) m.extra = preserved_of(c.get("xml"));
  auto say = [&](attributes a) {
    m.items.push_back(make_music(measure_content{std::move(a)}, c.span()));
  };
  if (auto k = c.key("key")) {
    attributes a;
    a.keys.push_back({{}, *k, {}});
    say(std::move(a));
  }
  if (auto t = c.time("time")) {
    attributes a;
    a.times.push_back({{}, *t, {}});
    say(std::move(a));
  }
  if (auto made = c.get("clef").as_music()) {
    auto a = leaf<attributes>(*made);
    if (!a || a->clefs.size() != 1)
      return fail(c.wrong(errc::invalid_clef,
                          "expected a clef, such as bass or (clef ...), not " +
                              describe_kind(c.get("clef")),
                          "clef"));
    say(*a);
  } else if (auto name = text_of(c.get("clef"))) {
    auto clef = find_clef(*name);
    if (!clef) return fail(c.wrong(errc::invalid_clef, "unknown clef `" + *name + "`", "clef"));
    attributes a;
    a.clefs.push_back({{}, *clef, {}});
    say(std::move(a));
  } else if (c.has("clef")) {
    return fail(c.wrong(errc::invalid_clef,
                        "expected a clef, such as bass or (clef ...), not " + print(c.get("clef")),
                        "clef"));
  }
  auto items = music_arguments(c, "measure");
  if (!items) return fail(std::move(items.error()));
  for (auto& x : *items) {
    if (as_node<part_music>(*x) || as_node<score_music>(*x) || as_node<measure_music>(*x)) {
      auto e = c.wrong(errc::misplaced, "a measure cannot contain " + describe_kind(value::of(x)));
      e.diagnostics.front().span = x->span == source_span{} ? c.span() : x->span;
      return fail(std::move(e));
    }
    m.items.push_back(std::move(x));
  }
  m.items = with_explicit_positions(std::move(m.items));
  return music_answer(c, std::move(m));
}

result<value> part_handler(call& c) {
  part_music p;
  if (auto r = read_part_options(c, p); !r) return fail(std::move(r.error()));
  for (std::size_t i = 0; i < c.rest().size(); ++i) {
    const auto& v = c.rest()[i];
    auto span = c.rest_spans()[i];
    if (auto s = v.as_string()) {
      if (!p.header.name.empty())
        return fail(c.wrong(errc::wrong_argument_count, "a part takes a single name"));
      p.header.name = *s;
    } else if (v.as_keyword() || v.as_symbol()) {
      auto name = v.as_keyword() ? *v.as_keyword() : *v.as_symbol();
      auto row = find_instrument(name);
      if (!row) {
        auto e = no_such_instrument(c, name, span);
        auto& d = e.diagnostics.front();
        d.message = "part: unknown instrument or option :" + name;
        if (v.as_symbol()) {
          d.code = errc::unknown_name;
          d.message = "part: `" + name + "` is neither an instrument nor defined";
        }
        return fail(std::move(e));
      }
      if (!p.instrument.empty())
        return fail(c.wrong(errc::wrong_argument_count, "a part takes a single instrument"));
      p.instrument = row->name;
    } else if (auto r = append_music(c, v, span, p.items); !r) {
      return fail(std::move(r.error()));
    }
  }
  return music_answer(c, std::move(p));
}

result<value> group_handler(call& c) {
  part_group_music g;
  g.group.number = c.text("number").value_or("");
  g.group.name = c.text("name").value_or("");
  g.group.abbreviation = c.text("abbr").value_or("");
  g.group.symbol = c.flag("bracket") ? "bracket" : c.flag("brace") ? "brace" : "";
  if (c.has("symbol")) g.group.symbol = c.text("symbol").value_or("");
  g.group.barline = c.text("barline").value_or("");
  if (c.has("xml")) g.group.extra = preserved_of(c.get("xml"));
  if (c.flag("start") || c.flag("stop")) {
    g.group.type = c.flag("start") ? "start" : "stop";
    if (!c.rest().empty())
      return fail(c.wrong(errc::misplaced, "(group :start) and (group :stop) contain no parts"));
    if (!c.has("number")) g.group.number = "1";
  }
  auto items = music_arguments(c, "group");
  if (!items) return fail(std::move(items.error()));
  g.items = std::move(*items);
  return music_answer(c, std::move(g));
}

result<value> score_handler(call& c) {
  score_music s;
  if (auto r = read_score_options(c, s); !r) return fail(std::move(r.error()));
  auto items = music_arguments(c, "score");
  if (!items) return fail(std::move(items.error()));
  s.items = std::move(*items);
  return music_answer(c, std::move(s));
}

bool holds_repeat(const music_ptr& m) {
  auto items = items_of(*m);
  return as_node<repeat_music>(*m) ||
         (items && std::any_of(items->begin(), items->end(), holds_repeat));
}

result<value> repeat_handler(call& c) {
  repeat_music r;
  if (auto n = c.integer("times")) {
    if (*n < 1 || *n > 99)
      return fail(c.wrong(errc::out_of_range, "a repeat is played 1 to 99 times", "times"));
    r.times = static_cast<int>(*n);
  }
  auto items = music_arguments(c, "repeat");
  if (!items) return fail(std::move(items.error()));
  if (std::any_of(items->begin(), items->end(), holds_repeat)) {
    auto e = c.wrong(errc::misplaced, "nested repeats are not supported");
    e.diagnostics.front().hint = "write out the measures of the inner repeat";
    return fail(std::move(e));
  }
  r.items = std::move(*items);
  return music_answer(c, std::move(r));
}

std::string barline_of_ending(std::string_view type) {
  return "for the barline of an ending, write (barline :ending 1 " + std::string{type} + ")";
}

constexpr std::string_view ending_types[] = {":start", ":stop", ":discontinue"};

error not_numbered(const call& c) {
  auto e = c.wrong(errc::wrong_type, "an ending needs a number: 1, or (1 2)", "numbers");
  auto written = print(c.get("numbers"));
  for (auto type : ending_types)
    if (written == type) e.diagnostics.front().hint = barline_of_ending(type);
  return e;
}

result<value> ending_handler(call& c) {
  ending_music e;
  if (auto list = c.get("numbers").as_list()) {
    for (const auto& x : list->items)
      e.numbers += (e.numbers.empty() ? "" : ", ") + text_of(x).value_or(print(x));
  } else {
    e.numbers = text_of(c.get("numbers")).value_or("");
  }
  auto valid = !e.numbers.empty() &&
               e.numbers.find_first_not_of("0123456789, ") == std::string::npos &&
               !begins_with_zero(e.numbers);
  if (!valid) return fail(not_numbered(c));
  auto items = music_arguments(c, "ending");
  if (!items) return fail(std::move(items.error()));
  e.items = std::move(*items);
  return music_answer(c, std::move(e));
}

}  // namespace

error no_such_instrument(const call& c, const std::string& name, source_span span) {
  std::vector<std::string_view> names;
  for (const auto& x : instrument_table()) {
    names.push_back(x.name);
    names.insert(names.end(), x.aliases.begin(), x.aliases.end());
  }
  auto e = unknown_keyword(c, name, span, std::move(names));
  e.diagnostics.front().message = c.spec().name + ": unknown instrument :" + name;
  return e;
}

void add_container_forms(form_rows& rows) {
  form_spec score{
      "score",
      {},
      "structure",
      {rest_param("parts", arg_type::contents, "parts and groups; bare measures form part 1")},
      "A whole score.",
      "(score :title \"Etude\" (part :flute (measure (note a4 :w))))",
      "score",
      score_handler};
  auto more = score_option_params();
  score.params.insert(score.params.end(), more.begin(), more.end());
  rows.push_back(std::move(score));

  form_spec part{
      "part",
      {},
      "structure",
      {offering(rest_param("contents", arg_type::spec,
                           "an instrument such as :piano, a name, measures or notes"),
                instrument_words)},
      "The music of one player. The instrument sets name, clefs, transposition and sound.",
      "(part :horn (measure (note c5 :w)))",
      "part",
      part_handler};
  more = part_option_params();
  part.params.insert(part.params.end(), more.begin(), more.end());
  rows.push_back(std::move(part));

  rows.push_back(
      {"group",
       {"part-group"},
       "structure",
       {rest_param("parts", arg_type::contents, "parts and groups"),
        one_of("symbol", flag_param("bracket", "square bracket before the staves")),
        one_of("symbol", flag_param("brace", "curly bracket before the staves")),
        one_of("symbol", named_option("symbol", "name shown before the staves",
                                      {"bracket", "brace", "line", "square", "none"})),
        option_param("name", arg_type::text, "shown before the first system"),
        option_param("abbr", arg_type::text, "shown before the other systems", {"abbreviation"}),
        named_option("barline", "whether barlines extend through the staves",
                     {"yes", "no", "Mensurstrich"}),
        option_param("number", arg_type::text, "distinguishes overlapping groups"),
        one_of("end", flag_param("start", "opens a group that (group :stop) closes")),
        one_of("end", flag_param("stop", "closes a group")),
        option_param("xml", arg_type::xml, "further MusicXML attributes and elements")},
       "A group of parts.",
       "(score (group :bracket :name \"Strings\" (part :violin) (part :cello)))",
       "group",
       group_handler});
  rows.push_back(
      {"measure",
       {},
       "structure",
       {rest_param("elements", arg_type::contents, "notes, voices, staves, marks"),
        option_param("number", arg_type::text, "printed number, if not counted"),
        flag_param("pickup", "not counted: 0 at the beginning, then X1, X2 ...", {"implicit"}),
        flag_param("free", "may be longer than its time signature allows"),
        option_param("time", arg_type::time, "(4 4), :common"),
        option_param("key", arg_type::key, "c-major"),
        offering(option_param("clef", arg_type::spec, "treble, bass, ..., (clef ...)"), clef_words),
        option_param("padded-to", arg_type::number,
                     "end of a gap after its last note, in quarter notes"),
        option_param("xml", arg_type::xml, "further MusicXML attributes and elements")},
       "One measure.",
       "(measure :time (3 4) (note c4 :h.))",
       "measure",
       measure_handler});
  rows.push_back({"repeat",
                  {},
                  "structure",
                  {rest_param("measures", arg_type::contents, "measures and endings"),
                   option_param("times", arg_type::integer, "how often it is played (2)")},
                  "Measures between repeat signs.",
                  "(repeat (measure (note c4 :w)) (ending 1 (measure (note d4 :w))) "
                  "(ending 2 (measure (note e4 :w))))",
                  "repeat",
                  repeat_handler});
  const std::string begins = "for the start of a repeat, write (barline :repeat-start)";
  const std::string ends = "for the end of a repeat, write (barline :repeat-end)";
  rows.back().elsewhere = {{":forward", begins}, {":start", begins}, {":begin", begins},
                           {":backward", ends},  {":end", ends},     {":stop", ends}};
  rows.push_back({"ending",
                  {"volta"},
                  "structure",
                  {required("numbers", arg_type::spec, "1, or (1 2)"),
                   rest_param("measures", arg_type::contents, "measures")},
                  "Measures under a volta bracket, played on the given passes; inside a repeat or "
                  "right after it.",
                  "(ending 2 (measure (note c4 :w)))",
                  "ending",
                  ending_handler});
  for (auto type : ending_types)
    rows.back().elsewhere.push_back({std::string{type}, barline_of_ending(type)});
}

}  // namespace fermata
