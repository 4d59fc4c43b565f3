#include "core/lang/layout/typed_layer.hpp"

#include "core/lang/layout/named_staves.hpp"
#include "core/lang/layout/part_builder.hpp"
#include "core/lang/value/make.hpp"
#include "core/score/analysis/overfull_voices.hpp"
#include "core/score/model/draft.hpp"
#include "core/score/model/part_defaults.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/staves.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>
#include <utility>

namespace fermata {

namespace {

const part& part_at(const score& s, const score_cursor& at) {
  static const part none;
  return at.part < s.parts.size() ? *s.parts[at.part] : none;
}

template <class Predicate>
bool has_timed(const measure& m, Predicate is) {
  return std::any_of(m.items.begin(), m.items.end(), [&](const measure_item& item) {
    auto x = std::get_if<chord_rest>(&item.content);
    return x && is(*x);
  });
}

/// One behind the last measure with a note or rest for which `is` holds; 0: there is none.
template <class Predicate>
std::size_t behind_last_with(const part& p, Predicate is) {
  auto end = p.measures.size();
  while (end > 0 && !has_timed(*p.measures[end - 1], is))
    --end;
  return end;
}

std::size_t behind_last_of_staff(const part& p, int staff) {
  return behind_last_with(p, [&](const chord_rest& x) { return x.staff == staff; });
}

/// Of a staff in the measures where it last plays.
std::string voice_it_is_written_in(const part& p, int staff) {
  auto behind = behind_last_of_staff(p, staff);
  return voice_of_staff(p, behind > 0 ? behind - 1 : 0, staff);
}

/// Whether measures say themselves for which voice or staff something is.
bool names_layers(const music& m) {
  if (auto x = leaf<chord_rest>(m)) return !x->voice.empty();
  if (as_node<voice_music>(m) || as_node<staff_music>(m)) return true;
  auto items = items_of(m);
  return items && std::any_of(items->begin(), items->end(),
                              [](const music_ptr& x) { return names_layers(*x); });
}

bool is_at(const typed_layer& x, const score_cursor& at) {
  return x.voice == at.voice && std::max<int>(x.staff, 1) == at.staff;
}

std::size_t first_measure_of(const typed_layer& x, const score& s, const score_cursor& at) {
  const auto& p = part_at(s, at);
  auto is_note = [&](const chord_rest& c) { return c.voice == x.voice && !is_rest(c); };
  if (is_at(x, at) && at.position == measure_position{} && at.measure < p.measures.size() &&
      !has_timed(*p.measures[at.measure], is_note))
    return at.measure;
  return behind_last_with(p, [&](const chord_rest& c) { return c.voice == x.voice; });
}

/// The rests of a voice give way to what is laid over them.
std::vector<measure_item> take_rests(measure& m, const std::string& voice) {
  std::vector<measure_item> out;
  auto goes = [&](const measure_item& item) {
    auto x = std::get_if<chord_rest>(&item.content);
    return x && x->voice == voice && is_rest(*x);
  };
  for (const auto& item : std::as_const(m).items)
    if (goes(item)) out.push_back(item);
  erase_if(m.items, goes);
  return out;
}

/// Faults of measures that changed, or that stand in another metre than before.
std::optional<error> faults_behind(const score& before, const score& after, std::size_t p,
                                   std::size_t first, measure_check check,
                                   const time_signature& default_time) {
  std::optional<error> faults;
  const auto& now = *after.parts[p];
  for (auto i = first; i < now.measures.size(); ++i) {
    auto time = time_in_force(now, i).value_or(default_time);
    auto is_old = p < before.parts.size() && i < before.parts[p]->measures.size() &&
                  before.parts[p]->measures[i] == now.measures[i] &&
                  time_in_force(*before.parts[p], i).value_or(default_time) == time;
    if (is_old) continue;
    for (const auto& f : overfull_voices(*now.measures[i], measure_length(time))) {
      if (f.kind == length_fault::what::too_long && check == measure_check::free) continue;
      if (!faults) faults.emplace();
      faults->diagnostics.push_back(
          {errc::overfull_measure,
           place_name(after, p, i) + ": " + to_text(f, *now.measures[i], time),
           {},
           "shorten something, or move it to the next measure"});
    }
  }
  return faults;
}

}  // namespace

music_ptr typed_layer::as_voice() const {
  return make_music(voice_music{voice, staff == 0 ? std::nullopt : std::optional{staff}, {}, items},
                    span);
}

std::optional<typed_layer> typed_staff(const music& m, const score& s, const score_cursor& at,
                                       const score_defaults& defaults, named_layers where) {
  auto x = as_node<staff_music>(m);
  if (!x) return std::nullopt;
  typed_layer out{{}, x->staff, x->items, m.span};
  const auto& p = part_at(s, at);
  const auto named = clef_naming(*x);
  if (named) {
    auto end = at;
    end.measure = p.measures.size();
    end.position = {};
    const staff_clefs staves{s, end, defaults};
    out.staff = staves.with(*named, [](int) { return true; }).value_or(staves.unused());
  }
  out.voice = out.staff == at.staff          ? at.voice
              : where == named_layers::go_on ? voice_it_is_written_in(p, out.staff)
                                             : voice_of_staff(p, at.measure, out.staff);
  if (!named) return out;
  auto place = place_of(out, s, at, where);
  if (is_same_clef(state_or_opening(s, place, defaults).staff(out.staff).clef, *named))
    out.items.erase(out.items.begin());
  return out;
}

std::optional<typed_layer> layer_of_measures(const music& m, const score& s, const score_cursor& at,
                                             const score_defaults& defaults) {
  if (auto x = typed_staff(m, s, at, defaults)) return x;
  // On the first staff nothing is said, as in a part that has only one.
  const auto staff_here = at.staff > 1 ? at.staff : std::uint8_t{0};
  if (auto x = as_node<voice_music>(m);
      x && x->at.value_or(measure_position{}) == measure_position{})
    return typed_layer{x->voice, x->staff.value_or(x->voice == at.voice ? staff_here : 0), x->items,
                       m.span};
  if ((at.staff == 1 && at.voice == "1") || names_layers(m)) return std::nullopt;
  return typed_layer{at.voice, staff_here, {std::make_shared<const music>(m)}, m.span};
}

score_cursor place_of(const typed_layer& x, const score& s, const score_cursor& at,
                      named_layers where) {
  if (where == named_layers::begin_at_cursor) {
    auto place = at;
    place.voice = x.voice;
    place.staff = std::max<std::uint8_t>(x.staff, 1);
    return place;
  }
  return is_at(x, at) ? at : end_of_voice(s, at.part, x.voice, std::max<std::uint8_t>(x.staff, 1));
}

result<edited> add_layer_of_measures(const typed_layer& x, const score_ptr& s,
                                     const score_cursor& at, const score_defaults& defaults,
                                     measure_check check) {
  const auto& p = part_at(*s, at);
  const auto first = first_measure_of(x, *s, at);
  std::vector<measure> there;
  std::vector<time_signature> times;
  std::vector<std::vector<measure_item>> rests;
  for (auto i = first; i < p.measures.size(); ++i) {
    there.push_back(*p.measures[i]);
    rests.push_back(take_rests(there.back(), x.voice));
    times.push_back(time_in_force(p, i).value_or(defaults.time));
  }
  auto time = p.measures.empty() ? opening_of(*s).time.value_or(defaults.time)
              : times.empty()    ? time_in_force(p, p.measures.size() - 1).value_or(defaults.time)
                                 : times.front();
  const auto without_rests = there;
  auto builder = part_builder::laid_over(std::move(there), times, {x.as_voice()}, time);
  if (!builder.faults().diagnostics.empty()) return fail(std::move(builder.faults()));
  auto made = std::move(builder.measures());
  const auto end = first + builder.reached();

  score_draft draft{s};
  for (std::size_t i = 0; i < without_rests.size(); ++i) {
    if (made[i] == without_rests[i]) continue;
    if (!has_timed(made[i], [&](const chord_rest& c) { return c.voice == x.voice; }))
      made[i].items.insert(made[i].items.end(), rests[i].begin(), rests[i].end());
    settle_right_barlines(made[i]);
    draft.open(at.part, first + i) = std::move(made[i]);
  }
  if (!without_rests.empty()) declare_staves(draft, at.part, first, first + without_rests.size());
  edited now{draft.finish(), at};
  std::vector<measure> more;
  for (auto i = without_rests.size(); i < made.size(); ++i) {
    if (!builder.is_numbered(i)) made[i].number.clear();
    more.push_back(std::move(made[i]));
  }
  auto appended = append_measures(now.score, at, defaults, std::move(more), check);
  if (!appended) return appended;
  now.score = appended->score;
  if (auto faults = faults_behind(*s, *now.score, at.part, first, check, defaults.time))
    return fail(std::move(*faults));
  if (is_at(x, at)) {
    now.cursor.measure = end;
    now.cursor.position = {};
  }
  return now;
}

}  // namespace fermata
