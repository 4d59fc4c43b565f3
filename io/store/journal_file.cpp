#include "io/store/journal_file.hpp"

#include "io/json/journal_json.hpp"
#include "io/json/object_reader.hpp"
#include "io/store/loading_progress.hpp"
#include "io/store/text_file.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

namespace fermata::io {

namespace json = boost::json;

namespace {

constexpr std::string_view format_name = "fermata-history";
/// Read at once. Not on the stack: each page of it that a thread has once used stays with it, and
/// every session has a thread.
constexpr std::size_t block_size = 1 << 16;
constexpr std::string_view newer = "it was written by a newer version of Fermata";

error foreign(const std::filesystem::path& path, std::string what) {
  return {errc::unsupported_format, path.string() + ": " + std::move(what), std::nullopt,
          "It was left unchanged."};
}

result<session_meta> read_first_line(std::string_view line, const std::filesystem::path& path) {
  json::error_code failed;
  auto v = json::parse({line.data(), line.size()}, failed);
  auto o = failed ? nullptr : v.if_object();
  if (!o) return fail(foreign(path, "the first line is not that of a Fermata journal"));
  object_reader r{*o};
  if (r.or_else<std::string>("format") != format_name)
    return fail(foreign(path, "the first line is not that of a Fermata journal"));
  auto version = r.need<int>("version");
  if (!r.good()) return fail(r.fault());
  if (version > journal_file::version) return fail(foreign(path, std::string{newer}));
  session_meta meta;
  meta.slug = r.need<std::string>("session");
  meta.name = r.or_else<std::string>("name", meta.slug);
  meta.created = meta.modified = r.time("created");
  if (!r.good()) return fail(r.fault());
  return meta;
}

/// The place of the one digit of a version before ours in a first line that could be read.
std::optional<std::uint64_t> old_version_in(std::string_view line) {
  static_assert(journal_file::version == 2, "more than one older version");
  constexpr std::string_view blank = " \t\r", name = "\"version\"";
  for (auto at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
    auto colon = line.find_first_not_of(blank, at + name.size());
    if (colon == line.npos || line[colon] != ':') continue;
    auto digit = line.find_first_not_of(blank, colon + 1);
    if (digit != line.npos && line[digit] == '1') return digit;
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::int64_t index_of_line(std::string_view line) {
  constexpr std::string_view beginning = "{\"index\":";
  std::int64_t index = 0;
  if (line.substr(0, beginning.size()) == beginning)
    std::from_chars(line.data() + beginning.size(), line.data() + line.size(), index);
  return index;
}

result<std::string> read_piece(int fd, std::uint64_t offset, std::uint32_t length,
                               const std::filesystem::path& path) {
  std::string text(length, '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    auto n = ::pread(fd, text.data() + have, text.size() - have, static_cast<off_t>(offset + have));
    if (n > 0)
      have += static_cast<std::size_t>(n);
    else if (n == 0)
      return fail({errc::unreadable_file, path.string() + " is shorter than it was"});
    else if (errno != EINTR)
      return fail(read_error("cannot read", path, errno));
  }
  return text;
}

result<std::int64_t> last_index_in(const std::filesystem::path& path) {
  file_descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return fail(read_error("cannot open", path, errno));
  struct stat now {};
  if (::fstat(file.get(), &now) != 0) return fail(read_error("cannot look at", path, errno));
  constexpr std::uint64_t most_at_once = 1 << 16;
  std::uint64_t piece = 1 << 12;  // most lines are short
  auto begin = static_cast<std::uint64_t>(now.st_size);
  std::string after;  // the first bytes of what was looked at before, where a line may go on
  bool is_whole = false;
  while (begin > 0) {
    auto size = std::min(piece, begin);
    begin -= size;
    piece = most_at_once;
    auto text = read_piece(file.get(), begin, static_cast<std::uint32_t>(size), path);
    if (!text) return fail(text.error());
    *text += after;
    // Each newline but the last of the file has a line behind it, which is looked at here, where
    // as much of it as is needed is at hand.
    for (auto end = text->size(); end > 0;) {
      auto newline = text->rfind('\n', std::min(end, static_cast<std::size_t>(size)) - 1);
      if (newline == text->npos) break;
      if (is_whole)
        if (auto index = index_of_line(std::string_view{*text}.substr(newline + 1)); index > 0)
          return index;
      is_whole = true;
      end = newline;
    }
    constexpr std::size_t enough_of_a_line = 40;
    after = text->substr(0, enough_of_a_line);
  }
  return 0;
}

result<journal_file> journal_file::open(const std::filesystem::path& path, const session_meta& meta,
                                        journal_place known, access how) {
  journal_file j;
  j.path_ = path;
  j.file_ = how == access::write ? open_to_write(path, O_RDWR | O_CREAT | O_APPEND)
                                 : file_descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!j.file_)
    return fail(how == access::write ? write_error("cannot open", path, errno)
                                     : read_error("cannot open", path, errno));
  auto found = read_journal_header(j.file_.get(), path);
  if (!found) return fail(found.error());
  j.first_line_damage_ = found->damage;
  j.meta_ = found->damage.empty() ? found->meta : meta;
  if (!found->damage.empty() && how == access::write) {
    auto size = found->size;
    if (auto done = j.repair_beginning(meta, *found); !done) return fail(done.error());
    if (found->size != size) known = {};  // every line stands elsewhere now
  }
  if (found->old_version_at && how == access::write)
    if (auto done = j.raise_version(*found->old_version_at); !done) return fail(done.error());
  j.first_line_ = found->size;
  if (auto done = j.scan(known, how); !done) return fail(done.error());
  if (j.first_line_ == 0) {
    if (how == access::read_only)
      return fail(foreign(path, "the first line is not that of a Fermata journal"));
    if (auto done = j.begin(meta); !done) return fail(done.error());
  }
  return j;
}

namespace {

/// More than a first line ever has: name and slug are short.
constexpr std::uint64_t longest_first_line = 1 << 16;

/// Where the first transition begins, from how transitions begin; nothing when there is none.
result<std::optional<std::uint64_t>> first_transition(int fd, const std::filesystem::path& path) {
  constexpr std::string_view with_entry = "{\"index\":", without = "{\"also\":[";
  std::string text;
  std::string block(block_size, '\0');
  std::uint64_t begin = 0;  // of `text` in the file
  while (true) {
    auto at = static_cast<off_t>(begin + text.size());
    auto n = ::pread(fd, block.data(), block.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(read_error("cannot read", path, errno));
    if (n == 0) return std::optional<std::uint64_t>{};
    text.append(block.data(), static_cast<std::size_t>(n));
    auto found = std::min(text.find(with_entry), text.find(without));
    if (found != text.npos) return std::optional{begin + found};
    auto kept = std::min(text.size(), with_entry.size());
    begin += text.size() - kept;
    text.erase(0, text.size() - kept);
  }
}

std::string head_line(const session_meta& meta, bool with_name) {
  json::object first{
      {"format", format_name}, {"version", journal_file::version}, {"session", meta.slug}};
  if (with_name) first["name"] = meta.name;
  first["created"] = time_text(meta.created);
  return json::serialize(first);
}

/// The bytes [from, to) of a file at the end of another.
result<void> append_piece(int from_fd, std::uint64_t from, std::uint64_t to, int to_fd,
                          const std::filesystem::path& path) {
  constexpr std::uint64_t piece = 1 << 20;
  while (from < to) {
    auto size = std::min(piece, to - from);
    auto bytes = read_piece(from_fd, from, static_cast<std::uint32_t>(size), path);
    if (!bytes) return fail(bytes.error());
    if (auto done = write_all(to_fd, *bytes, path); !done) return done;
    from += size;
  }
  return {};
}

}  // namespace

result<journal_beginning> read_journal_header(int fd, const std::filesystem::path& path) {
  std::string line(longest_first_line, '\0');
  auto n = ::pread(fd, line.data(), line.size(), 0);
  if (n < 0) return fail(read_error("cannot read", path, errno));
  line.resize(static_cast<std::size_t>(n));
  auto newline = line.find('\n');
  std::string reason = "there is no first line";
  std::uint64_t end = 0;
  auto was_ours = false;
  if (newline != line.npos) {
    end = newline + 1;
    line.resize(newline);
    auto meta = read_first_line(line, path);
    if (meta) return journal_beginning{std::move(*meta), end, {}, old_version_in(line)};
    reason = meta.error().first().message;
    if (reason.ends_with(newer)) return fail(meta.error());
    for (std::string_view sign :
         {format_name, std::string_view{"\"session\":"}, std::string_view{"\"created\":"}})
      was_ours = was_ours || line.find(sign) != line.npos;
  }
  auto next = first_transition(fd, path);
  if (!next) return fail(next.error());
  auto is_short = n < static_cast<ssize_t>(longest_first_line);
  auto is_blank = line.find_first_not_of('\0') == line.npos;
  // Being begun when the process stopped, or nothing but the zeros of a power cut.
  if (!*next && newline == line.npos && (is_short || is_blank)) return journal_beginning{};
  if (!*next && !was_ours)
    return fail(foreign(path, "the first line is not that of a Fermata journal"));
  return journal_beginning{{}, *next ? **next : end, reason, {}};
}

bool is_no_journal(const std::filesystem::path& path) {
  std::error_code failed;
  // What a link leads to is not looked at.
  if (std::filesystem::is_symlink(path, failed)) return false;
  if (std::filesystem::is_directory(path, failed)) return true;
  file_descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return false;
  auto found = read_journal_header(file.get(), path);
  return !found && found.error().first().code == errc::unsupported_format &&
         !found.error().first().message.ends_with(newer);
}

error interrupted_opening() {
  return {errc::cancelled, "opening was interrupted", std::nullopt, "open the session again"};
}

result<journal_scan> scan_journal(int fd, const std::filesystem::path& path, std::uint64_t start) {
  journal_scan scan;
  std::string block(block_size, '\0');
  std::string beginning;  // of the line that is being scanned
  auto line_start = start;
  scan.size = start;
  constexpr std::size_t beginning_kept = 40;
  while (true) {
    if (loading_is_stopped()) return fail(interrupted_opening());
    auto n = ::pread(fd, block.data(), block.size(), static_cast<off_t>(scan.size));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(read_error("cannot read", path, errno));
    if (n == 0) break;
    std::string_view text{block.data(), static_cast<std::size_t>(n)};
    std::size_t from = 0;
    while (from < text.size()) {
      auto newline = text.find('\n', from);
      auto end = std::min(newline, text.size());
      if (beginning.size() < beginning_kept)
        beginning.append(text.substr(from, std::min(end - from, beginning_kept)));
      if (newline == text.npos) break;
      auto length = static_cast<std::uint32_t>(scan.size + newline - line_start);
      scan.lines.push_back({line_start, length, index_of_line(beginning)});
      line_start = scan.size + newline + 1;
      beginning.clear();
      from = newline + 1;
    }
    scan.size += static_cast<std::uint64_t>(n);
  }
  scan.complete = line_start;
  return scan;
}

result<void> journal_file::scan(journal_place known, access how) {
  auto start = first_line_;
  begins_at_ = {0, start};
  if (start > 0 && known.offset > start) {
    // A line ends there, so it is a place of this file.
    auto before = read_piece(file_.get(), known.offset - 1, 1, path_);
    if (before && *before == "\n") begins_at_ = known;
  }
  auto found = scan_journal(file_.get(), path_, begins_at_.offset);
  if (!found) return fail(found.error());
  // Without a whole first line there is nothing.
  if (first_line_ == 0) {
    found->lines.clear();
    found->complete = 0;
  }
  lines_ = std::move(found->lines);
  count_ = begins_at_.lines + lines_.size();
  size_ = found->complete;
  cut_off_ = found->size - found->complete;
  shorter_ = known.offset > size_;
  return look_at_end(found->size, how);
}

result<std::vector<journal_line>> journal_file::read_on() {
  struct stat now {};
  if (::fstat(file_.get(), &now) != 0) return fail(read_error("cannot look at", path_, errno));
  const auto size = static_cast<std::uint64_t>(now.st_size);
  if (size < size_)
    return fail({errc::unreadable_file, path_.string() + " is shorter than it was"});
  if (size == size_) return std::vector<journal_line>{};
  auto found = scan_journal(file_.get(), path_, size_);
  if (!found) return fail(found.error());
  count_ += found->lines.size();
  size_ = found->complete;
  return std::move(found->lines);
}

/// What stands behind the last newline is cut off. What is no torn line, as after a power cut that
/// left zeros, and what may have been shown, is kept.
result<void> journal_file::look_at_end(std::uint64_t size, access how) {
  if (cut_off_ == 0) return {};
  auto look = static_cast<std::uint32_t>(std::min<std::uint64_t>(cut_off_, 1 << 20));
  auto rest = read_piece(file_.get(), size_, look, path_);
  if (!rest) return fail(rest.error());
  end_is_damaged_ = rest->front() != '{' || rest->find('\0') != rest->npos;
  if (how == access::read_only) return {};
  if (shorter_ || end_is_damaged_) {
    auto kept = keep(size_, size,
                     shorter_ ? "it is shorter than before and ends within a line"
                              : "its last line is incomplete");
    if (!kept) return fail(kept.error());
    kept_in_ = std::move(*kept);
  }
  if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0)
    return fail(write_error("cannot remove the incomplete last line", path_, errno));
  return {};
}

result<void> journal_file::begin(const session_meta& meta) {
  meta_ = meta;
  is_new_ = true;
  auto line = head_line(meta, true) + '\n';
  if (auto done = write_all(file_.get(), line, path_); !done) {
    // Half a first line would be taken for something else.
    (void)::ftruncate(file_.get(), 0);
    return done;
  }
  first_line_ = size_ = line.size();
  begins_at_ = {0, size_};
  synced_ = false;
  if (auto done = sync(); !done) return fail(done.error());
  return sync_folder(path_.parent_path());
}

/// One byte is written or not: whatever happens meanwhile, the first line stays whole.
result<void> journal_file::raise_version(std::uint64_t at) {
  static_assert(version < 10, "one digit");
  // Not through the descriptor that appends: that writes at the end, wherever it is told to.
  auto out = open_to_write(path_, O_WRONLY);
  if (!out) return fail(write_error("cannot open", path_, errno));
  auto digit = static_cast<char>('0' + version);
  if (::pwrite(out.get(), &digit, 1, static_cast<off_t>(at)) != 1)
    return fail(write_error("cannot write", path_, errno));
  return sync_file(out.get(), path_);
}

/// Writes the first line anew: where it was when there is room, so that every line stays where it
/// is known to be; else all of the file.
result<void> journal_file::repair_beginning(const session_meta& meta, journal_beginning& found) {
  auto kept = keep(0, found.size, found.damage);
  if (!kept) return fail(kept.error());
  auto line = head_line(meta, true);
  if (line.size() + 1 > found.size) line = head_line(meta, false);
  if (line.size() + 1 <= found.size && found.size <= longest_first_line) {
    line.resize(found.size - 1, ' ');
    line += '\n';
    // Not through the descriptor that appends: that writes at the end, wherever it is told to.
    auto out = open_to_write(path_, O_WRONLY);
    if (!out) return fail(write_error("cannot open", path_, errno));
    if (auto done = write_all(out.get(), line, path_); !done) return done;
    if (auto done = sync_file(out.get(), path_); !done) return done;
  } else {
    line += '\n';
    struct stat now {};
    if (::fstat(file_.get(), &now) != 0) return fail(read_error("cannot look at", path_, errno));
    auto size = static_cast<std::uint64_t>(now.st_size);
    if (auto done = write_anew(line, found.size, size); !done) return done;
    found.size = line.size();
  }
  first_line_kept_in_ = std::move(*kept);
  return {};
}

result<void> journal_file::write_anew(std::string_view beginning, std::uint64_t from,
                                      std::uint64_t to) {
  auto draft = path_;
  draft += ".new";
  ::unlink(draft.c_str());
  auto out = open_to_write(draft, O_RDWR | O_CREAT | O_EXCL | O_APPEND);
  if (!out) return fail(write_error("cannot create", draft, errno));
  auto done = write_all(out.get(), beginning, draft);
  if (done) done = append_piece(file_.get(), from, to, out.get(), draft);
  if (done) done = sync_file(out.get(), draft);
  if (done && ::rename(draft.c_str(), path_.c_str()) != 0)
    done = fail(write_error("cannot replace", path_, errno));
  if (!done) {
    ::unlink(draft.c_str());
    return done;
  }
  file_ = std::move(out);
  return sync_folder(path_.parent_path());
}

journal_file::whereabouts journal_file::is_where() const {
  return file_.is_at(path_)    ? whereabouts::here
         : look_at_file(path_) ? whereabouts::replaced
                               : whereabouts::gone;
}

result<void> journal_file::in_its_place() const {
  switch (is_where()) {
    case whereabouts::here: return {};
    case whereabouts::gone:
      return fail(
          {errc::unwritable_file,
           path_.string() + " no longer exists: it or its folder was removed or moved while open",
           std::nullopt, "Put it back, or enter `:save` to write the whole session again."});
    case whereabouts::replaced:
      return fail({errc::unwritable_file,
                   path_.string() + " was replaced by another file while open", std::nullopt,
                   "Move that file away; then restore the old one, or enter `:save` to write the "
                   "whole session again."});
  }
  return {};
}

result<void> journal_file::recreate() {
  if (is_where() != whereabouts::gone) return in_its_place();
  if (auto done = write_anew({}, 0, size_); !done) return done;
  broken_ = false;  // what could not be taken away from its end is not in the new one
  synced_ = true;
  return {};
}

result<std::string> journal_file::read(const journal_line& line) const {
  return read_piece(file_.get(), line.offset, line.length, path_);
}

result<std::vector<journal_line>> journal_file::append(const std::vector<std::string>& lines,
                                                       const std::vector<std::int64_t>& indices) {
  if (broken_)
    return fail({errc::unwritable_file, path_.string() + " could not be written and is closed",
                 std::nullopt, "Save elsewhere and reopen the session."});
  if (auto here = in_its_place(); !here) return fail(here.error());
  std::string text;
  for (auto& line : lines) {
    text += line;
    text += '\n';
  }
  if (auto done = check_text(text, path_); !done) return fail(done.error());
  if (auto done = write_all(file_.get(), text, path_); !done) {
    // A part may be there: take it away again, or never add behind it.
    if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) broken_ = true;
    return fail(done.error());
  }
  auto offset = size_;
  std::vector<journal_line> written;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    written.push_back({offset, static_cast<std::uint32_t>(lines[i].size()), indices[i]});
    offset += lines[i].size() + 1;
  }
  size_ = offset;
  count_ += lines.size();
  synced_ = false;
  return written;
}

result<void> journal_file::sync() {
  if (synced_) return {};
  auto done = sync_file(file_.get(), path_);
  synced_ = done.has_value();
  return done;
}

result<std::string> journal_file::keep(std::uint64_t from, std::uint64_t to,
                                       std::string_view reason) const {
  std::filesystem::path copy;
  std::error_code failed;
  for (int n = 1;; ++n) {
    copy = path_;
    copy += ".damaged-" + std::to_string(n);
    if (!std::filesystem::exists(copy, failed)) break;
  }
  auto out = open_to_write(copy, O_WRONLY | O_CREAT | O_EXCL);
  if (!out) return fail(write_error("cannot create", copy, errno));
  auto done = append_piece(file_.get(), from, to, out.get(), copy);
  if (done) done = sync_file(out.get(), copy);
  auto note = copy;
  note += ".reason";
  if (done) done = replace_file(note, std::string{reason} + '\n');
  if (!done) {
    std::filesystem::remove(copy, failed);
    return fail(done.error());
  }
  return copy.filename().string();
}

result<std::string> journal_file::cut_before(std::size_t line, std::string_view reason) {
  auto from = line < lines_.size() ? lines_[line].offset : size_;
  auto copy = keep(from, size_, reason);
  if (!copy) return copy;
  if (::ftruncate(file_.get(), static_cast<off_t>(from)) != 0)
    return fail(write_error("cannot truncate", path_, errno));
  lines_.resize(std::min(line, lines_.size()));
  count_ = begins_at_.lines + lines_.size();
  size_ = from;
  synced_ = false;
  if (auto done = sync(); !done) return fail(done.error());
  return copy;
}

}  // namespace fermata::io
