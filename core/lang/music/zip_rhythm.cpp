#include "core/lang/music/zip_rhythm.hpp"

#include "core/lang/music/forms.hpp"
#include "core/lang/music/make.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Note values from durations, or from the notes of music.
bool add_values(const value& v, std::vector<note_value>& out) {
  if (auto d = duration_value_of(v)) {
    out.push_back(*d);
    return true;
  }
  if (auto list = v.as_list())
    return std::all_of(list->items.begin(), list->items.end(),
                       [&](const value& x) { return add_values(x, out); });
  auto m = v.as_music();
  if (!m) return false;
  if (auto x = leaf<chord_rest>(*m)) {
    if (x->written && !x->grace) out.push_back(*x->written);
    return true;
  }
  if (auto items = items_of(*m))
    for (const auto& x : *items)
      add_values(value::of(x), out);
  return true;
}

/// Tones from pitches, lists of them, or the notes of music; a list inside is a chord.
bool add_tones(const value& v, bool outermost, std::vector<std::vector<note>>& out) {
  auto one = [](const pitch& p) {
    note n;
    n.tone = p;
    return n;
  };
  if (auto p = pitch_of(v)) {
    out.push_back({one(*p)});
    return true;
  }
  if (auto list = v.as_list()) {
    if (outermost)
      return std::all_of(list->items.begin(), list->items.end(),
                         [&](const value& x) { return add_tones(x, false, out); });
    std::vector<note> chord;
    for (const auto& x : list->items) {
      auto p = pitch_of(x);
      if (!p) return false;
      chord.push_back(one(*p));
    }
    out.push_back(std::move(chord));
    return true;
  }
  auto m = v.as_music();
  if (!m) return false;
  if (auto x = leaf<chord_rest>(*m)) {
    if (!is_rest(*x)) out.push_back(x->notes);
    return true;
  }
  if (auto items = items_of(*m))
    for (const auto& x : *items)
      add_tones(value::of(x), false, out);
  return true;
}

result<value> zip_rhythm_handler(call& c) {
  return zipped_with_rhythm(c, c.get("rhythm"), c.get("pitches"), c.flag("cycle"));
}

}  // namespace

bool is_rhythm(const value& v) {
  auto list = v.as_list();
  return list && !list->items.empty() &&
         std::all_of(list->items.begin(), list->items.end(), [](const value& x) {
           return !x.as_number() && !x.as_list() && duration_value_of(x).has_value();
         });
}

bool is_pitches(const value& v) {
  auto all_pitches = [](const value& x) {
    auto list = x.as_list();
    return list && !list->items.empty() &&
           std::all_of(list->items.begin(), list->items.end(),
                       [](const value& p) { return p.as_pitch() != nullptr; });
  };
  auto list = v.as_list();
  return list && !list->items.empty() &&
         std::all_of(list->items.begin(), list->items.end(),
                     [&](const value& x) { return x.as_pitch() || all_pitches(x); });
}

result<value> zipped_with_rhythm(call& c, const value& rhythm, const value& pitches, bool cycle) {
  std::vector<note_value> values;
  std::vector<std::vector<note>> tones;
  if (!add_values(rhythm, values) || values.empty())
    return fail(
        c.wrong(errc::invalid_duration, "a rhythm is a list of durations, or music", "rhythm"));
  if (!add_tones(pitches, true, tones) || tones.empty())
    return fail(c.wrong(errc::invalid_pitch, "pitches are needed here", "pitches"));
  auto n = cycle ? std::max(values.size(), tones.size()) : std::min(values.size(), tones.size());
  seq_music out;
  for (std::size_t i = 0; i < n; ++i) {
    chord_rest x;
    x.voice.clear();
    x.written = values[i % values.size()];
    x.length = length(*x.written);
    x.notes = tones[i % tones.size()];
    out.items.push_back(make_music(measure_content{std::move(x)}));
  }
  return music_answer(c, std::move(out));
}

void add_rhythm_forms(form_rows& rows) {
  rows.push_back(
      {"zip-rhythm",
       {"with-rhythm"},
       "transform",
       {required("rhythm", arg_type::spec, "durations, or music that has them"),
        required("pitches", arg_type::spec, "pitches, or music; a list inside is a chord"),
        flag_param("cycle", "the shorter one begins anew until the longer one ends")},
       "Notes of a rhythm and pitches, as many as the shorter one has.",
       "(zip-rhythm (:q :8 :8) (c4 d4 e4))",
       "seq",
       zip_rhythm_handler});
}

}  // namespace fermata
