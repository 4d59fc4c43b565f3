#include "actors/midi/take_notation.hpp"

#include "core/lang/layout/decompile.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/score/model/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <set>
#include <utility>
#include <variant>

namespace fermata::actors {

namespace {

std::string quoted(const std::string& text) {
  return print_form(value{std::make_shared<const std::string>(text)});
}

part_ptr part_with_id(const score_ptr& s, const std::string& id) {
  if (!s) return nullptr;
  auto found = std::find_if(s->parts.begin(), s->parts.end(), [&](auto& p) { return p->id == id; });
  return found == s->parts.end() ? nullptr : *found;
}

/// Staves and transposition as the part declares them first.
void describe(const part& p, take_target& target) {
  bool is_transposed = false;
  for (auto& m : p.measures)
    for (auto& item : m->items)
      if (auto a = std::get_if<attributes>(&item.content)) {
        target.staves = std::max(target.staves, a->staves.value_or(1));
        if (!a->transpositions.empty() && !std::exchange(is_transposed, true))
          target.transposition = transposition_cents(a->transpositions.front().value) / 100;
      }
}

/// As selectors name it; empty: this name means another measure.
std::string name_of_measure(const part& p, int position) {
  auto index = static_cast<std::size_t>(position - 1);
  if (index >= p.measures.size()) return {};
  auto number = printed_number(p, index);
  auto is_digits = !number.empty() && std::all_of(number.begin(), number.end(),
                                                  [](char c) { return c >= '0' && c <= '9'; });
  return is_digits && index_of_number(p, number) == index ? number : std::string{};
}

std::chrono::nanoseconds first_downbeat(const midi::take& music) {
  auto first =
      std::find_if(music.beats.begin(), music.beats.end(), [](auto& b) { return b.number == 1; });
  return first == music.beats.end() ? std::chrono::nanoseconds{} : first->at;
}

/// How much earlier than a beat a note may be that is meant for it.
std::chrono::nanoseconds half_a_beat(const midi::take& music) {
  return music.beats.size() < 2 ? std::chrono::nanoseconds{}
                                : (music.beats[1].at - music.beats[0].at) / 2;
}

/// A measure of rest on each staff that has nothing.
void fill_staves(measure& m, int staves, quarters length) {
  std::set<int> filled;
  for (auto& item : m.items)
    if (auto x = std::get_if<chord_rest>(&item.content)) filled.insert(x->staff);
  for (int staff = 1; staff <= staves; ++staff) {
    if (filled.contains(staff)) continue;
    chord_rest silence;
    silence.staff = static_cast<std::uint8_t>(staff);
    silence.staff_given = staff > 1;
    silence.voice = std::to_string(4 * (staff - 1) + 1);  // as MusicXML programs number voices
    silence.length = length;
    note n;
    n.tone = rest{.whole_measure = true};
    silence.notes.push_back(n);
    m.items.push_back({measure_position{}, silence});
  }
}

measure without_signs(measure m) {
  auto items = std::exchange(m.items, {});
  for (auto& item : items)
    if (!std::holds_alternative<attributes>(item.content) &&
        !std::holds_alternative<direction>(item.content))
      m.items.push_back(item);
  return m;
}

std::string text_of_measure(const measure& m, const time_signature& time) {
  return print_form(to_form(*to_music(m, time, true))) + '\n';
}

std::string text_of_measures(const part& p) {
  std::string text;
  for (std::size_t i = 0; i < p.measures.size(); ++i)
    text += text_of_measure(*p.measures[i], time_in_force(p, i).value_or(time_signature{}));
  return text;
}

/// So many measures. `of_part`: those of a part that has its signs already, and so many staves.
std::string text_of_measures(const part& p, int count, std::optional<int> of_part) {
  std::string text;
  time_signature time;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    measure m;
    if (i < p.measures.size()) {
      time = time_in_force(p, i).value_or(time_signature{});
      m = of_part ? without_signs(*p.measures[i]) : *p.measures[i];
    }
    fill_staves(m, of_part.value_or(1), measure_length(time));
    text += text_of_measure(m, time);
  }
  return text;
}

}  // namespace

take_target target_of(const io::stored_take& take, bool on_beats, const score_ptr& score,
                      std::vector<std::string>& remarks) {
  take_target target;
  auto& place = take.place;
  if (!place.part.empty()) {
    target.into = part_with_id(score, place.part);
    if (!target.into) {
      remarks.push_back("the part for which it was recorded is not in the score");
      return target;
    }
    describe(*target.into, target);
  }
  if (!place.measures) return target;
  auto [first, last] = *place.measures;
  auto& beats = take.music.beats;
  auto played = std::count_if(beats.begin(), beats.end(), [](auto& b) { return b.number == 1; });
  last = std::min(last, first + std::max(static_cast<int>(played), 1) - 1);
  auto is_named = !target.into || (!name_of_measure(*target.into, first).empty() &&
                                   !name_of_measure(*target.into, last).empty());
  if (on_beats && is_named)
    target.measures = {first, last};
  else
    remarks.push_back(fmt::format("not put into the measures during which it was played: {}",
                                  on_beats ? "they are not in the score under their numbers"
                                           : "its measures are not those of the score"));
  return target;
}

std::vector<midi::performed_part> parts_for(const take_target& target, const midi::take& music) {
  auto parts = midi::performed_parts_of(music);
  if ((!target.into && !target.measures) || parts.empty()) return parts;
  auto& one = parts.front();
  for (auto other = std::next(parts.begin()); other != parts.end(); ++other)
    one.notes.insert(one.notes.end(), other->notes.begin(), other->notes.end());
  parts.resize(1);
  std::stable_sort(one.notes.begin(), one.notes.end(),
                   [](auto& a, auto& b) { return a.on < b.on; });
  if (target.measures) {
    auto begin = first_downbeat(music) - half_a_beat(music);
    std::erase_if(one.notes, [&](auto& n) { return n.on < begin; });
  }
  for (auto& n : one.notes)
    n.key = static_cast<std::uint8_t>(std::clamp(n.key - target.transposition, 0, 127));
  one.on_one_staff = target.into && target.staves == 1;
  return parts;
}

std::string text_that_adds(const score& notation, const take_target& target, int take) {
  if (notation.parts.size() != 1) {
    std::string text;
    for (auto& p : notation.parts)
      text += print_form(to_form(*to_music(*p, false))) + '\n';
    return text;
  }
  auto& p = *notation.parts.front();
  if (!target.measures)
    return (target.into ? fmt::format("(cursor :part {} :end)\n", quoted(target.into->id)) : "") +
           text_of_measures(p);
  auto [first, last] = *target.measures;
  auto count = last - first + 1;
  if (target.into)
    return fmt::format("(replace (select :part {} :measures ({} {}))\n{})\n",
                       quoted(target.into->id), name_of_measure(*target.into, first),
                       name_of_measure(*target.into, last),
                       text_of_measures(p, count, target.staves));
  std::string text;
  for (int i = 1; i < first; ++i)
    text += "(measure (rest :measure))\n";
  return fmt::format("(part :name {}\n{}{})\n", quoted(fmt::format("Take {}", take)), text,
                     text_of_measures(p, count, std::nullopt));
}

}  // namespace fermata::actors
