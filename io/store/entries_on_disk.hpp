#pragma once

#include "core/result.hpp"
#include "core/session/timeline/history.hpp"
#include "io/store/file.hpp"
#include "io/store/journal_file.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// Entries of a journal by index, for a history that does not hold them all in memory. A million
/// entries cost about 120 KB: only the offset of every 64th is stored, the others are found from
/// there. The offsets are saved in `history.index`, so that opening a session need not read its
/// whole journal; a wrong or missing index only costs the time to scan the journal.
///
/// Thread-safe; has its own descriptor, so it works after the journal is closed.
class entries_on_disk final : public entry_source_on_disk {
public:
  static constexpr std::int64_t entries_per_mark = 64;

  /// Entries are to be added.
  static result<std::shared_ptr<entries_on_disk>> open(const std::filesystem::path& journal);
  /// With all existing entries. Changes nothing, so another process may be writing.
  static result<std::shared_ptr<entries_on_disk>> of_file(const std::filesystem::path& journal);

  result<entry_ptr> load(std::int64_t index) const override;
  result<entry_ptr> load_if(std::int64_t index, const history_query& q) const override;

  /// The number of entries added.
  std::int64_t size() const;

  /// Takes the offsets of the first `count` entries, all before this byte, from `history.index`, or
  /// from the journal if that does not have them.
  result<void> know(std::int64_t count, std::uint64_t end);
  /// An entry was written. Indices are consecutive.
  void add(const journal_line& line);
  /// The journal is another file now, with the same contents.
  result<void> open_again();
  /// Writes the new part of `history.index`.
  result<void> save_index();

private:
  /// Lines of the entries from one mark to the next.
  struct block {
    std::int64_t number = -1;
    std::uint64_t begin = 0;
    std::string text;  ///< of all of it; empty if it is too large
    std::vector<journal_line> lines;
  };
  result<std::string> line_of(std::int64_t index) const;
  result<void> look_at(std::int64_t number) const;
  result<void> scan_all() const;
  std::filesystem::path index_path() const;

  std::filesystem::path path_;
  file_descriptor file_;
  mutable std::mutex mutex_;
  mutable std::vector<std::uint64_t> marks_;  ///< offsets of entry 1, 65, 129 ...
  mutable bool scanned_ = false;              ///< the marks come from the journal itself
  std::int64_t count_ = 0;
  std::uint64_t end_ = 0;
  mutable std::size_t saved_ = 0;  ///< marks in the file
  mutable block block_;            ///< last one read
};

}  // namespace fermata::io
