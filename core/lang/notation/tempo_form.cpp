#include "core/lang/notation/direction_options.hpp"
#include "core/music/note_value_names.hpp"

namespace fermata {

namespace {

/// Beats a minute: beyond, nothing plays that could be told from a mistake.
constexpr double slowest = 0.01, fastest = 10'000;

/// Text, beat, number in any order; a second beat is the right side of an equation.
result<value> tempo_handler(call& c) {
  std::string text;
  auto has_text = false;
  std::optional<note_value> beat, equals;
  std::string per_minute;
  auto wrong = [&](std::string message, std::size_t i) {
    auto e = c.wrong(errc::invalid_tempo, std::move(message));
    e.diagnostics.front().span = c.rest_spans()[i];
    return fail(std::move(e));
  };
  for (std::size_t i = 0; i < c.rest().size(); ++i) {
    const auto& v = c.rest()[i];
    if (auto s = v.as_string()) {
      // After a beat a text with a number says how fast: (tempo :q "c. 96").
      auto speed =
          beat && per_minute.empty() && s->find_first_of("0123456789") != std::string::npos;
      if (speed)
        per_minute = *s;
      else if (has_text)
        return wrong("a tempo takes a single text", i);
      else {
        text = *s;
        has_text = true;
      }
    } else if (v.as_number() || v.get_if<double>()) {
      if (!per_minute.empty()) return wrong("a tempo takes a single number", i);
      auto number = v.as_number() ? v.as_number()->to_double() : *v.get_if<double>();
      if (!(number >= slowest && number <= fastest))
        return wrong("a tempo must be from 1/100 to 10000 beats per minute, not " + print(v), i);
      per_minute = text_of(v).value_or("");
    } else if (auto d = duration_value_of(v)) {
      if (beat && equals) return wrong("a tempo takes at most two beats", i);
      (beat ? equals : beat) = d;
    } else if (text_of(v) == "=" || v.get_if<callable_ptr>()) {
      continue;  // (tempo :q = :q.)
    } else if (auto k = v.as_keyword()) {
      return fail(unknown_keyword(c, *k, c.rest_spans()[i], note_value_names()));
    } else {
      return wrong("a tempo takes a text, a beat and a number, not " + print(v), i);
    }
  }
  auto says_speed = c.has("per-minute");
  if (says_speed && (!per_minute.empty() || equals))
    return fail(c.wrong(errc::invalid_tempo, "the speed is given twice", "per-minute"));
  if (says_speed) per_minute = c.text("per-minute").value_or("");
  if (!has_text && !beat && per_minute.empty())
    return fail(c.wrong(errc::invalid_tempo, "which tempo? (tempo \"Allegro\" :q 120)"));
  if (beat && !equals && per_minute.empty() && !says_speed)
    return fail(c.wrong(errc::invalid_tempo, "how many beats per minute?"));
  if (equals && !per_minute.empty())
    return fail(c.wrong(errc::invalid_tempo, "a beat equation takes no number"));
  if (!per_minute.empty() && !beat) beat = note_value{};
  std::vector<direction_type> types;
  if (has_text) types.push_back(words{text, {}});
  std::optional<sound> sounds;
  if (beat) {
    metronome m{*beat, per_minute, equals, {}};
    if (auto q = quarters_per_minute(m)) sounds = sounding("tempo", *q);
    types.push_back(std::move(m));
  }
  if (c.has("xml")) {
    auto extra = preserved_of(c.get("xml"));
    if (auto m = std::get_if<metronome>(&types.back()))
      m->extra = extra;
    else
      std::get<words>(types.back()).extra = extra;
  }
  auto d = read_direction(c, std::move(types), "above", std::move(sounds));
  if (!d) return fail(std::move(d.error()));
  return music_answer(c, measure_content{std::move(*d)});
}

/// Whether it can stand behind a beat as it is: a text without a number would be the name of the
/// tempo, and a file may give a number that nobody plays.
bool is_speed(const std::string& per_minute) {
  if (per_minute.find_first_of("0123456789") == std::string::npos) return false;
  auto given = text_value(per_minute);
  auto number = given.as_number();
  return !number || (number->to_double() >= slowest && number->to_double() <= fastest);
}

}  // namespace

form tempo_form(const std::string& text, const metronome& m) {
  form f{"tempo"};
  if (!text.empty()) f.add(value::string(text));
  f.flag(to_string(m.beat));
  if (m.equals)
    f.flag(to_string(*m.equals));
  else if (is_speed(m.per_minute))
    f.add(text_value(m.per_minute));
  else
    f.option("per-minute", value::string(m.per_minute));
  return std::move(f.xml(m.extra));
}

void add_tempo_forms(form_rows& rows) {
  rows.push_back(with_direction_options(
      {"tempo",
       {"metronome"},
       "mark",
       {rest_param("mark", arg_type::spec,
                   "text, beat and number in any order; two beats are an equation"),
        option_param("per-minute", arg_type::text, "a speed in words: \"fast\"")},
       "A tempo: (tempo \"Vivace\" :8 208), (tempo :q. 54), (tempo :q = :q.). It also sets "
       "playback.",
       "(tempo \"Allegro\" :q 120)",
       "tempo",
       tempo_handler}));
}

}  // namespace fermata
