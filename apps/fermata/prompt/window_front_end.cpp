#include "apps/fermata/prompt/window_front_end.hpp"

#include <algorithm>
#include <utility>

namespace fermata::app {

window_front_end::window_front_end(hosting how, inbox& events)
  : events_(events), hosted_(std::make_unique<hosted_sessions>(std::move(how), events)) {}

window_front_end::window_front_end(host_connection host, hosting later, inbox& events)
  : events_(events), later_(std::move(later)), host_(host.pid) {
  const auto home = later_.home;
  attached_ = std::make_unique<attached_front_end>(home, std::move(host), events);
}

window_front_end::~window_front_end() = default;

actors::front_end_port& window_front_end::current() {
  if (attached_) return *attached_;
  return hosted_->front_end();
}

void window_front_end::open(std::string name) { current().open(std::move(name)); }
void window_front_end::change_to(std::string slug) { current().change_to(std::move(slug)); }
void window_front_end::submit(submission line) { current().submit(std::move(line)); }
void window_front_end::interrupt() { current().interrupt(); }
void window_front_end::toggle_pause() { current().toggle_pause(); }
void window_front_end::stop_playback() { current().stop_playback(); }
void window_front_end::ask_playback() { current().ask_playback(); }

std::optional<int> window_front_end::percent_loaded() const {
  if (!hosted_) return std::nullopt;
  const auto& l = hosted_->loading();
  const auto size = l.size.load();
  if (size == 0) return std::nullopt;
  return static_cast<int>(std::min(l.read.load(), size) * 100 / size);
}

void window_front_end::take_over() {
  if (!attached_) return;
  later_.lock = attached_->take_lock();
  attached_.reset();
  host_.reset();
  hosted_ = std::make_unique<hosted_sessions>(std::move(later_), events_);
}

std::string window_front_end::shut_down() {
  attached_.reset();
  return hosted_ ? hosted_->shut_down() : std::string{};
}

}  // namespace fermata::app
