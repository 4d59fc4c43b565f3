#pragma once

#include "core/music/rational.hpp"

#include <pugixml.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace musicxml_test {

/// The sounding facts of every note, read straight from the XML by the rules of the MusicXML
/// specification, without any of the importer's code: what a round trip must not change.
///
/// One line per note: part, measure, onset in quarters from the measure's start, duration, pitch,
/// voice, staff, ties, grace.
inline std::vector<std::string> note_table(const pugi::xml_document& doc) {
  using fermata::rational;
  using fermata::to_string;
  std::vector<std::string> rows;
  auto text = [](pugi::xml_node n, const char* child, const char* otherwise) -> std::string {
    auto k = n.child(child);
    return k ? k.child_value() : otherwise;
  };
  // A MusicXML decimal as a fraction: "4", "1.5".
  auto number = [](const std::string& s) {
    auto x = fermata::parse_rational(s.starts_with('.') ? "0" + s : s);
    return x ? *x : rational{0};
  };
  std::map<std::string, rational> divisions;
  auto read = [&](const std::string& part, const std::string& where, pugi::xml_node measure) {
    auto& division = divisions.try_emplace(part, rational{1}).first->second;
    rational cursor{0}, chord_start{0};
    for (auto n : measure.children()) {
      std::string name = n.name();
      auto duration = number(text(n, "duration", "0")) / division;
      if (name == "attributes") {
        if (n.child("divisions")) division = number(n.child_value("divisions"));
      } else if (name == "backup") {
        cursor = std::max(rational{0}, cursor - duration);
      } else if (name == "forward") {
        cursor += duration;
      } else if (name == "note") {
        auto grace = static_cast<bool>(n.child("grace"));
        auto chord = static_cast<bool>(n.child("chord"));
        auto start = chord ? chord_start : cursor;
        if (!chord) {
          chord_start = cursor;
          cursor += duration;
        }
        std::string pitch = "rest";
        if (auto p = n.child("pitch"))
          pitch = text(p, "step", "?") + to_string(number(text(p, "alter", "0"))) +
                  text(p, "octave", "?");
        else if (auto u = n.child("unpitched"))
          pitch = "unpitched " + text(u, "display-step", "-") + text(u, "display-octave", "-");
        std::string ties;
        if (!n.child("cue"))
          for (auto t : n.children("tie"))
            ties += t.attribute("type").value();
        rows.push_back(part + " m" + where + " " + to_string(start) + " " +
                       (grace ? "grace" : to_string(duration)) + " " + pitch + " v" +
                       text(n, "voice", "1") + " s" + text(n, "staff", "1") + " " + ties);
      }
    }
  };
  if (auto root = doc.child("score-partwise")) {
    for (auto part : root.children("part")) {
      int index = 0;
      for (auto m : part.children("measure"))
        read(part.attribute("id").value(), std::to_string(index++), m);
    }
  } else {
    int index = 0;
    for (auto m : doc.child("score-timewise").children("measure")) {
      for (auto part : m.children("part"))
        read(part.attribute("id").value(), std::to_string(index), part);
      ++index;
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// How often each element name occurs, instructions that keep elements included.
inline void count_elements(pugi::xml_node n, std::map<std::string, int>& counts) {
  for (auto k : n.children()) {
    if (k.type() == pugi::node_element) ++counts[k.name()];
    if (k.type() == pugi::node_pi && std::string{k.name()} == "fermata-kept") {
      pugi::xml_document inner;
      inner.load_string(("<kept>" + std::string{k.value()} + "</kept>").c_str());
      count_elements(inner.first_child(), counts);
    }
    count_elements(k, counts);
  }
}

}  // namespace musicxml_test
