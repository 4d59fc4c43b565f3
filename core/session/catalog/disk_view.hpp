#pragma once

#include "core/session/catalog/session_summary.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fermata::catalog {

/// What is read of the sessions on disk. Each costs more than the one before it.
enum class disk_detail : std::uint8_t {
  names,      ///< names, tags and dates
  summaries,  ///< also scores and numbers of entries
  sizes,      ///< also the sizes of files
};

/// The sessions on disk at one moment, each list in the order of its slugs.
struct disk_view {
  std::vector<session_summary> sessions, archived;
  std::string active;  ///< the session that was last active; empty: unknown
};
using disk_view_ptr = std::shared_ptr<const disk_view>;

}  // namespace fermata::catalog
