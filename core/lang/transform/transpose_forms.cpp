#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/evaluation/key_inference.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/lang/transform/inverted_harmony.hpp"
#include "core/lang/transform/transform.hpp"
#include "core/lang/transform/transformation.hpp"
#include "core/lang/value/make.hpp"
#include "core/lang/value/pitch_range.hpp"
#include "core/theory/transposition.hpp"

#include <algorithm>
#include <cstdlib>

namespace fermata {

namespace {

/// The key in which pitches are spelt: the option, one inside the music, or that at the cursor.
tonality key_for(const call& c, const std::optional<key_signature>& inside) {
  if (auto k = c.key("key")) return tonality_of(*k);
  if (inside) return tonality_of(*inside);
  return tonality_of(key_at(*c.state().score, c.state().env));
}

std::optional<key_signature> key_inside(const std::vector<music_ptr>& row) {
  for (const auto& m : row)
    if (auto k = key_inside(*m)) return k;
  return std::nullopt;
}

/// By semitones, an interval, or steps: what `transpose` and `sequence` say, `times` over.
struct distance {
  std::optional<std::int64_t> semitones;
  std::optional<interval> by;
  std::optional<std::int64_t> steps;
};

row_transformation transposing(const call& c, distance d, int times, copying& walk) {
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
  row_transformation t;
  const auto around = key_for(c, {});
  t.of_pitch = pitch_in(around);
  t.of_row = [=, &c, &walk](const std::vector<music_ptr>& row) -> result<std::vector<music_ptr>> {
    auto inside = key_inside(row);
    auto key = key_for(c, inside);
    pitch_move move{pitch_in(key), {}, signature_of(around)};
    move.moves_by_steps = d.steps.has_value();
    if (d.by) {
      move.of_keys = interval{d.by->steps * times, d.by->semitones * times};
    } else if (d.semitones) {
      move.of_keys = transposition_interval(static_cast<int>(*d.semitones) * times, key);
      // Where the music has its key with it, all of it moves together and keeps its spelling.
      if (inside) move.of_pitch = [i = *move.of_keys](const pitch& p) { return transposed(p, i); };
    }
    if (!d.steps) return moved(row, move, walk);
    auto stepped = row;
    for (auto& m : stepped)
      m = with_stepped_harmonies(m, move.of_pitch, walk);
    return moved(stepped, move, walk);
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
    if (!p) return fail(c.wrong(errc::wrong_argument_count, "give only one distance", "interval"));
    values.insert(values.begin(), value::of(*p));
    d.by.reset();
  }
  if (d.semitones && d.steps)
    return fail(c.wrong(errc::wrong_argument_count, "give semitones or steps, not both"));
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
      if (auto by = passage_interval(pitches, semitones, key_for(c, {}))) {
        d.by = *by;
        d.semitones.reset();
      }
  }
  auto walk = copying_for(c);
  return all_transformed(c, values, transposing(c, d, 1, walk));
}

result<value> invert_handler(call& c) {
  auto axis = *c.pitch("axis");
  row_transformation t;
  auto mirror = [=, tonal = c.has("key"), key = key_for(c, {})](const pitch& p) {
    return tonal ? mirrored_in_key(p, axis, key) : mirrored(p, axis);
  };
  t.of_pitch = mirror;
  auto walk = copying_for(c);
  t.of_row = [=, &walk](const std::vector<music_ptr>& row) -> result<std::vector<music_ptr>> {
    auto own = row;
    for (auto& m : own)
      m = with_mirrored_harmonies(m, mirror, walk);
    pitch_move move{mirror, {}};
    move.operation = edit_operation::invert;
    return moved(own, move, walk);
  };
  return all_transformed(c, c.rest(), t);
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
  auto items = motif_given(c, static_cast<std::size_t>(n));
  if (!items) return fail(std::move(items.error()));
  // Once is counted already.
  std::uint64_t notes = 0;
  for (const auto& m : *items)
    notes += m->weight;
  if (auto ok = c.copied(notes * static_cast<std::uint64_t>(n - 1)); !ok)
    return fail(std::move(ok.error()));
  auto walk = copying_for(c);
  seq_music out;
  for (int i = 0; i < n; ++i) {
    auto made = i == 0 ? items : transposing(c, d, i, walk).of_row(*items);
    if (!made) return fail(std::move(made.error()));
    for (auto& m : *made) {
      if (auto p = unwritable_pitch(*m))
        return fail(c.wrong(errc::out_of_range, to_string(*p) + " is out of range, reached the " +
                                                    std::to_string(i + 1) + ". time"));
      out.items.push_back(std::move(m));
    }
  }
  return music_answer(c, std::move(out));
}

}  // namespace

void add_transpose_forms(form_rows& rows) {
  auto music = rest_param("music", arg_type::any, "pitches, notes, seqs, measures, parts, scores");
  auto some = rest_param("music", arg_type::contents, "notes, seqs");
  auto key = option_param("key", arg_type::key, "key used for spelling");
  rows.push_back({"transpose",
                  {},
                  "transform",
                  {optional_param("semitones", arg_type::integer, "+2, -12"),
                   optional_param("interval", arg_type::interval, "M2, -P5; keeps the spelling"),
                   music, option_param("steps", arg_type::integer, "scale steps in the key"), key},
                  "Transposes by semitones (spelled in the key), by an interval, or by scale "
                  "steps. Several arguments are treated as a sequence: a key applies to everything "
                  "after it. Chord symbols are transposed too; by steps they become chords of the "
                  "scale, or keep their kind if there is no such chord: E7 one step up is F7. Fret "
                  "diagrams of transposed chords are removed. Figured bass keeps its numbers while "
                  "its accidentals follow the transposed notes: g3 with a natural in C minor "
                  "becomes e3 with a sharp in A minor. By steps, chromatic alterations are kept.",
                  "(transpose +2 (note c4 :q))",
                  "music",
                  transpose_handler});
  rows.push_back({"invert",
                  {},
                  "transform",
                  {required("axis", arg_type::pitch, "axis pitch, which stays the same"), music,
                   option_param("key", arg_type::key, "invert by scale steps of this key")},
                  "Inverts pitches around an axis. Chord symbols are inverted if the result has a "
                  "name and removed otherwise; fret diagrams and figured bass are removed.",
                  "(invert c4 (note e4 :q))",
                  "music",
                  invert_handler});
  rows.push_back({"sequence",
                  {},
                  "transform",
                  {required("times", arg_type::integer, "how often"), some,
                   option_param("steps", arg_type::integer, "scale steps each time"),
                   option_param("by", arg_type::interval, "interval each time"),
                   option_param("semitones", arg_type::integer, "semitones each time"), key},
                  "Repeats a motif, transposing it further each time.",
                  "(sequence 3 :steps 1 (note c4 :q) (note e4 :q))",
                  "seq",
                  sequence_handler});
}

}  // namespace fermata
