#include "apps/fermata/tutorial_guide.hpp"

#include <algorithm>
#include <utility>

namespace fermata::app {

void tutorial_guide::begin(std::string from) {
  on_ = true;
  if (from != session_) came_from_ = std::move(from);
}

bool tutorial_guide::skip() {
  if (step_ + 1 == tutorial_steps().size()) {
    step_ = 0;
    return false;
  }
  ++step_;
  return true;
}

tutorial_guide::progress tutorial_guide::look(const turn& t) {
  auto& step = tutorial_steps()[step_];
  auto done = std::any_of(t.entries.begin(), t.entries.end(), [&](auto& e) {
    return e->source.door == "terminal" && step.is_done(*e, *t.after);
  });
  if (!done) return progress::none;
  return skip() ? progress::passed : progress::finished;
}

}  // namespace fermata::app
