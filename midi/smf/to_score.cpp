#include "midi/smf/to_score.hpp"

#include "core/score/model/opening_tempo.hpp"
#include "core/theory/pitch_spelling.hpp"
#include "midi/smf/grid.hpp"
#include "midi/smf/lyrics.hpp"
#include "midi/smf/meta.hpp"
#include "midi/smf/score_part.hpp"
#include "midi/smf/timeline.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace fermata::midi::smf {

namespace {

tl::unexpected<error> no_score(std::string why, std::string hint = {}) {
  return fail({errc::unsupported_format, std::move(why), std::nullopt, std::move(hint)});
}

constexpr const char* quantizer_needed = "A free performance is for `fermata transcribe`.";

/// Rounded to thousandths, as the file holds whole microseconds: 72 is written as 833333.
direction tempo_direction(std::uint32_t microseconds) {
  auto thousandths = (60'000'000'000 + microseconds / 2) / microseconds;
  return tempo_mark(static_cast<double>(thousandths) / 1000);
}

direction text_direction(direction_type text) {
  direction d;
  d.types.push_back(std::move(text));
  d.placement = "above";
  return d;
}

attributes key_attributes(const key_signature& k) {
  attributes a;
  a.keys.push_back({std::nullopt, k, {}});
  return a;
}

class score_conversion {
public:
  score_conversion(const file& f, int ticks_per_quarter, const score_limits& limits)
    : file_(f), ticks_(ticks_per_quarter), limits_(limits) {}

  result<converted_score> convert() {
    sources_ = parts_of(file_);
    std::size_t count = 0;
    for (auto& p : sources_)
      count += p.notes.size();
    if (count == 0) return no_score("the file has no notes");
    line_ = timeline_of(file_, ticks_, remarks_);
    count += line_.keys.size() * sources_.size() + line_.tempos.size() + line_.markers.size() +
             line_.cue_points.size() + count_metas(meta_type::lyric);
    if (count > limits_.items)
      return fail({errc::out_of_range, "the file has more than " + std::to_string(limits_.items) +
                                           " notes, keys, tempos, marks and lyrics"});
    if (auto fault = place_notes()) return no_score(*fault, quantizer_needed);
    spell_pitches();
    place_lyrics();
    remark_on(count_metas(meta_type::text), "texts left out");
    remark_on(count_bends(), "pitch bends left out");
    return assembled();
  }

private:
  /// What is wrong, if a note does not begin on the grid.
  std::optional<std::string> place_notes();
  std::optional<std::string> place_notes(part_music& p, std::size_t& moved);
  void spell_pitches();
  void place_lyrics();
  std::size_t count_metas(meta_type type) const;
  std::size_t count_bends() const;
  result<converted_score> assembled();
  beside_items beside_of(std::size_t index) const;
  void remark_on(std::size_t count, const char* what) {
    if (count > 0) remarks_.push_back(what + (": " + std::to_string(count)));
  }

  const file& file_;
  int ticks_;
  score_limits limits_;
  std::vector<file_part> sources_;
  std::vector<part_music> music_;
  timeline line_;
  std::vector<std::string> remarks_;
  std::size_t doubled_ = 0;
};

std::optional<std::string> score_conversion::place_notes() {
  std::size_t moved = 0;
  for (auto& source : sources_) {
    music_.push_back({&source, {}, {}, {}});
    if (auto fault = place_notes(music_.back(), moved)) return fault;
  }
  remark_on(moved, "note ends moved to the grid");
  remark_on(doubled_, "keys struck again while they begin, which are one note");
  return std::nullopt;
}

/// Ends of percussion: the next hit, or a quarter later.
std::vector<rational> hit_ends(const std::vector<played_span>& spans) {
  std::vector<rational> ends(spans.size());
  std::optional<rational> next;
  for (auto i = spans.size(); i-- > 0;) {
    if (i + 1 < spans.size() && spans[i + 1].on > spans[i].on) next = spans[i + 1].on;
    ends[i] = spans[i].on + rational{1};
    if (next) ends[i] = std::min(ends[i], *next);
  }
  return ends;
}

std::optional<std::string> score_conversion::place_notes(part_music& p, std::size_t& moved) {
  std::vector<played_span> spans;
  for (auto& n : p.source->notes) {
    auto on = grid_point(n.on, ticks_);
    if (!on)
      return "track " + std::to_string(n.track + 1) + ": the note at tick " + std::to_string(n.on) +
             " is off the grid of " + std::to_string(ticks_) + " ticks to a quarter";
    spans.push_back({*on, n.off});
  }
  auto ends = p.source->is_percussion() ? hit_ends(spans) : note_ends(spans, ticks_, moved);
  for (std::size_t i = 0; i < spans.size(); ++i)
    p.notes.push_back({spans[i].on, ends[i], p.source->notes[i].key});
  std::set<std::pair<rational, int>> struck;
  for (auto& n : p.notes)
    if (!struck.emplace(n.from, n.key).second) ++doubled_;
  return std::nullopt;
}

void score_conversion::spell_pitches() {
  std::vector<unspelled_note> notes;
  for (auto& p : music_)
    if (!p.source->is_percussion())
      for (auto& n : p.notes)
        notes.push_back({quarters{n.from}, quarters{n.to - n.from}, n.key});
  std::vector<signature_change> signatures;
  for (auto& k : line_.keys)
    signatures.push_back({quarters{k.at}, k.value.fifths});
  auto pitches = spelled(notes, signatures);
  auto next = pitches.begin();
  for (auto& p : music_)
    if (!p.source->is_percussion()) {
      auto end = next + static_cast<std::ptrdiff_t>(p.notes.size());
      p.pitches.assign(next, end);
      next = end;
    }
}

std::size_t score_conversion::count_metas(meta_type type) const {
  std::size_t count = 0;
  for (auto& t : file_.tracks)
    count += static_cast<std::size_t>(
        std::count_if(t.events.begin(), t.events.end(), [type](const event& e) {
          auto* m = std::get_if<meta_event>(&e.message);
          return m && is(*m, type);
        }));
  return count;
}

/// Bends away from the middle, each of which is another pitch than that of its key.
std::size_t score_conversion::count_bends() const {
  std::size_t count = 0;
  for (auto& t : file_.tracks)
    count += static_cast<std::size_t>(
        std::count_if(t.events.begin(), t.events.end(), [](const event& e) {
          auto* c = std::get_if<channel_message>(&e.message);
          return c && c->command() == 0xE0 && (c->data1 != 0 || c->data2 != 64);
        }));
  return count;
}

void score_conversion::place_lyrics() {
  std::size_t left_out = 0;
  auto lyrics = lyrics_of_parts(file_, sources_, left_out);
  for (std::size_t i = 0; i < music_.size(); ++i) {
    auto& notes = music_[i].notes;
    for (auto& [at, verses] : lyrics[i]) {
      auto point = grid_point(at, ticks_);
      auto n = notes.end();
      if (point)
        n = std::lower_bound(notes.begin(), notes.end(), *point,
                             [](const placed_note& x, rational t) { return x.from < t; });
      auto begins_there = n != notes.end() && n->from == *point;
      if (!begins_there || !music_[i].lyrics.emplace(*point, verses).second)
        left_out += verses.size();
    }
  }
  remark_on(left_out, "lyrics left out, as no note begins there or another lyric is there");
}

beside_items score_conversion::beside_of(std::size_t index) const {
  beside_items all;
  if (!sources_[index].is_percussion())
    for (auto& k : line_.keys)
      all.push_back({k.at, key_attributes(k.value)});
  if (index == 0) {
    for (auto& t : line_.tempos)
      all.push_back({t.at, tempo_direction(t.value)});
    for (auto& m : line_.markers)
      all.push_back({m.at, text_direction(rehearsal_mark{m.value, {}})});
    for (auto& c : line_.cue_points)
      all.push_back({c.at, text_direction(words{c.value, {}})});
  }
  std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.at < b.at; });
  return all;
}

result<converted_score> score_conversion::assembled() {
  rational end;
  for (auto& p : music_)
    for (auto& n : p.notes)
      end = std::max(end, n.to);
  auto measures = measures_of(line_, end, limits_.measures / music_.size());
  if (!measures) return fail(measures.error());
  auto s = std::make_shared<score>();
  s->header.work_title = line_.title;
  if (!line_.copyright.empty()) s->header.rights.push_back({{}, line_.copyright, {}});
  std::size_t left_out = 0, fault = 0;
  for (std::size_t i = 0; i < music_.size(); ++i) {
    auto p = score_part(music_[i], i, *measures, beside_of(i), limits_.voices, left_out, fault);
    if (!p)
      return no_score("measure " + std::to_string(fault + 1) + " of track " +
                          std::to_string(sources_[i].track + 1) +
                          " has a rhythm that cannot be notated",
                      quantizer_needed);
    s->part_list.emplace_back(i);
    s->parts.push_back(std::make_shared<const part>(std::move(*p)));
  }
  remark_on(left_out, "notes left out, as too many sound at once");
  return converted_score{std::move(s), std::move(remarks_)};
}

}  // namespace

result<converted_score> to_score(const file& f, const score_limits& limits) {
  if (f.format == 2) return no_score("in a format 2 file each track is a separate piece");
  auto* division = std::get_if<ticks_per_quarter>(&f.division);
  if (!division)
    return no_score("the file counts time in frames, not in note values", quantizer_needed);
  try {
    return score_conversion{f, division->ticks, limits}.convert();
  } catch (const rational_overflow&) {
    return fail({errc::number_too_large, "a time in the file is too large"});
  }
}

}  // namespace fermata::midi::smf
