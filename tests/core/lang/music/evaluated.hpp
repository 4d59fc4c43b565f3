#pragma once

#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/layout/compile.hpp"
#include "core/lang/layout/decompile.hpp"
#include "core/lang/value/make.hpp"
#include "core/lang/value/music.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

namespace fermata::test {

/// The value of the last form of `text`; a test fails with the rendered error otherwise.
inline result<value> try_eval(std::string_view text) {
  evaluation_request request;
  request.text = text;
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  request.commit = false;
  auto r = evaluate(request);
  if (!r) return fail(std::move(r.error()));
  return r->values.empty() ? value{} : r->values.back();
}

inline value eval(std::string_view text) {
  auto v = try_eval(text);
  if (!v) FAIL(render(v.error(), text));
  return *v;
}

inline music_ptr music_of(std::string_view text) {
  auto v = eval(text);
  auto m = v.get_if<music_ptr>();
  if (!m) FAIL(std::string{text} + " is no music but " + print(v));
  return *m;
}

/// Text of the value.
inline std::string shown(std::string_view text) { return print(eval(text)); }

/// The first diagnostic of what must fail.
inline diagnostic fault_of(std::string_view text) {
  auto v = try_eval(text);
  if (v) FAIL(std::string{text} + " was accepted: " + print(*v));
  return v.error().first();
}

inline score score_of(std::string_view text) {
  auto s = compile_score(*music_of(text));
  if (!s) FAIL(render(s.error(), text));
  return *s;
}

/// The error of compiling.
inline diagnostic compile_fault_of(std::string_view text) {
  auto s = compile_score(*music_of(text));
  if (s) FAIL(std::string{text} + " compiled: " + print_score(*s));
  return s.error().first();
}

/// All notes, chords and rests of measure `m` of part `p`.
inline std::vector<std::pair<rational, chord_rest>> rhythm_of(const score& s, std::size_t p = 0,
                                                              std::size_t m = 0) {
  std::vector<std::pair<rational, chord_rest>> out;
  for (const auto& item : s.parts.at(p)->measures.at(m)->items)
    if (auto c = std::get_if<chord_rest>(&item.content)) out.emplace_back(item.at.value, *c);
  return out;
}

/// The first content of a type in measure `m`, which must be there.
template <class T>
T first_in(const score& s, std::size_t p = 0, std::size_t m = 0) {
  for (const auto& item : s.parts.at(p)->measures.at(m)->items)
    if (auto x = std::get_if<T>(&item.content)) return *x;
  FAIL("nothing of this kind in the measure");
  throw 0;
}

}  // namespace fermata::test
