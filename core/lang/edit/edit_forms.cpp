#include "core/lang/edit/add_form.hpp"
#include "core/lang/edit/delete_form.hpp"
#include "core/lang/edit/edit_selection.hpp"
#include "core/lang/edit/play_form.hpp"
#include "core/lang/edit/replaced_staves.hpp"
#include "core/lang/edit/selector_value.hpp"
#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/layout/commit.hpp"
#include "core/lang/layout/compile.hpp"
#include "core/lang/layout/decompile.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/lang/value/make.hpp"
#include "core/score/edit/append.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"
#include "core/score/repair/hairpin_numbers.hpp"
#include "core/score/repair/repair_repeats.hpp"

#include <algorithm>
#include <utility>

namespace fermata {

namespace {

// Selectors.

result<value> measures_handler(call& c) { return measures_selector(c.get("first"), c.get("last")); }

result<value> select_handler(call& c) {
  value out = value::list({});
  for (std::size_t i = 0; i < c.rest().size(); ++i) {
    const auto& v = c.rest()[i];
    const auto at = c.rest_spans()[i];
    if (auto word = v.as_keyword())
      return fail(
          unknown_keyword(c, *word, at, {"part", "staff", "voice", "measures", "beats", "where"}));
    if (!v.as_list() && !v.as_number() && !v.as_string()) {
      auto e = c.wrong(
          errc::wrong_type,
          "SELECTORS must be measure numbers, part names, (measures ...) or (select ...), not " +
              print(v));
      for (auto& d : e.diagnostics)
        d.span = at;
      return fail(std::move(e));
    }
    out = merged_selectors(out, v);
  }
  std::vector<value> own;
  for (const auto& x : c.in_order()) {
    own.push_back(value::kw(c.spec().params[x.param].name));
    own.push_back(x.given);
  }
  out = merged_selectors(out, value::list(std::move(own)));
  error fault;
  if (auto s = selector_of(c, out, fault); !s) return fail(std::move(s.error()));
  return out;
}

/// What is selected, as music.
result<value> selected_handler(call& c) {
  auto whole = selects_whole_measures(c);
  if (!whole) return fail(std::move(whole.error()));
  const auto& s = *c.state().score;
  std::vector<value> out;
  if (*whole) {
    auto found = measures_in(c);
    if (!found) return fail(std::move(found.error()));
    for (const auto& at : *found)
      out.push_back(
          value::of(to_music(*s.parts[at.part]->measures[at.measure], time_before(s, at), false)));
  } else {
    auto found = items_in(c);
    if (!found) return fail(std::move(found.error()));
    for (const auto& at : *found) {
      measure only;
      only.items.push_back(item_at(s, at));
      out.push_back(
          music_value(measure_content{without_hairpin_numbers(only).items.front().content}));
    }
  }
  return value::list(std::move(out));
}

/// The key that holds where music comes to stand.
result<value> key_at_handler(call& c) {
  error fault;
  auto s = selector_in(c, fault);
  if (!s) return fail(std::move(s.error()));
  auto found = measures_in(c);
  if (!found) return fail(std::move(found.error()));
  auto at = found->front();
  auto staff = s->staff.value_or(1);
  measure_position position;
  if (s->beats) {
    position = position_of_beat(s->beats->first, time_at(*c.state().score, at));
  } else if (!s->whole_measures()) {
    auto items = items_in(c);
    if (!items) return fail(std::move(items.error()));
    if (!items->empty()) {
      const auto& first = items->front();
      const auto& item = item_at(*c.state().score, first);
      at = {first.part, first.measure};
      position = item.at;
      if (auto x = std::get_if<chord_rest>(&item.content)) staff = x->staff;
    }
  }
  const auto& p = *c.state().score->parts[at.part];
  auto before = c.flag("before") && at.measure > 0;
  auto state = before ? state_before(p, at.measure) : state_at(p, at.measure, position);
  attributes a;
  a.keys.push_back({{}, state.key_or_default(staff), {}});
  c.state().answer = make_music(measure_content{std::move(a)}, c.span());
  return value::of(c.state().answer);
}

// Edits.

result<std::vector<music_ptr>> given_music(call& c) {
  std::vector<music_ptr> items;
  for (std::size_t i = 0; i < c.rest().size(); ++i)
    if (auto r = append_music(c, c.rest()[i], c.rest_spans()[i], items); !r)
      return fail(std::move(r.error()));
  return items;
}

/// Why music cannot stand at a place of a measure: it brings measures of its own.
std::optional<error> no_place_for(const call& c, const std::vector<music_ptr>& items) {
  for (const auto& x : items) {
    auto whole = as_node<score_music>(*x) || holds_parts(*x);
    if (!whole && !holds_measures(*x)) continue;
    auto e =
        c.wrong(errc::misplaced, describe_kind(value::of(x)) + " is not allowed inside a measure");
    if (x->span != source_span{}) e.diagnostics.front().span = x->span;
    e.diagnostics.front().hint =
        whole ? "write it on its own"
              : "use (insert-measure WHERE ...) or (replace WHERE ...) for measures";
    return e;
  }
  return std::nullopt;
}

/// Whether all of it has its place at the end of a full measure, as a barline does.
bool is_for_the_end(const music& m) {
  if (auto content = std::get_if<measure_content>(&m.data)) return belongs_to_end(*content);
  auto items = items_of(m);
  return !items || std::all_of(items->begin(), items->end(),
                               [](const music_ptr& x) { return is_for_the_end(*x); });
}

result<value> at_handler(call& c) {
  error fault;
  auto s = selector_in(c, fault);
  if (!s) return fail(std::move(s.error()));
  auto music = given_music(c);
  if (!music) return fail(std::move(music.error()));
  auto found = measures_in(c);
  if (!found) return fail(std::move(found.error()));
  if (auto refusal = no_place_for(c, *music)) return fail(std::move(*refusal));
  auto m = as_one(*music);
  auto now = c.state().score;
  // One place in each part: the first of its measures.
  std::optional<std::size_t> part;
  for (const auto& at : *found) {
    if (part == at.part) continue;
    part = at.part;
    score_cursor cursor;
    cursor.part = at.part;
    cursor.measure = at.measure;
    cursor.staff = s->staff.value_or(1);
    cursor.voice = s->voice   ? *s->voice
                   : s->staff ? voice_of_staff(*now->parts[at.part], at.measure, cursor.staff)
                              : "1";
    if (s->beats) {
      const auto time = time_at(*now, at);
      const auto held = extent(*now->parts[at.part]->measures[at.measure]);
      auto beat = s->beats->first;
      auto refusal = no_such_beat(beat, time, held);
      cursor.position = position_of_beat(beat, time);
      // Behind the last beat there is room for barlines and for what ends there.
      auto full = std::max(measure_length(time), held);
      if (!refusal && full > quarters{} && !is_for_the_end(*m) &&
          cursor.position - measure_position{} >= full)
        refusal = "beat " + to_string(beat) + " is its end; use the next measure";
      if (refusal)
        return fail(c.wrong(errc::out_of_range,
                            place_name(*now, at.part, at.measure) + ": " + *refusal, "where"));
    }
    auto next = placed(
        c, add_music(*m, now, cursor, c.state().env.defaults, named_layers::begin_at_cursor));
    if (!next) return fail(std::move(next.error()));
    now = next->score;
  }
  return edited_answer(c, now);
}

/// Measures come in every part.
std::vector<measures_moved> inserted(const score& s, std::size_t index, std::size_t count) {
  std::vector<measures_moved> out;
  for (std::size_t p = 0; p < s.parts.size(); ++p)
    out.push_back({p, index, 0, count});
  return out;
}

/// The staves that clefs name in measures which go to a place.
staff_clefs staves_for(const call& c, const std::vector<music_ptr>& items, const score& s,
                       const measure_location& at) {
  if (std::none_of(items.begin(), items.end(), [](auto& x) { return names_a_staff(*x); }))
    return {};
  score_cursor place;
  place.part = at.part;
  place.measure = at.measure;
  return staff_clefs{s, place, c.state().env.defaults};
}

result<value> insert_measure_handler(call& c) {
  auto music = given_music(c);
  if (!music) return fail(std::move(music.error()));
  auto found = measures_in(c);
  if (!found) return fail(std::move(found.error()));
  const auto at = found->front();
  const auto& now = c.state().score;
  if (music->empty()) {
    auto count = c.integer("count").value_or(1);
    if (count < 1 || count > 10000)
      return fail(c.wrong(errc::out_of_range, "1 to 10000 measures can be inserted", "count"));
    auto next = placed(c, insert_measures(now, at.measure, static_cast<std::size_t>(count)));
    if (!next) return fail(std::move(next.error()));
    return edited_answer(c, *next, inserted(*now, at.measure, static_cast<std::size_t>(count)));
  }
  auto made =
      placed(c, compiled_measures(*music, time_before(*now, at), staves_for(c, *music, *now, at)));
  if (!made) return fail(std::move(made.error()));
  const auto count = made->size();
  auto next = placed(c, insert_measures(now, at.part, at.measure, std::move(*made)));
  if (!next) return fail(std::move(next.error()));
  return edited_answer(c, *next, inserted(*now, at.measure, count));
}

result<value> replace_handler(call& c) {
  auto music = given_music(c);
  if (!music) return fail(std::move(music.error()));
  auto whole = selects_whole_measures(c);
  if (!whole) return fail(std::move(whole.error()));
  auto now = c.state().score;
  if (*whole) {
    auto found = measures_in(c);
    if (!found) return fail(std::move(found.error()));
    auto runs = runs_of(*found);
    std::vector<measures_moved> changes;
    replacement_report report;
    for (auto r = runs.rbegin(); r != runs.rend(); ++r) {
      const measure_location at{r->part, r->first};
      auto made = placed(
          c, compiled_measures(*music, time_before(*now, at), staves_for(c, *music, *now, at)));
      if (!made) return fail(std::move(made.error()));
      if (auto ok = keep_staves(c, *now->parts[r->part], *r, *made, report); !ok)
        return fail(std::move(ok.error()));
      if (made->size() != r->count) changes.push_back({r->part, r->first, r->count, made->size()});
      now = keep_barlines(now, r->part, r->first, r->count, *made);
      auto next = placed(c, replace_measures(now, r->part, r->first, r->count, std::move(*made)));
      if (!next) return fail(std::move(next.error()));
      now = *next;
    }
    return with_report(edited_answer(c, now, changes), report);
  }
  auto all = items_to_take(c);
  if (!all) return fail(std::move(all.error()));
  auto first = all->front();
  auto line =
      placed(c, compiled_line(*music, measure_length(time_at(*now, {first.part, first.measure}))));
  if (!line) return fail(std::move(line.error()));
  auto found = items_to_replace(c, *all, *line);
  if (!found) return fail(std::move(found.error()));
  auto next = placed(c, replace_items(now, *found, *line));
  if (!next) return fail(std::move(next.error()));
  return edited_answer(c, *next);
}

/// The time signature that holds behind a measure when `t` held before it.
time_signature time_behind(const measure& m, time_signature t) {
  for (const auto& item : m.items)
    if (auto a = std::get_if<attributes>(&item.content); a && !a->times.empty())
      t = a->times.back().value;
  return t;
}

result<value> edit_whole_measures(call& c) {
  auto found = measures_in(c);
  if (!found) return fail(std::move(found.error()));
  auto now = c.state().score;
  auto runs = runs_of(*found);
  std::vector<measures_moved> changes;
  replacement_report report;
  // From the end, so that places hold; a run at once, so that its lines and its key stay whole.
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    std::vector<measure> measures;
    auto old_time = time_before(*now, {run->part, run->first});
    auto new_time = old_time;
    for (auto m = run->first; m < run->first + run->count; ++m) {
      const auto& old = *now->parts[run->part]->measures[m];
      value arg = value::of(to_music(old, old_time, true));
      auto outer = std::exchange(c.state().edits_measures, true);
      auto v = c.apply(c.get("function"), {&arg, 1});
      c.state().edits_measures = outer;
      if (!v) return fail(std::move(v.error()));
      std::vector<music_ptr> items;
      if (auto r = append_music(c, *v, c.span(), items); !r) return fail(std::move(r.error()));
      auto made =
          placed(c, compiled_measures(items, new_time, staves_for(c, items, *now, {run->part, m})));
      if (!made) return fail(std::move(made.error()));
      if (!made->empty() && made->front().number.empty() && old.implicit == made->front().implicit)
        made->front().number = old.number;
      if (auto ok = keep_staves(c, *now->parts[run->part], {run->part, m, 1}, *made, report); !ok)
        return fail(std::move(ok.error()));
      old_time = time_behind(old, old_time);
      for (auto& x : *made) {
        new_time = time_behind(x, new_time);
        measures.push_back(std::move(x));
      }
    }
    if (measures.size() != run->count)
      changes.push_back({run->part, run->first, run->count, measures.size()});
    auto next = placed(c, replace_measures(now, run->part, run->first, run->count,
                                           std::move(measures), measures_made_of::the_old));
    if (!next) return fail(std::move(next.error()));
    now = *next;
  }
  return with_report(edited_answer(c, now, changes), report);
}

result<value> edit_handler(call& c) {
  auto whole = selects_whole_measures(c);
  if (!whole) return fail(std::move(whole.error()));
  if (*whole) return edit_whole_measures(c);
  auto found = items_to_edit(c);
  if (!found) return fail(std::move(found.error()));
  std::vector<item_location> gone;
  auto change = [&](const measure_content& x) -> result<measure_content> {
    value arg = music_value(measure_content{x});
    auto v = c.apply(c.get("function"), {&arg, 1});
    if (!v) return fail(std::move(v.error()));
    auto m = v->as_music();
    if (m)
      if (auto s = as_node<seq_music>(*m); s && s->items.size() == 1) m = s->items.front().get();
    auto content = m ? std::get_if<measure_content>(&m->data) : nullptr;
    if (!content)
      return fail(c.wrong(errc::wrong_type,
                          "the function makes " + describe_kind(*v) +
                              " of an item instead of a note, rest or mark",
                          "function"));
    auto made = *content;
    if (auto b = std::get_if<barline>(&made)) take_given_side(*b);
    if (auto old = std::get_if<chord_rest>(&x))
      if (auto made_chord = std::get_if<chord_rest>(&made); made_chord && made_chord->voice.empty())
        made_chord->voice = old->voice;
    return made;
  };
  auto next = placed(c, edit_items(c.state().score, *found, change));
  if (!next) return fail(std::move(next.error()));
  return edited_answer(c, *next);
}

}  // namespace

std::vector<form_spec> edit_forms() {
  form_rows rows;
  auto where =
      required("where", arg_type::selector, "a selector, a measure number or a part's name");
  auto music = rest_param("music", arg_type::contents, "what to insert");
  rows.push_back({"measures",
                  {},
                  "edit",
                  {offering(required("first", arg_type::text, "number of a measure, or :last"),
                            [](std::string_view) { return completion_words{"last"}; }),
                   optional_param("last", arg_type::text, "number of the last measure")},
                  "Selects measures by number; -1 is the last.",
                  "(measures 5 8)",
                  "list",
                  measures_handler});
  rows.push_back({"select",
                  {},
                  "edit",
                  {rest_param("selectors", arg_type::any, "selectors to combine"),
                   option_param("part", arg_type::text, "name, id or number"),
                   option_param("staff", arg_type::integer, "number of the staff"),
                   option_param("voice", arg_type::text, "name of the voice"),
                   option_param("measures", arg_type::spec, "5, (5 8), ((1 2) (5 8))", {"measure"}),
                   option_param("beats", arg_type::spec, "1, or (1 3): up to beat 3", {"beat"}),
                   option_param("where", arg_type::function, "called with each item")},
                  "Selects by part, staff, voice, measures, beats and predicate.",
                  "(select :part \"Violin\" :measures (5 8) :beats (1 3))",
                  "list",
                  select_handler});
  rows.push_back({"selected",
                  {"pick"},
                  "edit",
                  {where},
                  "The selected music, as a list of measures or items.",
                  "(note c4 :w) (selected (measures 1))",
                  "list",
                  selected_handler});
  rows.push_back({"key-at",
                  {},
                  "edit",
                  {where, flag_param("before", "before the measure, for insertion")},
                  "The key in force at a position.",
                  "(measure (key d :major) (note d4 :w)) (key-at 1)",
                  "key",
                  key_at_handler});
  rows.push_back({"add",
                  {},
                  "edit",
                  {music},
                  "Adds music to the score, as typed notation does.",
                  "(add (transpose +2 (note c4 :q)))",
                  "any",
                  add_handler});
  rows.push_back(
      {"play",
       {},
       "edit",
       {rest_param("music", arg_type::contents, "what to play")},
       "Plays music, alone, when the line has been evaluated. The score does not change. "
       "Compiling or running a file plays nothing.",
       "(play (note c4 :q))",
       "any",
       play_handler});
  rows.push_back({"at",
                  {},
                  "edit",
                  {where, music},
                  "Writes music or marks at a position, replacing rests.",
                  "(note c4 :h) (at (select :measures 1 :beats 1) (p))",
                  "string",
                  at_handler});
  rows.push_back(
      {"insert-measure",
       {"insert-measures"},
       "edit",
       {where, music, option_param("count", arg_type::integer, "number of empty measures")},
       "Inserts measures before the selected one.",
       "(note c4 :w) (insert-measure 1 :count 2)",
       "string",
       insert_measure_handler});
  rows.push_back({"delete",
                  {},
                  "edit",
                  {where},
                  "Deletes measures, a part, or items; items are replaced by rests.",
                  "(note c4 :w) (note d4 :w) (delete (measures 1))",
                  "string",
                  delete_handler});
  rows.push_back(
      {"replace",
       {},
       "edit",
       {where, music},
       "Replaces the selection: notes with notes, marks with marks. Measures keep their key, time "
       "and barlines unless new ones are given, and staves that the new music does not mention.",
       "(note c4 :w) (replace (measures 1) (measure (note d4 :w)))",
       "string",
       replace_handler});
  rows.push_back(
      {"edit",
       {},
       "edit",
       {where, required("function", arg_type::function, "called with each")},
       "Replaces each selected measure or item with the result of a function. Measures keep "
       "staves that the result does not mention.",
       "(note c4 :w) (edit (measures 1) (fn [m] (transpose +2 m)))",
       "string",
       edit_handler});
  add_cursor_forms(rows);
  return rows;
}

}  // namespace fermata
