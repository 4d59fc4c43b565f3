#pragma once

#include "io/store/home.hpp"
#include "io/store/session_directory.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace fermata::io {

/// A session as it lies on the disk: in use or in the archive, perhaps open in another process.
struct session_on_disk {
  std::filesystem::path folder;
  stored_summary summary;   ///< of one whose meta.json cannot be read: its slug, also as its name
  bool is_readable = true;  ///< neither meta.json nor the journal says what it is, when not
  std::uint64_t bytes = 0;  ///< of its files
};

/// How closely to look. Each costs more than the one before it.
enum class detail_level {
  names,      ///< names, tags and dates
  summaries,  ///< also what its score is and how many entries it has
  sizes       ///< also how large its files are
};

/// In the order of their slugs. Those that are not wanted are not looked at.
std::vector<session_on_disk> sessions_on_disk(const std::filesystem::path& home, detail_level how,
                                              const wanted_slugs& is_wanted = nullptr);
std::vector<session_on_disk> archived_on_disk(const std::filesystem::path& home, detail_level how);

}  // namespace fermata::io
