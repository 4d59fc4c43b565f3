#include "core/score/analysis/overfull_voices.hpp"
#include "core/score/edit/attributes_at_start.hpp"
#include "core/score/edit/edit.hpp"
#include "core/score/model/draft.hpp"
#include "core/score/model/numbering.hpp"
#include "core/score/model/part_defaults.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/staves.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Faults of measures that came from outside, all of them.
std::optional<error> faults_of(const score& s, std::size_t part_number, std::size_t from,
                               measure_check check, const time_signature& default_time) {
  std::optional<error> faults;
  auto& p = *s.parts[part_number];
  for (auto i = from; i < p.measures.size(); ++i) {
    auto t = time_in_force(p, i).value_or(default_time);
    for (auto& f : overfull_voices(*p.measures[i], measure_length(t))) {
      if (f.kind == length_fault::what::too_long && check == measure_check::free) continue;
      if (!faults) faults.emplace();
      faults->diagnostics.push_back(
          {errc::overfull_measure,
           place_name(s, part_number, i) + ": " + to_text(f, *p.measures[i], t),
           {},
           "shorten something, or move it to the next measure"});
    }
  }
  return faults;
}

bool takes_time(const measure& m) { return !voices(m).empty() || m.padded_to > measure_position{}; }

/// What a first measure does not say itself.
attributes missing_from(const measure& m, attributes defaults) {
  for (auto& item : m.items)
    if (auto* a = std::get_if<attributes>(&item.content); a && item.at == measure_position{}) {
      if (!a->keys.empty()) defaults.keys.clear();
      if (!a->times.empty()) defaults.times.clear();
      std::erase_if(defaults.clefs, [&](const auto& c) {
        return std::any_of(a->clefs.begin(), a->clefs.end(), [&](const auto& said) {
          return said.staff.value_or(1) == c.staff.value_or(1);
        });
      });
      if (a->staves) defaults.staves.reset();
      if (!a->transpositions.empty()) defaults.transpositions.clear();
    }
  return defaults;
}

}  // namespace

result<edited> append_measures(const score_ptr& s, const score_cursor& at,
                               const score_defaults& defaults, std::vector<measure> measures,
                               measure_check check) {
  if (at.part > s->parts.size())
    return fail({errc::no_such_target,
                 "the cursor is in part " + std::to_string(at.part + 1) + " of " +
                     std::to_string(s->parts.size()),
                 {},
                 "move the cursor to an existing part"});
  if (measures.empty()) return edited{s, at};
  score_draft draft{s};
  auto cursor = at;
  auto opening = opening_attributes(*s, at.part, defaults);
  if (at.part == s->parts.size()) cursor.part = draft.add_part(default_part(*s, defaults));
  auto first_new = draft.view(cursor.part).measures.size();
  bool first_of_part = first_new == 0;
  if (first_of_part) {
    move_attributes_to_start(measures.front());
    auto missing = missing_from(measures.front(), opening);
    place_attributes(measures.front(), measure_position{}, cursor.voice, missing);
  } else if (auto& last = draft.view(cursor.part, first_new - 1); !takes_time(last)) {
    // It got a key or a clef, but no music yet: this is the measure it was meant for.
    measure filled = last;
    auto is_counted = !last.implicit &&
                      last.number == next_measure_number(draft.view(cursor.part), first_new - 1);
    if (!measures.front().number.empty())
      filled.number = measures.front().number;
    else if (measures.front().implicit && is_counted)
      filled.number.clear();  // the count knows no pickup yet
    filled.implicit |= measures.front().implicit;
    if (measures.front().extra) filled.extra = measures.front().extra;
    filled.padded_to = measures.front().padded_to;
    for (auto& item : measures.front().items) {
      if (auto* a = std::get_if<attributes>(&item.content); a && item.at == measure_position{})
        place_attributes(filled, item.at, cursor.voice, *a);
      else
        filled.items.push_back(item);
    }
    measures.front() = std::move(filled);
    --first_new;
    draft.erase_measure(cursor.part, first_new);
  }
  for (auto& m : measures) {
    auto place = draft.view(cursor.part).measures.size();
    if (m.number.empty())
      m.number = next_measure_number(draft.view(cursor.part), place, m.implicit);
    settle_right_barlines(m);
    draft.insert_measure(cursor.part, place, std::move(m));
  }
  cursor.measure = draft.view(cursor.part).measures.size();
  cursor.position = {};
  declare_staves(draft, cursor.part, first_new, cursor.measure);
  if (auto faults = faults_of(draft.view(), cursor.part, first_new, check, defaults.time))
    return fail(*faults);
  return edited{draft.finish(), cursor};
}

result<edited> append_part(const score_ptr& s, part p, measure_check check) {
  if (p.id.empty()) p.id = free_part_id(*s);
  for (auto& other : s->parts)
    if (other->id == p.id)
      return fail({errc::invalid_score,
                   "there is already a part with the id " + p.id + ": " + part_label(*other),
                   {},
                   "use another id, or omit it"});
  score_draft draft{s};
  auto index = draft.add_part(std::move(p));
  if (auto faults = faults_of(draft.view(), index, 0, check, time_signature{}))
    return fail(*faults);
  score_cursor cursor;
  cursor.part = index;
  cursor.measure = draft.view(index).measures.size();
  return edited{draft.finish(), cursor};
}

std::string voice_of_staff(const part& p, std::size_t near, int staff) {
  auto usual = std::to_string((staff - 1) * 4 + 1);
  for (auto m = std::min(near + 1, p.measures.size()); m-- > (near > 0 ? near - 1 : 0);) {
    std::vector<std::string> here, elsewhere;
    for (auto& item : p.measures[m]->items)
      if (auto* x = std::get_if<chord_rest>(&item.content))
        (x->staff == staff ? here : elsewhere).push_back(x->voice);
    auto has = [](const std::vector<std::string>& voices, const std::string& voice) {
      return std::find(voices.begin(), voices.end(), voice) != voices.end();
    };
    if (has(here, usual)) return usual;
    for (auto& voice : here)
      if (!has(elsewhere, voice)) return voice;
  }
  return usual;
}

namespace {

/// Moves `at` behind the last note of its voice in its measure.
void go_behind(const part& p, score_cursor& at) {
  const auto& m = *p.measures[at.measure];
  for (auto& item : m.items)
    if (auto* x = std::get_if<chord_rest>(&item.content); x && x->voice == at.voice)
      at.position = std::max(at.position, item.at + x->length);
  // A pickup is full when it ends, whatever the metre says.
  auto full = measure_length(time_in_force(p, at.measure, at.staff).value_or(time_signature{}));
  if (m.implicit && at.position > measure_position{} && at.position - measure_position{} < full) {
    ++at.measure;
    at.position = {};
  }
}

}  // namespace

score_cursor end_of(const score& s, std::size_t part_number, const std::string& voice,
                    std::uint8_t staff) {
  score_cursor at{part_number, staff, voice, 0, {}};
  if (part_number >= s.parts.size() || s.parts[part_number]->measures.empty()) return at;
  auto& p = *s.parts[part_number];
  at.measure = p.measures.size() - 1;
  go_behind(p, at);
  return at;
}

score_cursor end_of_voice(const score& s, std::size_t part_number, const std::string& voice,
                          std::uint8_t staff) {
  score_cursor at{part_number, staff, voice, 0, {}};
  if (part_number >= s.parts.size()) return at;
  auto& p = *s.parts[part_number];
  auto plays = [&](const measure_item& item) {
    auto* x = std::get_if<chord_rest>(&item.content);
    return x && x->voice == voice;
  };
  for (auto m = p.measures.size(); m-- > 0;)
    if (auto& items = p.measures[m]->items; std::any_of(items.begin(), items.end(), plays)) {
      at.measure = m;
      go_behind(p, at);
      break;
    }
  return at;
}

}  // namespace fermata
