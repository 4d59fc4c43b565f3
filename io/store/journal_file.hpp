#pragma once

#include "core/result.hpp"
#include "core/session/history.hpp"
#include "core/session/state.hpp"
#include "io/store/file.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// `history.jsonl`: the journal of a session, one transition a line, only ever appended to. The
/// first line says what it is: {"format": "fermata-history", "version": 1, "session": slug, "name":
/// ..., "created": time}.
///
/// A line counts when its newline is there: what follows the last newline was being written when
/// the process or the machine stopped, and was never shown. It is cut off on opening, and said so.

/// Where a line lies in the file.
struct journal_line {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;  ///< without the newline
  std::int64_t index = 0;    ///< of its entry; 0: it has none
};

/// What is in a journal: its lines, and where the last newline is. `first` is the text of the line
/// that says what the file is; empty when not even that is there.
struct journal_scan {
  std::string first;
  std::vector<journal_line> lines;
  std::uint64_t complete = 0;  ///< bytes up to the last newline
  std::uint64_t size = 0;      ///< bytes of the file
};
/// Looks only for newlines and at how lines begin.
result<journal_scan> scan_journal(int fd, const std::filesystem::path& path);

class journal_file {
public:
  static constexpr int version = 1;

  /// Opens for appending; makes the file when it is not there. Errors: the system's; a format or a
  /// version that is not ours.
  static result<journal_file> open(const std::filesystem::path& path, const session_meta& meta);

  const std::filesystem::path& path() const { return path_; }
  bool is_fresh() const { return lines_.empty(); }
  /// Slug, name and date of birth, as the first line has them.
  const session_meta& meta() const { return meta_; }
  /// All transitions, in order; the line that says what the file is, is not among them.
  const std::vector<journal_line>& lines() const { return lines_; }
  /// Bytes that were cut off the end when it was opened.
  std::uint64_t cut_off() const { return cut_off_; }
  /// Where the next line begins.
  std::uint64_t size() const { return size_; }

  /// The text of a line.
  result<std::string> read(const journal_line& line) const;

  /// Appends the lines in one piece. After an error nothing of them is in the file, or the file
  /// takes no more lines until it is opened again.
  result<void> append(const std::vector<std::string>& lines,
                      const std::vector<std::int64_t>& indices);
  /// Brings it to the disk; does nothing when it is there.
  result<void> sync();
  bool is_synced() const { return synced_; }

  /// Cuts the file after the first `count` transitions; what follows is kept in a file beside it,
  /// with the reason in another. Answers the name of the copy.
  result<std::string> cut_after(std::size_t count, std::string_view reason);

private:
  result<void> scan();
  result<void> begin(const session_meta& meta);

  std::filesystem::path path_;
  file_descriptor file_;
  session_meta meta_;
  std::vector<journal_line> lines_;
  std::uint64_t first_line_ = 0;  ///< where the transitions begin
  std::uint64_t size_ = 0;
  std::uint64_t cut_off_ = 0;
  bool synced_ = true;
  bool broken_ = false;
};

/// Reads entries of a journal by index for a history that does not hold them all. Thread-safe; has
/// a descriptor of its own, so it goes on working when the journal is closed.
class entries_on_disk final : public entry_source_on_disk {
public:
  /// To be told of its entries.
  static result<std::shared_ptr<entries_on_disk>> open(const std::filesystem::path& path);
  /// With all entries that are there now. Changes nothing, so another process may be writing.
  static result<std::shared_ptr<entries_on_disk>> of_file(const std::filesystem::path& path);

  result<entry_ptr> load(std::int64_t index) const override;

  /// An entry was written. Indices come one after another.
  void add(const journal_line& line);

private:
  std::filesystem::path path_;
  file_descriptor file_;
  mutable std::mutex mutex_;
  std::vector<journal_line> entries_;  ///< index 1 first
};

/// The bytes [offset, offset + length) of an open file.
result<std::string> read_piece(int fd, std::uint64_t offset, std::uint32_t length,
                               const std::filesystem::path& path);

}  // namespace fermata::io
