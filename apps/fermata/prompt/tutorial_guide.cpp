#include "apps/fermata/prompt/tutorial_guide.hpp"

#include "io/store/home.hpp"
#include "io/store/session_summary.hpp"
#include "io/store/tutorial_progress.hpp"

#include <algorithm>
#include <utility>

namespace fermata::app {

tutorial_guide::tutorial_guide(std::filesystem::path home) : home_(std::move(home)) {
  auto place = io::read_tutorial_place(home_);
  step_ = std::min(place.step, tutorial_steps().size() - 1);
  came_from_ = std::move(place.from);
}

void tutorial_guide::set_step(std::size_t step) {
  step_ = step;
  keep_place();
}

void tutorial_guide::keep_place() {
  auto kept = io::remember_tutorial_place(home_, {step_, came_from_});
  if (!kept && !std::exchange(in_trouble_, true)) trouble_ = kept.error();
}

std::string tutorial_guide::came_from() const {
  // Another day it may have been put away, and a new one of that name is not what is meant.
  auto folder = io::session_folder(home_, came_from_);
  return folder && io::is_session(*folder) ? came_from_ : std::string{};
}

void tutorial_guide::begin(std::string from) {
  on_ = true;
  if (from == session_ || from == came_from_) return;
  came_from_ = std::move(from);
  keep_place();
}

bool tutorial_guide::skip() {
  if (step_ + 1 == tutorial_steps().size()) {
    set_step(0);
    return false;
  }
  set_step(step_ + 1);
  return true;
}

tutorial_guide::progress tutorial_guide::look(const turn& t) {
  auto& step = tutorial_steps()[step_];
  auto done = std::any_of(t.entries.begin(), t.entries.end(), [&](auto& e) {
    return e->source.channel == "terminal" && step.is_done(*e, *t.after);
  });
  if (!done) return progress::none;
  return skip() ? progress::passed : progress::finished;
}

}  // namespace fermata::app
