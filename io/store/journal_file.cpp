#include "io/store/journal_file.hpp"

#include "io/json/journal_json.hpp"
#include "io/json/object_reader.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace fermata::io {

namespace json = boost::json;

namespace {

constexpr std::string_view format_name = "fermata-history";

/// The index of the entry in a line, from how the line begins; 0 when it has none.
std::int64_t index_of(std::string_view line) {
  constexpr std::string_view beginning = "{\"index\":";
  std::int64_t index = 0;
  if (line.substr(0, beginning.size()) == beginning)
    std::from_chars(line.data() + beginning.size(), line.data() + line.size(), index);
  return index;
}

error foreign(const std::filesystem::path& path, std::string what) {
  return {errc::unsupported_format, path.string() + ": " + std::move(what), std::nullopt,
          "It is left as it is."};
}

result<session_meta> read_first_line(std::string_view line, const std::filesystem::path& path) {
  json::error_code failed;
  auto v = json::parse({line.data(), line.size()}, failed);
  auto o = failed ? nullptr : v.if_object();
  if (!o) return fail(foreign(path, "the first line does not say that it is a history of Fermata"));
  object_reader r{*o};
  if (r.or_else<std::string>("format") != format_name)
    return fail(foreign(path, "the first line does not say that it is a history of Fermata"));
  if (r.need<int>("version") > journal_file::version || !r.good())
    return fail(foreign(path, "it was written by a newer Fermata"));
  session_meta meta;
  meta.slug = r.need<std::string>("session");
  meta.name = r.or_else<std::string>("name", meta.slug);
  meta.created = meta.modified = r.time("created");
  if (!r.good()) return fail(r.fault());
  return meta;
}

}  // namespace

result<std::string> read_piece(int fd, std::uint64_t offset, std::uint32_t length,
                               const std::filesystem::path& path) {
  std::string text(length, '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    auto n = ::pread(fd, text.data() + have, text.size() - have, static_cast<off_t>(offset + have));
    if (n > 0)
      have += static_cast<std::size_t>(n);
    else if (n == 0)
      return fail({errc::internal, path.string() + " is shorter than it was"});
    else if (errno != EINTR)
      return fail(system_error("cannot read", path, errno));
  }
  return text;
}

result<journal_file> journal_file::open(const std::filesystem::path& path,
                                        const session_meta& meta) {
  journal_file j;
  j.path_ = path;
  j.file_ = file_descriptor{
      ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR)};
  if (!j.file_) return fail(system_error("cannot open", path, errno));
  if (auto done = j.scan(); !done) return fail(done.error());
  if (j.first_line_ == 0)
    if (auto done = j.begin(meta); !done) return fail(done.error());
  return j;
}

result<journal_scan> scan_journal(int fd, const std::filesystem::path& path) {
  journal_scan scan;
  std::array<char, 1 << 16> block;
  std::string beginning;  // of the line that is being scanned
  std::uint64_t line_start = 0;
  constexpr std::size_t beginning_kept = 40;
  while (true) {
    auto n = ::pread(fd, block.data(), block.size(), static_cast<off_t>(scan.size));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(system_error("cannot read", path, errno));
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
      if (line_start == 0) {
        auto first = read_piece(fd, 0, length, path);
        if (!first) return fail(first.error());
        scan.first = std::move(*first);
      } else {
        scan.lines.push_back({line_start, length, index_of(beginning)});
      }
      line_start = scan.size + newline + 1;
      beginning.clear();
      from = newline + 1;
    }
    scan.size += static_cast<std::uint64_t>(n);
  }
  scan.complete = line_start;
  return scan;
}

result<void> journal_file::scan() {
  auto found = scan_journal(file_.get(), path_);
  if (!found) return fail(found.error());
  if (found->complete > 0) {
    auto meta = read_first_line(found->first, path_);
    if (!meta) return fail(meta.error());
    meta_ = std::move(*meta);
    first_line_ = found->first.size() + 1;
  }
  lines_ = std::move(found->lines);
  size_ = found->complete;
  cut_off_ = found->size - found->complete;
  if (cut_off_ > 0 && ::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0)
    return fail(system_error("cannot cut the torn last line off", path_, errno));
  return {};
}

result<void> journal_file::begin(const session_meta& meta) {
  meta_ = meta;
  json::object first{{"format", format_name},
                     {"version", version},
                     {"session", meta.slug},
                     {"name", meta.name},
                     {"created", time_text(meta.created)}};
  auto line = json::serialize(first) + '\n';
  if (auto done = write_all(file_.get(), line, path_); !done) return done;
  first_line_ = size_ = line.size();
  synced_ = false;
  if (auto done = sync(); !done) return done;
  return sync_folder(path_.parent_path());
}

result<std::string> journal_file::read(const journal_line& line) const {
  return read_piece(file_.get(), line.offset, line.length, path_);
}

result<void> journal_file::append(const std::vector<std::string>& lines,
                                  const std::vector<std::int64_t>& indices) {
  if (broken_)
    return fail({errc::internal, path_.string() + " could not be written to and is closed",
                 std::nullopt, "Save elsewhere and open the session again."});
  std::string text;
  for (auto& line : lines) {
    text += line;
    text += '\n';
  }
  if (auto done = write_all(file_.get(), text, path_); !done) {
    // A part may be there: take it away again, or never add behind it.
    if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) broken_ = true;
    return done;
  }
  auto offset = size_;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines_.push_back({offset, static_cast<std::uint32_t>(lines[i].size()), indices[i]});
    offset += lines[i].size() + 1;
  }
  size_ = offset;
  synced_ = false;
  return {};
}

result<void> journal_file::sync() {
  if (synced_) return {};
  auto done = sync_file(file_.get(), path_);
  synced_ = done.has_value();
  return done;
}

result<std::string> journal_file::cut_after(std::size_t count, std::string_view reason) {
  auto from = count < lines_.size() ? lines_[count].offset : size_;
  auto rest = read_piece(file_.get(), from, static_cast<std::uint32_t>(size_ - from), path_);
  if (!rest) return fail(rest.error());
  std::filesystem::path copy;
  std::error_code failed;
  for (int n = 1;; ++n) {
    copy = path_;
    copy += ".damaged-" + std::to_string(n);
    if (!std::filesystem::exists(copy, failed)) break;
  }
  if (auto done = replace_file(copy, *rest); !done) return fail(done.error());
  auto note = copy;
  note += ".reason";
  if (auto done = replace_file(note, std::string{reason} + '\n'); !done) return fail(done.error());
  if (::ftruncate(file_.get(), static_cast<off_t>(from)) != 0)
    return fail(system_error("cannot cut", path_, errno));
  lines_.resize(std::min(count, lines_.size()));
  size_ = from;
  synced_ = false;
  if (auto done = sync(); !done) return fail(done.error());
  return copy.filename().string();
}

// --- entries by index ----------------------------------------------------------------------------

result<std::shared_ptr<entries_on_disk>> entries_on_disk::open(const std::filesystem::path& path) {
  auto entries = std::make_shared<entries_on_disk>();
  entries->path_ = path;
  entries->file_ = file_descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!entries->file_) return fail(system_error("cannot open", path, errno));
  return entries;
}

result<std::shared_ptr<entries_on_disk>> entries_on_disk::of_file(
    const std::filesystem::path& path) {
  auto entries = open(path);
  if (!entries) return entries;
  auto found = scan_journal((*entries)->file_.get(), path);
  if (!found) return fail(found.error());
  for (auto& line : found->lines)
    if (line.index > 0) (*entries)->add(line);
  return entries;
}

void entries_on_disk::add(const journal_line& line) {
  std::lock_guard lock{mutex_};
  // Lines whose beginning is damaged were not recognized as entries; their places stay empty.
  while (static_cast<std::int64_t>(entries_.size()) + 1 < line.index)
    entries_.emplace_back();
  entries_.push_back(line);
}

result<entry_ptr> entries_on_disk::load(std::int64_t index) const {
  journal_line line;
  {
    std::lock_guard lock{mutex_};
    if (index < 1 || index > static_cast<std::int64_t>(entries_.size()))
      return fail({errc::no_such_entry, "there is no entry " + std::to_string(index)});
    line = entries_[static_cast<std::size_t>(index - 1)];
  }
  if (line.length == 0)
    return fail({errc::wrong_type, "its line in " + path_.filename().string() + " is damaged"});
  auto text = read_piece(file_.get(), line.offset, line.length, path_);
  if (!text) return fail(text.error());
  auto entry = read_entry(*text);
  if (entry && (*entry)->index != index)
    return fail({errc::wrong_type,
                 "another entry lies where entry " + std::to_string(index) + " should be"});
  return entry;
}

}  // namespace fermata::io
