#include "core/lang/notation/forms.hpp"
#include "core/lang/notation/note_options.hpp"
#include "core/lang/value/make.hpp"
#include "core/music/clef.hpp"

#include <algorithm>
#include <optional>

namespace fermata {

namespace {

result<value> seq_handler(call& c) {
  auto items = music_arguments(c, "seq");
  if (!items) return fail(std::move(items.error()));
  return music_answer(c, seq_music{spliced(std::move(*items))});
}

result<value> par_handler(call& c) {
  auto items = music_arguments(c, "par");
  if (!items) return fail(std::move(items.error()));
  return music_answer(c, par_music{std::move(*items)});
}

result<value> tuplet_handler(call& c) {
  tuplet_music t;
  auto ratio = ratio_of(c.get("ratio"));
  if (auto normal = c.integer("normal")) {
    auto actual = int_of(c.get("ratio"));
    if (!actual)
      return fail(c.wrong(errc::invalid_tuplet, "write 3:2, 3/2, (3 2), 3 2 or 3", "ratio"));
    ratio = std::pair{*actual, static_cast<int>(*normal)};
  }
  if (!ratio || ratio->first < 1 || ratio->second < 1 || ratio->first > 1024 ||
      ratio->second > 1024)
    return fail(
        c.wrong(errc::invalid_tuplet, "a ratio is two positive whole numbers: 3:2", "ratio"));
  std::tie(t.actual, t.normal) = *ratio;
  t.unit = c.duration("unit");
  t.marked = !c.flag("unmarked");
  if (c.has("xml")) t.extra = preserved_of(c.get("xml"));
  auto items = music_arguments(c, "tuplet");
  if (!items) return fail(std::move(items.error()));
  if (items->empty())
    return fail(c.wrong(errc::invalid_tuplet, "a tuplet needs at least one note or rest"));
  t.items = std::move(*items);
  return music_answer(c, std::move(t));
}

result<value> voice_handler(call& c) {
  voice_music v;
  v.voice = c.text("name").value_or("1");
  if (auto staff = c.integer("staff")) {
    if (*staff < 0 || *staff > max_staves)
      return fail(c.wrong(errc::out_of_range, staff_range(), "staff"));
    v.staff = static_cast<std::uint8_t>(*staff);
  }
  if (auto at = c.get("at").as_number()) {
    if (*at < rational{0})
      return fail(c.wrong(
          errc::out_of_range,
          ":at must not be negative; it counts quarter notes from the start of the measure", "at"));
    v.at = measure_position{*at};
  }
  auto items = music_arguments(c, "voice");
  if (!items) return fail(std::move(items.error()));
  v.items = std::move(*items);
  return music_answer(c, std::move(v));
}

/// `(staff 2 ...)`, or `(staff :bass ...)`: the next staff, with that clef.
result<value> staff_handler(call& c) {
  staff_music s;
  auto items = music_arguments(c, "staff");
  if (!items) return fail(std::move(items.error()));
  s.items = std::move(*items);
  if (auto n = int_of(c.get("name"))) {
    if (*n < 1 || *n > max_staves) return fail(c.wrong(errc::out_of_range, staff_range(), "name"));
    s.staff = static_cast<std::uint8_t>(*n);
    return music_answer(c, std::move(s));
  }
  auto name = c.text("name").value_or("");
  auto clef = find_clef(name);
  if (!clef) {
    std::vector<std::string_view> names;
    for (const auto& row : clef_table())
      names.push_back(row.name);
    auto near = nearest(name, names);
    auto e = c.wrong(errc::invalid_clef, "expected a staff number or a clef, not `" + name + "`",
                     "name");
    if (near)
      e.diagnostics.front().hint = "did you mean :" + *near + "?\n" + e.diagnostics.front().hint;
    return fail(std::move(e));
  }
  s.staff = 0;
  attributes a;
  a.clefs.push_back({{}, *clef, {}});
  s.items.insert(s.items.begin(), make_music(measure_content{std::move(a)}, c.span()));
  return music_answer(c, std::move(s));
}

/// A number counts quarter notes, anything else is a duration.
result<quarters> distance_of(const call& c) {
  const auto& v = c.get("distance");
  if (auto n = v.as_number()) {
    if (*n < rational{0})
      return fail(c.wrong(errc::out_of_range, "the distance must not be negative", "distance"));
    return quarters{*n};
  }
  if (auto d = duration_value_of(v)) return length(*d);
  return fail(c.wrong(errc::invalid_duration, "expected a number of quarter notes or a duration",
                      "distance"));
}

result<value> backup_handler(call& c) {
  auto d = distance_of(c);
  if (!d) return fail(std::move(d.error()));
  return music_answer(c, skip_music{quarters{} - *d});
}

result<value> forward_handler(call& c) {
  auto d = distance_of(c);
  if (!d) return fail(std::move(d.error()));
  return music_answer(c, skip_music{*d});
}

result<value> bar_handler(call& c) { return music_answer(c, bar_check_music{c.text("number")}); }

/// "Twin-kle lit-tle_" -> "Twin-" "kle" "lit-" "tle" "_". Signs may stand by themselves and be
/// written twice, as LilyPond has them. Nothing when a word is divided before it has begun.
std::optional<std::vector<std::string>> syllables_of(std::string_view text) {
  constexpr std::string_view between = " \t\n\r-_";
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const auto c = text[at];
    const auto is_between = between.find(c) != std::string_view::npos;
    const auto end = is_between ? text.find_first_not_of(c, at) : text.find_first_of(between, at);
    const auto run = text.substr(at, end - at);
    at += run.size();
    if (!is_between) {
      out.emplace_back(run);
    } else if (c == '_') {
      out.emplace_back("_");
    } else if (c == '-') {
      auto divided = std::find_if(out.rbegin(), out.rend(), [](auto& s) { return s != "_"; });
      if (divided == out.rend()) return std::nullopt;
      if (!divided->ends_with('-')) *divided += '-';
    }
  }
  return out;
}

result<value> lyrics_handler(call& c) {
  lyrics_music l;
  auto syllables = syllables_of(c.text("text").value_or(""));
  if (!syllables) {
    auto e = c.wrong(errc::misplaced, "unexpected -: there is no word to divide", "text");
    e.diagnostics.front().hint = "for a hyphen as text, write (note c4 :lyric \"-\")";
    return fail(std::move(e));
  }
  l.syllables = std::move(*syllables);
  l.verse = c.text("verse").value_or("1");
  auto items = music_arguments(c, "lyrics");
  if (!items) return fail(std::move(items.error()));
  l.items = std::move(*items);
  return music_answer(c, std::move(l));
}

}  // namespace

void add_group_forms(form_rows& rows) {
  auto items = rest_param("items", arg_type::contents, "notes, chords, rests, marks, seqs");
  rows.push_back({"seq",
                  {},
                  "structure",
                  {items},
                  "A sequence; its items become part of the enclosing form.",
                  "(seq (note c4 :q) (note d4 :q))",
                  "seq",
                  seq_handler});
  rows.push_back({"par",
                  {},
                  "structure",
                  {items},
                  "Simultaneous music, each argument in its own voice.",
                  "(par (note c5 :h) (seq (note e4 :q) (note f4 :q)))",
                  "par",
                  par_handler});
  rows.push_back({"tuplet",
                  {},
                  "music",
                  {required("ratio", arg_type::ratio, "3:2, 3/2, (3 2), 3 2 or 3"),
                   optional_param("normal", arg_type::integer, "second number of the ratio"), items,
                   option_param("unit", arg_type::duration, "note value counted by the ratio"),
                   flag_param("unmarked", "no bracket and no number"),
                   option_param("xml", arg_type::xml, "further MusicXML attributes and elements")},
                  "A tuplet: notes in the time of others. Tuplets can be nested.",
                  "(tuplet 3:2 (note c4 :8) (note d4 :8) (note e4 :8))",
                  "tuplet",
                  tuplet_handler});
  rows.push_back({"voice",
                  {},
                  "structure",
                  {required("name", arg_type::text, "number or name"), items,
                   option_param("staff", arg_type::integer, "staff on which it is drawn"),
                   option_param("at", arg_type::number,
                                "offset from the start of the measure, in quarter notes")},
                  "A voice, from the start of its measure.",
                  "(measure (voice 1 (note c5 :h)) (voice 2 (note e4 :h)))",
                  "voice",
                  voice_handler});
  rows.push_back(
      {"staff",
       {},
       "structure",
       {required("name", arg_type::text, "staff number, or the clef of the staff"), items},
       "The contents of a staff: measures in a part, notes in a measure. On its own it starts with "
       "the part and continues where it last ended.",
       "(part :piano (staff 1 (measure (note c5 :w))) (staff 2 (measure (note c3 :w))))",
       "staff",
       staff_handler});
  auto distance = required("distance", arg_type::spec, "quarter notes, or a duration");
  rows.push_back({"backup",
                  {},
                  "structure",
                  {distance},
                  "Moves back within the measure; prefer voices.",
                  "(measure (note c5 :w :voice 1) (backup 4) (note c3 :w :voice 2))",
                  "skip",
                  backup_handler});
  rows.push_back({"forward",
                  {"skip"},
                  "structure",
                  {distance},
                  "Moves forward within the measure without a rest.",
                  "(measure (forward 2) (note c3 :h))",
                  "skip",
                  forward_handler});
  rows.push_back(
      {"bar",
       {"bar-check"},
       "structure",
       {optional_param("number", arg_type::text, "number of the measure that ends here")},
       "Asserts that the measure is complete at this point.",
       "(measure (note c4 :w) (bar))",
       "bar",
       bar_handler});
  rows.push_back({"lyrics",
                  {},
                  "music",
                  {required("text", arg_type::text,
                            "syllables; - or -- divides words, _ or __ extends over another note"),
                   items, option_param("verse", arg_type::text, "1, 2, ...")},
                  "A verse under the notes.",
                  "(lyrics \"Twin-kle lit-tle\" (note c4) (note c4) (note g4) (note g4))",
                  "lyrics",
                  lyrics_handler});
}

}  // namespace fermata
