#include "core/lang/evaluation/bind.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/lang/transform/transform.hpp"
#include "core/lang/transform/transformation.hpp"
#include "core/lang/value/make.hpp"
#include "core/music/modular.hpp"
#include "core/score/model/walk.hpp"

#include <algorithm>

namespace fermata {

namespace {

constexpr std::int64_t most_copies = 100'000;

bool holds_bar_checks(const music& m) {
  auto items = items_of(m);
  return as_node<bar_check_music>(m) ||
         (items && std::any_of(items->begin(), items->end(),
                               [](const music_ptr& x) { return holds_bar_checks(*x); }));
}

/// A bar check is bound to a moment: in another order of things it would complain of what nobody
/// wrote.
std::vector<music_ptr> without_bar_checks(const std::vector<music_ptr>& items) {
  std::vector<music_ptr> out;
  for (const auto& x : items)
    if (!holds_bar_checks(*x))
      out.push_back(x);
    else if (auto inner = items_of(*x))
      out.push_back(with_items(*x, without_bar_checks(*inner)));
  return out;
}

/// The same in a value, or nothing when it is a bar check itself.
music_ptr without_bar_checks(const music_ptr& m) {
  return as_one(without_bar_checks(std::vector{m}));
}

result<value> retrograde_handler(call& c) {
  if (c.rest().empty())
    return fail(c.wrong(errc::wrong_argument_count, "what should be reversed?"));
  if (auto items = as_music(c.rest())) {
    auto walk = copying_for(c);
    *items = without_bar_checks(*items);
    if (items->size() == 1) {
      auto made = retrograde(items->front(), walk);
      if (!made) return fail(std::move(made.error()));
      return value::of(*made);
    }
    auto made = retrograde(*items, walk);
    if (!made) return fail(std::move(made.error()));
    return music_answer(c, seq_music{std::move(*made)});
  }
  auto values = c.rest();
  if (values.size() == 1 && values.front().as_list()) values = values.front().as_list()->items;
  for (const auto& v : values)
    if (!v.as_pitch() && !v.as_music())
      return fail(c.wrong(errc::wrong_type, "expected music or pitches, not " + describe(v)));
  std::reverse(values.begin(), values.end());
  return value::list(std::move(values));
}

/// The time signature that measures by themselves are written for: the one that holds where they
/// would go. Those that an edit looks at stand where another may hold.
std::optional<time_signature> time_around(const call& c) {
  const auto& state = c.state();
  if (state.edits_measures) return std::nullopt;
  const auto& parts = state.score->parts;
  auto at = state.env.cursor.part;
  auto said = at < parts.size() && !parts[at]->measures.empty()
                  ? time_in_force(*parts[at], parts[at]->measures.size() - 1)
                  : std::nullopt;
  return said.value_or(state.env.defaults.time);
}

/// The time signature that holds behind `m`; those of a part are its own.
std::optional<time_signature> time_behind(const music& m, std::optional<time_signature> before) {
  if (as_node<part_music>(m)) return before;
  if (auto a = leaf<attributes>(m))
    for (const auto& t : a->times)
      if (!t.staff || t.staff == 1) before = t.value;
  if (auto items = items_of(m))
    for (const auto& x : *items)
      before = time_behind(*x, before);
  return before;
}

result<value> stretch(call& c, bool longer) {
  auto factor = c.get("factor").as_number();
  if (!factor || *factor <= rational{0})
    return fail(
        c.wrong(errc::out_of_range, "the factor must be greater than zero: 2, 3/2", "factor"));
  if (*factor > rational{1024} || *factor < rational{1, 1024})
    return fail(c.wrong(errc::out_of_range, "the factor must be from 1/1024 to 1024", "factor"));
  auto by = longer ? *factor : rational{1} / *factor;
  auto walk = copying_for(c);
  auto produced = [&](std::size_t n) -> result<void> {
    if (auto ok = c.produced(n); !ok) return ok;
    if (!walk.goes_on()) return fail(walk.why());
    return {};
  };
  auto dropped = [&](std::string_view what) { walk.dropped(edit_operation::augment, what); };
  const auto around = time_around(c);
  auto is_music = [](const value& v) { return v.as_music() != nullptr; };
  if (auto items = as_music(c.rest());
      items && items->size() > 1 && std::all_of(c.rest().begin(), c.rest().end(), is_music)) {
    // Together: a triplet may come of three notes.
    auto made = augmented(*items, by, around, produced, dropped);
    if (!made) return fail(std::move(made.error()));
    if (made->size() == 1) return value::of(made->front());
    return music_answer(c, seq_music{std::move(*made)});
  }
  // In a list a time signature holds for the items behind it, too.
  auto in_force = around;
  transformation t;
  t.of_music = [&](const music_ptr& m) -> result<music_ptr> {
    auto made = augmented({m}, by, in_force, produced, dropped);
    if (!made) return fail(std::move(made.error()));
    in_force = time_behind(*m, in_force);
    // A seq stays one, unless its notes were the pieces of one note.
    auto seq = as_node<seq_music>(*m);
    auto is_seq = made->size() == 1 && as_node<seq_music>(*made->front());
    if (seq && !is_seq && (made->size() != 1 || seq->items.size() == 1))
      return with_items(*m, std::move(*made));
    return as_one(std::move(*made));
  };
  return all_transformed(c, c.rest(), t);
}
result<value> augment_handler(call& c) { return stretch(c, true); }
result<value> diminish_handler(call& c) { return stretch(c, false); }

result<value> rotate_handler(call& c) {
  auto n = c.integer("steps").value_or(1);
  auto values = c.rest();
  if (values.empty()) return fail(c.wrong(errc::wrong_argument_count, "what should be rotated?"));
  auto walk = copying_for(c);
  if (values.size() == 1)
    if (auto m = values.front().get_if<music_ptr>()) {
      if (!items_of(**m)) return fail(c.wrong(errc::wrong_type, "expected a list or a seq"));
      auto made = rotated(without_bar_checks(*m), n, walk);
      if (!made) return fail(std::move(made.error()));
      return value::of(*made);
    }
  auto list = values.size() == 1 ? values.front().as_list() : nullptr;
  if (list) values = list->items;
  std::vector<music_ptr> items;
  for (const auto& v : values)
    if (auto m = v.get_if<music_ptr>()) items.push_back(*m);
  if (!items.empty() && items.size() == values.size()) {
    std::vector<value> out;
    auto made = rotated(without_bar_checks(items), n, walk);
    if (!made) return fail(std::move(made.error()));
    for (auto& m : *made)
      out.push_back(value::of(std::move(m)));
    return list ? value::list(std::move(out)) : together(std::move(out));
  }
  if (!values.empty()) {
    auto size = static_cast<std::int64_t>(values.size());
    std::rotate(values.begin(), values.begin() + mod(n, size), values.end());
  }
  return value::list(std::move(values));
}

result<value> times_handler(call& c) {
  auto n = c.integer("times").value_or(1);
  if (n < 0 || n > most_copies)
    return fail(c.wrong(errc::out_of_range, "0 to 100000 times", "times"));
  auto items = motif_given(c, static_cast<std::size_t>(n));
  if (!items) return fail(std::move(items.error()));
  seq_music out;
  for (std::int64_t i = 0; i < n; ++i)
    out.items.insert(out.items.end(), items->begin(), items->end());
  return music_answer(c, std::move(out));
}

result<value> slur_over_handler(call& c) {
  auto given = music_given(c);
  if (!given) return fail(std::move(given.error()));
  auto items = std::move(*given);
  auto walk = copying_for(c);
  auto slurs = slurred(items, walk);
  if (!slurs && walk.is_stopped()) return fail(walk.why());
  if (!slurs) {
    const auto& fault = slurs.error().first();
    auto e = c.wrong(fault.code, fault.message);
    e.diagnostics.front().hint = fault.hint;
    return fail(std::move(e));
  }
  auto& made = *slurs;
  auto changed = !std::equal(made.begin(), made.end(), items.begin(), items.end());
  if (!changed) return fail(c.wrong(errc::wrong_argument_count, "a slur needs two notes"));
  if (made.size() == 1) return value::of(made.front());
  return music_answer(c, seq_music{std::move(made)});
}

}  // namespace

std::vector<form_spec> transform_forms() {
  form_rows rows;
  add_transpose_forms(rows);
  auto music = rest_param("music", arg_type::any, "pitches, notes, seqs, measures, parts, scores");
  auto some = rest_param("music", arg_type::contents, "notes, seqs");
  rows.push_back({"retrograde",
                  {},
                  "transform",
                  {music},
                  "Reverses music. Slurs and other lines start where they ended, a crescendo "
                  "becomes a diminuendo, repeat signs enclose the same measures, and bar checks "
                  "are removed. Endings and jumps (D.C., segno, ...) cannot be reversed and are an "
                  "error.",
                  "(retrograde (note c4 :q) (note d4 :h))",
                  "music",
                  retrograde_handler});
  auto factor = required("factor", arg_type::number, "2, 3/2");
  auto lasting = rest_param("music", arg_type::any, "notes, seqs, measures, parts, scores");
  rows.push_back(
      {"augment",
       {},
       "transform",
       {factor, lasting},
       "Lengthens music. Where no single note value fits, tied notes or tuplets are used; tied "
       "notes are joined where one value suffices. Bar checks are kept only in parts.",
       "(augment 2 (note c4 :q))",
       "music",
       augment_handler});
  rows.push_back({"diminish",
                  {"diminute"},
                  "transform",
                  {factor, lasting},
                  "Shortens music, the opposite of augment: three quarters by 3 give a triplet.",
                  "(diminish 2 (note c4 :h))",
                  "music",
                  diminish_handler});
  rows.push_back(
      {"rotate",
       {},
       "transform",
       {required("steps", arg_type::integer, "how many move from the front to the end"), music},
       "Moves items from the front to the end. Tied notes count as one and marks move with their "
       "notes; bar checks are removed, and so are slurs and hairpins that would end before they "
       "start. Each staff and voice is rotated by its own notes, provided its time signature does "
       "not change. When measures of a part are rotated, repeat signs stay in place; in a seq, a "
       "repeat moves as a whole. Endings and jumps (D.C., segno, ...) in the rotated music are an "
       "error, and so are repeat signs among notes.",
       "(rotate 1 (c4 d4 e4))",
       "music",
       rotate_handler});
  rows.push_back({"times",
                  {},
                  "transform",
                  {required("times", arg_type::integer, "how often"), some},
                  "Repeats music.",
                  "(times 3 (note c4 :8))",
                  "seq",
                  times_handler});
  rows.push_back({"slur-over",
                  {},
                  "transform",
                  {some},
                  "A slur from the first note to the last, in every voice.",
                  "(slur-over (note c4 :q) (note d4 :q))",
                  "seq",
                  slur_over_handler});
  add_rhythm_forms(rows);
  return rows;
}

}  // namespace fermata
