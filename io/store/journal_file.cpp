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
      return fail({errc::internal, path.string() + " is shorter than it was"});
    else if (errno != EINTR)
      return fail(system_error("cannot read", path, errno));
  }
  return text;
}

result<journal_file> journal_file::open(const std::filesystem::path& path, const session_meta& meta,
                                        journal_place known, access how) {
  journal_file j;
  j.path_ = path;
  auto flags = how == access::write ? O_RDWR | O_CREAT | O_APPEND : O_RDONLY;
  j.file_ = file_descriptor{::open(path.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR)};
  if (!j.file_) return fail(system_error("cannot open", path, errno));
  if (auto done = j.scan(known, how); !done) return fail(done.error());
  if (j.first_line_ == 0) {
    if (how == access::read_only)
      return fail(foreign(path, "the first line does not say that it is a history of Fermata"));
    if (auto done = j.begin(meta); !done) return fail(done.error());
  }
  return j;
}

result<std::string> first_line_of(int fd, const std::filesystem::path& path) {
  std::string line;
  std::array<char, 4096> block;
  while (true) {
    auto n = ::pread(fd, block.data(), block.size(), static_cast<off_t>(line.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(system_error("cannot read", path, errno));
    if (n == 0) return std::string{};
    std::string_view text{block.data(), static_cast<std::size_t>(n)};
    auto newline = text.find('\n');
    line.append(text.substr(0, newline));
    if (newline != text.npos) return line;
  }
}

result<journal_scan> scan_journal(int fd, const std::filesystem::path& path, std::uint64_t start) {
  journal_scan scan;
  std::array<char, 1 << 16> block;
  std::string beginning;  // of the line that is being scanned
  auto line_start = start;
  scan.size = start;
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
  auto first = first_line_of(file_.get(), path_);
  if (!first) return fail(first.error());
  std::uint64_t start = 0;
  if (!first->empty()) {
    auto meta = read_first_line(*first, path_);
    if (!meta) return fail(meta.error());
    meta_ = std::move(*meta);
    start = first_line_ = first->size() + 1;
  }
  begins_at_ = {0, start};
  if (start > 0 && known.offset > start) {
    // A line ends there, so it is a place of this file.
    auto before = read_piece(file_.get(), known.offset - 1, 1, path_);
    if (before && *before == "\n") begins_at_ = known;
  }
  auto found = scan_journal(file_.get(), path_, begins_at_.offset);
  if (!found) return fail(found.error());
  // Without a whole first line there is nothing.
  if (first_line_ == 0) found->lines.clear();
  lines_ = std::move(found->lines);
  count_ = begins_at_.lines + lines_.size();
  size_ = found->complete;
  cut_off_ = found->size - found->complete;
  shorter_ = known.offset > size_;
  if (shorter_ && cut_off_ > 0 && how == access::write) {
    auto kept = keep(size_, found->size, "it breaks off within a line, and earlier than it did");
    if (!kept) return fail(kept.error());
    kept_in_ = std::move(*kept);
  }
  if (cut_off_ > 0 && how == access::write &&
      ::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0)
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
  begins_at_ = {0, size_};
  synced_ = false;
  if (auto done = sync(); !done) return done;
  return sync_folder(path_.parent_path());
}

result<std::string> journal_file::read(const journal_line& line) const {
  return read_piece(file_.get(), line.offset, line.length, path_);
}

result<std::vector<journal_line>> journal_file::append(const std::vector<std::string>& lines,
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
  auto rest = read_piece(file_.get(), from, static_cast<std::uint32_t>(to - from), path_);
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
  return copy.filename().string();
}

result<std::string> journal_file::cut_before(std::size_t line, std::string_view reason) {
  auto from = line < lines_.size() ? lines_[line].offset : size_;
  auto copy = keep(from, size_, reason);
  if (!copy) return copy;
  if (::ftruncate(file_.get(), static_cast<off_t>(from)) != 0)
    return fail(system_error("cannot cut", path_, errno));
  lines_.resize(std::min(line, lines_.size()));
  count_ = begins_at_.lines + lines_.size();
  size_ = from;
  synced_ = false;
  if (auto done = sync(); !done) return fail(done.error());
  return copy;
}

}  // namespace fermata::io
