#include "core/lang/theory/arguments.hpp"

#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/lang/value/make.hpp"
#include "core/music/modular.hpp"
#include "core/score/analysis/sounding.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>

namespace fermata {

namespace {

void collect(const music& m, std::vector<pitch>& out) {
  if (auto chord = leaf<chord_rest>(m)) {
    for (auto& n : chord->notes)
      if (auto p = std::get_if<pitch>(&n.tone)) out.push_back(*p);
    return;
  }
  if (auto items = items_of(m))
    for (auto& item : *items)
      collect(*item, out);
}

/// Null, or what in the value is neither pitch nor music.
const value* collect(const value& v, std::vector<pitch>& out) {
  const value* other = nullptr;
  if (auto p = v.as_pitch()) {
    out.push_back(*p);
  } else if (auto list = v.as_list()) {
    for (auto& item : list->items)
      if (auto wrong = collect(item, out); wrong != nullptr && other == nullptr) other = wrong;
  } else if (auto m = v.as_music()) {
    collect(*m, out);
  } else {
    other = &v;
  }
  return other;
}

std::vector<pitch> pitches_in(const value& v) {
  std::vector<pitch> out;
  collect(v, out);
  return out;
}

/// A quarter tone where only semitones are known; `where` is empty, or begins with a blank.
error is_microtone(const call& c, pitch p, const std::string& where = {}) {
  auto e = c.wrong(errc::invalid_pitch,
                   to_string(p) + where + " is not one of the twelve pitch classes");
  e.diagnostics.front().hint =
      c.spec().name + " works in semitones; remove or round quarter tones first";
  return e;
}

result<void> all_in_semitones(const call& c, const std::vector<pitch>& pitches, source_span span) {
  if (auto p = first_microtone(pitches)) {
    auto e = is_microtone(c, *p);
    e.diagnostics.front().span = span;
    return fail(std::move(e));
  }
  return {};
}

result<void> collect_classes(call& c, const value& v, source_span span, std::vector<int>& out) {
  if (auto n = v.as_number()) {
    if (!n->is_integer())
      return fail(
          c.wrong(errc::wrong_type, "pitch classes must be whole numbers, not " + print(v)));
    out.push_back(static_cast<int>(mod(n->numerator(), std::int64_t{12})));
    return {};
  }
  if (auto list = v.as_list()) {
    for (auto& item : list->items)
      if (auto good = collect_classes(c, item, span, out); !good) return good;
    return {};
  }
  if (v.as_pitch() || v.as_music()) {
    auto pitches = pitches_in(v);
    if (auto good = all_in_semitones(c, pitches, span); !good) return good;
    for (auto& p : pitches)
      out.push_back(pitch_class(p.name()));
    return {};
  }
  return fail(
      c.wrong(errc::wrong_type, "expected numbers, pitches, lists or music, not " + describe(v)));
}

/// Music, pitches, or a list of such one after another. A list of pitches within a list is a chord,
/// which is what `rn` makes of numerals.
result<music_ptr> music_of(call& c, std::string_view name) {
  const auto& given = c.get(name);
  auto span = c.span_of(name);
  std::vector<value> parts{given};
  if (auto list = given.as_list()) parts = list->items;
  std::vector<music_ptr> items;
  for (auto& x : parts) {
    auto chord = x.as_list();
    if (chord && !chord->items.empty() &&
        std::all_of(chord->items.begin(), chord->items.end(),
                    [](auto& tone) { return tone.as_pitch() != nullptr; })) {
      items.push_back(*chords_of({pitches_in(x)}, note_value{}).get_if<music_ptr>());
    } else if (auto good = append_music(c, x, span, items); !good) {
      auto e = std::move(good.error());
      if (x.as_string() || x.as_symbol())
        e.diagnostics.front().hint = std::string{numerals_as_chords};
      return fail(std::move(e));
    }
  }
  return as_one(std::move(items));
}

result<score_ptr> any_score_of(call& c, std::string_view name) {
  if (!c.has(name)) return c.state().score;
  auto m = music_of(c, name);
  if (!m) return fail(std::move(m.error()));
  environment env;
  env.defaults = c.state().env.defaults;
  return commit(value::of(*m), empty_score(), env);
}

/// Music in semitones.
result<score_ptr> score_of(call& c, std::string_view name) {
  auto s = any_score_of(c, name);
  if (!s) return s;
  if (auto found = first_microtone(**s)) {
    // Music that is given has no measure numbers of its own.
    auto where = c.has(name) ? "" : " in " + place_name(**s, found->part, found->measure);
    auto e = is_microtone(c, found->pitch, where);
    if (c.has(name)) e.diagnostics.front().span = c.span_of(name);
    return fail(std::move(e));
  }
  return s;
}

}  // namespace

result<std::vector<pitch>> pitches_of(call& c, std::string_view name) {
  auto out = pitches_in(c.get(name));
  if (auto good = all_in_semitones(c, out, c.span_of(name)); !good) return fail(good.error());
  return out;
}

result<std::vector<pitch>> chord_given(call& c) {
  std::vector<pitch> out;
  for (std::size_t i = 0; i < c.rest().size(); ++i) {
    if (auto other = collect(c.rest()[i], out)) {
      auto e = c.wrong(errc::wrong_type,
                       "expected pitches, lists of pitches or music, not " + describe(*other));
      e.diagnostics.front().span = c.rest_spans()[i];
      return fail(std::move(e));
    }
    if (auto good = all_in_semitones(c, out, c.rest_spans()[i]); !good) return fail(good.error());
  }
  if (c.rest().empty())
    return fail(c.wrong(errc::wrong_argument_count, "expected pitches or music"));
  return out;
}

result<std::vector<int>> class_numbers_in(call& c, const std::vector<value>& values) {
  std::vector<int> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto span = &values == &c.rest() ? c.rest_spans()[i] : c.span();
    if (auto good = collect_classes(c, values[i], span, out); !good) return fail(good.error());
  }
  return out;
}

result<pitch_class_set> classes_in(call& c, const std::vector<value>& values) {
  auto numbers = class_numbers_in(c, values);
  if (!numbers) return fail(std::move(numbers.error()));
  return pitch_class_set{*numbers};
}

tonality key_of(call& c, std::string_view name) {
  auto k = c.key(name);
  return tonality_of(k ? *k : c.state().env.defaults.key);
}

result<std::vector<timed_note>> notes_in(call& c, std::string_view name) {
  auto s = score_of(c, name);
  if (!s) return fail(std::move(s.error()));
  auto time = unfolded(**s);
  if (!time) return fail(std::move(time.error()));
  auto notes = timed_notes(**s, *time);
  if (auto good = c.produced(notes.size()); !good) return fail(good.error());
  return notes;
}

result<std::vector<timed_voice>> voices_in(call& c, std::string_view name) {
  auto s = score_of(c, name);
  if (!s) return fail(std::move(s.error()));
  auto time = unfolded(**s);
  if (!time) return fail(std::move(time.error()));
  auto voices = timed_voices(**s, *time);
  std::size_t notes = 0;
  for (auto& voice : voices)
    notes += voice.notes.size();
  if (auto good = c.produced(notes); !good) return fail(good.error());
  return voices;
}

error wrong_in_theory(const call& c, errc code, const error& fault, std::string_view param) {
  auto e = c.wrong(code, fault.first().message, param);
  auto& hint = e.diagnostics.front().hint;
  if (!fault.first().hint.empty()) hint = fault.first().hint + "\n" + hint;
  return e;
}

value list_of(const std::vector<pitch>& pitches) {
  std::vector<value> items;
  for (auto& p : pitches)
    items.push_back(value::of(p));
  return value::list(std::move(items));
}

value list_of(const std::vector<int>& numbers) {
  std::vector<value> items;
  for (auto n : numbers)
    items.push_back(value::of(std::int64_t{n}));
  return value::list(std::move(items));
}

value list_of(const std::vector<pitch_name>& names) {
  std::vector<value> items;
  for (auto& n : names)
    items.push_back(value::sym(to_string(n)));
  return value::list(std::move(items));
}

value chords_of(const std::vector<std::vector<pitch>>& chords, note_value each) {
  std::vector<music_ptr> items;
  for (auto& pitches : chords) {
    chord_rest chord;
    chord.voice.clear();  // whatever voice it is put into
    chord.length = length(each);
    chord.written = each;
    for (auto& p : pitches) {
      note n;
      n.tone = p;
      chord.notes.push_back(std::move(n));
    }
    items.push_back(make_music(measure_content{std::move(chord)}));
  }
  return music_value(seq_music{std::move(items)});
}

}  // namespace fermata
