#include "core/lang/literals.hpp"
#include "core/lang/music/compile.hpp"
#include "core/lang/music/forms.hpp"
#include "core/lang/music/make.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// An error at one of the words of the call.
error wrong_word(const call& c, errc code, std::string message, std::size_t index) {
  auto e = c.wrong(code, std::move(message));
  e.diagnostics.front().span = c.rest_spans()[index];
  return e;
}

/// The staff an attribute holds for: 0 says "none", where an enclosing staff must not apply.
result<std::optional<std::uint8_t>> staff_of(const call& c) {
  if (!c.has("staff")) return std::optional<std::uint8_t>{};
  auto text = c.text("staff").value_or("");
  auto n = text == "none" ? std::optional{0} : int_of(c.get("staff"));
  if (!n || *n < 0 || *n > 64)
    return fail(c.wrong(errc::out_of_range, "a staff is a number from 1 to 64", "staff"));
  return std::optional{static_cast<std::uint8_t>(*n)};
}

template <class T>
result<value> for_staff_answer(const call& c, std::vector<for_staff<T>> attributes::*member, T x) {
  auto staff = staff_of(c);
  if (!staff) return fail(std::move(staff.error()));
  attributes a;
  (a.*member).push_back(
      {*staff, std::move(x), c.has("xml") ? preserved_of(c.get("xml")) : preserved{}});
  return music_answer(c, measure_content{std::move(a)});
}

// key

std::optional<key_alteration> alteration_from(const value& v) {
  spec s{v, {"accidental", "octave"}};
  auto name = parse_pitch_name(s.word(0));
  if (!name) return std::nullopt;
  return key_alteration{*name, s.text("accidental"), s.integer("octave")};
}

result<value> key_handler(call& c) {
  key_signature k;
  const auto& words = c.rest();
  auto wrong = [&](const std::string& message) {
    return fail(c.wrong(errc::invalid_key, message));
  };
  if (c.has("alterations")) {
    auto list = c.get("alterations").as_list();
    std::vector<value> one{c.get("alterations")};
    for (const auto& x : list ? list->items : one) {
      auto a = alteration_from(x);
      if (!a) return wrong("an alteration is a letter with its sign, such as f#, not " + print(x));
      k.alterations.push_back(std::move(*a));
    }
  } else if (words.empty()) {
    return wrong("a key has a tonic and a mode: (key c :major)");
  }
  if (!words.empty()) {
    if (auto n = words[0].as_number()) {
      if (!n->is_integer()) return wrong("a number of sharps or flats is whole");
      if (abs(*n) > rational{127})
        return wrong("a key has at most seven sharps or flats, in theory at most 127");
      if (abs(*n) > rational{7} && !c.flag("theoretical"))
        return wrong(
            "a key has at most seven sharps or flats; one with more exists in theory only: "
            "(key " +
            print(words[0]) + " :theoretical)");
      k.fifths = static_cast<int>(n->numerator());
      if (words.size() > 1)
        return wrong("after a number of sharps or flats the mode is written :mode major");
    } else {
      auto text = text_of(words[0]).value_or("");
      if (words.size() > 2) return wrong("a key has a tonic and a mode: (key c :major)");
      auto mode_text = words.size() == 2 ? text_of(words[1]).value_or("") : std::string{"major"};
      auto name = parse_pitch_name(text);
      if (!name) {
        // (key "c minor") is (key c-minor).
        if (words[0].as_string()) std::replace(text.begin(), text.end(), ' ', '-');
        auto whole = words.size() == 1 ? parse_key(text) : std::nullopt;
        if (!whole)
          return fail(wrong_word(c, errc::invalid_key,
                                 "`" + text + "` is no tonic; write c, f#, bb or c-minor", 0));
        k = *whole;
      } else {
        for (auto& ch : mode_text)
          ch = static_cast<char>(ch >= 'A' && ch <= 'Z' ? ch - 'A' + 'a' : ch);
        auto m = parse_mode(mode_text);
        if (!m || *m == mode::none) {
          auto e = wrong_word(c, errc::invalid_key, "`" + mode_text + "` is no mode", 1);
          auto near = nearest(mode_text, {"major", "minor", "ionian", "dorian", "phrygian",
                                          "lydian", "mixolydian", "aeolian", "locrian"});
          if (auto word = words[1].as_keyword(); word && near)
            return fail(unknown_keyword(c, *word, c.rest_spans()[1], {*near}));
          e.diagnostics.front().hint =
              near ? "did you mean " + *near + "?"
                   : "modes are :major :minor :ionian :dorian :phrygian :lydian :mixolydian "
                     ":aeolian :locrian";
          return fail(std::move(e));
        }
        auto on = key_on(*name, *m);
        if (!on)
          return wrong(to_string(*name) + " " + mode_text +
                       " would need more than seven accidentals");
        k = *on;
      }
    }
  }
  if (auto m = c.text("mode")) {
    if (auto known = parse_mode(*m))
      k.mode = *known;
    else
      k.other_mode = *m;
  }
  if (auto n = c.integer("cancel"); n && (*n < -127 || *n > 127))
    return wrong("a number of sharps or flats is at most 7");
  else if (n)
    k.cancel = static_cast<int>(*n);
  k.cancel_location = c.text("cancel-location").value_or("");
  if (auto list = c.get("octaves").as_list())
    for (const auto& x : list->items)
      if (auto pair = x.as_list(); pair && pair->items.size() == 2)
        k.key_octaves.emplace_back(int_of(pair->items[0]).value_or(0),
                                   int_of(pair->items[1]).value_or(0));
  return for_staff_answer(c, &attributes::keys, std::move(k));
}

form key_form(const key_signature& k) {
  form f{"key"};
  auto on = k.alterations.empty() && k.mode != mode::none && k.fifths >= -7 && k.fifths <= 7
                ? key_on(tonic(k), k.mode)
                : std::nullopt;
  if (on) {
    // As keywords, because a variable may be called c.
    auto name = to_string(tonic(k));
    f.add(value::kw(name));
    f.word(to_string(k.mode));
  } else {
    if (k.alterations.empty() || k.fifths != 0) f.add(value::of(std::int64_t{k.fifths}));
    if (k.fifths < -7 || k.fifths > 7) f.flag("theoretical");
    if (k.mode != mode::none) f.option("mode", word_value(to_string(k.mode)));
  }
  f.text("mode", k.other_mode);
  if (k.cancel) f.option("cancel", value::of(std::int64_t{*k.cancel}));
  f.text("cancel-location", k.cancel_location);
  if (!k.alterations.empty()) {
    form list;
    for (const auto& a : k.alterations) {
      form one;
      one.add(value::string(to_string(a.name)));
      one.text("accidental", a.accidental);
      if (a.octave) one.option("octave", value::of(std::int64_t{*a.octave}));
      list.add(one.one_or_list());
    }
    f.option("alterations", list.done());
  }
  if (!k.key_octaves.empty()) {
    form list;
    for (const auto& [number, octave] : k.key_octaves)
      list.add(
          form{}.add(value::of(std::int64_t{number})).add(value::of(std::int64_t{octave})).done());
    f.option("octaves", list.done());
  }
  return f;
}

// time

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
    auto e = wrong_word(c, errc::invalid_time, "this is no time signature", 0);
    auto word = text_of(words[0]);
    if (auto near = word ? nearest(*word, {"common", "cut", "senza-misura"}) : std::nullopt)
      e.diagnostics.front().hint = "did you mean :" + *near + "?\n" + e.diagnostics.front().hint;
    return fail(std::move(e));
  }
  if (!t)
    return fail(c.wrong(errc::invalid_time,
                        words.empty() ? "a time signature has beats and a beat type: (time 3 4)"
                                      : "this is no time signature: beats are whole numbers from 1 "
                                        "on, as is the note value that they count: (time 6 8), "
                                        "(time (3+2 8))"));
  if (c.has("symbol")) {
    // MusicXML's type "time-symbol"; what stands in quotes came from a file as it is.
    t->symbol = c.text("symbol").value_or("");
    constexpr std::string_view known[] = {"common",      "cut",  "single-number",
                                          "dotted-note", "note", "normal"};
    if (!c.get("symbol").as_string() &&
        std::find(std::begin(known), std::end(known), t->symbol) == std::end(known))
      return fail(c.wrong(errc::invalid_time,
                          "`" + t->symbol +
                              "` is no way to draw a time signature: common, cut, single-number, "
                              "note, dotted-note, normal",
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
  if (c.has("sign")) {
    x.sign = c.text("sign").value_or("");
    x.line = static_cast<int>(c.integer("line").value_or(0));
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
      auto e = wrong_word(c, errc::invalid_clef, "there is no clef `" + name + "`", 0);
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
  if (auto n = c.integer("diatonic")) {
    t.diatonic = static_cast<int>(*n);
    t.diatonic_given = true;
  }
  if (c.has("chromatic")) t.chromatic = c.text("chromatic").value_or("0");
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
  if (n < 0 || n > 64)
    return fail(c.wrong(errc::out_of_range, "a part has 1 to 64 staves", "number"));
  attributes a;
  a.staves = static_cast<int>(n);
  return music_answer(c, measure_content{std::move(a)});
}

result<value> multi_rest_handler(call& c) {
  auto n = c.integer("measures").value_or(0);
  if (n < 1 || n > 10000)
    return fail(
        c.wrong(errc::out_of_range, "a rest is drawn over 1 to 10000 measures", "measures"));
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
      return fail(c.wrong(errc::misplaced, "only key, time, clef and the like stand in here"));
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

std::vector<value> attributes_forms(const attributes& x, bool& block) {
  std::vector<value> out;
  for (const auto& k : x.keys)
    out.push_back(finish(key_form(k.value), k));
  for (const auto& t : x.times)
    out.push_back(finish(time_form(t.value), t));
  if (x.staves) out.push_back(form{"staves"}.add(value::of(std::int64_t{*x.staves})).done());
  for (const auto& c : x.clefs)
    out.push_back(finish(clef_form(c.value), c));
  for (const auto& t : x.transpositions)
    out.push_back(finish(transposition_form(t.value), t));
  if (x.multiple_rest)
    out.push_back(form{"multi-rest"}.add(value::of(std::int64_t{*x.multiple_rest})).done());
  auto needs_block = block || x.extra || !x.others.empty() || out.empty();
  block = needs_block;
  if (!needs_block) return out;
  form f{"attributes"};
  for (auto& v : out)
    f.add(std::move(v));
  for (const auto& o : x.others)
    f.add(form{"xml"}.add(value::string(o.xml)).done());
  f.xml(x.extra);
  return {f.done()};
}

void add_signature_forms(form_rows& rows) {
  auto staff = option_param("staff", arg_type::text, "staff it holds for; all when left out");
  auto xml = option_param("xml", arg_type::spec, "MusicXML attributes and children");
  rows.push_back(
      {"key",
       {},
       "mark",
       {rest_param("tonic", arg_type::spec, "c :major, c-minor, or a number of sharps"),
        option_param("mode", arg_type::text, "mode beside a number of sharps"),
        flag_param("theoretical", "allows more than seven sharps or flats"),
        option_param("cancel", arg_type::integer, "sharps of the key that is cancelled"),
        option_param("cancel-location", arg_type::text, "left, right, before-barline"),
        option_param("alterations", arg_type::spec, "signs of a free signature: (f# bb)"),
        option_param("octaves", arg_type::spec, "octaves in which the signs stand"), staff, xml},
       "A key signature: (key f# :minor), (key -3), (key c-minor), church modes.",
       "(key f# :minor)",
       "key",
       key_handler});
  rows.push_back({"time",
                  {"time-signature"},
                  "mark",
                  {rest_param("metre", arg_type::spec, "3 4, (3+2 8), common, cut, senza-misura"),
                   option_param("symbol", arg_type::text, "how it is drawn"),
                   option_param("text", arg_type::text, "what senza misura says"), staff, xml},
                  "A time signature.",
                  "(time (3+2 8))",
                  "time",
                  time_handler});
  rows.push_back(
      {"clef",
       {},
       "mark",
       {rest_param("name", arg_type::spec, "treble, bass, alto, ... or sign and line"),
        option_param("sign", arg_type::text, "G, F, C, percussion, TAB"),
        option_param("line", arg_type::integer, "staff line from below"),
        option_param("octave", arg_type::integer, "octaves it shifts: -1 for 8vb"), staff, xml},
       "A clef; also in mid-measure.",
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
        option_param("double-above", arg_type::text, "doubled above instead"), staff, xml},
       "What a transposing instrument sounds.",
       "(transposition -M2)",
       "transposition",
       transposition_handler});
  rows.push_back({"staves",
                  {},
                  "mark",
                  {required("number", arg_type::integer, "1, 2, 3, ...")},
                  "How many staves the part has.",
                  "(staves 2)",
                  "staves",
                  staves_handler});
  rows.push_back({"multi-rest",
                  {"multiple-rest"},
                  "mark",
                  {required("measures", arg_type::integer, "how many")},
                  "Measures of rest drawn as one.",
                  "(multi-rest 4)",
                  "multi-rest",
                  multi_rest_handler});
  rows.push_back({"attributes",
                  {},
                  "mark",
                  {rest_param("items", arg_type::contents, "key, time, clef, staves, xml"), xml},
                  "Key, time and clef as one block of MusicXML.",
                  "(attributes (key g :major) (time 3 4))",
                  "seq",
                  attributes_handler});
}

}  // namespace fermata
