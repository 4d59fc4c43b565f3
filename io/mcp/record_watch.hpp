#pragma once

#include "io/files/inotify.hpp"

#include <filesystem>
#include <optional>

namespace fermata::io::mcp {

/// Notices when running instances come or go: watches the folder of their records or, where that
/// does not exist yet, its parents.
class record_watch {
public:
  /// True when it watches more than before: what changed until now has to be looked at.
  bool begin(const std::filesystem::path& home);
  /// The descriptor that becomes readable; -1: nothing is watched.
  int fd() const { return changes_ ? changes_->fd() : -1; }
  /// Takes the changes so far. If the folder itself is gone, `begin` watches its parents again.
  void drain();

private:
  std::filesystem::path folder_;
  std::optional<inotify> changes_;  ///< from the first `begin` on
  bool on_folder_ = false;
};

}  // namespace fermata::io::mcp
