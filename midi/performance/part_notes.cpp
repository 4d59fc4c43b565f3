#include "midi/performance/part_notes.hpp"

#include "core/score/model/attribute_of.hpp"
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
    auto shift = harmonic_shift(h.chord, h.head);
    if (!shift) return;
    p.cents = h.sounds.cents + *shift;
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

  std::vector<ornament_tone> tones_of(const note_in_hand& h, quarters length) const {
    if (!s_.options.ornaments || h.sounds.grace) return {};
    auto line = wavy_.trill_at(h.chord.voice, h.written);
    if (h.head.marks.empty() && !line) return {};
    return ornament_tones(h.head, length, key_in_force(keys_, h.sounds.measure, h.item.at), line);
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
    auto before = played_.size();
    add(p, p.onset, sounds, p.cents);
    if (s_.options.ornaments && !h.head.marks.empty() && played_.size() > before)
      played_.back().curve = curve_of(h.head, sounds);
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
