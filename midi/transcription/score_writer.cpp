#include "midi/transcription/score_writer.hpp"

#include "core/score/model/opening_tempo.hpp"
#include "core/theory/key_finding.hpp"
#include "core/theory/pitch_spelling.hpp"
#include "midi/performance/channels.hpp"
#include "midi/transcription/note_lengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

namespace fermata::midi {

namespace {

/// General MIDI: pianos, harpsichord, clavinet.
constexpr int keyboard_programs = 8;

bool is_percussion(const performed_part& p) { return p.channel == percussion_channel; }
bool is_keyboard(const performed_part& p) {
  return !p.on_one_staff && !is_percussion(p) && (!p.program || *p.program < keyboard_programs);
}

rational quarters_of(std::int64_t ticks) { return rational{ticks, grid_of_quarter}; }

/// The word that is played as swung eighths (midi/performance/swing.hpp).
direction swing_mark() {
  words w;
  w.text = "Swing";
  direction d;
  d.types.emplace_back(w);
  d.placement = "above";
  return d;
}

std::int64_t snapped(std::int64_t ticks, std::int64_t grid) {
  return (ticks + grid / 2) / grid * grid;
}

}  // namespace

score_writer::score_writer(const std::vector<performed_part>& parts,
                           const std::vector<note_of_part>& order, const tracked_rhythm& reading,
                           const transcription_options& options)
  : parts_(parts),
    options_(options),
    metre_(reading.metre),
    is_swung_(reading.is_swung),
    known_downbeat_(reading.known_downbeat),
    rhythms_(parts.size()),
    sources_(parts.size()),
    music_(parts.size()),
    ornaments_(parts.size()) {
  divide(order, reading);
}

result<transcription> score_writer::written() {
  if (auto ok = lay_out_measures(); !ok) return fail(ok.error());
  transcription t;
  for (std::size_t i = 0; i < parts_.size(); ++i)
    place_notes(i);
  spell();
  auto s = std::make_shared<score>();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    auto p = notated(i);
    if (!p) return fail(p.error());
    s->part_list.emplace_back(i);
    s->parts.push_back(std::make_shared<const part>(std::move(*p)));
  }
  t.score = std::move(s);
  t.metre = metre_;
  t.is_swung = is_swung_;
  t.quarters_per_minute = tempo_;
  if (left_out_ > 0)
    t.remarks.push_back(fmt::format("notes left out, as too many sound at once: {}", left_out_));
  if (moved_measures_ > 0)
    t.remarks.push_back(fmt::format(
        "measures whose rhythm was simplified, as it has no notation: {}", moved_measures_));
  if (lost_ornaments_ > 0)
    t.remarks.push_back(
        fmt::format("ornaments at the end left out, as no note follows: {}", lost_ornaments_));
  return t;
}

void score_writer::divide(const std::vector<note_of_part>& order, const tracked_rhythm& reading) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto& r = rhythms_[order[i].part].rhythm;
    r.positions.push_back(reading.positions[i]);
    r.is_ornament.push_back(reading.is_ornament[i]);
    r.quarter_seconds.push_back(reading.quarter_seconds[i]);
  }
  auto quarters = reading.quarter_seconds;
  auto middle = quarters.begin() + static_cast<std::ptrdiff_t>(quarters.size() / 2);
  std::nth_element(quarters.begin(), middle, quarters.end());
  // A recognized tempo is not more exact than a beat in a minute.
  auto parts_of_beat = known_downbeat_ ? 100. : 1.;
  tempo_ = std::round(60 / static_cast<double>(*middle) * parts_of_beat) / parts_of_beat;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    auto& p = parts_[i];
    auto& r = rhythms_[i];
    if (p.notes.empty()) continue;
    if (is_keyboard(p))
      r.hands = hands_of(p.notes, r.rhythm.positions);
    else
      r.hands.assign(p.notes.size(), hand::right);
    r.lengths = note_lengths(p.notes, r.rhythm, r.hands, p.pedal);
  }
}

result<void> score_writer::lay_out_measures() {
  std::int64_t first = 0, end = 0;
  auto is_first = true;
  for (auto& r : rhythms_)
    for (std::size_t i = 0; i < r.lengths.size(); ++i) {
      auto at = r.rhythm.positions[i];
      first = is_first ? at : std::min(first, at);
      is_first = false;
      end = std::max(end, at + r.lengths[i]);
    }
  const auto length = std::int64_t{metre_.measure_length()};
  auto most = options_.measures / parts_.size();
  if (static_cast<std::size_t>(end / length) >= most)
    return fail({errc::out_of_range, fmt::format("the music lasts more than {} measures", most)});
  auto metre = signature_of(metre_);
  // What begins in the second half of the measure is a pickup, from an eighth on. A known downbeat
  // begins a measure, also if the player waits.
  auto waits = known_downbeat_ && first >= *known_downbeat_;
  auto start =
      !waits && first % length * 2 >= length ? first % length / grid_of_eighth * grid_of_eighth : 0;
  auto is_pickup = start > 0;
  std::int64_t at = waits ? *known_downbeat_ : first / length * length + start;
  do {
    auto stop = (at / length + 1) * length;
    measures_.push_back({quarters_of(at), quarters_of(stop), metre, measures_.empty(), is_pickup});
    is_pickup = false;
    at = stop;
  } while (at < end);
  return {};
}

void score_writer::place_notes(std::size_t index) {
  auto& p = parts_[index];
  auto& r = rhythms_[index];
  auto& source = sources_[index];
  source.name = p.name;
  source.channel = p.channel;
  source.program = p.program;
  auto& music = music_[index];
  music.source = &source;
  music.keep_unisons = true;
  auto both = r.has_two_staves();
  // A key cannot be struck again while it sounds.
  std::map<int, std::int64_t> next_of_key;
  std::vector<std::int64_t> ends(p.notes.size());
  for (auto i = p.notes.size(); i-- > 0;) {
    auto at = r.rhythm.positions[i];
    auto to = at + r.lengths[i];
    auto next = next_of_key.find(p.notes[i].key);
    if (next != next_of_key.end() && next->second > at) to = std::min(to, next->second);
    if (is_percussion(p)) to = std::min(to, at + grid_of_quarter);
    ends[i] = to;
    if (!r.rhythm.is_ornament[i]) next_of_key[p.notes[i].key] = at;
  }
  for (std::size_t i = 0; i < p.notes.size(); ++i) {
    if (r.rhythm.is_ornament[i] && !is_percussion(p)) {
      place_ornament(index, i, both && r.hands[i] == hand::left ? 2 : 1);
      continue;
    }
    music.notes.push_back(
        {quarters_of(r.rhythm.positions[i]), quarters_of(ends[i]), p.notes[i].key});
    if (both) music.staves.push_back(r.hands[i] == hand::right ? 1 : 2);
  }
}

/// Before the next note of the same staff.
void score_writer::place_ornament(std::size_t index, std::size_t note, std::uint8_t staff) {
  auto& r = rhythms_[index];
  for (auto next = note + 1; next < r.lengths.size(); ++next) {
    if (r.rhythm.is_ornament[next] || r.hands[next] != r.hands[note]) continue;
    auto before = quarters_of(r.rhythm.positions[next]);
    music_[index].graces.push_back({before, staff, {}});
    ornaments_[index].push_back(
        {quarters{before}, quarters{rational{1, 8}}, parts_[index].notes[note].key});
    return;
  }
  ++lost_ornaments_;
}

void score_writer::spell() {
  std::vector<unspelled_note> notes;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (is_percussion(parts_[i])) continue;
    for (auto& n : music_[i].notes)
      notes.push_back({quarters{n.from}, quarters{n.to - n.from}, n.key});
    notes.insert(notes.end(), ornaments_[i].begin(), ornaments_[i].end());
  }
  if (notes.empty()) return;
  auto pitches = spelled(notes);
  std::vector<timed_note> sounding;
  for (std::size_t i = 0; i < notes.size(); ++i)
    sounding.push_back({notes[i].onset, notes[i].length, pitches[i]});
  if (auto found = find_key(sounding)) key_ = signature_of(found->best.key);
  auto next = pitches.begin();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (is_percussion(parts_[i])) continue;
    auto& music = music_[i];
    auto end = next + static_cast<std::ptrdiff_t>(music.notes.size());
    music.pitches.assign(next, end);
    next = end;
    for (auto& g : music.graces)
      g.pitch = *next++;
    std::stable_sort(music.graces.begin(), music.graces.end(),
                     [](auto& a, auto& b) { return a.before < b.before; });
  }
}

smf::beside_items score_writer::beside(std::size_t index) const {
  smf::beside_items items;
  auto start = measures_.front().start;
  if (key_ && !is_percussion(parts_[index])) {
    attributes a;
    a.keys.push_back({std::nullopt, *key_, {}});
    items.push_back({start, std::move(a)});
  }
  if (index == 0 && is_swung_) items.push_back({start, swing_mark()});
  if (index == 0) items.push_back({start, tempo_mark(tempo_)});
  return items;
}

/// Moves the notes of a measure to a coarser grid.
void score_writer::simplify(smf::part_music& music, const smf::measure_span& span,
                            std::int64_t grid) const {
  auto ticks = [](rational x) { return floor(x * rational{grid_of_quarter}); };
  for (auto& n : music.notes) {
    if (n.to <= span.start || n.from >= span.end) continue;
    auto from = n.from >= span.start ? snapped(ticks(n.from), grid) : ticks(n.from);
    auto to = n.to <= span.end ? snapped(ticks(n.to), grid) : ticks(n.to);
    if (quarters_of(from) >= span.end) from -= grid;
    n.from = quarters_of(from);
    n.to = quarters_of(std::max(to, from + grid));
  }
  for (auto& g : music.graces) {
    if (g.before < span.start || g.before >= span.end) continue;
    auto before = snapped(ticks(g.before), grid);
    if (quarters_of(before) >= span.end) before -= grid;
    g.before = quarters_of(before);
  }
}

result<part> score_writer::notated(std::size_t index) {
  constexpr std::size_t most_voices = 8;
  auto& music = music_[index];
  std::vector<int> attempts(measures_.size());
  for (;;) {
    std::size_t fault = 0, left_out = 0;
    auto p = smf::score_part(music, index, measures_, beside(index), most_voices, left_out, fault);
    if (p) {
      left_out_ += left_out;
      return std::move(*p);
    }
    if (++attempts[fault] > 2)
      return fail({errc::unsupported_format,
                   fmt::format("measure {} has a rhythm that cannot be notated", fault + 1)});
    if (attempts[fault] == 1) ++moved_measures_;
    simplify(music, measures_[fault], attempts[fault] == 1 ? grid_of_sixteenth : grid_of_eighth);
  }
}
}  // namespace fermata::midi
