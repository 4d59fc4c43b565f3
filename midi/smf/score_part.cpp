#include "midi/smf/score_part.hpp"

#include "core/music/instruments.hpp"
#include "midi/smf/gm_drums.hpp"
#include "midi/smf/rhythm.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace fermata::midi::smf {

namespace {

constexpr int middle_c = 60;

const instrument_info* instrument_of_program(int program) {
  for (auto& row : instrument_table())
    if (!row.percussion && row.midi_program == program + 1) return &row;
  return nullptr;
}

std::string drum_id(std::size_t part, int key) {
  return "P" + std::to_string(part + 1) + "-I" + std::to_string(key + 1);
}

/// The part without its measures.
part part_header(const part_music& music, std::size_t index) {
  auto& source = *music.source;
  part p;
  p.id = "P" + std::to_string(index + 1);
  p.name = source.name;
  if (source.is_percussion()) {
    if (p.name.empty()) p.name = "Percussion";
    std::set<int> keys;
    for (auto& n : music.notes)
      keys.insert(n.key);
    for (auto key : keys) {
      part_instrument i;
      i.id = drum_id(index, key);
      i.name = std::string{drum_sound_of(key).name};
      i.midi_channel = 10;
      i.midi_unpitched = key + 1;
      p.instruments.push_back(std::move(i));
    }
    return p;
  }
  part_instrument i;
  i.id = p.id + "-I1";
  i.midi_channel = source.channel + 1;
  if (source.program) {
    i.midi_program = *source.program + 1;
    if (auto* row = instrument_of_program(*source.program)) {
      i.sound = std::string{row->sound};
      i.name = std::string{row->full_name};
    }
  }
  if (p.name.empty()) p.name = i.name;
  if (p.name.empty()) p.name = "Channel " + std::to_string(source.channel + 1);
  if (i.name.empty()) i.name = p.name;
  p.instruments.push_back(std::move(i));
  return p;
}

clef clef_of(const part_music& music) {
  if (music.source->is_percussion()) return {"percussion", 0, 0};
  std::int64_t sum = 0;
  for (auto& n : music.notes)
    sum += n.key;
  if (sum < middle_c * static_cast<std::int64_t>(music.notes.size())) return {"F", 4, 0};
  return {"G", 2, 0};
}

/// Writes the measures of a part from left to right.
class part_writer {
public:
  part_writer(const part_music& music, std::size_t index, const beside_items& beside,
              std::vector<voice_line> voices)
    : music_(music),
      index_(index),
      beside_(beside.begin()),
      beside_end_(beside.end()),
      voices_(std::move(voices)),
      next_(voices_.size()) {}

  /// Nothing when the rhythm has no notation.
  std::optional<measure> written(const measure_span& span, std::size_t position, bool is_last) {
    measure m;
    m.number = std::to_string(position + 1);
    open(m, span, position);
    for (std::size_t v = 0; v < voices_.size(); ++v) {
      auto has_music = next_[v] < voices_[v].size() && voices_[v][next_[v]].from < span.end;
      if (v > 0 && !has_music) continue;
      if (!write_voice(m, span, v, is_last)) return std::nullopt;
    }
    return m;
  }

private:
  void open(measure& m, const measure_span& span, std::size_t position) {
    attributes a;
    if (position == 0) a.clefs.push_back({std::nullopt, clef_of(music_), {}});
    if (span.says_metre) a.times.push_back({std::nullopt, span.metre, {}});
    while (beside_ != beside_end_ && beside_->at <= span.start &&
           std::holds_alternative<attributes>(beside_->value)) {
      a.keys = std::get<attributes>(beside_->value).keys;
      ++beside_;
    }
    if (!(a == attributes{})) m.items.push_back({measure_position{}, std::move(a)});
  }

  bool write_voice(measure& m, const measure_span& span, std::size_t v, bool is_last) {
    std::vector<voice_segment> segments;
    std::vector<const voice_chord*> chords;
    auto at = span.start;
    auto add = [&](rational to, const voice_chord* chord) {
      segments.push_back({at - span.start, to - span.start, chord == nullptr});
      chords.push_back(chord);
      at = to;
    };
    for (auto& i = next_[v]; i < voices_[v].size() && voices_[v][i].from < span.end; ++i) {
      auto& chord = voices_[v][i];
      if (chord.from > at) add(chord.from, nullptr);
      add(std::min(chord.to, span.end), &chord);
      if (chord.to > span.end) break;  // it goes on in the next measure
    }
    if (at < span.end) add(span.end, nullptr);
    auto pieces = written_rhythm(segments, span.end - span.start, span.metre);
    if (!pieces) return false;
    for (auto& p : *pieces) {
      if (v == 0) write_beside(m, span.start, span.start + p.at);
      m.items.push_back({measure_position{p.at}, item(p, span, v, chords[p.segment])});
    }
    if (v == 0) write_beside_until(m, span, is_last);
    return true;
  }

  /// What stands beside the notes up to `until`.
  void write_beside(measure& m, rational start, rational until) {
    for (; beside_ != beside_end_ && beside_->at <= until; ++beside_)
      m.items.push_back({measure_position{std::max(beside_->at, start) - start}, beside_->value});
  }
  /// What stands inside the last note of the measure; in the last measure all that is left.
  void write_beside_until(measure& m, const measure_span& span, bool is_last) {
    for (; beside_ != beside_end_ && (is_last || beside_->at < span.end); ++beside_)
      m.items.push_back(
          {measure_position{std::min(beside_->at, span.end) - span.start}, beside_->value});
  }

  chord_rest item(const rhythm_piece& p, const measure_span& span, std::size_t v,
                  const voice_chord* chord) const {
    chord_rest x;
    x.length = quarters{p.length};
    x.written = p.written;
    x.tuplet = p.tuplet;
    x.voice = std::to_string(v + 1);
    auto at = span.start + p.at;
    if (!chord) {
      note silence;
      silence.tone = rest{!p.written, std::nullopt};
      x.notes.push_back(std::move(silence));
    } else {
      for (auto i : chord->notes) {
        auto n = tone_of(i);
        n.tie.stop = at > chord->from;
        n.tie.start = at + p.length < chord->to;
        x.notes.push_back(std::move(n));
      }
      auto words = music_.lyrics.find(at);
      if (v == 0 && at == chord->from && words != music_.lyrics.end())
        x.notes.front().lyrics = words->second;
    }
    auto& spanners = x.notes.front().spanners;
    if (p.opens_tuplet) spanners.push_back({spanner_kind::tuplet, span_end::start, 1, {}, {}});
    if (p.closes_tuplet) spanners.push_back({spanner_kind::tuplet, span_end::stop, 1, {}, {}});
    return x;
  }

  note tone_of(std::size_t i) const {
    note n;
    if (!music_.source->is_percussion()) {
      n.tone = music_.pitches[i];
      return n;
    }
    auto key = music_.notes[i].key;
    auto sound = drum_sound_of(key);
    n.tone = unpitched{sound.line, sound.octave};
    n.instrument = drum_id(index_, key);
    if (sound.is_cymbal) n.notehead = notehead{"x", {}, {}, {}};
    return n;
  }

  const part_music& music_;
  std::size_t index_;
  beside_items::const_iterator beside_, beside_end_;
  std::vector<voice_line> voices_;
  std::vector<std::size_t> next_;  ///< by voice, the chord to be written next
};

}  // namespace

std::optional<part> score_part(const part_music& music, std::size_t index,
                               const std::vector<measure_span>& measures,
                               const beside_items& beside, std::size_t most_voices,
                               std::size_t& left_out, std::size_t& fault) {
  auto p = part_header(music, index);
  part_writer writer{music, index, beside, voices_of(music.notes, most_voices, left_out)};
  for (std::size_t i = 0; i < measures.size(); ++i) {
    auto m = writer.written(measures[i], i, i + 1 == measures.size());
    if (!m) {
      fault = i;
      return std::nullopt;
    }
    p.measures.push_back(std::make_shared<const measure>(std::move(*m)));
  }
  p.measures.seal();
  return p;
}

}  // namespace fermata::midi::smf
