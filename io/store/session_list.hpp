#pragma once

#include "io/store/home.hpp"
#include "io/store/session_directory.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace fermata::io {

/// A session on disk: in use or in the archive, perhaps open in another process.
struct session_on_disk {
  std::filesystem::path folder;
  stored_summary summary;   ///< if meta.json cannot be read: its slug, also as its name
  bool is_readable = true;  ///< false: neither meta.json nor the journal can be read
  std::uint64_t bytes = 0;  ///< of its files
};

/// Level of detail. Each costs more than the one before it.
enum class detail_level {
  names,      ///< names, tags and dates
  summaries,  ///< also its score and its number of entries
  sizes       ///< also the size of its files
};

/// In the order of their slugs. Unwanted ones are not read.
std::vector<session_on_disk> sessions_on_disk(const std::filesystem::path& home, detail_level how,
                                              const wanted_slugs& is_wanted = nullptr);
std::vector<session_on_disk> archived_on_disk(const std::filesystem::path& home, detail_level how);

}  // namespace fermata::io
