#include "core/lang/layout/commit.hpp"

#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/layout/compile.hpp"
#include "core/lang/layout/layers.hpp"
#include "core/lang/layout/part_builder.hpp"
#include "core/lang/layout/typed_layer.hpp"
#include "core/lang/value/make.hpp"
#include "core/score/model/opening_tempo.hpp"
#include "core/score/model/part_defaults.hpp"
#include "core/score/model/placing.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace fermata {

namespace {

using outcome = result<edited>;

/// The parts inside `m` that have no id get one that the score does not have yet.
music_ptr with_free_ids(const music& m, score& taken) {
  if (auto p = as_node<part_music>(m)) {
    auto own = *p;
    if (own.header.id.empty()) own.header.id = free_part_id(taken);
    auto known = std::make_shared<part>();
    known->id = own.header.id;
    taken.parts.push_back(std::move(known));
    return make_music(std::move(own), m.span);
  }
  auto items = items_of(m);
  if (!items || !holds_parts(m)) return std::make_shared<const music>(m);
  std::vector<music_ptr> out;
  for (const auto& x : *items)
    out.push_back(with_free_ids(*x, taken));
  return with_items(m, std::move(out));
}

outcome add_parts(const music& m, const score_ptr& s, const score_defaults& defaults) {
  auto taken = *s;
  auto more = compile_score(*with_free_ids(m, taken), defaults, opening_of(*s));
  if (!more) return fail(std::move(more.error()));
  auto next = *s;
  for (const auto& p : more->parts)
    for (const auto& other : s->parts)
      if (p->id == other->id)
        return fail(error{errc::invalid_score, "there is already a part with the id " + p->id,
                          m.span, "omit :id, or choose another"});
  for (const auto& x : more->part_list)
    if (auto index = std::get_if<std::size_t>(&x))
      next.part_list.emplace_back(*index + s->parts.size());
    else
      next.part_list.push_back(x);
  next.parts.insert(next.parts.end(), more->parts.begin(), more->parts.end());
  auto last = next.parts.size() - 1;
  auto ptr = std::make_shared<const score>(std::move(next));
  return edited{ptr, end_of(*ptr, last)};
}

time_signature time_at_end(const score& s, std::size_t part_index, const score_defaults& defaults) {
  if (part_index >= s.parts.size() || s.parts[part_index]->measures.empty()) return defaults.time;
  const auto& p = *s.parts[part_index];
  return time_in_force(p, p.measures.size() - 1).value_or(defaults.time);
}

/// With a number for each staff inside that a clef names, and in the one layer that all of it
/// belongs to.
music_ptr in_its_layer(const music& m, const score& s, const score_cursor& at,
                       const score_defaults& defaults) {
  auto own = std::make_shared<const music>(m);
  // A staff by itself is found by where it goes on.
  if (as_node<staff_music>(m) || !names_a_staff(m)) return with_layer_outside(own);
  auto end = at;
  end.measure = at.part < s.parts.size() ? s.parts[at.part]->measures.size() : 0;
  end.position = {};
  return with_layer_outside(as_one(with_numbered_staves({own}, staff_clefs{s, end, defaults})));
}

outcome add_measures(const music& m, const score_ptr& s, const score_cursor& at,
                     const score_defaults& defaults) {
  auto free = as_node<measure_music>(m) && as_node<measure_music>(m)->free;
  auto check = free ? measure_check::free : measure_check::metre;
  if (auto layer = layer_of_measures(m, *s, at, defaults))
    return add_layer_of_measures(*layer, s, at, defaults, check);
  auto made =
      compiled_measures({std::make_shared<const music>(m)}, time_at_end(*s, at.part, defaults), {});
  if (!made) return fail(std::move(made.error()));
  return append_measures(s, at, defaults, std::move(*made), check);
}

/// The cursor a length later, over full measures.
score_cursor moved(const score& s, score_cursor at, quarters by, const score_defaults& defaults) {
  at.position += by;
  while (at.part < s.parts.size() && at.measure < s.parts[at.part]->measures.size()) {
    auto length = measure_length(
        time_in_force(*s.parts[at.part], at.measure, at.staff).value_or(defaults.time));
    if (length == quarters{} || at.position <= measure_position{length.value}) break;
    at.position = at.position - length;
    ++at.measure;
  }
  return at;
}

/// What one voice gets, without gaps.
struct chunk {
  quarters at;
  std::string voice;
  std::vector<measure_content> line;
  quarters end;
  std::vector<std::pair<std::size_t, const flow_item*>> claims;  ///< bar checks after so many items
};

std::vector<chunk> chunks_of(const flow& f, const std::string& main_voice) {
  std::vector<chunk> out;
  for (const auto& x : f.items) {
    auto content = std::get_if<measure_content>(&x.content);
    auto c = content ? std::get_if<chord_rest>(content) : nullptr;
    auto voice = c ? c->voice : out.empty() ? main_voice : out.back().voice;
    if (out.empty() || out.back().voice != voice || out.back().end != x.at)
      out.push_back({x.at, voice, {}, x.at, {}});
    auto& here = out.back();
    if (!content) {
      here.claims.emplace_back(here.line.size(), &x);
      continue;
    }
    if (auto b = std::get_if<barline>(content); b && b->repeat == "both") {
      // One half closes this measure, the other opens the next.
      auto left = *b, right = *b;
      end_repeat(right);
      left.location = "left";
      begin_repeat(left);
      here.line.emplace_back(right);
      here.line.emplace_back(left);
      continue;
    }
    here.line.push_back(*content);
    if (c) here.end += c->length;
  }
  return out;
}

/// Where the bar began that a bar check closes.
struct bar_start {
  quarters at;  ///< counted from where the line begins
  std::size_t measure = 0;
};

quarters length_of_measure(const score& s, std::size_t part, std::size_t measure, int staff,
                           const score_defaults& defaults) {
  return measure_length(time_in_force(*s.parts[part], measure, staff).value_or(defaults.time));
}

std::optional<error> check_bar(const flow_item& claim, bar_start& begun, const score& s,
                               const score_cursor& at, const score_defaults& defaults) {
  auto is_there = at.part < s.parts.size() && at.measure < s.parts[at.part]->measures.size();
  auto full = is_there ? length_of_measure(s, at.part, at.measure, at.staff, defaults) : quarters{};
  auto number = is_there ? s.parts[at.part]->measures[at.measure]->number : "1";
  const auto& expected = std::get<bar_claim>(claim.content).number;
  if (expected && *expected != number)
    return error{errc::bar_not_full, "this barline ends measure " + number + ", not " + *expected,
                 claim.span};
  auto gone = at.position - measure_position{};
  auto begun_before =
      std::exchange(begun, bar_start{claim.at, gone == quarters{} ? at.measure : at.measure + 1});
  // A pickup is full when it ends.
  if (gone == quarters{} || full == quarters{} || gone == full ||
      (is_there && s.parts[at.part]->measures[at.measure]->implicit))
    return std::nullopt;
  if (begun_before.measure < at.measure) {
    auto length = length_of_measure(s, at.part, begun_before.measure, at.staff, defaults);
    return error{errc::bar_not_full,
                 "measure " + s.parts[at.part]->measures[begun_before.measure]->number + ": " +
                     length_in_words(claim.at - begun_before.at - length) +
                     " too long before this barline",
                 claim.span};
  }
  return error{errc::bar_not_full,
               "measure " + number + ": the bar is not full here, " + length_in_words(full - gone) +
                   " is missing",
               claim.span};
}

/// The bar in which a chunk begins, which may have begun before the line.
bar_start first_bar(const score& s, const chunk& c, const score_cursor& place,
                    const score_defaults& defaults) {
  const auto gone = place.position - measure_position{};
  const auto p = place.part;
  const auto is_full = p < s.parts.size() && place.measure < s.parts[p]->measures.size() &&
                       gone != quarters{} &&
                       gone == length_of_measure(s, p, place.measure, place.staff, defaults);
  if (is_full) return {c.at, place.measure + 1};
  return {c.at - gone, place.measure};
}

/// Appends a chunk at the cursor of `now`, and checks its bar checks where they stand.
outcome write_chunk(const chunk& c, edited now, const score_defaults& defaults) {
  std::size_t done = 0;
  auto write = [&](std::size_t upto) -> result<void> {
    if (upto == done) return {};
    auto next = append_content(now.score, now.cursor, defaults,
                               {c.line.begin() + static_cast<std::ptrdiff_t>(done),
                                c.line.begin() + static_cast<std::ptrdiff_t>(upto)});
    if (!next) return fail(std::move(next.error()));
    now = std::move(*next);
    done = upto;
    return {};
  };
  auto begun = first_bar(*now.score, c, now.cursor, defaults);
  for (const auto& [after, claim] : c.claims) {
    if (auto ok = write(after); !ok) return fail(std::move(ok.error()));
    if (auto fault = check_bar(*claim, begun, *now.score, now.cursor, defaults))
      return fail(std::move(*fault));
  }
  if (auto ok = write(c.line.size()); !ok) return fail(std::move(ok.error()));
  return now;
}

/// A line as it was typed.
struct typed_line {
  score_cursor base;  ///< where its main voice goes on
  bool has_main_voice = false;
  bool on_staff = false;               ///< in a `(staff ...)` of its own
  const voice_music* outer = nullptr;  ///< the `(voice ...)` around all of it
  named_layers where = named_layers::go_on;
};

/// Where a voice of the line would stand at the line's beginning: one that is named goes on where
/// it ended; beside other music it begins with it.
score_cursor beginning_of_voice(const typed_line& line, const std::string& voice, const score& s) {
  auto place = line.base;
  place.voice = voice;
  if (voice != line.base.voice && line.where != named_layers::begin_at_cursor) {
    auto is_begun = [](const score_cursor& x) {
      return x.measure > 0 || x.position > measure_position{};
    };
    if (line.on_staff) {
      auto behind = end_of_voice(s, place.part, voice, place.staff);
      if (is_begun(behind))
        place = behind;
      else if (is_begun(line.base) && !line.has_main_voice)
        place = end_of(s, place.part, voice, place.staff);
    } else if (line.outer && s.parts.size() > place.part) {
      place = end_of(s, place.part, voice, place.staff);
    }
  }
  if (line.outer && line.outer->staff) place.staff = *line.outer->staff;
  return place;
}

/// How far a voice of the line has been written.
struct written_voice {
  score_cursor begin;  ///< where it would stand at the beginning of the line
  score_cursor behind;
  quarters end;
};

outcome write_chunks(const std::vector<chunk>& chunks, const typed_line& line, edited now,
                     const score_defaults& defaults) {
  const auto main_voice = now.cursor.voice;
  std::map<std::string, written_voice> written;
  for (auto& c : chunks) {
    const auto known = written.find(c.voice);
    const auto begin = known != written.end() ? known->second.begin
                                              : beginning_of_voice(line, c.voice, *now.score);
    auto place = begin;
    if (known != written.end() && known->second.end == c.at)
      place = known->second.behind;
    else if (c.at != quarters{})
      place = moved(*now.score, place, c.at, defaults);
    auto next = write_chunk(c, {now.score, place}, defaults);
    if (!next) return next;
    now.score = next->score;
    if (c.voice == main_voice) now.cursor = next->cursor;
    written.insert_or_assign(c.voice, written_voice{begin, next->cursor, c.end});
  }
  return now;
}

outcome add_line(const music& given, const score_ptr& s, const score_cursor& at,
                 const score_defaults& defaults, named_layers where) {
  const auto staff = typed_staff(given, *s, at, defaults, where);
  const auto own = staff ? staff->as_voice() : nullptr;
  const auto& m = own ? *own : given;
  const auto base = staff ? place_of(*staff, *s, at, where) : at;
  flow_start start;
  start.voice = base.voice;
  auto time =
      base.part < s->parts.size() && base.measure < s->parts[base.part]->measures.size()
          ? time_in_force(*s->parts[base.part], base.measure, base.staff).value_or(defaults.time)
          : time_at_end(*s, base.part, defaults);
  start.measure_length = measure_length(time);
  auto f = lay_out({std::make_shared<const music>(m)}, start);
  if (!f) return fail(std::move(f.error()));
  const auto chunks = chunks_of(*f, base.voice);
  const auto has_main_voice =
      std::any_of(chunks.begin(), chunks.end(), [&](auto& c) { return c.voice == base.voice; });
  const typed_line line{base, has_main_voice, staff.has_value(), as_node<voice_music>(m), where};
  auto now = write_chunks(chunks, line, {s, at}, defaults);
  // A gap at the end moves the cursor only.
  if (now && f->items.empty() && f->end > quarters{})
    now->cursor = moved(*now->score, now->cursor, f->end, defaults);
  return now;
}

}  // namespace

result<std::vector<measure>> compiled_measures(const std::vector<music_ptr>& items,
                                               const time_signature& time,
                                               const staff_clefs& staves) {
  auto builder = part_builder::built(items, time, staves);
  if (!builder.faults().diagnostics.empty()) return fail(std::move(builder.faults()));
  auto made = std::move(builder.measures());
  // Numbers that only come from counting are counted anew where the measures go.
  for (std::size_t i = 0; i < made.size(); ++i)
    if (!builder.is_numbered(i)) made[i].number.clear();
  return made;
}

result<std::vector<measure_content>> compiled_line(const std::vector<music_ptr>& items,
                                                   quarters measure_length) {
  flow_start start;
  start.measure_length = measure_length;
  auto f = lay_out(items, start);
  if (!f) return fail(std::move(f.error()));
  auto chunks = chunks_of(*f, "1");
  if (chunks.size() > 1)
    return fail(error{errc::misplaced, "only a single voice without gaps can go there",
                      items.empty() ? source_span{} : items.front()->span,
                      "replace one voice at a time"});
  if (chunks.empty()) return std::vector<measure_content>{};
  for (auto& x : chunks.front().line)
    if (auto b = std::get_if<barline>(&x)) take_given_side(*b);
  return std::move(chunks.front().line);
}

namespace {

bool has_measures(const score& s) {
  return std::any_of(s.parts.begin(), s.parts.end(), [](auto& p) { return !p->measures.empty(); });
}

outcome added(const music& m, const score_ptr& s, const score_cursor& at,
              const score_defaults& defaults, named_layers where) {
  if (as_node<score_music>(m)) {
    auto made = compile_score(m, defaults);
    if (!made) return fail(std::move(made.error()));
    auto ptr = std::make_shared<const score>(std::move(*made));
    auto last = ptr->parts.empty() ? 0 : ptr->parts.size() - 1;
    return edited{ptr, ptr->parts.empty() ? score_cursor{} : end_of(*ptr, last)};
  }
  if (holds_parts(m)) return add_parts(m, s, defaults);
  const auto own = in_its_layer(m, *s, at, defaults);
  if (holds_measures(m) || (where == named_layers::go_on && holds_rest_over_measures(m)))
    return add_measures(*own, s, at, defaults);
  return add_line(*own, s, at, defaults, where);
}

}  // namespace

result<edited> add_music(const music& m, const score_ptr& s, const score_cursor& at,
                         const score_defaults& defaults, named_layers where) {
  auto next = added(m, s, at, defaults, where);
  if (next && (as_node<score_music>(m) || !has_measures(*s)))
    next->score = with_opening_tempo(next->score, defaults);
  return next;
}

result<score_ptr> commit(const value& v, score_ptr s, environment& env) {
  auto m = v.as_music();
  if (!m) return s;
  auto next = add_music(*m, s, env.cursor, env.defaults);
  if (!next) {
    for (auto& d : next.error().diagnostics)
      if (!d.span && m->span != source_span{}) d.span = m->span;
    return fail(std::move(next.error()));
  }
  env.cursor = next->cursor;
  return next->score;
}

}  // namespace fermata
