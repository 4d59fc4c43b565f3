#include "core/lang/notation/forms.hpp"
#include "core/lang/notation/note_options.hpp"
#include "core/lang/value/make.hpp"

#include <algorithm>

namespace fermata {

namespace {

form_spec with_note_options(form_spec row) {
  const auto& options = note_option_params();
  row.params.insert(row.params.end(), options.begin(), options.end());
  return row;
}

note_draft draft_of(const call& c, std::string_view duration = "duration") {
  note_draft d;
  d.rhythm.voice.clear();
  d.rhythm.written = c.duration(duration).value_or(note_value{});
  return d;
}

result<value> answer(const call& c, note_draft d, tone t) {
  if (auto r = apply_note_options(c, d); !r) return fail(std::move(r.error()));
  return music_answer(c, measure_content{with_tone(std::move(d), t)});
}

result<value> note_handler(call& c) { return answer(c, draft_of(c), *c.pitch("pitch")); }

result<value> unpitched_handler(call& c) {
  unpitched t;
  if (auto p = c.pitch("display")) {
    t.display_step = p->letter;
    t.display_octave = p->octave;
  }
  return answer(c, draft_of(c), t);
}

result<value> rest_handler(call& c) {
  auto d = draft_of(c);
  rest t;
  t.whole_measure = c.flag("measure");
  if (auto p = c.pitch("display")) {
    t.display_step = p->letter;
    t.display_octave = p->octave;
  }
  if (auto r = apply_note_options(c, d); !r) return fail(std::move(r.error()));
  if (t.whole_measure) {
    // It lasts the measure whatever its note value; length zero says so.
    if (!c.has("duration")) d.rhythm.written.reset();
    auto lasts = d.lasts.value_or(quarters{});
    auto x = with_tone(std::move(d), t);
    x.length = x.grace ? quarters{} : lasts;
    return music_answer(c, measure_content{std::move(x)});
  }
  return music_answer(c, measure_content{with_tone(std::move(d), t)});
}

bool has_note_options(const call& c) {
  auto offset = c.spec().params.size() - note_option_params().size();
  return std::any_of(c.in_order().begin(), c.in_order().end(),
                     [&](const call::written& x) { return x.param >= offset; });
}

/// Makes the notes of `m` grace notes.
result<value> grace_of_music(const call& c, const music& m, bool slash) {
  if (auto x = leaf<chord_rest>(m)) {
    auto copy = *x;
    auto grace = copy.grace ? *copy.grace : grace_info{};
    grace.slash = slash;
    copy.grace = std::move(grace);
    copy.length = {};
    return music_answer(c, measure_content{std::move(copy)});
  }
  auto seq = as_node<seq_music>(m);
  return music_answer(
      c, grace_music{seq ? seq->items : std::vector{std::make_shared<const music>(m)}, slash});
}

/// Numbers as the file has them; a word is none.
result<void> refuse_words(const call& c, std::initializer_list<std::string_view> names) {
  for (auto name : names) {
    const auto& v = c.get(name);
    if (v.is_nil() || v.as_number() || v.get_if<double>() || v.as_string()) continue;
    if (!parse_rational(c.text(name).value_or("")))
      return fail(c.wrong(errc::wrong_type,
                          ":" + std::string{name} + " needs a number, not `" + print(v) + "`",
                          name));
  }
  return {};
}

result<value> grace_handler(call& c) {
  if (auto r = refuse_words(c, {"steal-previous", "steal-following", "make-time"}); !r)
    return fail(std::move(r.error()));
  auto d = draft_of(c, "value");
  if (!c.has("value")) d.rhythm.written = note_value{note_base::eighth, 0};
  if (auto length = c.duration("written")) d.rhythm.written = *length;
  auto slash = c.flag("slash");
  grace_info g;
  g.slash = slash;
  g.slash_text = c.text("slash-text").value_or("");
  g.steal_previous = c.text("steal-previous").value_or("");
  g.steal_following = c.text("steal-following").value_or("");
  g.make_time = c.text("make-time").value_or("");
  d.rhythm.grace = g;
  if (auto r = apply_note_options(c, d); !r) return fail(std::move(r.error()));
  const auto& what = c.get("music");
  if (auto p = what.as_pitch())
    return music_answer(c, measure_content{with_tone(std::move(d), *p)});
  if (auto m = what.as_music()) {
    if (has_note_options(c))
      return fail(c.wrong(errc::misplaced, "put options such as :stem on the notes inside"));
    if (auto x = leaf<chord_rest>(*m)) {
      // A chord brings its notes and its value, the form what belongs to the grace.
      auto copy = *x;
      copy.grace = g;
      copy.length = {};
      return music_answer(c, measure_content{std::move(copy)});
    }
    return grace_of_music(c, *m, slash);
  }
  if (auto list = what.as_list()) {
    std::vector<tone> tones;
    for (const auto& x : list->items)
      if (auto p = pitch_of(x)) tones.push_back(*p);
    if (!tones.empty() && tones.size() == list->items.size())
      return music_answer(c, measure_content{with_tones(std::move(d), tones)});
    if (has_note_options(c))
      return fail(c.wrong(errc::misplaced, "put options such as :stem on the notes inside"));
    grace_music group;
    group.slash = slash;
    for (const auto& x : list->items)
      if (auto r = append_music(c, x, c.span(), group.items); !r) return fail(std::move(r.error()));
    return music_answer(c, std::move(group));
  }
  return fail(c.wrong(errc::wrong_type, "a grace note needs a pitch, a chord or a seq", "music"));
}

struct tone_writer {
  form& f;
  void operator()(const pitch& p) const { f.add(value::of(p)); }
  void operator()(const unpitched& x) const { display(x.display_step, x.display_octave); }
  void operator()(const rest&) const {}
  void display(const std::optional<step>& s, int octave) const {
    if (s) f.add(value::of(pitch{*s, 0, static_cast<std::int16_t>(octave)}));
  }
};

}  // namespace

void add_note_forms(form_rows& rows) {
  rows.push_back(
      with_note_options({"note",
                         {},
                         "music",
                         {required("pitch", arg_type::pitch, "c4, f#5, bb3"),
                          optional_param("duration", arg_type::duration, ":q, :8., :half", ":q")},
                         "A note. Articulations, ornaments and technical marks are options.",
                         "(note c#4 :q. :staccato :slur start)",
                         "note",
                         note_handler}));
  rows.push_back(with_note_options(
      {"rest",
       {},
       "music",
       {optional_param("duration", arg_type::duration, "how long", ":q"),
        flag_param("measure", "fills the measure and is centred in it"),
        option_param("display", arg_type::pitch, "staff position, as a pitch in the current clef")},
       "Silence.",
       "(rest :h)",
       "rest",
       rest_handler}));
  rows.push_back(
      with_note_options({"unpitched",
                         {"hit"},
                         "music",
                         {optional_param("display", arg_type::pitch, "where it is drawn"),
                          optional_param("duration", arg_type::duration, "how long", ":q")},
                         "A note without definite pitch, as for percussion.",
                         "(unpitched e4 :8)",
                         "note",
                         unpitched_handler}));
  rows.push_back(with_note_options(
      {"grace",
       {"grace-note"},
       "music",
       {required("music", arg_type::any, "a pitch, (c4 e4), a chord or a seq"),
        optional_param("value", arg_type::duration, "how it is drawn", ":8"),
        flag_param("slash", "an acciaccatura"),
        option_param("written", arg_type::duration, "how it is drawn", {"duration"}),
        named_option("slash-text", "slash, as in the file", {"yes", "no"}),
        option_param("steal-previous", arg_type::text,
                     "percentage of time taken from the previous note"),
        option_param("steal-following", arg_type::text,
                     "percentage of time taken from the next note"),
        option_param("make-time", arg_type::text, "time added to the measure")},
       "Grace notes, which take no time of their own.",
       "(grace b4 :16 :slash)",
       "grace",
       grace_handler}));
}

value note_form_of(const chord_rest& x) {
  const auto& n = x.notes.front();
  auto is_unpitched = std::holds_alternative<unpitched>(n.tone);
  auto r = std::get_if<rest>(&n.tone);
  form f{r ? "rest" : is_unpitched ? "unpitched" : "note"};
  std::visit(tone_writer{f}, n.tone);
  auto shown = x.written;
  if (!shown && !(r && r->whole_measure) && !x.grace) {
    auto ratio = x.tuplet ? rational{x.tuplet->normal, x.tuplet->actual} : rational{1};
    shown = note_value_for(x.length / ratio);
  }
  if (shown) f.flag(to_string(*shown));
  if (r && r->whole_measure) f.flag("measure");
  if (r && r->display_step)
    f.option("display",
             value::of(pitch{*r->display_step, 0, static_cast<std::int16_t>(r->display_octave)}));
  write_rhythm_options(f, x);
  write_note_options(f, n);
  return f.done();
}

}  // namespace fermata
