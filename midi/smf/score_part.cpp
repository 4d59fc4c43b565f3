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

int staff_of(const part_music& music, std::size_t note) {
  return music.staves.empty() ? 1 : music.staves[note];
}

int staves_of(const part_music& music) { return music.staves.empty() ? 1 : 2; }

/// By the middle height of the notes; a staff without notes has that of the hand.
clef clef_of(const part_music& music, int staff) {
  if (music.source->is_percussion()) return {"percussion", 0, 0};
  std::int64_t sum = 0, count = 0;
  for (std::size_t i = 0; i < music.notes.size(); ++i)
    if (staff_of(music, i) == staff) {
      sum += music.notes[i].key;
      ++count;
    }
  if (count > 0 ? sum < middle_c * count : staff == 2) return {"F", 4, 0};
  return {"G", 2, 0};
}

/// A voice of a part, with its name.
struct staff_voice {
  int staff = 1;
  std::string name;
  bool is_first = false;  ///< of its staff: it fills every measure
  voice_line line;
};

/// The voices of all staves. Those of the second one begin with 5 where there is room, as notation
/// programs have them.
std::vector<staff_voice> voices_of_staves(const part_music& music, std::size_t most,
                                          std::size_t& left_out) {
  constexpr std::size_t usual_voices = 4;
  std::vector<staff_voice> voices;
  std::size_t number = 0;
  for (int staff = 1; staff <= staves_of(music); ++staff) {
    std::vector<placed_note> notes;
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < music.notes.size(); ++i)
      if (staff_of(music, i) == staff) {
        notes.push_back(music.notes[i]);
        indices.push_back(i);
      }
    auto lines = voices_of(notes, most, left_out, music.keep_unisons);
    if (lines.empty()) lines.emplace_back();
    if (staff == 2) number = std::max(number, usual_voices);
    auto is_first = true;
    for (auto& line : lines) {
      for (auto& chord : line)
        for (auto& n : chord.notes)
          n = indices[n];
      voices.push_back({staff, std::to_string(++number), is_first, std::move(line)});
      is_first = false;
    }
  }
  return voices;
}

/// Writes the measures of a part from left to right.
class part_writer {
public:
  part_writer(const part_music& music, std::size_t index, const beside_items& beside,
              std::vector<staff_voice> voices)
    : music_(music),
      index_(index),
      beside_(beside.begin()),
      beside_end_(beside.end()),
      voices_(std::move(voices)),
      next_(voices_.size()),
      graces_written_(music.graces.size()) {}

  /// Nothing when the rhythm has no notation.
  std::optional<measure> written(const measure_span& span, std::size_t position, bool is_last) {
    measure m;
    // A pickup is not counted.
    if (position == 0) first_number_ = span.is_pickup ? 0 : 1;
    m.number = std::to_string(position + first_number_);
    m.implicit = span.is_pickup;
    open(m, span, position);
    for (std::size_t v = 0; v < voices_.size(); ++v) {
      auto& line = voices_[v].line;
      auto has_music = next_[v] < line.size() && line[next_[v]].from < span.end;
      if (!voices_[v].is_first && !has_music) continue;
      if (!write_voice(m, span, v, is_last)) return std::nullopt;
    }
    return m;
  }

  /// Those before no note that was written.
  std::size_t unwritten_graces() const {
    return static_cast<std::size_t>(
        std::count(graces_written_.begin(), graces_written_.end(), false));
  }

private:
  void open(measure& m, const measure_span& span, std::size_t position) {
    attributes a;
    if (position == 0) {
      if (staves_of(music_) == 1) {
        a.clefs.push_back({std::nullopt, clef_of(music_, 1), {}});
      } else {
        a.staves = 2;
        for (auto staff : {1, 2})
          a.clefs.push_back({staff, clef_of(music_, staff), {}});
      }
    }
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
    auto& line = voices_[v].line;
    for (auto& i = next_[v]; i < line.size() && line[i].from < span.end; ++i) {
      auto& chord = line[i];
      if (chord.from > at) add(chord.from, nullptr);
      add(std::min(chord.to, span.end), &chord);
      if (chord.to > span.end) break;  // it goes on in the next measure
    }
    if (at < span.end) add(span.end, nullptr);
    auto pieces = written_rhythm(segments, span.end - span.start, span.metre);
    if (!pieces) return false;
    for (auto& p : *pieces) {
      if (v == 0) write_beside(m, span.start, span.start + p.at);
      write_graces(m, span, p, voices_[v], chords[p.segment]);
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

  /// The grace notes before the note of a voice that begins here; of several voices the first one
  /// that has a note there takes them.
  void write_graces(measure& m, const measure_span& span, const rhythm_piece& p,
                    const staff_voice& voice, const voice_chord* chord) {
    auto at = span.start + p.at;
    if (!chord || chord->from != at) return;
    auto g = std::lower_bound(music_.graces.begin(), music_.graces.end(), at,
                              [](auto& x, rational t) { return x.before < t; });
    for (; g != music_.graces.end() && g->before == at; ++g) {
      auto index = static_cast<std::size_t>(g - music_.graces.begin());
      if (g->staff != voice.staff || graces_written_[index]) continue;
      graces_written_[index] = true;
      chord_rest x;
      x.written = note_value{note_base::eighth, 0};
      x.grace = grace_info{};
      x.voice = voice.name;
      x.staff = static_cast<std::uint8_t>(voice.staff);
      note n;
      n.tone = g->pitch;
      x.notes.push_back(std::move(n));
      m.items.push_back({measure_position{p.at}, std::move(x)});
    }
  }

  chord_rest item(const rhythm_piece& p, const measure_span& span, std::size_t v,
                  const voice_chord* chord) const {
    chord_rest x;
    x.staff = static_cast<std::uint8_t>(voices_[v].staff);
    x.length = quarters{p.length};
    x.written = p.written;
    x.tuplet = p.tuplet;
    x.voice = voices_[v].name;
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
  std::vector<staff_voice> voices_;
  std::vector<std::size_t> next_;  ///< by voice, the chord to be written next
  std::vector<bool> graces_written_;
  std::size_t first_number_ = 1;
};

}  // namespace

std::optional<part> score_part(const part_music& music, std::size_t index,
                               const std::vector<measure_span>& measures,
                               const beside_items& beside, std::size_t most_voices,
                               std::size_t& left_out, std::size_t& fault) {
  auto p = part_header(music, index);
  part_writer writer{music, index, beside, voices_of_staves(music, most_voices, left_out)};
  for (std::size_t i = 0; i < measures.size(); ++i) {
    auto m = writer.written(measures[i], i, i + 1 == measures.size());
    if (!m) {
      fault = i;
      return std::nullopt;
    }
    p.measures.push_back(std::make_shared<const measure>(std::move(*m)));
  }
  left_out += writer.unwritten_graces();
  p.measures.seal();
  return p;
}

}  // namespace fermata::midi::smf
