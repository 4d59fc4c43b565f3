#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/evaluation/key_inference.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/lang/notation/phrase.hpp"

namespace fermata {

namespace {

result<value> phrase_handler(call& c) {
  auto text = c.text("text").value_or("");
  auto span = c.span_of("text");
  // The text begins after its quote; escapes and line ends of two bytes move what follows them.
  auto exact = span.end - span.begin == text.size() + 2;
  const auto& state = c.state();
  auto key = c.key("key");
  if (!key && state.env.key_inference) key = key_at(*state.score, state.env);
  auto items = parse_phrase(text, span.begin + 1, key ? &*key : nullptr, state.elements_left());
  if (!items) {
    auto e = std::move(items.error());
    if (!exact)
      for (auto& d : e.diagnostics)
        d.span = span;
    return fail(std::move(e));
  }
  if (auto good = c.produced(items->size()); !good) return fail(std::move(good.error()));
  return music_answer(c, seq_music{std::move(*items)});
}

}  // namespace

void add_phrase_forms(form_rows& rows) {
  rows.push_back(
      {"phrase",
       {},
       "music",
       {required("text", arg_type::string, "the music"),
        option_param("key", arg_type::key, "infers accidentals: in d-major, f means f sharp")},
       "A line of music in which octaves and durations carry over; #p\"...\" for short. In a chord "
       "such as <bb2 d f>, a pitch without octave is the next one above the pitch before it. | "
       "checks the bar, [ ]:q fits notes into a duration, {3:2 } is a tuplet, ~ ties, ( ) slurs, "
       "*2 repeats a note, a group or the notes under a slur.",
       "(phrase \"c4:q d e:8 f [g a b]:q | <c4 e g>:h. r:q |\")",
       "seq",
       phrase_handler});
}

}  // namespace fermata
