#include "midi/performance/render.hpp"

#include "core/score/analysis/sounding.hpp"
#include "core/score/model/walk.hpp"
#include "midi/performance/channel_events.hpp"
#include "midi/performance/meta_events.hpp"
#include "midi/performance/part_notes.hpp"
#include "midi/performance/tempo_plan.hpp"
#include "midi/performance/unplayed_marks.hpp"

#include <algorithm>
#include <utility>

namespace fermata::midi {

namespace {

std::size_t notes_in(const measure& m) {
  std::size_t count = 0;
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content); x && !is_rest(*x))
      count += x->notes.size();
  return count;
}

error too_many_notes(std::size_t most) {
  return {errc::out_of_range,
          "the piece has more than " + std::to_string(most) + " notes when its repeats are played",
          {},
          "check the :times of the repeats, or play some measures"};
}

/// Counted before anything is made of them.
bool has_more_notes_than(const score& s, const unfolded_time& time, std::size_t most) {
  std::vector<std::size_t> counts;
  for (auto& p : s.parts) {
    counts.resize(std::max(counts.size(), p->measures.size()));
    for (std::size_t m = 0; m < p->measures.size(); ++m)
      counts[m] += notes_in(p->measures.music_at(m));
  }
  std::size_t all = 0;
  for (auto& played : time.order)
    if ((all += counts[played.measure]) > most) return true;
  return false;
}

/// A part that has the measure, so that its place can be shown.
std::uint32_t part_with_measure(const score& s, std::size_t measure) {
  for (std::uint32_t i = 0; i < s.parts.size(); ++i)
    if (measure < s.parts[i]->measures.size()) return i;
  return 0;
}

void add_tempo_events(const score& s, const unfolded_time& time, performance& out) {
  for (auto& step : out.tempo.steps()) {
    if (step.from > out.end) break;
    score_source source;
    if (!time.order.empty()) {
      auto after = std::upper_bound(time.starts.begin() + 1, time.starts.end() - 1, step.from);
      auto k = static_cast<std::size_t>(after - time.starts.begin()) - 1;
      source.played = static_cast<std::uint32_t>(k);
      source.measure = static_cast<std::uint32_t>(time.order[k].measure);
      source.part = part_with_measure(s, source.measure);
      source.position = measure_position{} + (step.from - time.starts[k]);
    }
    out.events.push_back({step.from, {}, 0, source, tempo_change{step.microseconds_per_quarter}});
  }
}

/// The order of events, and their times.
void settle(performance& out) {
  std::stable_sort(out.events.begin(), out.events.end(), plays_before);
  for (auto& e : out.events)
    e.time = out.tempo.time_at(e.at);
}

result<performance> rendered(const score& s, const render_options& options) {
  auto time = unfolded(s);
  if (!time) return fail(time.error());
  if (has_more_notes_than(s, *time, options.most_notes))
    return fail(too_many_notes(options.most_notes));
  auto starts = measure_starts(s);
  auto held = options.pauses ? pauses_of(s, starts) : pauses{};
  auto sounding = sounding_notes(s, *time);
  auto swings = options.swing ? swings_of(s) : std::vector<written_change<swing>>{};
  score_in_time context{s, *time, starts, sounding, held, swings, options};

  performance out;
  out.end = time->starts.back();
  out.tempo = unfolded_tempo(
      written_tempo(s, starts, held, {options.gradual_tempo, options.pauses}), *time);
  std::vector<std::vector<std::size_t>> by_part(s.parts.size());
  for (std::size_t i = 0; i < sounding.size(); ++i)
    by_part[sounding[i].part].push_back(i);
  std::vector<part_pedals> pedals;
  std::vector<part_voices> voices;
  std::vector<channel_request> requests;
  std::size_t notes = 0;
  for (std::uint32_t part = 0; part < s.parts.size(); ++part) {
    auto played = played_notes(context, part, by_part[part]);
    if ((notes += played.size()) > options.most_notes)
      return fail(too_many_notes(options.most_notes));
    pedals.emplace_back(*s.parts[part], part, *time);
    voices.push_back(voices_of(*s.parts[part], part, played, sounding, pedals.back()));
    requests.insert(requests.end(), voices.back().requests.begin(), voices.back().requests.end());
  }
  auto plan = channels_for(s, requests);
  if (!plan) return fail(plan.error());
  out.tracks = std::move(plan->tracks);

  add_tempo_events(s, *time, out);
  auto common = common_meta_events(s, *time);
  out.events.insert(out.events.end(), common.begin(), common.end());
  for (std::uint32_t t = 1; t < out.tracks.size(); ++t) {
    // Only the first track of a part has its key signatures and lyrics.
    if (t > 1 && out.tracks[t].part == out.tracks[t - 1].part) continue;
    auto meta = part_meta_events(s, *out.tracks[t].part, *time, t);
    out.events.insert(out.events.end(), meta.begin(), meta.end());
  }
  out.left_out = unplayed_marks(s, options.ornaments);
  add_channel_events({s, *time, sounding, voices, pedals, plan->places}, out);
  settle(out);
  return out;
}

}  // namespace

render_options performed() { return {}; }

render_options exact() {
  render_options o;
  o.ornaments = o.arpeggios = o.glissandos = o.articulations = false;
  o.swing = o.pauses = o.gradual_tempo = o.exact_attacks = false;
  return o;
}

result<performance> render(const score& s, const render_options& options) {
  try {
    return rendered(s, options);
  } catch (const rational_overflow&) {
    return fail({errc::number_too_large,
                 "the rhythm of the score is too fine for exact arithmetic",
                 {},
                 "look for tuplets with very large numbers"});
  }
}

}  // namespace fermata::midi
