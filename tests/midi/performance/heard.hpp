#pragma once

#include "midi/performance/render.hpp"
#include "tests/core/score/notation.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

/// What a performance sounds like, in short: "onset+length:key", by onset and then key.
namespace fermata::midi::testing {

using namespace fermata::testing;

struct heard_note {
  quarters onset, length;
  int key = 0, velocity = 0, channel = 0, port = 0;
  std::uint32_t track = 0;
  score_source source;
};

/// The notes of a performance; fails when note ons and note offs do not pair.
inline std::vector<heard_note> notes_of(const performance& p) {
  std::map<std::tuple<int, int, int>, std::size_t> open;
  std::vector<heard_note> notes;
  for (auto& e : p.events) {
    int port = p.tracks.at(e.track).port;
    if (auto* on = std::get_if<note_on>(&e.what)) {
      if (!open.try_emplace({port, on->channel, on->key}, notes.size()).second)
        throw std::logic_error("a key is struck while it is down");
      notes.push_back({e.at, {}, on->key, on->velocity, on->channel, port, e.track, e.source});
    } else if (auto* off = std::get_if<note_off>(&e.what)) {
      auto found = open.find({port, off->channel, off->key});
      if (found == open.end()) throw std::logic_error("a key is released that is not down");
      notes[found->second].length = e.at - notes[found->second].onset;
      open.erase(found);
    }
  }
  if (!open.empty()) throw std::logic_error("a key is never released");
  std::stable_sort(notes.begin(), notes.end(), [](auto& a, auto& b) {
    return std::tie(a.onset, a.key, a.track) < std::tie(b.onset, b.key, b.track);
  });
  return notes;
}

inline performance render_or_throw(const score& s, const render_options& o) {
  auto p = render(s, o);
  if (!p) throw std::logic_error(p.error().first().message);
  return *p;
}

inline std::string heard(const score& s, const render_options& o = performed()) {
  std::string text;
  for (auto& n : notes_of(render_or_throw(s, o)))
    text += (text.empty() ? "" : " ") + to_string(n.onset.value) + "+" + to_string(n.length.value) +
            ":" + std::to_string(n.key);
  return text;
}

/// The velocities, in order of the notes.
inline std::string loud(const score& s, const render_options& o = performed()) {
  std::string text;
  for (auto& n : notes_of(render_or_throw(s, o)))
    text += (text.empty() ? "" : " ") + std::to_string(n.velocity);
  return text;
}

/// The tempo steps as "from:microseconds".
inline std::string tempos(const score& s, const render_options& o = performed()) {
  auto tempo = render_or_throw(s, o).tempo;
  std::string text;
  for (auto& step : tempo.steps())
    text += (text.empty() ? "" : " ") + to_string(step.from.value) + ":" +
            std::to_string(step.microseconds_per_quarter);
  return text;
}

/// All events of one kind, with what `print` says about each: "at:text".
template <class Message, class Print>
std::string events_of(const performance& p, Print print) {
  std::string text;
  for (auto& e : p.events)
    if (auto* m = std::get_if<Message>(&e.what)) {
      std::string said = print(*m, e);
      if (!said.empty()) text += (text.empty() ? "" : " ") + to_string(e.at.value) + ":" + said;
    }
  return text;
}

// --- making scores ---

inline preserved with_attributes(std::vector<std::pair<std::string, std::string>> all) {
  return preserved_xml{std::move(all), {}};
}

/// Kept child elements, as XML.
inline preserved with_children(const std::vector<std::string>& all) {
  preserved_xml kept;
  for (auto& xml : all)
    kept.children.push_back({xml});
  return kept;
}

inline sound sound_saying(const std::string& attribute, const std::string& value) {
  sound s;
  s.extra = with_attributes({{attribute, value}});
  return s;
}

inline direction showing(direction_type t) {
  direction d;
  d.types.push_back(std::move(t));
  return d;
}

inline direction dynamic(const std::string& name) {
  dynamics d;
  d.values.push_back(name);
  return showing(d);
}

inline direction text(const std::string& t) { return showing(words{t, {}}); }

inline direction hairpin(const std::string& type) {
  wedge w;
  w.type = type;
  return showing(w);
}

/// Adds something beside the notes at a place of a measure.
inline measure& put(measure& m, rational at, measure_content content) {
  m.items.push_back({measure_position{at}, std::move(content)});
  return m;
}

inline chord_rest& chord_in(measure& m, std::size_t item) {
  return std::get<chord_rest>(m.items[item].content);
}

inline measure& mark_note(measure& m, std::size_t item, mark_kind kind,
                          const std::string& value = "", preserved extra = {}) {
  chord_in(m, item).notes.front().marks.push_back({kind, value, std::move(extra)});
  return m;
}

inline score_ptr one_measure(measure m) { return make_score({make_part({std::move(m)})}); }

inline part_ptr with_instrument(part_ptr p, part_instrument i) {
  part changed = *p;
  changed.instruments.push_back(std::move(i));
  return std::make_shared<const part>(std::move(changed));
}

}  // namespace fermata::midi::testing
