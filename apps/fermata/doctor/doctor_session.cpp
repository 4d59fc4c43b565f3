#include "apps/fermata/doctor/doctor_advice.hpp"
#include "apps/fermata/doctor/doctor_finding.hpp"
#include "io/json/journal_json.hpp"
#include "io/store/checkpoint.hpp"
#include "io/store/journal_file.hpp"
#include "io/store/score_file.hpp"
#include "io/store/session_directory.hpp"

#include <boost/json.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

// The files of a session. Another process may be writing to them: what belongs to an earlier moment
// is read first, and nothing is locked or changed.

namespace fermata::app {

namespace {

using enum finding::level_t;
namespace fs = std::filesystem;

std::string counted_entries(std::int64_t n) {
  return fmt::format("{} {}", n, n == 1 ? "entry" : "entries");
}

class session_examination {
public:
  explicit session_examination(const fs::path& folder)
    : folder_(folder), slug_(folder.filename().string()) {}

  findings examine() {
    look_at_meta();
    look_at_checkpoint();
    look_at_what_waits();
    look_at_journal();
    if (found_.empty())
      found_.push_back({fine, "sessions",
                        fmt::format("{}: {}, all readable", slug_, counted_entries(entries_)), ""});
    return std::move(found_);
  }

private:
  void say(finding::level_t level, const std::string& what, const std::string& advice) {
    found_.push_back({level, "sessions", fmt::format("{}: {}", slug_, what), advice});
  }
  void bad(const std::string& what) {
    auto closed = advice_on_closed_file();
    say(wrong, what,
        !closed.empty()
            ? closed
            : fmt::format(
                  "`fermata --session {}` recovers the intact entries and keeps a copy of the rest",
                  slug_));
  }
  /// What to do where a file of the session is sound, for all we know, and cannot be opened.
  std::string advice_on_closed_file() const {
    if (::access(folder_.c_str(), R_OK | X_OK) != 0) return advice_on(errno, folder_, "u+rwx");
    for (auto name : {"history.jsonl", "checkpoint.json", "env.json", "score.ferm", "meta.json"})
      if (auto file = folder_ / name; ::access(file.c_str(), R_OK) != 0 && errno != ENOENT)
        return advice_on(errno, file, "u+rw");
    return {};
  }
  bool is_there(std::string_view name) const {
    std::error_code failed;
    return fs::exists(folder_ / name, failed);
  }

  void look_at_meta() {
    auto summary = io::read_summary(folder_);
    if (summary)
      known_ = summary->score_entries;
    else if (is_there("meta.json"))
      say(note, "meta.json cannot be read: " + summary.error().first().message,
          is_on_read_only_disk(folder_) ? read_only_advice() : "opening the session rewrites it");
  }

  /// Three files; while they are written anew they may not belong together for a moment.
  void look_at_checkpoint() {
    auto saved = io::read_checkpoint(folder_);
    for (auto again = 0; !saved && again < 3; ++again)
      saved = io::read_checkpoint(folder_);
    if (!saved)
      return bad("the saved state is unusable and will be rebuilt from the journal: " +
                 saved.error().first().message);
    if (!*saved) return look_at_score(false);
    saved_ends_at_ = (*saved)->place;
    known_ = std::max(known_, (*saved)->entries);
    look_at_score((*saved)->score_text_differs);
  }

  /// It may have been edited outside Fermata.
  void look_at_score(bool was_edited) {
    if (!is_there("score.ferm")) return;
    auto text = io::read_file(folder_ / "score.ferm");
    auto score = text ? io::score_of_text(*text) : fail(text.error());
    if (!text)
      bad("score.ferm cannot be read: " + text.error().first().message);
    else if (!score)
      say(wrong, "score.ferm is not a valid score: " + score.error().first().message,
          fmt::format("`fermata --session {}` restores the score from the journal and keeps this "
                      "file as score.edited.ferm",
                      slug_));
    else if (was_edited)
      say(note, "score.ferm was edited outside Fermata",
          "`:reload` loads it as one change that can be undone");
  }

  void look_at_what_waits() {
    for (auto& w : io::pending_edits(folder_))
      say(note, w.name + " is waiting",
          "`:reload` loads it" + (w.branch.empty() ? "" : " on branch " + w.branch) +
              ", newest first; delete those you do not need");
  }

  void look_at_journal() {
    auto path = folder_ / "history.jsonl";
    io::file_descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!file) {
      if (auto cause = errno; cause != ENOENT)
        return say(wrong, fmt::format("{}: {}", path.string(), std::strerror(cause)),
                   advice_on(cause, path, "u+rw"));
      if (known_ > 0)
        return bad("history.jsonl does not exist; it had " + counted_entries(known_) +
                   ", now lost");
      return say(note, "nothing has been written yet", "");
    }
    auto beginning = io::read_journal_header(file.get(), path);
    if (!beginning) return bad(beginning.error().first().message);
    if (!beginning->damage.empty())
      bad("the first line of history.jsonl is unreadable: " + beginning->damage);
    auto scan = io::scan_journal(file.get(), path, beginning->size);
    if (!scan) return bad(scan.error().first().message);
    if (!look_at_lines(file.get(), path, *scan)) return;
    if (entries_ < known_)
      return bad(fmt::format("history.jsonl has {}, but {} {} saved; the missing ones are lost",
                             counted_entries(entries_), counted_entries(known_),
                             known_ == 1 ? "was" : "were"));
    look_at_end(file.get(), path, *scan, beginning->size > 0);
  }

  /// Each line by itself, and whether one is missing between them.
  bool look_at_lines(int fd, const fs::path& path, const io::journal_scan& scan) {
    for (std::size_t i = 0; i < scan.lines.size(); ++i) {
      auto& line = scan.lines[i];
      auto text = io::read_piece(fd, line.offset, line.length, path);
      if (!text) return bad(text.error().first().message), false;
      std::string fault;
      if (line.index > 0) {
        if (auto read = io::read_entry(*text); !read) fault = read.error().first().message;
        if (fault.empty() && line.index != entries_ + 1)
          fault =
              fmt::format("found entry {} where entry {} was expected", line.index, entries_ + 1);
      } else {
        boost::system::error_code no_json;
        boost::json::parse(*text, no_json);
        if (no_json) fault = no_json.message();
      }
      // The first line is not among them.
      if (!fault.empty())
        return bad(fmt::format("line {} of history.jsonl is damaged: {}", i + 2, fault)), false;
      if (line.index > 0) ++entries_;
    }
    return true;
  }

  void look_at_end(int fd, const fs::path& path, const io::journal_scan& scan, bool has_beginning) {
    auto rest = scan.size - scan.complete;
    if (rest == 0) return;
    auto piece =
        io::read_piece(fd, scan.complete,
                       static_cast<std::uint32_t>(std::min<std::uint64_t>(rest, 1 << 20)), path);
    if (!piece) return bad(piece.error().first().message);
    auto is_torn_line = piece->front() == '{' && piece->find('\0') == piece->npos;
    if (is_torn_line && scan.complete >= saved_ends_at_.offset)
      return say(note,
                 fmt::format("{}; the last {} bytes are an incomplete line",
                             counted_entries(entries_), rest),
                 "if Fermata is not running, the next start removes it");
    bad(fmt::format("{} bytes of history.jsonl {} no entries, as after a power cut; the last "
                    "entries may be lost",
                    rest, has_beginning ? "at its end are" : "are"));
  }

  fs::path folder_;
  std::string slug_;
  findings found_;
  std::int64_t known_ = 0;  ///< entries that there were when the session was saved
  io::journal_place saved_ends_at_;
  std::int64_t entries_ = 0;  ///< in the journal
};

}  // namespace

findings examine_session(const fs::path& folder) { return session_examination{folder}.examine(); }

}  // namespace fermata::app
