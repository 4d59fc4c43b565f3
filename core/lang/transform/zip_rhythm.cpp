#include "core/lang/transform/zip_rhythm.hpp"

#include "core/lang/notation/forms.hpp"
#include "core/lang/transform/transformation.hpp"
#include "core/lang/transform/voice_lines.hpp"
#include "core/lang/value/make.hpp"

#include <algorithm>
#include <set>

namespace fermata {

namespace {

/// Notes without pitches from durations, or from music: its notes, rests, ties and tuplets.
bool add_rhythm(const value& v, copying& walk, std::vector<music_ptr>& out) {
  if (!walk.goes_on()) return true;
  auto put = [&](chord_rest x) { out.push_back(make_music(measure_content{std::move(x)})); };
  if (auto d = duration_value_of(v)) {
    chord_rest x;
    x.voice.clear();
    x.written = *d;
    x.length = length(*d);
    x.notes.emplace_back();
    put(std::move(x));
    return true;
  }
  if (auto list = v.as_list())
    return std::all_of(list->items.begin(), list->items.end(),
                       [&](const value& x) { return add_rhythm(x, walk, out); });
  auto m = v.as_music();
  if (!m) return false;
  if (auto x = leaf<chord_rest>(*m)) {
    if (x->grace || x->notes.empty()) return true;
    chord_rest own;
    own.voice.clear();
    own.written = x->written;
    own.length = x->length;
    own.tuplet = x->tuplet;
    note n;
    if (is_rest(*x))
      n.tone = x->notes.front().tone;
    else
      n.tie = x->notes.front().tie;
    own.notes.push_back(std::move(n));
    put(std::move(own));
    return true;
  }
  auto items = items_of(*m);
  if (!items) return true;
  std::vector<music_ptr> inner;
  for (const auto& x : *items)
    add_rhythm(value::of(x), walk, inner);
  if (as_node<tuplet_music>(*m))
    out.push_back(with_items(*m, std::move(inner)));
  else
    out.insert(out.end(), inner.begin(), inner.end());
  return true;
}

/// Whether pitches go into it: a tied note keeps those of the note before.
bool takes_pitches(const chord_rest& x) { return !is_rest(x) && !x.notes.front().tie.stop; }

std::size_t places_in(const std::vector<music_ptr>& rhythm) {
  std::size_t n = 0;
  for (const auto& m : rhythm)
    if (auto x = leaf<chord_rest>(*m))
      n += takes_pitches(*x) ? 1 : 0;
    else
      n += places_in(*items_of(*m));
  return n;
}

/// Gives the places of a rhythm their tones.
class rhythm_filler {
public:
  rhythm_filler(const std::vector<std::vector<note>>& tones, std::size_t places, copying& walk)
    : tones_(tones), walk_(walk), left_(places) {}

  /// Up to the first place for which nothing is left; a tuplet that is begun is filled with rests.
  void fill(const std::vector<music_ptr>& rhythm, bool in_tuplet, std::vector<music_ptr>& out) {
    for (const auto& m : rhythm) {
      if (!walk_.goes_on()) return;
      auto x = leaf<chord_rest>(*m);
      if (!x) {
        if (left_ == 0 && !in_tuplet) return;
        std::vector<music_ptr> inner;
        fill(*items_of(*m), true, inner);
        out.push_back(with_items(*m, std::move(inner)));
        continue;
      }
      auto place = takes_pitches(*x);
      if (place && left_ == 0) over_ = true;
      if (over_ && !in_tuplet) return;
      out.push_back(make_music(measure_content{filled(*x, place)}));
    }
  }

private:
  chord_rest filled(chord_rest x, bool place) {
    if (is_rest(x)) return x;
    auto tie = x.notes.front().tie;
    if (over_) {
      x.notes.front() = note{};
      x.notes.front().tone = rest{};
      return x;
    }
    if (place) {
      --left_;
      ++next_;
    }
    // A tie that comes from outside has no tones to keep.
    x.notes = tones_[next_ == 0 ? 0 : (next_ - 1) % tones_.size()];
    for (auto& n : x.notes) {
      n.tie = tie;
      if (place) continue;
      note held;
      held.tone = n.tone;
      held.tie = tie;
      n = std::move(held);
    }
    return x;
  }

  const std::vector<std::vector<note>>& tones_;
  copying& walk_;
  std::size_t next_ = 0;
  std::size_t left_;
  bool over_ = false;
};

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
    // Tied notes are one.
    auto tied =
        std::any_of(x->notes.begin(), x->notes.end(), [](const note& n) { return n.tie.stop; });
    if (is_rest(*x) || (tied && !x->grace)) return true;
    auto& notes = out.emplace_back(x->notes);
    for (auto& n : notes) {
      n.beams.clear();
      n.differs.reset();
    }
    return true;
  }
  if (auto items = items_of(*m))
    for (const auto& x : *items)
      add_tones(value::of(x), false, out);
  return true;
}

/// The voices that the notes of a value are in, and its rests where they count.
void add_voices(const value& v, bool with_rests, copying& walk, std::set<voice_line>& out) {
  if (auto list = v.as_list()) {
    for (const auto& x : list->items)
      add_voices(x, with_rests, walk, out);
  } else if (auto m = v.get_if<music_ptr>()) {
    each_in_time(*m, {}, walk, [&](const chord_rest& x, const voice_line& line) {
      if (with_rests || !is_rest(x)) out.insert(line);
      return std::optional<chord_rest>{};
    });
  }
}

/// Voices that sound together are no row of notes: one behind the other they would be another
/// rhythm.
std::optional<error> several_voices(call& c, const value& v, bool with_rests, copying& walk,
                                    const char* what, const char* param) {
  std::set<voice_line> voices;
  add_voices(v, with_rests, walk, voices);
  if (voices.size() < 2) return std::nullopt;
  auto e = c.wrong(errc::wrong_type,
                   std::string{what} + " one voice, and this music has " +
                       std::to_string(voices.size()) + " at the same time",
                   param);
  e.diagnostics.front().hint =
      "use one of them, such as (selected (select (measures 1 2) :voice 1))";
  return e;
}

result<value> zip_rhythm_handler(call& c) {
  return zipped_with_rhythm(c, c.get("rhythm"), c.get("pitches"), c.flag("cycle"));
}

}  // namespace

result<value> zipped_with_rhythm(call& c, const value& rhythm, const value& pitches, bool cycle) {
  std::vector<music_ptr> places;
  std::vector<std::vector<note>> tones;
  auto walk = copying_for(c);
  auto several = several_voices(c, rhythm, true, walk, "a rhythm must have", "rhythm");
  if (!several)
    several = several_voices(c, pitches, false, walk, "pitches must come from", "pitches");
  if (walk.is_stopped()) return fail(walk.why());
  if (several) return fail(std::move(*several));
  auto has_rhythm = add_rhythm(rhythm, walk, places);
  if (walk.is_stopped()) return fail(walk.why());
  if (!has_rhythm || places_in(places) == 0)
    return fail(c.wrong(errc::invalid_duration, "expected a rhythm: a list of durations, or music",
                        "rhythm"));
  if (!add_tones(pitches, true, tones) || tones.empty())
    return fail(c.wrong(errc::invalid_pitch, "expected pitches", "pitches"));
  auto in_rhythm = places_in(places);
  auto n = cycle ? std::max(in_rhythm, tones.size()) : std::min(in_rhythm, tones.size());
  rhythm_filler filler{tones, n, walk};
  auto rounds = (n + in_rhythm - 1) / in_rhythm;
  // What is given is counted; here what the shorter one becomes.
  if (auto ok = c.copied(rounds * places.size()); !ok) return fail(std::move(ok.error()));
  seq_music out;
  for (std::size_t i = 0; i < rounds; ++i)
    filler.fill(places, false, out.items);
  if (walk.is_stopped()) return fail(walk.why());
  return music_answer(c, std::move(out));
}

void add_rhythm_forms(form_rows& rows) {
  rows.push_back(
      {"zip-rhythm",
       {"with-rhythm"},
       "transform",
       {required("rhythm", arg_type::spec, "durations, or music that has them"),
        required("pitches", arg_type::spec, "pitches, or music; a list inside is a chord"),
        flag_param("cycle", "repeat the shorter one until the longer one ends")},
       "Combines a rhythm with pitches, up to the shorter of the two. Rests, ties and tuplets of "
       "the rhythm are kept; tied notes share a pitch. Music arguments must be a single voice; use "
       "`selected` to take one from a score.",
       "(zip-rhythm (:q :8 :8) (c4 d4 e4))",
       "seq",
       zip_rhythm_handler});
}

}  // namespace fermata
