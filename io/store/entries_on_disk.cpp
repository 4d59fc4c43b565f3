#include "io/store/entries_on_disk.hpp"

#include "core/session/commands/query.hpp"
#include "core/session/timeline/author.hpp"
#include "core/session/timeline/step_report.hpp"
#include "core/session/timeline/text_match.hpp"
#include "io/json/journal_json.hpp"
#include "io/json/time_json.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace fermata::io {

namespace {

constexpr std::string_view index_head = "fermata-index 1\n";
/// Larger stretches are not held in memory.
constexpr std::uint64_t largest_block = 1 << 20;

void append_number(std::string& to, std::uint64_t n) {
  for (int shift = 0; shift < 64; shift += 8)
    to += static_cast<char>((n >> shift) & 0xff);
}

std::uint64_t number_at(std::string_view bytes, std::size_t i) {
  std::uint64_t n = 0;
  for (int shift = 0; shift < 64; shift += 8)
    n |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i++])) << shift;
  return n;
}

/// Whether a word stands in JSON as it is.
bool is_plain(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) {
    return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= 0x20;
  });
}

/// The text between `"name":"` and the next quote, near the beginning of the line.
std::string_view member(std::string_view line, std::string_view name) {
  auto at = line.substr(0, 400).find(name);
  if (at == line.npos) return {};
  at += name.size();
  return line.substr(at, line.find('"', at) - at);
}

/// False only when it is certainly by another author.
bool may_be_by(std::string_view line, std::string_view name) {
  auto author = member(line, "\"author\":\""), channel = member(line, "\"door\":\"");
  if (author.empty() || channel.empty() || !is_plain(author) || !is_plain(channel)) return true;
  return is_by({std::string{author}, std::string{channel}}, name);
}

/// False only when the entry certainly does not match. Much cheaper than reading the line.
bool may_match(std::string_view line, const history_query& q) {
  if (!q.kinds.empty()) {
    auto kind = member(line, "\"kind\":\"");
    if (!kind.empty() && std::find(q.kinds.begin(), q.kinds.end(), kind) == q.kinds.end())
      return false;
  }
  if (q.since || q.until) {
    // Both are written the same way, so that text compares as time does.
    auto time = member(line, "\"time\":\"");
    if (!time.empty() && ((q.since && time < std::string_view{time_text(*q.since)}) ||
                          (q.until && time > std::string_view{time_text(*q.until)})))
      return false;
  }
  auto has_change = [line] { return line.find("\"change\":") != line.npos; };
  if ((q.part || q.measures) && !has_change()) return false;
  if (q.changes_only && !has_change() &&
      !(member(line, "\"kind\":\"") == "command" && may_contain_moved_steps(line)))
    return false;
  if (q.author && !may_be_by(line, *q.author)) return false;
  return std::all_of(q.words.begin(), q.words.end(), [line](const std::string& word) {
    return !is_plain(word) || contains_word(line, word);
  });
}

}  // namespace

result<std::shared_ptr<entries_on_disk>> entries_on_disk::open(const std::filesystem::path& path) {
  auto entries = std::make_shared<entries_on_disk>();
  entries->path_ = path;
  entries->file_ = file_descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!entries->file_) return fail(read_error("cannot open", path, errno));
  return entries;
}

result<std::shared_ptr<entries_on_disk>> entries_on_disk::of_file(
    const std::filesystem::path& path) {
  auto entries = open(path);
  if (!entries) return entries;
  auto found = scan_journal((*entries)->file_.get(), path, 0);
  if (!found) return fail(found.error());
  // Each entry has a line of its own: a greater index is damage.
  auto most = static_cast<std::int64_t>(found->lines.size());
  for (auto& line : found->lines)
    if (line.index > 0 && line.index <= most) (*entries)->add(line);
  (*entries)->scanned_ = true;
  return entries;
}

result<void> entries_on_disk::open_again() {
  file_descriptor file{::open(path_.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return fail(read_error("cannot open", path_, errno));
  std::lock_guard lock{mutex_};
  file_ = std::move(file);
  saved_ = 0;
  return {};
}

std::filesystem::path entries_on_disk::index_path() const {
  return path_.parent_path() / "history.index";
}

result<void> entries_on_disk::know(std::int64_t count, std::uint64_t end) {
  std::lock_guard lock{mutex_};
  count_ = count;
  end_ = end;
  marks_.clear();
  scanned_ = false;
  saved_ = 0;
  auto needed = static_cast<std::size_t>((count + entries_per_mark - 1) / entries_per_mark);
  auto stored = read_file(index_path());
  if (stored && stored->starts_with(index_head) &&
      stored->size() >= index_head.size() + needed * 8) {
    for (std::size_t i = 0; i < needed; ++i)
      marks_.push_back(number_at(*stored, index_head.size() + i * 8));
    if (std::is_sorted(marks_.begin(), marks_.end()) && (marks_.empty() || marks_.back() < end)) {
      // What stands behind them belongs to entries that were cut off.
      if (stored->size() == index_head.size() + needed * 8) saved_ = needed;
      return {};
    }
  }
  return scan_all();
}

result<void> entries_on_disk::scan_all() const {
  marks_.clear();
  block_ = {};
  scanned_ = true;
  saved_ = 0;
  auto found = scan_journal(file_.get(), path_, 0);
  if (!found) return fail(found.error());
  for (auto& line : found->lines) {
    if (line.index <= 0 || line.index > count_) continue;
    // Lines whose beginning is damaged were not recognized; the next one stands for them.
    while (static_cast<std::int64_t>(marks_.size()) * entries_per_mark < line.index)
      marks_.push_back(line.offset);
  }
  return {};
}

void entries_on_disk::add(const journal_line& line) {
  std::lock_guard lock{mutex_};
  while (static_cast<std::int64_t>(marks_.size()) * entries_per_mark < line.index)
    marks_.push_back(line.offset);
  count_ = std::max(count_, line.index);
  end_ = line.offset + line.length + 1;
  block_ = {};
}

std::int64_t entries_on_disk::size() const {
  std::lock_guard lock{mutex_};
  return count_;
}

result<void> entries_on_disk::save_index() {
  std::lock_guard lock{mutex_};
  if (saved_ > 0 && saved_ == marks_.size()) return {};
  std::string text;
  if (saved_ == 0) text = index_head;
  for (auto i = saved_; i < marks_.size(); ++i)
    append_number(text, marks_[i]);
  result<void> done;
  if (saved_ == 0) {
    done = replace_file(index_path(), text);
  } else {
    // A torn end makes the file shorter than it should be, which is noticed.
    auto file = open_to_write(index_path(), O_WRONLY | O_APPEND);
    if (!file) return fail(write_error("cannot open", index_path(), errno));
    done = write_all(file.get(), text, index_path());
  }
  saved_ = done ? marks_.size() : 0;
  return done;
}

result<void> entries_on_disk::look_at(std::int64_t number) const {
  if (block_.number == number) return {};
  auto i = static_cast<std::size_t>(number);
  block_ = {};
  if (i >= marks_.size()) return fail({errc::no_such_entry, "its position is unknown"});
  auto begin = marks_[i], end = i + 1 < marks_.size() ? marks_[i + 1] : end_;
  if (end < begin) return fail({errc::wrong_type, "the index of the journal is damaged"});
  block found;
  found.number = number;
  found.begin = begin;
  if (end - begin <= largest_block) {
    auto text = read_piece(file_.get(), begin, static_cast<std::uint32_t>(end - begin), path_);
    if (!text) return fail(text.error());
    found.text = std::move(*text);
    for (std::size_t from = 0; from < found.text.size();) {
      auto newline = std::min(found.text.find('\n', from), found.text.size());
      std::string_view line{found.text.data() + from, newline - from};
      found.lines.push_back(
          {begin + from, static_cast<std::uint32_t>(line.size()), index_of_line(line)});
      from = newline + 1;
    }
  } else {
    auto scan = scan_journal(file_.get(), path_, begin);
    if (!scan) return fail(scan.error());
    found.lines = std::move(scan->lines);
  }
  block_ = std::move(found);
  return {};
}

result<std::string> entries_on_disk::line_of(std::int64_t index) const {
  std::lock_guard lock{mutex_};
  if (index < 1 || index > count_)
    return fail({errc::no_such_entry, "no such entry: " + std::to_string(index)});
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (attempt == 1) {
      if (scanned_) break;
      // The index was wrong, or the line is damaged: the journal itself says which.
      if (auto done = scan_all(); !done) return fail(done.error());
    }
    if (!look_at((index - 1) / entries_per_mark)) continue;
    for (auto& line : block_.lines)
      if (line.index == index) {
        if (block_.text.empty()) return read_piece(file_.get(), line.offset, line.length, path_);
        return block_.text.substr(line.offset - block_.begin, line.length);
      }
  }
  return fail({errc::wrong_type, "its line in " + path_.filename().string() + " is damaged"});
}

result<entry_ptr> entries_on_disk::load(std::int64_t index) const {
  auto line = line_of(index);
  if (!line) return fail(line.error());
  return read_entry(*line);
}

result<entry_ptr> entries_on_disk::load_if(std::int64_t index, const history_query& q) const {
  auto line = line_of(index);
  if (!line) return fail(line.error());
  if (!may_match(*line, q)) return entry_ptr{};
  return read_entry(*line);
}

}  // namespace fermata::io
