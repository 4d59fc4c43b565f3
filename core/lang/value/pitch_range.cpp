#include "core/lang/value/pitch_range.hpp"

#include "core/lang/value/make.hpp"

namespace fermata {

namespace {

bool is_writable(const pitch& p) {
  return p.octave >= -1 && p.octave <= 9 && p.cents >= -1200 && p.cents <= 1200;
}

}  // namespace

std::optional<pitch> unwritable_pitch(const music& m) {
  if (auto x = leaf<chord_rest>(m)) {
    for (const auto& n : x->notes)
      if (auto p = std::get_if<pitch>(&n.tone); p && !is_writable(*p)) return *p;
    return std::nullopt;
  }
  if (auto items = items_of(m))
    for (const auto& x : *items)
      if (auto p = unwritable_pitch(*x)) return p;
  return std::nullopt;
}

std::optional<pitch> unwritable_pitch(const value& v) {
  if (auto p = v.as_pitch()) return is_writable(*p) ? std::nullopt : std::optional{*p};
  if (auto m = v.as_music()) return unwritable_pitch(*m);
  if (auto list = v.as_list())
    for (const auto& x : list->items)
      // Results are lists of pitches or of chords, not deeper.
      if (x.as_pitch() || x.as_music() || x.as_list()) {
        if (auto inner = x.as_list()) {
          for (const auto& y : inner->items)
            if (auto p = y.as_pitch(); p && !is_writable(*p)) return *p;
        } else if (auto p = unwritable_pitch(x)) {
          return p;
        }
      }
  return std::nullopt;
}

}  // namespace fermata
