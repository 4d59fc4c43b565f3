#include "midi/performance/meta_events.hpp"

#include "core/score/model/walk.hpp"
#include "midi/performance/keys.hpp"
#include "midi/performance/written_change.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace fermata::midi {

namespace {

std::uint32_t narrow(std::size_t n) { return static_cast<std::uint32_t>(n); }

score_source source_of(std::uint32_t part, std::size_t played, std::size_t measure,
                       measure_position at) {
  score_source s;
  s.part = part;
  s.played = narrow(played);
  s.measure = narrow(measure);
  s.position = at;
  return s;
}

std::optional<time_change> one_fraction(const time_signature& t) {
  if (t.fractions.empty()) return std::nullopt;
  int type = 1;
  for (auto& f : t.fractions)
    type = std::max(type, f.beat_type);
  if (type > 128 || (type & (type - 1)) != 0) return std::nullopt;
  int beats = 0;
  for (auto& f : t.fractions) {
    if (f.beat_type < 1 || type % f.beat_type != 0) return std::nullopt;
    for (auto b : f.beats) {
      if (b < 1 || b > 255) return std::nullopt;
      beats += b * (type / f.beat_type);
      if (beats > 255) return std::nullopt;
    }
  }
  if (beats == 0) return std::nullopt;
  return time_change{static_cast<std::uint8_t>(beats), static_cast<std::uint8_t>(type)};
}

std::vector<written_change<time_signature>> times_of(const part& p) {
  std::vector<written_change<time_signature>> times;
  for (std::size_t m = 0; m < p.measures.size(); ++m)
    for (auto& item : p.measures.music_at(m).items)
      if (auto* a = std::get_if<attributes>(&item.content); a && !a->times.empty())
        times.push_back({m, item.at, a->times.front().value});
  sort_by_place(times);
  return times;
}

void add_times(const score& s, const unfolded_time& time, std::vector<timed_event>& events) {
  for (std::uint32_t part = 0; part < s.parts.size(); ++part) {
    auto times = times_of(*s.parts[part]);
    if (times.empty()) continue;
    std::optional<time_change> last;
    unfold_changes(times, time, [&](std::size_t k, quarters at, const auto& change) {
      auto now = one_fraction(change.value);
      if (!now || now == last) return;
      last = now;
      events.push_back({at, {}, 0, source_of(part, k, change.measure, change.at), *now});
    });
    return;
  }
}

void add_markers(const score& s, const unfolded_time& time, std::vector<timed_event>& events) {
  struct marker {
    std::uint32_t part;
    std::string text;
  };
  std::map<std::pair<std::size_t, measure_position>, marker> found;
  for (std::uint32_t part = 0; part < s.parts.size(); ++part) {
    auto& measures = s.parts[part]->measures;
    for (std::size_t m = 0; m < measures.size(); ++m)
      for (auto& item : measures.music_at(m).items)
        if (auto* d = std::get_if<direction>(&item.content))
          for (auto& t : d->types)
            if (auto* mark = std::get_if<rehearsal_mark>(&t); mark && !mark->text.empty())
              found.try_emplace({m, item.at}, marker{part, mark->text});
  }
  for (std::size_t k = 0; k < time.order.size(); ++k) {
    auto m = time.order[k].measure;
    for (auto it = found.lower_bound({m, {}}); it != found.end() && it->first.first == m; ++it) {
      auto at = it->first.second;
      events.push_back({time.starts[k] + (at - measure_position{}),
                        {},
                        0,
                        source_of(it->second.part, k, m, at),
                        text_event{text_kind::marker, it->second.text}});
    }
  }
}

/// The verse that is sung on a pass: the one with its number, else the last, as a refrain has one.
const lyric* verse_for(const note& n, int pass) {
  const lyric* last = nullptr;
  for (auto& l : n.lyrics) {
    if (l.syllables.empty()) continue;
    if (l.number == std::to_string(pass)) return &l;
    last = &l;
  }
  return last;
}

std::string text_of(const lyric& l) {
  std::string text;
  for (auto& s : l.syllables)
    text += s.elision + s.text;
  auto& syllabic = l.syllables.back().syllabic;
  if (syllabic != "begin" && syllabic != "middle") text += ' ';
  return text;
}

struct lyric_adder {
  const part& p;
  std::uint32_t part_index, track;
  const unfolded_time& time;
  std::vector<timed_event>& events;

  void add(std::size_t k) {
    auto m = time.order[k].measure;
    if (m >= p.measures.size()) return;
    auto& items = p.measures.music_at(m).items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      auto* x = std::get_if<chord_rest>(&items[i].content);
      auto offset = items[i].at - measure_position{};
      auto until = time.order[k].until;
      if (!x || (until > quarters{} && offset >= until)) continue;
      for (std::size_t n = 0; n < x->notes.size(); ++n)
        if (auto* l = verse_for(x->notes[n], time.order[k].pass)) {
          auto source = source_of(part_index, k, m, items[i].at);
          source.item = narrow(i);
          source.note = narrow(n);
          events.push_back({time.starts[k] + offset,
                            {},
                            track,
                            source,
                            text_event{text_kind::lyric, text_of(*l)}});
        }
    }
  }
};

key_change key_change_of(const key_signature& k) {
  const auto minor = k.mode == mode::minor || k.mode == mode::aeolian;
  return {static_cast<std::int8_t>(k.fifths), minor};
}

bool has_lyrics(const part& p) {
  for (std::size_t m = 0; m < p.measures.size(); ++m)
    for (auto& item : p.measures.music_at(m).items)
      if (auto* x = std::get_if<chord_rest>(&item.content))
        for (auto& n : x->notes)
          if (!n.lyrics.empty()) return true;
  return false;
}

}  // namespace

std::vector<timed_event> common_meta_events(const score& s, const unfolded_time& time) {
  std::vector<timed_event> events;
  auto& h = s.header;
  auto& title = h.movement_title.empty() ? h.work_title : h.movement_title;
  if (!title.empty()) events.push_back({{}, {}, 0, {}, text_event{text_kind::track_name, title}});
  add_times(s, time, events);
  add_markers(s, time, events);
  return events;
}

std::vector<timed_event> part_meta_events(const score& s, std::uint32_t index,
                                          const unfolded_time& time, std::uint32_t track) {
  auto& p = *s.parts[index];
  std::vector<timed_event> events;
  if (!p.name.empty())
    events.push_back(
        {{}, {}, track, source_of(index, 0, 0, {}), text_event{text_kind::track_name, p.name}});
  if (!p.instruments.empty() && !p.instruments.front().name.empty())
    events.push_back({{},
                      {},
                      track,
                      source_of(index, 0, 0, {}),
                      text_event{text_kind::instrument_name, p.instruments.front().name}});
  std::optional<key_change> last;
  unfold_changes(sounding_keys_of(p), time, [&](std::size_t k, quarters at, const auto& change) {
    const auto now = key_change_of(change.value);
    if (now == last) return;
    last = now;
    events.push_back({at, {}, track, source_of(index, k, change.measure, change.at), now});
  });
  if (has_lyrics(p)) {
    lyric_adder adder{p, index, track, time, events};
    for (std::size_t k = 0; k < time.order.size(); ++k)
      adder.add(k);
  }
  return events;
}

}  // namespace fermata::midi
