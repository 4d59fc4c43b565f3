#include "io/store/loading_progress.hpp"

#include <utility>

namespace fermata::io {

namespace {

std::shared_ptr<loading_progress>& watched_here() {
  thread_local std::shared_ptr<loading_progress> progress;
  return progress;
}

}  // namespace

loading_watch::loading_watch(std::shared_ptr<loading_progress> progress)
  : progress_(std::move(progress)), before_(std::exchange(watched_here(), progress_)) {}

loading_watch::~loading_watch() { watched_here() = before_; }

void loading_expects(std::uint64_t bytes) {
  if (auto& p = watched_here()) p->size += bytes;
}

void loading_has_read(std::uint64_t bytes) {
  if (auto& p = watched_here()) p->read += bytes;
}

bool loading_is_stopped() {
  auto& p = watched_here();
  return p && p->stop;
}

}  // namespace fermata::io
