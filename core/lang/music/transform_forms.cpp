#include "core/lang/evaluation_state.hpp"
#include "core/lang/literals.hpp"
#include "core/lang/music/forms.hpp"
#include "core/lang/music/key_inference.hpp"
#include "core/lang/music/make.hpp"
#include "core/lang/music/pitch_range.hpp"
#include "core/lang/music/transform.hpp"
#include "core/theory/transposition.hpp"

#include <algorithm>

namespace fermata {

namespace {

constexpr std::int64_t most_copies = 100'000;

/// The key in which pitches are spelt: the option, one inside the music, or that at the cursor.
tonality key_for(const call& c, const music* inside) {
  if (auto k = c.key("key")) return tonality_of(*k);
  if (inside)
    if (auto k = key_inside(*inside)) return tonality_of(*k);
  return tonality_of(key_at(*c.state().score, c.state().env));
}

/// What a transformation does to a pitch and to music. Lists are done item by item.
struct transformation {
  std::function<pitch(const pitch&)> of_pitch;
  std::function<result<music_ptr>(const music_ptr&)> of_music;
};

result<value> transformed(const call& c, const value& v, source_span span,
                          const transformation& t) {
  if (auto p = v.as_pitch(); p && t.of_pitch) return value::of(t.of_pitch(*p));
  if (auto m = v.get_if<music_ptr>()) {
    auto made = t.of_music(*m);
    if (!made) {
      for (auto& d : made.error().diagnostics)
        if (!d.span) d.span = span;
      return fail(std::move(made.error()));
    }
    return value::of(*made);
  }
  if (auto list = v.as_list()) {
    std::vector<value> out;
    for (const auto& x : list->items) {
      auto made = transformed(c, x, span, t);
      if (!made) return made;
      out.push_back(std::move(*made));
    }
    return value::list(std::move(out));
  }
  auto e = c.wrong(errc::wrong_type, "music or pitches are needed here, not " +
                                         std::string{type_name(v)} + " " + print(v));
  e.diagnostics.front().span = span;
  return fail(std::move(e));
}

/// One value itself; several as a seq when they are music, else as a list.
value together(std::vector<value> values) {
  if (values.size() == 1) return std::move(values.front());
  seq_music seq;
  for (const auto& v : values) {
    auto m = v.get_if<music_ptr>();
    if (!m) return value::list(std::move(values));
    seq.items.push_back(*m);
  }
  return music_value(std::move(seq));
}

result<value> all_transformed(call& c, const std::vector<value>& values, const transformation& t) {
  if (values.empty()) return fail(c.wrong(errc::wrong_argument_count, "what is to be changed?"));
  std::vector<value> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    auto span = i < c.rest_spans().size() ? c.rest_spans()[i] : c.span();
    auto made = transformed(c, values[i], span, t);
    if (!made) return made;
    out.push_back(std::move(*made));
  }
  return together(std::move(out));
}

/// By semitones, an interval, or steps: what `transpose` and `sequence` say, `times` over.
struct distance {
  std::optional<std::int64_t> semitones;
  std::optional<interval> by;
  std::optional<std::int64_t> steps;
};

transformation transposing(const call& c, distance d, int times) {
  auto key_of = [&c](const music* m) { return key_for(c, m); };
  auto pitch_in = [d, times](const tonality& key) -> std::function<pitch(const pitch&)> {
    if (d.steps)
      return [=](const pitch& p) {
        return transposed_by_steps(p, static_cast<int>(*d.steps) * times, key);
      };
    if (d.by)
      return [=](const pitch& p) {
        auto q = p;
        for (int i = 0; i < times; ++i)
          q = transposed(q, *d.by);
        return q;
      };
    return [=](const pitch& p) {
      return transposed_in_key(p, static_cast<int>(*d.semitones) * times, key);
    };
  };
  transformation t;
  t.of_pitch = pitch_in(key_of(nullptr));
  t.of_music = [=](const music_ptr& m) -> result<music_ptr> {
    auto key = key_of(m.get());
    pitch_move move{pitch_in(key), {}};
    if (d.by) {
      move.of_keys = interval{d.by->steps * times, d.by->semitones * times};
    } else if (d.semitones) {
      move.of_keys = transposition_interval(static_cast<int>(*d.semitones) * times, key);
      // Where the music has its key with it, all of it moves together and keeps its spelling.
      if (key_inside(*m))
        move.of_pitch = [i = *move.of_keys](const pitch& p) { return transposed(p, i); };
    }
    return moved(m, move);
  };
  return t;
}

/// An interval that stands where the music begins was meant as a pitch: (transpose +2 d5).
std::optional<pitch> as_pitch(interval i) {
  auto text = to_string(i);
  if (text.starts_with("aug")) return parse_pitch("a" + text.substr(3));
  if (text.starts_with("dim")) return parse_pitch("d" + text.substr(3));
  return std::nullopt;
}

/// Every pitch of values that bring no key with them; false when one does.
bool keyless_pitches(const music& m, std::vector<pitch>& out) {
  if (auto chord = leaf<chord_rest>(m)) {
    for (const auto& n : chord->notes)
      if (auto p = std::get_if<pitch>(&n.tone)) out.push_back(*p);
  } else if (auto a = leaf<attributes>(m); a && !a->keys.empty()) {
    return false;
  } else if (auto items = items_of(m)) {
    for (const auto& x : *items)
      if (!keyless_pitches(*x, out)) return false;
  }
  return true;
}
bool keyless_pitches(const value& v, std::vector<pitch>& out) {
  if (auto p = v.as_pitch()) {
    out.push_back(*p);
  } else if (auto list = v.as_list()) {
    for (const auto& x : list->items)
      if (!keyless_pitches(x, out)) return false;
  } else if (auto m = v.as_music()) {
    return keyless_pitches(*m, out);
  }
  return true;
}

/// Chords and passages stay what they are when semitones move them: C E G a semitone higher is
/// D flat F A flat, never C sharp F G sharp. The interval of so many semitones that writes them
/// with the fewest accidentals, and among equals what the key would write. A lone pitch has no
/// relations to keep.
std::optional<interval> passage_interval(const std::vector<pitch>& pitches, int semitones,
                                         const tonality& key) {
  auto others = std::any_of(pitches.begin(), pitches.end(), [&](const pitch& p) {
    return p.letter != pitches.front().letter || p.cents != pitches.front().cents;
  });
  if (!others || semitones % 12 == 0) return std::nullopt;
  auto usual = transposition_interval(semitones, key);
  std::optional<interval> best;
  std::pair<int, int> least;
  for (int shift : {0, 1, -1}) {
    interval candidate{usual.steps + shift, usual.semitones};
    std::pair<int, int> cost;
    for (const auto& p : pitches) {
      auto q = transposed(p, candidate);
      auto signs = std::abs(q.cents) / 100;
      cost.first += signs > 1 ? 2 * signs : signs;
      cost.second += q != transposed_in_key(p, semitones, key);
    }
    if (best && least <= cost) continue;
    best = candidate;
    least = cost;
  }
  return best;
}

result<value> transpose_handler(call& c) {
  distance d{c.integer("semitones"), c.interval("interval"), c.integer("steps")};
  auto values = c.rest();
  if ((d.semitones || d.steps) && d.by) {
    auto p = as_pitch(*d.by);
    if (!p) return fail(c.wrong(errc::wrong_argument_count, "one distance is enough", "interval"));
    values.insert(values.begin(), value::of(*p));
    d.by.reset();
  }
  if (d.semitones && d.steps)
    return fail(c.wrong(errc::wrong_argument_count, "semitones or steps, not both"));
  if (!d.semitones && !d.by && !d.steps)
    return fail(c.wrong(errc::wrong_argument_count,
                        "by how much? (transpose +2 x), (transpose M2 x), (transpose :steps 2 x)"));
  for (auto n : {d.semitones, d.steps})
    if (n && (*n < -127 || *n > 127))
      return fail(c.wrong(errc::out_of_range, "a transposition is at most 127 semitones or steps"));
  if (d.semitones && !c.has("key")) {
    std::vector<pitch> pitches;
    auto keyless = std::all_of(values.begin(), values.end(),
                               [&](const value& v) { return keyless_pitches(v, pitches); });
    auto semitones = static_cast<int>(*d.semitones);
    if (keyless)
      if (auto by = passage_interval(pitches, semitones, key_for(c, nullptr))) {
        d.by = *by;
        d.semitones.reset();
      }
  }
  return all_transformed(c, values, transposing(c, d, 1));
}

result<value> invert_handler(call& c) {
  auto axis = *c.pitch("axis");
  transformation t;
  auto mirror = [=, tonal = c.has("key"), key = key_for(c, nullptr)](const pitch& p) {
    return tonal ? mirrored_in_key(p, axis, key) : mirrored(p, axis);
  };
  t.of_pitch = mirror;
  t.of_music = [=](const music_ptr& m) -> result<music_ptr> { return moved(m, {mirror, {}}); };
  return all_transformed(c, c.rest(), t);
}

/// All arguments are music, lists of it spread.
std::optional<std::vector<music_ptr>> as_music(const std::vector<value>& values) {
  std::vector<music_ptr> out;
  for (const auto& v : values) {
    if (auto m = v.get_if<music_ptr>()) {
      out.push_back(*m);
    } else if (auto list = v.as_list()) {
      auto inner = as_music(list->items);
      if (!inner || inner->empty()) return std::nullopt;
      out.insert(out.end(), inner->begin(), inner->end());
    } else {
      return std::nullopt;
    }
  }
  return out;
}

/// A seq alone stands for its items.
std::vector<music_ptr> spread(std::vector<music_ptr> items) {
  if (items.size() == 1)
    if (auto seq = as_node<seq_music>(*items.front()); seq && !seq->block) return seq->items;
  return items;
}

result<value> retrograde_handler(call& c) {
  if (c.rest().empty()) return fail(c.wrong(errc::wrong_argument_count, "what is to be turned?"));
  if (auto items = as_music(c.rest())) {
    if (items->size() == 1) {
      auto made = retrograde(items->front());
      if (!made) return fail(std::move(made.error()));
      return value::of(*made);
    }
    auto made = retrograde(*items);
    if (!made) return fail(std::move(made.error()));
    return music_answer(c, seq_music{std::move(*made)});
  }
  auto values = c.rest();
  if (values.size() == 1 && values.front().as_list()) values = values.front().as_list()->items;
  for (const auto& v : values)
    if (!v.as_pitch() && !v.as_music())
      return fail(c.wrong(errc::wrong_type, "music or pitches are needed here, not " + print(v)));
  std::reverse(values.begin(), values.end());
  return value::list(std::move(values));
}

result<value> stretch(call& c, bool longer) {
  auto factor = c.get("factor").as_number();
  if (!factor || *factor <= rational{0})
    return fail(c.wrong(errc::out_of_range, "the factor is a number above zero: 2, 3/2", "factor"));
  if (*factor > rational{1024} || *factor < rational{1, 1024})
    return fail(c.wrong(errc::out_of_range, "the factor is from 1/1024 to 1024", "factor"));
  transformation t;
  t.of_music = [by = longer ? *factor : rational{1} / *factor](const music_ptr& m) {
    return augmented(m, by);
  };
  return all_transformed(c, c.rest(), t);
}
result<value> augment_handler(call& c) { return stretch(c, true); }
result<value> diminish_handler(call& c) { return stretch(c, false); }

result<value> rotate_handler(call& c) {
  auto n = c.integer("steps").value_or(1);
  auto values = c.rest();
  if (values.empty()) return fail(c.wrong(errc::wrong_argument_count, "what is to be rotated?"));
  if (values.size() == 1)
    if (auto m = values.front().get_if<music_ptr>()) {
      if (!items_of(**m)) return fail(c.wrong(errc::wrong_type, "a list or a seq is needed here"));
      return value::of(rotated(*m, n));
    }
  auto list = values.size() == 1 ? values.front().as_list() : nullptr;
  if (list) values = list->items;
  std::vector<music_ptr> items;
  for (const auto& v : values)
    if (auto m = v.get_if<music_ptr>()) items.push_back(*m);
  if (!items.empty() && items.size() == values.size()) {
    std::vector<value> out;
    for (auto& m : rotated(items, n))
      out.push_back(value::of(std::move(m)));
    return list ? value::list(std::move(out)) : together(std::move(out));
  }
  if (!values.empty()) {
    auto size = static_cast<std::int64_t>(values.size());
    std::rotate(values.begin(), values.begin() + ((n % size) + size) % size, values.end());
  }
  return value::list(std::move(values));
}

/// The music of a call that cannot do without any.
result<std::vector<music_ptr>> music_given(call& c) {
  if (c.rest().empty())
    return fail(c.wrong(errc::wrong_argument_count, "which music? notes or seqs are needed"));
  std::vector<music_ptr> items;
  for (std::size_t i = 0; i < c.rest().size(); ++i)
    if (auto r = append_music(c, c.rest()[i], c.rest_spans()[i], items); !r)
      return fail(std::move(r.error()));
  return items;
}

result<value> times_handler(call& c) {
  auto n = c.integer("times").value_or(1);
  if (n < 0 || n > most_copies)
    return fail(c.wrong(errc::out_of_range, "0 to 100000 times", "times"));
  auto given = music_given(c);
  if (!given) return fail(std::move(given.error()));
  auto items = std::move(*given);
  items = spread(std::move(items));
  if (auto ok = c.produced(items.size() * static_cast<std::size_t>(n)); !ok)
    return fail(std::move(ok.error()));
  seq_music out;
  for (std::int64_t i = 0; i < n; ++i)
    out.items.insert(out.items.end(), items.begin(), items.end());
  return music_answer(c, std::move(out));
}

/// The motif again and again, each time further away.
result<value> sequence_handler(call& c) {
  auto n = c.integer("times").value_or(1);
  if (n < 1 || n > 1000) return fail(c.wrong(errc::out_of_range, "1 to 1000 times", "times"));
  distance d{std::nullopt, c.interval("by"), c.integer("steps")};
  if (auto semitones = c.integer("semitones")) d.semitones = *semitones;
  for (auto by : {d.semitones, d.steps})
    if (by && (*by < -127 || *by > 127))
      return fail(c.wrong(errc::out_of_range, "a transposition is at most 127 semitones or steps"));
  auto said = (d.semitones ? 1 : 0) + (d.by ? 1 : 0) + (d.steps ? 1 : 0);
  if (said != 1)
    return fail(c.wrong(errc::wrong_argument_count,
                        "by how much each time? :steps 1, :by M2 or :semitones 2"));
  auto given = music_given(c);
  if (!given) return fail(std::move(given.error()));
  auto items = std::move(*given);
  items = spread(std::move(items));
  if (auto ok = c.produced(items.size() * static_cast<std::size_t>(n)); !ok)
    return fail(std::move(ok.error()));
  seq_music out;
  for (int i = 0; i < n; ++i) {
    auto t = transposing(c, d, i);
    for (const auto& m : items) {
      auto made = i == 0 ? result<music_ptr>{m} : t.of_music(m);
      if (!made) return fail(std::move(made.error()));
      if (auto p = unwritable_pitch(**made))
        return fail(c.wrong(errc::out_of_range, to_string(*p) + " is out of range, reached the " +
                                                    std::to_string(i + 1) + ". time"));
      out.items.push_back(*made);
    }
  }
  return music_answer(c, std::move(out));
}

result<value> slur_over_handler(call& c) {
  auto given = music_given(c);
  if (!given) return fail(std::move(given.error()));
  auto items = std::move(*given);
  auto slurs = slurred(items);
  if (!slurs) return fail(c.wrong(errc::out_of_range, slurs.error().first().message));
  auto& made = *slurs;
  auto changed = !std::equal(made.begin(), made.end(), items.begin(), items.end());
  if (!changed)
    return fail(c.wrong(errc::wrong_argument_count,
                        "a slur goes from one note to another, and there are not two here"));
  if (made.size() == 1) return value::of(made.front());
  return music_answer(c, seq_music{std::move(made)});
}

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
  std::vector<note_value> values;
  std::vector<std::vector<note>> tones;
  if (!add_values(c.get("rhythm"), values) || values.empty())
    return fail(
        c.wrong(errc::invalid_duration, "a rhythm is a list of durations, or music", "rhythm"));
  if (!add_tones(c.get("pitches"), true, tones) || tones.empty())
    return fail(c.wrong(errc::invalid_pitch, "pitches are needed here", "pitches"));
  auto longest = std::max(values.size(), tones.size());
  auto shortest = std::min(values.size(), tones.size());
  auto n = c.flag("cycle") ? longest : shortest;
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

}  // namespace

std::vector<form_spec> transform_forms() {
  form_rows rows;
  auto music = rest_param("music", arg_type::any, "pitches, notes, seqs, measures, parts, scores");
  auto some = rest_param("music", arg_type::contents, "notes, seqs");
  auto key = option_param("key", arg_type::key, "key in which it is spelt");
  rows.push_back(
      {"transpose",
       {},
       "transform",
       {optional_param("semitones", arg_type::integer, "+2, -12"),
        optional_param("interval", arg_type::interval, "M2, -P5; keeps the spelling"), music,
        option_param("steps", arg_type::integer, "steps of the key's scale"), key},
       "Moves pitches: by semitones spelt in the key, by an interval, or by steps.",
       "(transpose +2 (note c4 :q))",
       "music",
       transpose_handler});
  rows.push_back({"invert",
                  {},
                  "transform",
                  {required("axis", arg_type::pitch, "pitch that stays"), music,
                   option_param("key", arg_type::key, "inverts by steps of this key")},
                  "Mirrors pitches about an axis.",
                  "(invert c4 (note e4 :q))",
                  "music",
                  invert_handler});
  rows.push_back(
      {"retrograde",
       {},
       "transform",
       {music},
       "Backwards. Lines begin where they ended, a crescendo is a diminuendo; repeat signs "
       "enclose the same measures. Endings and jumps (D.C., segno, ...) are refused: "
       "they have no reverse.",
       "(retrograde (note c4 :q) (note d4 :h))",
       "music",
       retrograde_handler});
  auto factor = required("factor", arg_type::number, "2, 3/2");
  rows.push_back({"augment",
                  {},
                  "transform",
                  {factor, music},
                  "Makes it longer.",
                  "(augment 2 (note c4 :q))",
                  "music",
                  augment_handler});
  rows.push_back({"diminish",
                  {"diminute"},
                  "transform",
                  {factor, music},
                  "Makes it shorter.",
                  "(diminish 2 (note c4 :h))",
                  "music",
                  diminish_handler});
  rows.push_back(
      {"rotate",
       {},
       "transform",
       {required("steps", arg_type::integer, "how many go from the front to the end"), music},
       "Begins further on; what was before comes last. Tied notes count as one, marks go with "
       "their "
       "notes; a slur or hairpin that would end before it begins is left out.",
       "(rotate 1 (c4 d4 e4))",
       "music",
       rotate_handler});
  rows.push_back({"times",
                  {},
                  "transform",
                  {required("times", arg_type::integer, "how often"), some},
                  "The same again and again.",
                  "(times 3 (note c4 :8))",
                  "seq",
                  times_handler});
  rows.push_back({"sequence",
                  {},
                  "transform",
                  {required("times", arg_type::integer, "how often"), some,
                   option_param("steps", arg_type::integer, "steps of the key's scale each time"),
                   option_param("by", arg_type::interval, "interval each time"),
                   option_param("semitones", arg_type::integer, "semitones each time"), key},
                  "A motif again and again, each time moved on.",
                  "(sequence 3 :steps 1 (note c4 :q) (note e4 :q))",
                  "seq",
                  sequence_handler});
  rows.push_back({"slur-over",
                  {},
                  "transform",
                  {some},
                  "A slur from the first note to the last.",
                  "(slur-over (note c4 :q) (note d4 :q))",
                  "seq",
                  slur_over_handler});
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
  return rows;
}

}  // namespace fermata
