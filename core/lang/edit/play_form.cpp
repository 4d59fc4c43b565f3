#include "core/lang/edit/play_form.hpp"

#include "core/lang/edit/edit_selection.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/lang/value/make.hpp"

namespace fermata {

namespace {

/// A bound for loops that are mistakes: hours of single notes.
constexpr std::size_t most_played = 1'000;

}  // namespace

result<value> play_handler(call& c) {
  auto items = music_arguments(c, "music");
  if (!items) return fail(std::move(items.error()));
  if (items->empty())
    return fail(c.wrong(errc::wrong_argument_count, "`play` needs music", "music"));
  auto& state = c.state();
  state.answer = as_one(std::move(*items));
  auto music = value::of(state.answer);
  if (state.played.size() == most_played)
    return fail(c.wrong(errc::budget_exceeded, "`play` was called more than 1,000 times", "music"));
  state.played.push_back(music);
  return music;
}

}  // namespace fermata
