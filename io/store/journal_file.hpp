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

/// `history.jsonl`: the journal of a session, one transition a line, only ever appended to. The
/// first line says what it is: {"format": "fermata-history", "version": 2, "session": slug, "name":
/// ..., "created": time}.
///
/// A line counts when its newline is there: what follows the last newline was being written when
/// the process or the machine stopped. It is cut off on opening, and said so. When the process was
/// killed it had never been shown; after a power cut it may have been.
///
/// Version 2 knows changes with renumbered measures. A journal of version 1 is one of version 2
/// without any, so one that is opened for writing becomes that: the digit is changed where it
/// stands.

/// Where a line lies in the file.
struct journal_line {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;  ///< without the newline
  std::int64_t index = 0;    ///< of its entry; 0: it has none
};

/// Where in the journal something holds: after so many transitions, which end at this byte.
struct journal_place {
  std::uint64_t lines = 0;
  std::uint64_t offset = 0;
  bool operator==(const journal_place&) const = default;
};

/// The error of whoever was opening a session when `loading_progress::stop` was set.
error interrupted_opening();

/// The lines of a journal from some byte on, and where the last newline is.
struct journal_scan {
  std::vector<journal_line> lines;
  std::uint64_t complete = 0;  ///< bytes up to the last newline
  std::uint64_t size = 0;      ///< bytes of the file
};
/// Looks only for newlines and at how lines begin. `from` is where a line begins.
result<journal_scan> scan_journal(int fd, const std::filesystem::path& path, std::uint64_t from);

/// How a journal begins.
struct journal_beginning {
  session_meta meta;
  std::uint64_t size = 0;  ///< bytes before the first transition; 0: there is not even a first line
  std::string damage;      ///< why `meta` is empty although transitions follow
  /// Where the digit of an older version than ours stands.
  std::optional<std::uint64_t> old_version_at;
};
/// Whether something else than a journal has its name: a file without anything of one, or a folder.
/// A journal of a newer Fermata is one, and so is what cannot be read at all.
bool is_no_journal(const std::filesystem::path& path);

/// A first line that cannot be read, but after which transitions of ours stand, or which was ours
/// once, is damage. Errors: the file is something else, or of a newer Fermata.
result<journal_beginning> look_at_beginning(int fd, const std::filesystem::path& path);

class journal_file {
public:
  static constexpr int version = 2;

  enum class access { write, read_only };

  /// Opens for appending; makes the file when it is not there. Lines before `known` are not looked
  /// at, when that is a place in this file (`begins_at` says so); else all are. Errors: the
  /// system's; a format or a version that is not ours.
  static result<journal_file> open(const std::filesystem::path& path, const session_meta& meta,
                                   journal_place known = {}, access how = access::write);

  const std::filesystem::path& path() const { return path_; }
  /// It was begun when it was opened: there was none, or nothing in it.
  bool is_new() const { return is_new_; }
  bool is_fresh() const { return begins_at_.lines == 0 && lines_.empty(); }
  /// Slug, name and date of birth, as the first line has them.
  const session_meta& meta() const { return meta_; }
  /// The place of the first of `lines`.
  journal_place begins_at() const { return begins_at_; }
  /// The transitions from there on that were in the file when it was opened.
  const std::vector<journal_line>& lines() const { return lines_; }
  /// The whole lines that were added behind `end` meanwhile, by another process; `end` is behind
  /// them from then on. Errors: the system's; the file is shorter than it was.
  result<std::vector<journal_line>> read_on();
  /// They have been read and are not needed any more.
  void forget_lines() { std::vector<journal_line>{}.swap(lines_); }
  /// The place after everything that was written.
  journal_place end() const { return {count_, size_}; }
  /// Bytes that were cut off the end when it was opened.
  std::uint64_t cut_off() const { return cut_off_; }
  /// They are not the beginning of a line, as they are when the process stopped within one.
  bool end_is_damaged() const { return end_is_damaged_; }
  /// What was wrong with the first line, which was written anew where that is allowed; empty:
  /// nothing.
  const std::string& first_line_damage() const { return first_line_damage_; }
  /// The file beside it with the old first line.
  const std::string& first_line_kept_in() const { return first_line_kept_in_; }
  /// It ends before the place that was known: lines that had been shown are gone.
  bool is_shorter() const { return shorter_; }
  /// The file beside it with what was cut off then.
  const std::string& kept_in() const { return kept_in_; }

  /// The text of a line.
  result<std::string> read(const journal_line& line) const;

  /// Appends the lines in one piece; answers where they lie. After an error nothing of them is in
  /// the file, or the file takes no more lines until it is opened again. Nothing is written to a
  /// file that is not in its place any more.
  result<std::vector<journal_line>> append(const std::vector<std::string>& lines,
                                           const std::vector<std::int64_t>& indices);
  /// Where `path` leads by now. Somebody else may have moved, removed or replaced what was opened:
  /// what is written to that is lost, or found by nobody.
  enum class whereabouts : std::uint8_t { here, gone, replaced };
  /// Costs one look at the folder, a microsecond or two.
  whereabouts is_where() const;
  /// What is to be said when it is not `here`; nothing when it is.
  result<void> in_its_place() const;
  /// Where it is gone: writes all of it to its place again, from what is open still. From then on
  /// lines are appended there.
  result<void> make_again();
  /// Brings it to the disk; does nothing when it is there.
  result<void> sync();
  bool is_synced() const { return synced_; }

  /// Cuts the file before the line with this index in `lines`; what follows is kept in a file
  /// beside it, with the reason in another. Answers the name of the copy.
  result<std::string> cut_before(std::size_t line, std::string_view reason);

private:
  result<void> scan(journal_place known, access how);
  result<void> look_at_end(std::uint64_t size, access how);
  result<void> raise_version(std::uint64_t at);
  result<void> repair_beginning(const session_meta& meta, journal_beginning& found);
  result<void> begin(const session_meta& meta);
  /// Puts another file in its place, which has this beginning and behind it the bytes [from, to).
  result<void> write_anew(std::string_view beginning, std::uint64_t from, std::uint64_t to);
  /// Puts the bytes [from, to) into a file beside it, the reason into another.
  result<std::string> keep(std::uint64_t from, std::uint64_t to, std::string_view reason) const;

  std::filesystem::path path_;
  file_descriptor file_;
  session_meta meta_;
  std::vector<journal_line> lines_;
  std::uint64_t first_line_ = 0;  ///< where the transitions begin
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

/// The index of the entry in a line, from how the line begins; 0 when it has none.
std::int64_t index_of_line(std::string_view line);

/// The index of the last entry in a journal, from its last lines alone; 0 when it has none. Another
/// process may be writing to it: a line without its newline does not count. Errors: the system's.
result<std::int64_t> last_index_in(const std::filesystem::path& path);

/// The bytes [offset, offset + length) of an open file.
result<std::string> read_piece(int fd, std::uint64_t offset, std::uint32_t length,
                               const std::filesystem::path& path);

}  // namespace fermata::io
