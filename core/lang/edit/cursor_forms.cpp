#include "core/lang/edit/edit_selection.hpp"
#include "core/lang/edit/selector_value.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/layout/decompile.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/music/instruments.hpp"
#include "core/score/edit/edit.hpp"
#include "core/score/merge/diff.hpp"
#include "core/score/model/measure_names.hpp"
#include "core/score/model/walk.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Moves to a measure of the cursor's part.
result<void> go_to_measure(call& c, const score& s, score_cursor& at) {
  error fault;
  auto only = selector_of(c, measures_selector(c.get("measure"), {}), fault);
  if (!only) return fail(std::move(only.error()));
  only->part = part_index{static_cast<int>(at.part) + 1};
  auto found = selected_measures(*only, s);
  if (!found) return fail(std::move(found.error()));
  at.measure = found->front().measure;
  at.position = {};
  return {};
}

result<value> cursor_handler(call& c) {
  auto& state = c.state();
  auto at = state.env.cursor;
  const auto& s = *state.score;
  if (c.has("part")) {
    const auto& v = c.get("part");
    part_selector named = part_word{text_of(v).value_or("")};
    if (auto n = int_of(v); n && v.as_number()) named = part_index{*n};
    auto found = selected_parts(named, s);
    if (!found) return fail(std::move(found.error()));
    at = end_of(s, found->front());
  }
  if (c.has("measure"))
    if (auto r = go_to_measure(c, s, at); !r) return fail(std::move(r.error()));
  if (auto n = c.integer("staff")) {
    if (*n < 1 || *n > max_staves) return fail(c.wrong(errc::out_of_range, staff_range(), "staff"));
    // Another staff is written in its own voice.
    if (at.staff != *n && at.part < s.parts.size())
      at.voice = voice_of_staff(*s.parts[at.part], at.measure, static_cast<int>(*n));
    at.staff = static_cast<std::uint8_t>(*n);
  }
  if (auto v = c.text("voice")) at.voice = *v;
  if (c.flag("end") || ((c.has("voice") || c.has("staff")) && !c.has("measure")))
    at = end_of(s, at.part, at.voice, at.staff);
  if (auto beat = c.get("beat").as_number()) {
    auto time = state.env.defaults.time;
    if (at.part < s.parts.size() && !s.parts[at.part]->measures.empty())
      time = time_in_force(*s.parts[at.part],
                           std::min(at.measure, s.parts[at.part]->measures.size() - 1))
                 .value_or(time);
    auto held = at.part < s.parts.size() && at.measure < s.parts[at.part]->measures.size()
                    ? extent(*s.parts[at.part]->measures[at.measure])
                    : quarters{};
    if (auto fault = no_such_beat(*beat, time, held))
      return fail(c.wrong(errc::out_of_range, *fault, "beat"));
    at.position = position_of_beat(*beat, time);
  }
  state.env.cursor = at;
  auto number = at.part < s.parts.size() ? printed_number(*s.parts[at.part], at.measure)
                                         : std::to_string(at.measure + 1);
  return value::list({value::kw("part"), value::of(static_cast<std::int64_t>(at.part) + 1),
                      value::kw("staff"), value::of(std::int64_t{at.staff}), value::kw("voice"),
                      value::string(at.voice), value::kw("measure"), value::string(number),
                      value::kw("position"), value::of(at.position.value)});
}

result<value> defaults_handler(call& c) {
  auto& d = c.state().env.defaults;
  if (auto k = c.key("key")) d.key = *k;
  if (auto t = c.time("time")) d.time = *t;
  if (auto name = c.text("clef")) {
    auto clef = find_clef(*name);
    if (!clef) return fail(c.wrong(errc::invalid_clef, "unknown clef `" + *name + "`", "clef"));
    d.clef = *clef;
  }
  if (auto name = c.text("instrument")) {
    auto row = find_instrument(*name);
    if (!row) return fail(no_such_instrument(c, *name, c.span_of("instrument")));
    d.instrument = row->name;
  }
  auto& given = c.get("tempo");
  auto real = given.get_if<double>();
  if (auto n = given.as_number(); n || real) {
    auto tempo = n ? n->to_double() : *real;
    if (!(tempo > 0))
      return fail(c.wrong(errc::invalid_tempo, "a tempo must be greater than 0", "tempo"));
    d.tempo = tempo;
  }
  return value{};
}

result<value> key_inference_handler(call& c) {
  c.state().env.key_inference = c.text("state") != "off";
  return value{};
}

/// Evaluates, shows what it would be, and takes it back.
result<value> preview_handler(call& c) {
  auto& state = c.state();
  auto kept = state.mark_score();
  auto kept_env = state.env;
  auto v = c.apply(c.get("form"), {});
  auto after = state.score;
  auto moves = state.moved_since(kept);
  state.restore(kept);
  state.env = std::move(kept_env);
  state.preview = true;
  if (!v) return v;
  // An edit shows what it changes.
  if (after != kept.score) return value::string(to_text(musical_diff(*kept.score, *after, moves)));
  return v;
}

}  // namespace

void add_cursor_forms(form_rows& rows) {
  rows.push_back(
      {"cursor",
       {},
       "edit",
       {option_param("part", arg_type::text, "name, id or number"),
        option_param("staff", arg_type::integer, "number of the staff"),
        option_param("voice", arg_type::text, "name of the voice"),
        one_of("measure", offering(option_param("measure", arg_type::text, "number, or :last"),
                                   [](std::string_view) { return completion_words{"last"}; })),
        option_param("beat", arg_type::number, "from 1"),
        one_of("measure", flag_param("end", "after the last note"))},
       "Moves the cursor and shows its position.",
       "(cursor)",
       "list",
       cursor_handler});
  rows.push_back({"defaults",
                  {},
                  "edit",
                  {option_param("key", arg_type::key, "c-major"),
                   option_param("time", arg_type::time, "(3 4)"),
                   offering(option_param("clef", arg_type::text, "treble"), clef_words),
                   offering(option_param("instrument", arg_type::text, "piano"), instrument_words),
                   option_param("tempo", arg_type::number,
                                "quarter notes per minute, written at the start of a score")},
                  "Defaults for new parts and measures.",
                  "(defaults :time (3 4))",
                  "nil",
                  defaults_handler});
  auto state = required("state", arg_type::word, "on or off");
  state.choices = {"on", "off"};
  rows.push_back({"key-inference",
                  {},
                  "edit",
                  {state},
                  "Whether f4 in D major means f#4; fn4 is then F natural.",
                  "(key-inference on)",
                  "nil",
                  key_inference_handler});
  rows.push_back(
      {"preview",
       {},
       "edit",
       {required("form", arg_type::function, "what to evaluate")},
       "Evaluates without committing (a do form step by step); for edits, shows the changes.",
       "(preview (note c4 :q))",
       "any",
       preview_handler});
}

}  // namespace fermata
