#pragma once

#include "core/result.hpp"
#include "core/session/timeline/state.hpp"
#include "io/store/file.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// The journal in the folder of a session.
inline constexpr auto journal_name = "history.jsonl";

/// `history.jsonl`: the journal of a session, one transition per line, append-only. The first line
/// is a header: {"format": "fermata-history", "version": 2, "session": slug, "name": ...,
/// "created": time}.
///
/// A line is complete if it has its newline: text after the last newline was being written when the
/// process or the machine stopped. It is cut off on opening, with a remark. If the process was
/// killed it had never been shown; after a power failure it may have been.
///
/// Version 2 has changes with renumbered measures. A journal of version 1 is a valid one of version
/// 2 without any, so it is upgraded when it is opened for writing: the digit is changed in place.

/// The location of a line in the file.
struct journal_line {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;  ///< without the newline
  std::int64_t index = 0;    ///< of its entry; 0: none
};

/// A position in the journal: after so many transitions, which end at this byte.
struct journal_place {
  std::uint64_t lines = 0;
  std::uint64_t offset = 0;
  bool operator==(const journal_place&) const = default;
};

/// The error of opening a session after `loading_progress::stop` was set.
error interrupted_opening();

/// The lines of a journal from some byte on, and the position of the last newline.
struct journal_scan {
  std::vector<journal_line> lines;
  std::uint64_t complete = 0;  ///< bytes up to the last newline
  std::uint64_t size = 0;      ///< bytes of the file
};
/// Finds only newlines and the starts of lines. `from` is the start of a line.
result<journal_scan> scan_journal(int fd, const std::filesystem::path& path, std::uint64_t from);

/// The header of a journal.
struct journal_beginning {
  session_meta meta;
  std::uint64_t size = 0;  ///< bytes before the first transition; 0: not even a first line
  std::string damage;      ///< why `meta` is empty although transitions follow
  /// The offset of the version digit of an older version.
  std::optional<std::uint64_t> old_version_at;
};
/// Whether the file is something other than a journal: a file without any sign of one, or a folder.
/// A journal of a newer Fermata is one, and so is a file that cannot be read at all.
bool is_no_journal(const std::filesystem::path& path);

/// A first line that cannot be read is damage if transitions follow it, or if it was known to be
/// ours. Errors: the file is something else, or of a newer Fermata.
result<journal_beginning> read_journal_header(int fd, const std::filesystem::path& path);

class journal_file {
public:
  static constexpr int version = 2;

  enum class access { write, read_only };

  /// Opens for appending; creates the file if it does not exist. Lines before `known` are not read,
  /// if that is a position in this file (`begins_at`); otherwise all are. Errors: the system's; an
  /// unknown format or version.
  static result<journal_file> open(const std::filesystem::path& path, const session_meta& meta,
                                   journal_place known = {}, access how = access::write);

  const std::filesystem::path& path() const { return path_; }
  /// Whether it was created when it was opened, or was empty.
  bool is_new() const { return is_new_; }
  bool is_fresh() const { return begins_at_.lines == 0 && lines_.empty(); }
  /// Slug, name and creation date from the first line.
  const session_meta& meta() const { return meta_; }
  /// The position of the first of `lines`.
  journal_place begins_at() const { return begins_at_; }
  /// The transitions from there on that were in the file when it was opened.
  const std::vector<journal_line>& lines() const { return lines_; }
  /// The complete lines that another process has appended after `end`, which is moved after them.
  /// Errors: the system's; the file is shorter than before.
  result<std::vector<journal_line>> read_on();
  /// They have been read and are no longer needed.
  void forget_lines() { std::vector<journal_line>{}.swap(lines_); }
  /// The position after everything written.
  journal_place end() const { return {count_, size_}; }
  /// Bytes that were cut off the end when it was opened.
  std::uint64_t cut_off() const { return cut_off_; }
  /// Whether they are not the start of a line, as they are if the process stopped while writing
  /// one.
  bool end_is_damaged() const { return end_is_damaged_; }
  /// The damage in the first line, which was rewritten if that is allowed; empty: none.
  const std::string& first_line_damage() const { return first_line_damage_; }
  /// The file with the old first line.
  const std::string& first_line_kept_in() const { return first_line_kept_in_; }
  /// Whether it ends before the known position: lines that had been shown are lost.
  bool is_shorter() const { return shorter_; }
  /// The file with what was cut off then.
  const std::string& kept_in() const { return kept_in_; }

  /// The text of a line.
  result<std::string> read(const journal_line& line) const;

  /// Appends the lines in one piece; returns their locations. After an error none of them is in the
  /// file, or the file accepts no more lines until it is reopened. Nothing is written to a file
  /// that was moved or removed.
  result<std::vector<journal_line>> append(const std::vector<std::string>& lines,
                                           const std::vector<std::int64_t>& indices);
  /// The state of `path` now. Another program may have moved, removed or replaced the open file;
  /// writing to it would then be useless.
  enum class whereabouts : std::uint8_t { here, gone, replaced };
  /// Takes one look at the folder, a microsecond or two.
  whereabouts is_where() const;
  /// The message if it is not `here`; otherwise empty.
  result<void> in_its_place() const;
  /// If it was removed: writes all of it to its path again, from the open file. From then on lines
  /// are appended there.
  result<void> recreate();
  /// Flushes it to disk, if needed.
  result<void> sync();
  bool is_synced() const { return synced_; }

  /// Cuts the file before the line with this index in `lines`; the rest is kept in another file,
  /// with the reason next to it. Returns the name of the copy.
  result<std::string> cut_before(std::size_t line, std::string_view reason);

private:
  result<void> scan(journal_place known, access how);
  result<void> look_at_end(std::uint64_t size, access how);
  result<void> raise_version(std::uint64_t at);
  result<void> repair_beginning(const session_meta& meta, journal_beginning& found);
  result<void> begin(const session_meta& meta);
  /// Replaces the file by one with this start followed by the bytes [from, to).
  result<void> write_anew(std::string_view beginning, std::uint64_t from, std::uint64_t to);
  /// Copies the bytes [from, to) to one file, the reason to another.
  result<std::string> keep(std::uint64_t from, std::uint64_t to, std::string_view reason) const;

  std::filesystem::path path_;
  file_descriptor file_;
  session_meta meta_;
  std::vector<journal_line> lines_;
  std::uint64_t first_line_ = 0;  ///< start of the transitions
  journal_place begins_at_;
  std::uint64_t count_ = 0;  ///< transitions in the file
  std::uint64_t size_ = 0;
  std::uint64_t cut_off_ = 0;
  bool synced_ = true;
  bool is_new_ = false;
  bool broken_ = false;
  bool shorter_ = false;
  bool end_is_damaged_ = false;
  std::string first_line_damage_, first_line_kept_in_;
  std::string kept_in_;
};

/// The index of the entry in a line, from the start of the line; 0 if it has none.
std::int64_t index_of_line(std::string_view line);

/// The index of the last entry in a journal, from its last lines only; 0 if it has none. Another
/// process may be writing to it: an incomplete line does not count. Errors: the system's.
result<std::int64_t> last_index_in(const std::filesystem::path& path);

/// The bytes [offset, offset + length) of an open file.
result<std::string> read_piece(int fd, std::uint64_t offset, std::uint32_t length,
                               const std::filesystem::path& path);

}  // namespace fermata::io
