#include "core/score/analysis/sounding.hpp"

#include "core/score/analysis/jumps.hpp"
#include "core/score/model/attribute_of.hpp"
#include "core/score/model/walk.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace fermata {

namespace {

const rational slashed_length{1, 8};  // a 32nd

/// Percent of "33", "50.5"; nothing for anything else.
std::optional<rational> percent(const std::string& text) {
  auto p = parse_rational(text);
  if (!p || *p < rational{0} || *p > rational{100}) return std::nullopt;
  return *p / rational{100};
}

/// One chord of a measure with the time that grace notes leave it.
struct timed_chord {
  std::size_t item;
  const chord_rest* chord;
  quarters onset, length;  ///< within the measure
  bool is_stroke = false;  ///< of a tremolo, to which no tie leads
};

/// Whether a note sounds in this pass of a repeated section: MusicXML's time-only names passes.
bool is_played_in(int pass, const note& n) {
  auto passes = numbers_of_ending(attribute_of(n.extra, "time-only"));
  return passes.empty() || std::find(passes.begin(), passes.end(), pass) != passes.end();
}

/// How many strokes a tremolo on this chord alone has; zero: none. Those of an unmeasured one are
/// 32nds.
int tremolo_strokes(const chord_rest& x) {
  constexpr int of_unmeasured = 3;
  for (auto& n : x.notes)
    for (auto& m : n.marks)
      if (m.kind == mark_kind::tremolo) {
        if (attribute_of(m.extra, "type") == "unmeasured") return of_unmeasured;
        auto marks = parse_rational(m.text).value_or(rational{of_unmeasured});
        return !marks.is_integer() || marks > rational{8} ? 0 : static_cast<int>(marks.numerator());
      }
  return 0;
}

/// Strokes of a tremolo between this chord and the next; zero when none begins here.
int alternating_strokes(const chord_rest& x) {
  for (auto& n : x.notes)
    for (auto& s : n.spanners)
      if (s.kind == spanner_kind::tremolo && s.end == span_end::start) {
        auto marks = parse_rational(s.text).value_or(rational{3});
        return marks.is_integer() && marks <= rational{8} ? static_cast<int>(marks.numerator()) : 0;
      }
  return 0;
}

/// One stroke of a tremolo with `marks` beams, in time with the tuplet around it.
quarters stroke_length(int marks, rational tuplet_ratio) {
  return quarters{rational{1, std::int64_t{1} << marks} * tuplet_ratio};
}

rational ratio_in_time(const chord_rest& x) {
  return x.tuplet && x.tuplet->actual > 0 ? rational{x.tuplet->normal, x.tuplet->actual}
                                          : rational{1};
}

/// The chords of one voice in a measure, in order; grace notes have been given time. `last_before`
/// is what the voice played last: grace notes at the very beginning may borrow from it.
class voice_line {
public:
  voice_line(const measure& m, const std::string& voice, const sounding_options& options) {
    for (std::size_t i = 0; i < m.items.size(); ++i) {
      auto* x = std::get_if<chord_rest>(&m.items[i].content);
      if (!x || x->voice != voice || x->cue || (x->grace && !options.grace_notes)) continue;
      chords_.push_back({i, x, m.items[i].at - measure_position{}, x->length});
    }
    std::stable_sort(chords_.begin(), chords_.end(),
                     [](auto& a, auto& b) { return a.onset < b.onset; });
    for (std::size_t i = 0; i < chords_.size();) {
      if (!chords_[i].chord->grace) {
        ++i;
        continue;
      }
      auto end = i;
      while (end < chords_.size() && chords_[end].chord->grace &&
             chords_[end].onset == chords_[i].onset)
        ++end;
      give_time(i, end);
      i = end;
    }
    if (options.tremolos) write_out_tremolos();
  }

  std::vector<timed_chord> take() && { return std::move(chords_); }

private:
  void write_out_tremolos() {
    std::vector<timed_chord> out;
    for (std::size_t i = 0; i < chords_.size(); ++i) {
      auto& c = chords_[i];
      if (auto marks = alternating_strokes(*c.chord); marks > 0 && i + 1 < chords_.size()) {
        // Each of the two notes is written with the whole length and lasts half of it: 2:1.
        auto& other = chords_[i + 1];
        auto ratio = ratio_in_time(*c.chord) * rational{2};
        if (alternate(c, other, stroke_length(marks, std::min(ratio, rational{1})), out)) {
          ++i;
          continue;
        }
      }
      auto marks = c.chord->grace ? 0 : tremolo_strokes(*c.chord);
      if (marks == 0 || !repeat(c, stroke_length(marks, ratio_in_time(*c.chord)), out))
        out.push_back(c);
    }
    chords_ = std::move(out);
  }

  /// The last stroke takes what is left.
  static bool repeat(const timed_chord& c, quarters stroke, std::vector<timed_chord>& out) {
    auto count = floor(c.length / stroke);
    if (count < 1) return false;
    for (std::int64_t k = 0; k < count; ++k) {
      auto from = stroke * rational{k};
      out.push_back(
          {c.item, c.chord, c.onset + from, k + 1 < count ? stroke : c.length - from, true});
    }
    return true;
  }

  static bool alternate(const timed_chord& a, const timed_chord& b, quarters stroke,
                        std::vector<timed_chord>& out) {
    auto count = (a.length + b.length) / stroke;
    if (!count.is_integer()) return false;
    for (std::int64_t k = 0; k < count.numerator(); ++k) {
      auto& c = k % 2 == 0 ? a : b;
      out.push_back({c.item, c.chord, a.onset + stroke * rational{k}, stroke, true});
    }
    return true;
  }

  /// Grace chords [first, end) of one place.
  void give_time(std::size_t first, std::size_t end) {
    bool before_main = end < chords_.size() && chords_[end].onset == chords_[first].onset;
    bool tied_over = before_main &&
                     std::any_of(chords_[end].chord->notes.begin(), chords_[end].chord->notes.end(),
                                 [](auto& n) { return n.tie.stop; });
    auto steals_back = percent(chords_[first].chord->grace->steal_previous);
    bool after_another = first > 0;
    if (before_main && !tied_over && !(steals_back && after_another))
      from_following(first, end);
    else if (after_another)
      from_previous(first, end, steals_back);
    else
      beside_others(first, end);
  }

  /// Nothing in the voice can give them time.
  void beside_others(std::size_t first, std::size_t end) {
    auto at = chords_[first].onset;
    for (auto i = first; i < end; ++i) {
      chords_[i].onset = at;
      chords_[i].length = quarters{slashed_length};
      at += chords_[i].length;
    }
  }

  void from_following(std::size_t first, std::size_t end) {
    auto& main = chords_[end];
    auto count = rational{static_cast<std::int64_t>(end - first)};
    bool slashed = chords_[first].chord->grace->slash;
    bool dotted = main.chord->written && main.chord->written->dots == 1;
    auto share = slashed  ? std::min(slashed_length * count, main.length.value / rational{2})
                 : dotted ? main.length.value * rational{2, 3}
                          : main.length.value / rational{2};
    if (auto p = percent(chords_[first].chord->grace->steal_following))
      share = main.length.value * *p;
    auto at = main.onset;
    auto each = quarters{share / count};
    for (auto i = first; i < end; ++i) {
      chords_[i].onset = at;
      chords_[i].length = each;
      at += each;
    }
    main.onset = at;
    main.length = main.length - quarters{share};
  }

  void from_previous(std::size_t first, std::size_t end, std::optional<rational> part_of) {
    auto& previous = chords_[first - 1];
    auto count = rational{static_cast<std::int64_t>(end - first)};
    auto share = part_of ? previous.length.value * *part_of
                         : std::min(slashed_length * count, previous.length.value / rational{2});
    auto each = quarters{share / count};
    previous.length = previous.length - quarters{share};
    auto at = chords_[first].onset - quarters{share};
    for (auto i = first; i < end; ++i) {
      chords_[i].onset = at;
      chords_[i].length = each;
      at += each;
    }
  }

  std::vector<timed_chord> chords_;
};

/// Plays one part through the unfolded piece.
class part_player {
public:
  part_player(const score& s, std::size_t index, const unfolded_time& time,
              const sounding_options& options, std::vector<sounding_note>& notes)
    : part_(*s.parts[index]), index_(index), time_(time), options_(options), notes_(notes) {}

  void play() {
    prepare_transpositions();
    for (std::size_t k = 0; k < time_.order.size(); ++k)
      if (time_.order[k].measure < part_.measures.size()) play_measure(k);
  }

private:
  /// Only a part that transposes needs its state, and then once for each written measure.
  void prepare_transpositions() {
    bool transposes = false;
    for (auto& m : part_.measures)
      for (auto& item : m->items)
        if (auto* a = std::get_if<attributes>(&item.content))
          transposes |= !a->transpositions.empty();
    if (transposes)
      walk_measures(part_, [this](std::size_t, const measure&, const part_state& state) {
        states_.push_back(state);
      });
  }

  void play_measure(std::size_t k) {
    auto index = time_.order[k].measure;
    auto& m = *part_.measures[index];
    std::vector<timed_chord> chords;
    for (auto& voice : voices(m)) {
      auto line = voice_line{m, voice, options_}.take();
      chords.insert(chords.end(), line.begin(), line.end());
    }
    std::stable_sort(chords.begin(), chords.end(),
                     [](auto& a, auto& b) { return a.onset < b.onset; });
    if (auto until = time_.order[k].until; until > quarters{}) {
      std::erase_if(chords, [&](auto& c) { return c.onset >= until; });
      for (auto& c : chords)
        c.length = std::min(c.length, until - c.onset);
    }
    for (auto& c : chords) {
      if (is_rest(*c.chord)) rested_[c.chord->voice] = time_.starts[k] + c.onset;
      for (std::size_t n = 0; n < c.chord->notes.size(); ++n)
        play_note(k, m, c, n);
    }
  }

  std::optional<transposition> transposition_at(std::size_t measure_index, const measure& m,
                                                const timed_chord& c) const {
    if (states_.empty()) return std::nullopt;
    auto state = states_[measure_index];
    state.apply(m, m.items[c.item].at);
    return state.staff(c.chord->staff).transpose;
  }

  void play_note(std::size_t k, const measure& m, const timed_chord& c, std::size_t n) {
    auto& written = c.chord->notes[n];
    auto tie = c.is_stroke ? tie_ends{} : written.tie;
    if (!is_played_in(time_.order[k].pass, written)) return;
    sounding_note s;
    s.part = index_;
    s.staff = c.chord->staff;
    s.voice = c.chord->voice;
    s.grace = c.chord->grace.has_value();
    s.instrument = written.instrument;
    s.measure = time_.order[k].measure;
    s.item = c.item;
    s.note = n;
    s.played = k;
    s.onset = time_.starts[k] + c.onset;
    s.length = c.length;
    // A note of its own length in a chord; what graces or a tremolo left of the chord holds for
    // all.
    if (written.differs && written.differs->length && c.length == c.chord->length)
      s.length = *written.differs->length;
    if (written.differs && written.differs->voice) s.voice = *written.differs->voice;
    if (written.differs && written.differs->staff) s.staff = *written.differs->staff;
    if (auto* p = std::get_if<pitch>(&written.tone)) {
      auto t = transposition_at(s.measure, m, c);
      s.cents = sounding_cents(*p, t);
      sound(s, tie);
      if (t && t->doubled) {
        s.cents += t->double_above == "yes" ? 1200 : -1200;
        sound(s, tie);
      }
    } else if (auto* u = std::get_if<unpitched>(&written.tone)) {
      s.unpitched = true;
      s.cents = drum_cents(*u, written.instrument);
      sound(s, tie);
    }
  }

  int drum_cents(const unpitched& u, const std::string& instrument) const {
    for (auto& i : part_.instruments)
      if ((instrument.empty() || i.id == instrument) && i.midi_unpitched)
        return (*i.midi_unpitched - 1) * 100;
    return midi_cents(
        {u.display_step.value_or(step::b), 0, static_cast<std::int16_t>(u.display_octave)});
  }

  /// Begins a note, or lengthens the one that it is tied to.
  void sound(const sounding_note& s, const tie_ends& tie) {
    auto key = std::tuple{s.cents, s.unpitched, s.onset};
    if (tie.stop)
      if (auto open = open_tie(key, s); open != open_ties_.end()) {
        auto index = open->second;
        open_ties_.erase(open);
        auto& first = notes_[index];
        first.length = s.onset + s.length - first.onset;
        if (tie.start) open_ties_[{s.cents, s.unpitched, s.onset + s.length}] = index;
        return;
      }
    notes_.push_back(s);
    if (tie.start) open_ties_[{s.cents, s.unpitched, s.onset + s.length}] = notes_.size() - 1;
  }

  using open_key = std::tuple<int, bool, quarters>;
  using open_map = std::map<open_key, std::size_t>;

  /// The open tie that ends where `s` begins; else, in broken chords that are collected, the last
  /// one of this height in the voice and the measure, when the voice has not rested since.
  open_map::iterator open_tie(const open_key& key, const sounding_note& s) {
    if (auto exact = open_ties_.find(key); exact != open_ties_.end()) return exact;
    auto after = open_ties_.lower_bound(key);
    if (after == open_ties_.begin()) return open_ties_.end();
    auto before = std::prev(after);
    auto& [cents, drum, end] = before->first;
    auto& first = notes_[before->second];
    bool collects = cents == s.cents && drum == s.unpitched && first.voice == s.voice &&
                    end > time_.starts[s.played] && !(rested_[s.voice] && *rested_[s.voice] >= end);
    return collects ? before : open_ties_.end();
  }

  const part& part_;
  std::size_t index_;
  const unfolded_time& time_;
  const sounding_options& options_;
  std::vector<sounding_note>& notes_;
  std::vector<part_state> states_;
  /// Notes whose tie is open, by height and the time at which they end.
  open_map open_ties_;
  std::map<std::string, std::optional<quarters>> rested_;  ///< when each voice last began a rest
};

}  // namespace

result<unfolded_time> unfolded(const score& s) {
  auto order = playing_order(s);
  if (!order) return tl::unexpected(order.error());
  auto written = measure_starts(s);
  unfolded_time time{std::move(*order), {quarters{}}};
  for (auto& m : time.order) {
    auto whole = written[m.measure + 1] - written[m.measure];
    time.starts.push_back(time.starts.back() + (m.until > quarters{} ? m.until : whole));
  }
  return time;
}

std::vector<sounding_note> sounding_notes(const score& s, const unfolded_time& time,
                                          sounding_options options) {
  std::vector<sounding_note> notes;
  for (std::size_t p = 0; p < s.parts.size(); ++p)
    part_player{s, p, time, options, notes}.play();
  std::stable_sort(notes.begin(), notes.end(), [](auto& a, auto& b) {
    return std::tie(a.onset, a.part, a.cents) < std::tie(b.onset, b.part, b.cents);
  });
  return notes;
}

result<std::vector<sounding_note>> sounding_notes(const score& s, sounding_options options) {
  auto time = unfolded(s);
  if (!time) return tl::unexpected(time.error());
  return sounding_notes(s, *time, options);
}

}  // namespace fermata
