#pragma once

#include "core/score/model/score.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Short notation for test scores: "c4:q <e4 g4>:h~ r:q" is a quarter, a tied half chord and a
/// rest; a number instead of a value name is a length in quarters ("c4:1/3"). "(" after a token
/// starts a slur, ")" stops one.
namespace fermata::testing {

inline note tone_note(std::string_view text) {
  note n;
  if (text == "r")
    n.tone = rest{};
  else if (auto p = parse_pitch(text))
    n.tone = *p;
  else
    throw std::invalid_argument("test notation: " + std::string{text});
  return n;
}

inline chord_rest parse_token(std::string token, const std::string& voice, std::uint8_t staff) {
  chord_rest x;
  x.voice = voice;
  x.staff = staff;
  auto colon = token.rfind(':');
  auto heads = token.substr(0, colon), tail = token.substr(colon + 1);
  bool tie = false, slur_start = false, slur_stop = false;
  for (; !tail.empty() && std::string_view{"~()"}.find(tail.back()) != std::string_view::npos;
       tail.pop_back()) {
    tie |= tail.back() == '~';
    slur_start |= tail.back() == '(';
    slur_stop |= tail.back() == ')';
  }
  if (tail.find('/') != std::string::npos) {
    x.length = quarters{*parse_rational(tail)};
    x.written = note_value_for(x.length);
  } else {
    x.written = parse_note_value(tail);
    if (!x.written) throw std::invalid_argument("test notation: " + token);
    x.length = length(*x.written);
  }
  if (heads.front() == '<') {
    heads = heads.substr(1, heads.size() - 2);
    for (std::size_t i = 0; i < heads.size();) {
      auto blank = std::min(heads.find('_', i), heads.size());
      x.notes.push_back(tone_note(std::string_view{heads}.substr(i, blank - i)));
      i = blank + 1;
    }
  } else {
    x.notes.push_back(tone_note(heads));
  }
  for (auto& n : x.notes)
    n.tie.start = tie;
  if (slur_stop)
    x.notes.front().spanners.push_back({spanner_kind::slur, span_end::stop, 1, {}, {}});
  if (slur_start)
    x.notes.front().spanners.push_back({spanner_kind::slur, span_end::start, 1, {}, {}});
  return x;
}

/// The tokens of `text` one after another. Chords: "<c4_e4_g4>:q".
inline std::vector<chord_rest> line(std::string_view text, const std::string& voice = "1",
                                    std::uint8_t staff = 1) {
  std::vector<chord_rest> found;
  for (std::size_t i = 0; i < text.size();) {
    auto blank = std::min(text.find(' ', i), text.size());
    if (blank > i)
      found.push_back(parse_token(std::string{text.substr(i, blank - i)}, voice, staff));
    i = blank + 1;
  }
  return found;
}

/// A measure of one voice; add_voice() puts another beside it.
inline measure bar(std::string_view text, std::string number = "1",
                   const std::string& voice = "1") {
  measure m;
  m.number = std::move(number);
  measure_position at;
  for (auto& x : line(text, voice)) {
    m.items.push_back({at, x});
    at += x.length;
  }
  return m;
}

inline measure& add_voice(measure& m, std::string_view text, const std::string& voice,
                          std::uint8_t staff = 1, measure_position at = {}) {
  for (auto& x : line(text, voice, staff)) {
    m.items.push_back({at, x});
    at += x.length;
  }
  return m;
}

inline time_signature time(int beats, int beat_type) { return {{{{beats}, beat_type}}, "", ""}; }

inline attributes with_time(int beats, int beat_type) {
  attributes a;
  a.times.push_back({std::nullopt, time(beats, beat_type), {}});
  return a;
}

/// `content` before everything else in the measure.
inline measure& lead(measure& m, measure_content content) {
  m.items.insert(m.items.begin(), {measure_position{}, std::move(content)});
  return m;
}

inline part_ptr make_part(std::vector<measure> measures, std::string id = "P1",
                          std::string name = "Music") {
  part p;
  p.id = std::move(id);
  p.name = std::move(name);
  for (auto& m : measures)
    p.measures.push_back(std::make_shared<const measure>(std::move(m)));
  return std::make_shared<const part>(std::move(p));
}

inline score_ptr make_score(std::vector<part_ptr> parts) {
  score s;
  for (std::size_t i = 0; i < parts.size(); ++i)
    s.part_list.push_back(i);
  s.parts = std::move(parts);
  return std::make_shared<const score>(std::move(s));
}

/// A score of one part whose measures, numbered from 1, are the texts; the first has the time.
inline score_ptr one_part(const std::vector<std::string>& bars, int beats = 4, int beat_type = 4) {
  std::vector<measure> measures;
  for (auto& text : bars)
    measures.push_back(bar(text, std::to_string(measures.size() + 1)));
  if (!measures.empty()) lead(measures.front(), with_time(beats, beat_type));
  return make_score({make_part(std::move(measures))});
}

/// Back to the short notation, one voice of a measure; lengths as quarters, "c4:1 d4:1/2~". A gap
/// prints as "s:LENGTH".
inline std::string spelled(const measure& m, const std::string& voice = "1") {
  std::string text;
  measure_position at;
  auto word = [&text](const std::string& w) { text += (text.empty() ? "" : " ") + w; };
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content); x && x->voice == voice) {
      if (item.at > at) word("s:" + to_string((item.at - at).value));
      std::string heads;
      bool start = false, stop = false;
      for (auto& n : x->notes) {
        auto* p = std::get_if<pitch>(&n.tone);
        heads += (heads.empty() ? "" : "_") + (p ? to_string(*p) : std::string{"r"});
        start |= n.tie.start;
        stop |= n.tie.stop;
      }
      word((stop ? "~" : "") + (x->notes.size() > 1 ? "<" + heads + ">" : heads) + ":" +
           to_string(x->length.value) + (start ? "~" : ""));
      at = item.at + x->length;
    }
  return text;
}

}  // namespace fermata::testing
