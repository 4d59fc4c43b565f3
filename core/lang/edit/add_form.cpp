#include "core/lang/edit/add_form.hpp"

#include "core/lang/edit/edit_selection.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/layout/commit.hpp"
#include "core/lang/notation/forms.hpp"
#include "core/lang/value/make.hpp"
#include "core/score/repair/repair_kept.hpp"

namespace fermata {

result<value> add_handler(call& c) {
  auto items = music_arguments(c, "music");
  if (!items) return fail(std::move(items.error()));
  if (items->empty())
    return fail(c.wrong(errc::wrong_argument_count, "`add` needs music", "music"));
  auto& state = c.state();
  edited now{state.score, state.env.cursor};
  for (const auto& m : *items) {
    auto next = placed(c, add_music(*m, now.score, now.cursor, state.env.defaults));
    if (!next) return fail(std::move(next.error()));
    now = std::move(*next);
  }
  state.score = with_kept_pairs_repaired(state.score, now.score, state.dropped);
  state.env.cursor = now.cursor;
  state.answer = as_one(std::move(*items));
  return value::of(state.answer);
}

}  // namespace fermata
