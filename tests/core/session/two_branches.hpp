#pragma once

#include "tests/core/session/musician.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

// A violin part on two branches, and its notes at a glance.

namespace fermata {

/// The notes of a part, measure by measure: "b5 | c5 | r".
inline std::string line_of(const score& s, std::size_t part = 0) {
  std::string line;
  for (auto& m : s.parts.at(part)->measures) {
    if (!line.empty()) line += " | ";
    std::string bar;
    for (auto& item : std::as_const(m->items))
      if (auto x = std::get_if<chord_rest>(&item.content))
        for (auto& n : x->notes) {
          auto p = std::get_if<pitch>(&n.tone);
          bar += (bar.empty() ? "" : " ") + (p ? to_string(*p) : "r");
        }
    line += bar;
  }
  return line;
}

inline std::vector<std::string> numbers_of(const score& s, std::size_t part = 0) {
  std::vector<std::string> all;
  for (auto& m : s.parts.at(part)->measures)
    all.push_back(m->number);
  return all;
}

/// A piece on main, four measures c5 d5 e5 f5; what each branch does; then main is current.
inline musician parted(const std::vector<std::string>& alt, const std::vector<std::string>& main,
                       const std::string& piece =
                           "(part :violin (measure (note c5 :w)) (measure (note d5 :w)) "
                           "(measure (note e5 :w)) (measure (note f5 :w)))") {
  musician s;
  s.type(piece);
  s.must("branch alt");
  s.must("switch-branch alt");
  auto type = [&](const std::string& text) {
    INFO(text);
    auto entry = s.type(text);
    CHECK_FALSE(is_failure(*entry));
  };
  for (auto& text : alt)
    type(text);
  s.must("switch-branch main");
  for (auto& text : main)
    type(text);
  return s;
}

inline std::string put(const std::string& measure, const std::string& note) {
  return "(replace (measures " + measure + ") (measure (note " + note + " :w)))";
}
inline std::string insert(const std::string& measure, const std::string& note) {
  return "(insert-measure (measures " + measure + ") (measure (note " + note + " :w)))";
}
inline std::string without(const std::string& measures) {
  return "(delete (measures " + measures + "))";
}

}  // namespace fermata
