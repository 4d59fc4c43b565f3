#include "midi/performance/part_notes.hpp"

#include "core/score/model/attribute_of.hpp"
#include "core/score/model/ties.hpp"
#include "core/score/model/walk.hpp"
#include "midi/performance/arpeggio.hpp"
#include "midi/performance/articulation.hpp"
#include "midi/performance/dynamic_levels.hpp"
#include "midi/performance/dynamics_plan.hpp"
#include "midi/performance/glissando.hpp"
#include "midi/performance/harmonic.hpp"
#include "midi/performance/keys.hpp"
#include "midi/performance/ornament.hpp"
#include "midi/performance/playback_text.hpp"
#include "midi/performance/wavy_lines.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace fermata::midi {

namespace {

/// A note of a tie.
struct tied_note {
  const chord_rest& chord;
  const note& head;
  rational from;  ///< share of the length of the tie at which it begins
  quarters written;
  std::size_t measure;
  measure_position at;
};

/// What a performer knows of the note in hand.
struct note_in_hand {
  const sounding_note& sounds;
  const measure_item& item;
  const chord_rest& chord;
  const note& head;
  std::size_t origin;
  quarters written;  ///< its place in the written score; of a stroke of a tremolo: the stroke's
  const articulation& marks;
};

bool is_tremolo(const chord_rest& x) {
  for (auto& n : x.notes) {
    for (auto& m : n.marks)
      if (m.kind == mark_kind::tremolo) return true;
    for (auto& s : n.spanners)
      if (s.kind == spanner_kind::tremolo) return true;
  }
  return false;
}

class part_performer {
public:
  part_performer(const score_in_time& s, std::size_t part)
    : s_(s),
      part_(*s.written.parts[part]),
      dynamics_(part_, s.starts),
      slurs_(part_, s.starts),
      wavy_(part_, s.starts),
      keys_(keys_of(part_)) {
    if (s.options.glissandos) glides_ = glides_of(part_);
  }

  std::vector<played_note> play(const std::vector<std::size_t>& notes) && {
    std::vector<quarters> delays(notes.size());
    if (s_.options.arpeggios) delays = arpeggio_delays(part_, s_.sounding, notes);
    played_.reserve(notes.size());
    // More notes than are allowed are an error of the caller; here they only cost memory.
    for (std::size_t i = 0; i < notes.size() && played_.size() <= s_.options.most_notes; ++i)
      play(in_hand(notes[i]), delays[i]);
    std::stable_sort(played_.begin(), played_.end(),
                     [](auto& a, auto& b) { return a.onset < b.onset; });
    return std::move(played_);
  }

private:
  note_in_hand in_hand(std::size_t index) {
    auto& s = s_.sounding[index];
    auto& item = part_.measures.music_at(s.measure).items[s.item];
    auto& chord = std::get<chord_rest>(item.content);
    look_at(chord);
    auto inside = tremolo_ ? s.onset - s_.time.starts[s.played] : item.at - measure_position{};
    auto written = s_.starts[s.measure] + inside;
    bool slurred = slurs_.joins(s.voice, written);
    return {s, item, chord, chord.notes[s.note], index, written, slurred ? slurred_ : separate_};
  }

  /// What the marks of a chord mean, once for all of its notes, which follow one another.
  void look_at(const chord_rest& chord) {
    if (looked_at_ == &chord) return;
    looked_at_ = &chord;
    tremolo_ = is_tremolo(chord);
    slurred_ = articulation_of(chord, true);
    separate_ = articulation_of(chord, false);
  }

  void play(const note_in_hand& h, quarters delay) {
    played_note p;
    p.origin = h.origin;
    p.onset = h.sounds.onset;
    p.length = h.sounds.length;
    auto harmonic = harmonic_in(h.chord, h.head);
    if (harmonic.is_silent) return;
    p.cents = h.sounds.cents + harmonic.cents;
    p.unpitched = h.sounds.unpitched;
    if (s_.options.swing && is_swung(h.chord)) swing_note(h, p);
    p.onset += delay;
    p.length -= delay;
    p.velocity = loudness(h) + h.marks.extra_velocity;
    auto sounds = sounding_length(h, p.length);
    if (s_.options.exact_attacks) obey_attacks(h, p, sounds);
    if (p.length <= quarters{} || sounds <= quarters{}) return;
    if (auto tones = tones_of(h, p.length); !tones.empty())
      write_out(tones, p, sounds);
    else if (!glide_away(h, p, sounds))
      add_bent(h, p, sounds);
  }

  double loudness(const note_in_hand& h) const {
    if (auto percent = number_in(attribute_of(h.head.extra, "dynamics")))
      return velocity_of_percent(*percent);
    return dynamics_.at(h.sounds.staff, h.written);
  }

  /// Places are counted from the barline, in a pickup from where its measure would begin.
  void swing_note(const note_in_hand& h, played_note& p) const {
    auto swing = swing_in_force(s_.swings, h.sounds.measure, h.item.at);
    if (swing.first == swing.second) return;
    auto& start = s_.time.starts[h.sounds.played];
    auto before_bar = h.sounds.measure == 0 ? pickup_gap() : quarters{};
    auto place = p.onset - start + before_bar;
    auto from = swung(place, swing), to = swung(place + p.length, swing);
    p.onset += from - place;
    p.length = to - from;
  }

  quarters pickup_gap() const {
    auto time = time_in_force(part_, 0);
    auto whole = measure_length(time.value_or(time_signature{}));
    auto real = s_.starts[1] - s_.starts[0];
    return real < whole ? whole - real : quarters{};
  }

  quarters sounding_length(const note_in_hand& h, quarters length) const {
    auto& a = h.marks;
    auto sounds = length;
    // A grace note without a mark goes on to the next one.
    bool plain_grace = h.sounds.grace && a.length_factor == rational{7, 8};
    if (s_.options.articulations && !plain_grace) sounds = articulated(length, a);
    auto end = s_.starts[h.sounds.measure] + (h.sounds.onset - s_.time.starts[h.sounds.played]) +
               h.sounds.length;
    auto& caesuras = s_.held.caesuras;
    if (s_.options.pauses && std::binary_search(caesuras.begin(), caesuras.end(), end)) {
      auto early = std::max(length - quarters{caesura_gap}, length * rational{1, 2});
      sounds = std::min(sounds, early);
    }
    return sounds;
  }

  void obey_attacks(const note_in_hand& h, played_note& p, quarters& sounds) const {
    if (auto attack = parse_rational(attribute_of(h.head.extra, "attack"))) {
      auto later = std::max(quarters{*attack}, quarters{} - p.onset);
      p.onset += later;
      p.length -= later;
      sounds -= later;
    }
    if (auto release = parse_rational(attribute_of(h.head.extra, "release"))) {
      p.length += quarters{*release};
      sounds += quarters{*release};
    }
  }

  /// The written notes that sound as this one, itself first.
  std::vector<tied_note> tie_of(const note_in_hand& h) const {
    std::vector<tied_note> all;
    all.push_back({h.chord, h.head, rational{0}, h.written, h.sounds.measure, h.item.at});
    if (h.sounds.length <= quarters{}) return all;
    note_place place{h.sounds.measure, h.sounds.item, h.sounds.note};
    for (auto next = tied_to(part_, place); next; next = tied_to(part_, place)) {
      place = *next;
      auto& item = part_.measures.music_at(place.measure).items[place.item];
      auto& chord = std::get<chord_rest>(item.content);
      auto written = s_.starts[place.measure] + (item.at - measure_position{});
      auto from = (written - h.written) / h.sounds.length;
      if (from <= all.back().from || from >= rational{1}) break;  // in another pass of a repeat
      all.push_back({chord, chord.notes[place.note], from, written, place.measure, item.at});
    }
    return all;
  }

  std::vector<ornament_tone> tones_of(const note_in_hand& h, quarters length) const {
    if (!s_.options.ornaments || h.sounds.grace) return {};
    if (h.head.marks.empty() && !h.head.tie.start && wavy_.empty()) return {};
    for (auto& t : tie_of(h)) {
      auto line = wavy_.trill_at(t.chord.voice, t.written);
      if (line && std::any_of(t.chord.notes.begin(), t.chord.notes.end(), has_ornament))
        line = nullptr;
      if (t.head.marks.empty() && !line) continue;
      auto left = rational{1} - t.from;
      auto tones =
          ornament_tones(t.head, length * left, key_in_force(keys_, t.measure, t.at), line);
      if (tones.empty()) continue;
      for (auto& tone : tones)
        tone.from = t.from + tone.from * left;
      if (t.from > rational{0}) tones.insert(tones.begin(), {rational{0}, 0});
      return tones;
    }
    return {};
  }

  void write_out(const std::vector<ornament_tone>& tones, const played_note& p, quarters sounds) {
    for (std::size_t i = 0; i < tones.size(); ++i) {
      auto from = p.length * tones[i].from;
      auto to = i + 1 < tones.size() ? p.length * tones[i + 1].from : p.length;
      // However short the note is to be, half of its last tone is heard.
      if (i + 1 == tones.size()) to = std::max(sounds, from + (p.length - from) * rational{1, 2});
      add(p, p.onset + from, to - from, p.cents + tones[i].cents);
    }
  }

  bool glide_away(const note_in_hand& h, const played_note& p, quarters sounds) {
    if (glides_.empty()) return false;
    auto found = glides_.find({h.sounds.measure, h.sounds.item, h.sounds.note});
    if (found == glides_.end()) return false;
    auto glide = found->second;
    if (glide.continuous) {
      add(p, p.onset, p.length, p.cents);
      played_.back().curve = {{rational{1, 4}, 0}, {rational{3, 4}, glide.cents}};
      return true;
    }
    auto count = std::abs(glide.cents) / 100;
    if (count < 2) return false;
    auto each = p.length / rational{count};
    for (int k = 0; k < count; ++k) {
      auto length =
          k + 1 < count ? each : std::max(sounds - each * rational{k}, each / rational{2});
      add(p, p.onset + each * rational{k}, length, p.cents + (glide.cents > 0 ? 100 : -100) * k);
    }
    return true;
  }

  void add_bent(const note_in_hand& h, const played_note& p, quarters sounds) {
    if (sounds <= quarters{}) return;
    add(p, p.onset, sounds, p.cents);
    if (s_.options.ornaments && (!h.head.marks.empty() || h.head.tie.start))
      played_.back().curve = curve_in(h, sounds);
  }

  pitch_curve curve_in(const note_in_hand& h, quarters sounds) const {
    pitch_curve all;
    auto tie = tie_of(h);
    for (std::size_t i = 0; i < tie.size(); ++i) {
      auto share = (i + 1 < tie.size() ? tie[i + 1].from : rational{1}) - tie[i].from;
      auto bent = all.empty() ? 0 : all.back().cents;
      for (auto& point : curve_of(tie[i].head, sounds * share, bent))
        all.push_back({tie[i].from + point.at * share, point.cents});
    }
    return all;
  }

  void add(played_note p, quarters onset, quarters length, int cents) {
    if (length <= quarters{}) return;
    p.onset = onset;
    p.length = length;
    p.cents = cents;
    played_.push_back(p);
  }

  const score_in_time& s_;
  const part& part_;
  part_dynamics dynamics_;
  slurred_places slurs_;
  wavy_lines wavy_;
  std::vector<written_change<key_signature>> keys_;
  std::map<note_place, glide> glides_;
  std::vector<played_note> played_;
  const chord_rest* looked_at_ = nullptr;
  bool tremolo_ = false;
  articulation slurred_, separate_;
};

}  // namespace

std::vector<played_note> played_notes(const score_in_time& s, std::size_t part,
                                      const std::vector<std::size_t>& notes) {
  return part_performer{s, part}.play(notes);
}

}  // namespace fermata::midi
