#include "core/lang/notation/signature_forms.hpp"

#include "core/lang/names/symbol_names.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/lang/value/literals.hpp"
#include "core/lang/value/make.hpp"
#include "core/score/model/joined_attributes.hpp"

#include <algorithm>

namespace fermata {

namespace {

// time

/// MusicXML's type "time-symbol".
completion_words time_symbol_words(std::string_view) {
  return {"common", "cut", "single-number", "note", "dotted-note", "normal"};
}

result<value> time_handler(call& c) {
  const auto& words = c.rest();
  std::optional<time_signature> t;
  if (words.size() == 1) {
    if (auto text = text_of(words[0]); text == "senza-misura" || text == "senza")
      t = time_signature{{}, "", ""};
    else
      t = parse_time(words[0]);
  } else if (words.size() == 2 && !words[0].as_list()) {
    t = parse_time(value::list({words[0], words[1]}));
  } else if (words.size() > 1) {
    t = parse_time(value::list(words));
  }
  if (!t && words.size() == 1) {
    auto e = wrong_word(c, errc::invalid_time,
                        words[0].as_number()
                            ? "a time signature has two numbers, beats and beat type: (time " +
                                  print(words[0]) + " 4)"
                            : std::string{"invalid time signature"},
                        0);
    auto word = text_of(words[0]);
    if (auto near = word ? nearest(*word, time_word_names()) : std::nullopt)
      e.diagnostics.front().hint = "did you mean :" + *near + "?\n" + e.diagnostics.front().hint;
    return fail(std::move(e));
  }
  if (!t)
    return fail(c.wrong(errc::invalid_time,
                        words.empty() ? "a time signature needs beats and a beat type: (time 3 4)"
                                      : "invalid time signature: beats and beat type must be "
                                        "positive whole numbers: (time 6 8), (time (3+2 8))"));
  if (c.has("symbol")) {
    // What stands in quotes came from a file as it is.
    t->symbol = c.text("symbol").value_or("");
    auto known = time_symbol_words({});
    if (!c.get("symbol").as_string() &&
        std::find(known.begin(), known.end(), t->symbol) == known.end())
      return fail(c.wrong(errc::invalid_time,
                          "`" + t->symbol +
                              "` is not a time symbol: use common, cut, single-number, note, "
                              "dotted-note or normal" +
                              meant(t->symbol, {known.begin(), known.end()}),
                          "symbol"));
  }
  t->senza_text = c.text("text").value_or("");
  return for_staff_answer(c, &attributes::times, std::move(*t));
}

value beats_value(const std::vector<int>& beats) {
  if (beats.size() == 1) return value::of(std::int64_t{beats.front()});
  std::string text;
  for (auto b : beats)
    text += (text.empty() ? "" : "+") + std::to_string(b);
  return value::sym(text);
}

form time_form(const time_signature& t) {
  form f{"time"};
  if (t.fractions.empty()) {
    f.flag("senza-misura");
    f.text("text", t.senza_text);
    f.text("symbol", t.symbol);
    return f;
  }
  if (t == time_signature{{{{4}, 4}}, "common", ""}) return f.flag("common");
  if (t == time_signature{{{{2}, 2}}, "cut", ""}) return f.flag("cut");
  auto fraction = [](const time_signature::fraction& x) {
    return form{}.add(beats_value(x.beats)).add(value::of(std::int64_t{x.beat_type})).done();
  };
  const auto& first = t.fractions.front();
  if (t.fractions.size() == 1 && first.beats.size() == 1)
    f.add(beats_value(first.beats)).add(value::of(std::int64_t{first.beat_type}));
  else
    for (const auto& x : t.fractions)
      f.add(fraction(x));
  f.text("symbol", t.symbol).text("text", t.senza_text);
  return f;
}

// clef

result<value> clef_handler(call& c) {
  clef x;
  const auto& words = c.rest();
  if (!words.empty() && c.has("sign"))
    return fail(c.wrong(errc::wrong_argument_count,
                        print(words[0]) + " and :sign both give the clef; use only one", "sign"));
  if (!words.empty() && c.has("line"))
    return fail(c.wrong(errc::wrong_argument_count,
                        print(words[0]) + " and :line both give the clef; use only one", "line"));
  if (c.has("sign")) {
    x.sign = c.text("sign").value_or("");
    x.line = static_cast<int>(c.integer("line").value_or(0));
    // What stands in quotes came from a file as it is.
    if (!c.get("sign").as_string()) {
      auto sign = find_clef_sign(x.sign);
      if (!sign)
        return fail(c.wrong(errc::invalid_clef,
                            no_such_name(c.get("sign"), clef_signs(), "clef sign") +
                                "; signs are G F C percussion TAB jianpu none",
                            "sign"));
      x.sign = *sign;
      if (c.has("line") && (x.line < 1 || x.line > 5))
        return fail(c.wrong(errc::invalid_clef,
                            "a clef line must be from 1 to 5, counting from the bottom", "line"));
      // The clef of that name, where it has one.
      x.octave_change = static_cast<int>(c.integer("octave").value_or(0));
      if (auto name = name_of(x); name && x.line == 0) x = *find_clef(*name);
    }
  } else if (words.size() == 1) {
    auto name = text_of(words[0]).value_or("");
    auto found = find_clef(name);
    if (!found) {
      std::vector<std::string_view> names;
      for (const auto& row : clef_table()) {
        names.push_back(row.name);
        names.insert(names.end(), row.aliases.begin(), row.aliases.end());
      }
      auto near = nearest(name, names);
      auto e = wrong_word(c, errc::invalid_clef, "unknown clef `" + name + "`", 0);
      if (near)
        e.diagnostics.front().hint = "did you mean :" + *near + "?\n" + e.diagnostics.front().hint;
      return fail(std::move(e));
    }
    x = *found;
  } else if (words.size() >= 2 && words.size() <= 3) {
    x.sign = text_of(words[0]).value_or("");
    if (x.sign.size() == 1)
      x.sign[0] = static_cast<char>(x.sign[0] >= 'a' && x.sign[0] <= 'z' ? x.sign[0] - 'a' + 'A'
                                                                         : x.sign[0]);
    auto line = int_of(words[1]);
    auto octave = words.size() == 3 ? int_of(words[2]) : std::optional{0};
    if ((x.sign != "G" && x.sign != "F" && x.sign != "C") || !line || !octave || *line < 1 ||
        *line > 5)
      return fail(c.wrong(errc::invalid_clef, "write a name, or sign and line: (clef g 2)"));
    x.line = *line;
    x.octave_change = *octave;
  } else {
    return fail(c.wrong(errc::invalid_clef, "write a name, or sign and line: (clef g 2)"));
  }
  if (auto n = c.integer("octave")) x.octave_change = static_cast<int>(*n);
  return for_staff_answer(c, &attributes::clefs, std::move(x));
}

form clef_form(const clef& x) {
  form f{"clef"};
  auto name = name_of(x);
  if (name && find_clef(*name) == x) return f.word(*name);
  f.option("sign", value::string(x.sign));
  if (x.line != 0) f.option("line", value::of(std::int64_t{x.line}));
  if (x.octave_change != 0) f.option("octave", value::of(std::int64_t{x.octave_change}));
  return f;
}

// transposition

result<value> transposition_handler(call& c) {
  transposition t;
  if (auto i = c.interval("interval")) {
    t.octaves = i->steps / 7;
    t.diatonic = i->steps % 7;
    t.diatonic_given = true;
    t.chromatic = std::to_string(i->semitones - 12 * t.octaves);
  }
  for (auto part : {"diatonic", "chromatic", "octaves"})
    if (c.has("interval") && c.has(part))
      return fail(c.wrong(errc::wrong_argument_count,
                          "the interval and :" + std::string{part} +
                              " both give the transposition; use only one",
                          part));
  if (auto n = c.integer("diatonic")) {
    t.diatonic = static_cast<int>(*n);
    t.diatonic_given = true;
  }
  if (c.has("chromatic")) {
    const auto& v = c.get("chromatic");
    t.chromatic = c.text("chromatic").value_or("0");
    auto number = v.as_number() || v.get_if<double>() || parse_rational(t.chromatic);
    if (!number && !v.as_string())
      return fail(c.wrong(errc::wrong_type,
                          "expected a number of semitones, not `" + t.chromatic + "`",
                          "chromatic"));
  }
  if (auto n = c.integer("octaves")) t.octaves = static_cast<int>(*n);
  t.doubled = c.flag("doubled");
  t.double_above = c.text("double-above").value_or("");
  return for_staff_answer(c, &attributes::transpositions, std::move(t));
}

form transposition_form(const transposition& t) {
  form f{"transposition"};
  if (t.diatonic_given) f.option("diatonic", value::of(std::int64_t{t.diatonic}));
  if (t.chromatic != "0") f.option("chromatic", text_value(t.chromatic));
  if (t.octaves != 0) f.option("octaves", value::of(std::int64_t{t.octaves}));
  if (t.doubled) f.flag("doubled");
  f.text("double-above", t.double_above);
  return f;
}

result<value> staves_handler(call& c) {
  auto n = c.integer("number").value_or(0);
  if (n < 1 || n > max_staves)
    return fail(c.wrong(errc::out_of_range,
                        "a part has 1 to " + std::to_string(max_staves) + " staves", "number"));
  attributes a;
  a.staves = static_cast<int>(n);
  return music_answer(c, measure_content{std::move(a)});
}

result<value> multi_rest_handler(call& c) {
  auto n = c.integer("measures").value_or(0);
  if (n < 1 || n > 10000)
    return fail(
        c.wrong(errc::out_of_range, "a multi-measure rest covers 1 to 10000 measures", "measures"));
  attributes a;
  a.multiple_rest = static_cast<int>(n);
  return music_answer(c, measure_content{std::move(a)});
}

result<value> attributes_handler(call& c) {
  auto items = music_arguments(c, "attributes");
  if (!items) return fail(std::move(items.error()));
  attributes all;
  for (const auto& x : *items) {
    if (auto a = leaf<attributes>(*x))
      join(all, attributes{*a});
    else if (auto f = leaf<fragment>(*x))
      all.others.push_back(*f);
    else
      return fail(
          c.wrong(errc::misplaced, "only attributes such as key, time and clef are allowed here"));
  }
  if (c.has("xml")) all.extra = preserved_of(c.get("xml"));
  return music_answer(c, seq_music{{make_music(measure_content{std::move(all)}, c.span())}, true});
}

template <class T>
value finish(form f, const for_staff<T>& x) {
  if (x.staff == 0)
    f.option("staff", value::kw("none"));
  else if (x.staff)
    f.option("staff", value::of(std::int64_t{*x.staff}));
  f.xml(x.extra);
  return f.done();
}

}  // namespace

error wrong_word(const call& c, errc code, std::string message, std::size_t index) {
  auto e = c.wrong(code, std::move(message));
  e.diagnostics.front().span = c.rest_spans()[index];
  return e;
}

result<std::optional<std::uint8_t>> staff_of(const call& c) {
  if (!c.has("staff")) return std::optional<std::uint8_t>{};
  auto text = c.text("staff").value_or("");
  auto n = text == "none" ? std::optional{0} : int_of(c.get("staff"));
  if (!n || *n < 0 || *n > max_staves)
    return fail(c.wrong(errc::out_of_range, staff_range(), "staff"));
  return std::optional{static_cast<std::uint8_t>(*n)};
}

std::vector<value> attributes_forms(const attributes& x, bool& block) {
  std::vector<value> out;
  for (const auto& k : x.keys)
    out.push_back(finish(key_form(k.value), k));
  for (const auto& t : x.times)
    out.push_back(finish(time_form(t.value), t));
  // A file may say a number that no part can have.
  auto strange_staves = x.staves && (*x.staves < 1 || *x.staves > max_staves);
  if (x.staves && !strange_staves)
    out.push_back(form{"staves"}.add(value::of(std::int64_t{*x.staves})).done());
  for (const auto& c : x.clefs)
    out.push_back(finish(clef_form(c.value), c));
  for (const auto& t : x.transpositions)
    out.push_back(finish(transposition_form(t.value), t));
  if (x.multiple_rest)
    out.push_back(form{"multi-rest"}.add(value::of(std::int64_t{*x.multiple_rest})).done());
  auto needs_block = block || x.extra || !x.others.empty() || strange_staves || out.empty() ||
                     sets_something_twice(x);
  block = needs_block;
  if (!needs_block) return out;
  form f{"attributes"};
  for (auto& v : out)
    f.add(std::move(v));
  if (strange_staves)
    f.add(form{"xml"}
              .add(value::string("<staves>" + std::to_string(*x.staves) + "</staves>"))
              .done());
  for (const auto& o : x.others)
    f.add(form{"xml"}.add(value::string(o.xml)).done());
  f.xml(x.extra);
  return {f.done()};
}

void add_signature_forms(form_rows& rows) {
  auto staff = option_param("staff", arg_type::text, "staff it applies to (default: all)");
  auto xml = option_param("xml", arg_type::xml, "further MusicXML attributes and elements");
  rows.push_back(
      {"key",
       {},
       "mark",
       {offering(rest_param("tonic", arg_type::spec, "c :major, c-minor, or a number of sharps"),
                 key_words),
        named_option("mode", "mode, with a number of sharps", modes_and_none()),
        flag_param("theoretical", "allow more than seven sharps or flats"),
        option_param("cancel", arg_type::integer, "sharps of the cancelled key"),
        named_option("cancel-location", "where the naturals are drawn",
                     {"left", "right", "before-barline"}),
        option_param("alterations", arg_type::spec,
                     "accidentals of a non-traditional signature: (f# bb)"),
        option_param("octaves", arg_type::spec, "octaves of the accidentals"), staff, xml},
       "A key signature: (key f# :minor), (key -3), (key c-minor), church modes.",
       "(key f# :minor)",
       "key",
       key_handler});
  rows.push_back(
      {"time",
       {"time-signature"},
       "mark",
       {offering(rest_param("metre", arg_type::spec, "3 4, (3+2 8), common, cut, senza-misura"),
                 time_words),
        offering(option_param("symbol", arg_type::text, "how it is drawn"), time_symbol_words),
        option_param("text", arg_type::text, "text for senza misura"), staff, xml},
       "A time signature.",
       "(time (3+2 8))",
       "time",
       time_handler});
  rows.push_back(
      {"clef",
       {},
       "mark",
       {offering(rest_param("name", arg_type::spec, "treble, bass, alto, ... or sign and line"),
                 clef_words),
        offering(option_param("sign", arg_type::text, "G, F, C, percussion, TAB, jianpu, none"),
                 [](std::string_view) {
                   return completion_words{clef_signs().begin(), clef_signs().end()};
                 }),
        option_param("line", arg_type::integer, "staff line from below"),
        option_param("octave", arg_type::integer, "octaves it shifts: -1 for 8vb"), staff, xml},
       "A clef; also within a measure.",
       "(clef :bass-8vb)",
       "clef",
       clef_handler});
  rows.push_back(
      {"transposition",
       {"transposing"},
       "mark",
       {optional_param("interval", arg_type::interval, "from written to sounding: -M2"),
        option_param("diatonic", arg_type::integer, "steps"),
        option_param("chromatic", arg_type::text, "semitones"),
        option_param("octaves", arg_type::integer, "whole octaves"),
        flag_param("doubled", "also an octave lower"),
        named_option("double-above", "doubled an octave above instead", {"yes", "no"}), staff, xml},
       "The transposition of a transposing instrument.",
       "(transposition -M2)",
       "transposition",
       transposition_handler});
  rows.push_back({"staves",
                  {},
                  "mark",
                  {required("number", arg_type::integer, "1, 2, 3, ...")},
                  "The number of staves of the part.",
                  "(staves 2)",
                  "staves",
                  staves_handler});
  rows.push_back({"multi-rest",
                  {"multiple-rest"},
                  "mark",
                  {required("measures", arg_type::integer, "how many")},
                  "Measures of rest, drawn as one multi-measure rest where nothing else sounds. "
                  "Inside a measure it is only the sign, for this and the following measures.",
                  "(multi-rest 4)",
                  "multi-rest",
                  multi_rest_handler});
  rows.push_back({"attributes",
                  {},
                  "mark",
                  {rest_param("items", arg_type::contents, "key, time, clef, staves, xml"), xml},
                  "Key, time and clef combined in one MusicXML element.",
                  "(attributes (key g :major) (time 3 4))",
                  "seq",
                  attributes_handler});
}

}  // namespace fermata
