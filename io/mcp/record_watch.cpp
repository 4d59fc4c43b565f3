#include "io/mcp/record_watch.hpp"

#include "io/protocol/instance.hpp"

#include <sys/inotify.h>

namespace fermata::io::mcp {

bool record_watch::begin(const std::filesystem::path& home) {
  const bool first = !changes_ || !changes_->is_open();
  if (first) changes_.emplace();
  if (!changes_->is_open() || on_folder_) return false;
  constexpr auto kinds = IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE_SELF;
  folder_ = protocol::run_folder(home);
  on_folder_ = changes_->add(folder_, kinds);
  if (!on_folder_) {
    if (!changes_->add(home, kinds)) changes_->add(home.parent_path(), kinds);
    // It may have been made between the two.
    on_folder_ = changes_->add(folder_, kinds);
  }
  return first || on_folder_;
}

void record_watch::drain() {
  if (!changes_) return;
  for (const auto& change : changes_->read())
    if (change.folder == folder_ && change.name.empty()) on_folder_ = false;
}

}  // namespace fermata::io::mcp
