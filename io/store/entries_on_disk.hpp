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

/// Entries of a journal by index, for a history that does not hold them all. A million entries cost
/// some 120 KB: only where every 64th begins is remembered, the others are found from there. The
/// places are kept in `history.index`, so that opening a session need not look at its whole
/// journal; a wrong or missing index costs the time to scan the journal and nothing else.
///
/// Thread-safe; has a descriptor of its own, so it goes on working when the journal is closed.
class entries_on_disk final : public entry_source_on_disk {
public:
  static constexpr std::int64_t entries_per_mark = 64;

  /// To be told of its entries.
  static result<std::shared_ptr<entries_on_disk>> open(const std::filesystem::path& journal);
  /// With all entries that are there now. Changes nothing, so another process may be writing.
  static result<std::shared_ptr<entries_on_disk>> of_file(const std::filesystem::path& journal);

  result<entry_ptr> load(std::int64_t index) const override;
  result<entry_ptr> load_if(std::int64_t index, const history_query& q) const override;

  /// How many it was told of.
  std::int64_t size() const;

  /// Takes the places of the first `count` entries, all before this byte, from `history.index`, or
  /// from the journal when that does not have them.
  result<void> know(std::int64_t count, std::uint64_t end);
  /// An entry was written. Indices come one after another.
  void add(const journal_line& line);
  /// The journal is another file by now, which says the same.
  result<void> open_again();
  /// Writes `history.index` as far as it is not written yet.
  result<void> save_index();

private:
  /// Lines of the entries from one mark to the next.
  struct block {
    std::int64_t number = -1;
    std::uint64_t begin = 0;
    std::string text;  ///< of all of it; empty when it is too large to be held
    std::vector<journal_line> lines;
  };
  result<std::string> line_of(std::int64_t index) const;
  result<void> look_at(std::int64_t number) const;
  result<void> scan_all() const;
  std::filesystem::path index_path() const;

  std::filesystem::path path_;
  file_descriptor file_;
  mutable std::mutex mutex_;
  mutable std::vector<std::uint64_t> marks_;  ///< where entry 1, 65, 129 ... begin
  mutable bool scanned_ = false;              ///< the marks come from the journal itself
  std::int64_t count_ = 0;
  std::uint64_t end_ = 0;
  mutable std::size_t saved_ = 0;  ///< marks that are in the file
  mutable block block_;            ///< looked at last
};

}  // namespace fermata::io
