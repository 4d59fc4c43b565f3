#include "io/display/display.hpp"

#include "core/lang/layout/compile.hpp"
#include "core/lang/layout/decompile.hpp"
#include "core/lang/value/music.hpp"
#include "core/score/model/walk.hpp"
#include "io/musicxml/export.hpp"
#include "io/staff/staff_picture.hpp"

#include <algorithm>

namespace fermata::io {

namespace {

std::string without_newlines_at_end(std::string text) {
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

std::string as_musicxml(const score& s) { return without_newlines_at_end(musicxml::write(s)); }

/// Music that says which part it is in has its own clef.
bool is_placed(const music& m) {
  return std::holds_alternative<part_music>(m.data) ||
         std::holds_alternative<score_music>(m.data) ||
         std::holds_alternative<part_group_music>(m.data);
}

std::string in_words(const music& m, const score& s) {
  std::size_t notes = 0, rests = 0, measures = 0;
  for (auto& p : s.parts) {
    measures = std::max(measures, p->measures.size());
    for (auto& bar : p->measures)
      for (auto& item : bar->items)
        if (auto x = std::get_if<chord_rest>(&item.content)) {
          if (is_rest(*x))
            ++rests;
          else
            notes += x->notes.size();
        }
  }
  auto counted = [](std::size_t n, std::string_view what) {
    return std::to_string(n) + ' ' + std::string{what} + (n == 1 ? "" : "s");
  };
  auto text = std::string{type_name(value::of(std::make_shared<const music>(m)))} + ": " +
              counted(notes, "note");
  if (rests > 0) text += ", " + counted(rests, "rest");
  if (s.parts.size() > 1) text += ", " + counted(s.parts.size(), "part");
  return text + ", " + counted(measures, "measure");
}

/// A key, a dynamic, words: what is not played.
bool is_sign(const music& m) {
  auto content = std::get_if<measure_content>(&m.data);
  return content && !std::holds_alternative<chord_rest>(*content);
}

/// As a score of its own; a sign alone stands in an empty measure.
auto compiled(const music& m) {
  if (!is_sign(m)) return compile_score(m);
  measure_music around;
  around.items.push_back(std::make_shared<const music>(m));
  return compile_score(music{std::move(around), m.span});
}

/// The measure with clef, key and time at its start; what it says itself comes behind and counts.
measure_ptr with_signatures(const measure& m, const part_state& state) {
  attributes a;
  a.staves = state.staves() > 1 ? std::optional{state.staves()} : std::nullopt;
  a.keys.push_back({std::nullopt, state.key_or_default(), {}});
  a.times.push_back({std::nullopt, state.time_or_default(), {}});
  for (int staff = 1; staff <= state.staves(); ++staff)
    a.clefs.push_back(
        {state.staves() > 1 ? std::optional{static_cast<std::uint8_t>(staff)} : std::nullopt,
         state.clef_or_default(staff),
         {}});
  auto whole = std::make_shared<measure>(m);
  // Where it says anything itself at its start, that stands alone: twice would be once too often.
  for (auto& item : whole->items)
    if (auto own = std::get_if<attributes>(&item.content); own && item.at == measure_position{}) {
      if (own->keys.empty()) own->keys = a.keys;
      if (own->times.empty()) own->times = a.times;
      if (own->clefs.empty()) own->clefs = a.clefs;
      return whole;
    }
  whole->items.insert(whole->items.begin(), {measure_position{}, std::move(a)});
  return whole;
}

/// The score with one part, and measures that lie in the range; what holds at its first measure is
/// said there.
score excerpt_of(const score& s, std::optional<std::size_t> part,
                 std::optional<std::pair<int, int>> measures) {
  auto cut = s;
  if (part) {
    cut.parts = {s.parts[*part]};
    cut.part_list = {std::size_t{0}};
  }
  if (!measures) return cut;
  for (auto& p : cut.parts) {
    auto q = std::make_shared<fermata::part>(*p);
    auto size = p->measures.size();
    auto first = std::min(static_cast<std::size_t>(measures->first - 1), size);
    auto last = std::min(static_cast<std::size_t>(measures->second), size);
    q->measures.replace(last, size - last, {});
    q->measures.replace(0, first, {});
    if (first > 0 && !q->measures.empty())
      q->measures.set(0, with_signatures(*q->measures.front(), state_before(*p, first)));
    p = q;
  }
  return cut;
}

}  // namespace

std::string shown_value(const eval_entry& e, const display_look& look) {
  if (look.display == "silent") return {};
  auto m = e.output ? e.output->as_music() : nullptr;
  if (!m || look.display == "fermata") return e.output_text;
  if (look.display == "compact") return print_form(to_form(*m, print_style::compact), look.columns);
  if (look.display == "summary" && is_sign(*m)) return e.output_text;
  auto made = compiled(*m);
  if (!made)
    return e.output_text + "\n; cannot be shown as " + std::string{look.display} + ": " +
           made.error().first().message;
  if (look.display == "summary") return in_words(*m, *made);
  if (look.display == "musicxml") return as_musicxml(*made);
  staff_options o;
  o.columns = look.columns;
  o.unicode = look.unicode;
  o.choose_clef = !is_placed(*m);
  auto picture = staff_picture(*made, o);
  return picture.empty() ? e.output_text : without_newlines_at_end(std::move(picture));
}

std::string shown_score(const score_ptr& s, std::optional<std::size_t> part,
                        std::optional<std::pair<int, int>> measures, const display_look& look) {
  if (s->parts.empty()) return "; the score is empty";
  if (look.display == "staff") {
    staff_options o;
    o.columns = look.columns;
    o.unicode = look.unicode;
    o.part = part;
    if (measures) {
      o.first = static_cast<std::size_t>(measures->first - 1);
      o.last = static_cast<std::size_t>(measures->second - 1);
    }
    return without_newlines_at_end(staff_picture(*s, o));
  }
  auto cut = excerpt_of(*s, part, measures);
  if (look.display == "summary") return summary(cut);
  if (look.display == "musicxml") return as_musicxml(cut);
  return print_score(cut, look.display == "compact" ? print_style::compact
                                                    : print_style::explicit_forms);
}

}  // namespace fermata::io
