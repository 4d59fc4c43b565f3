#include "io/store/archive/archive_contents.hpp"

#include "core/session/timeline/decide.hpp"
#include "io/json/journal_json.hpp"
#include "io/store/checkpoint.hpp"
#include "io/store/pending_edits.hpp"
#include "io/store/score_file.hpp"
#include "io/store/session_directory.hpp"
#include "io/store/take_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace fermata::io {

namespace fs = std::filesystem;

namespace {

file_descriptor open_to_append(const fs::path& path) {
  return open_to_write(path, O_WRONLY | O_CREAT | O_APPEND);
}

/// Whether there is a journal; one without even a first line is none. Errors: it is something else,
/// or of a newer Fermata; the system's.
result<bool> has_begun(const fs::path& journal) {
  if (!look_at_file(journal)) return false;
  file_descriptor file{::open(journal.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return fail(read_error("cannot open", journal, errno));
  auto head = read_journal_header(file.get(), journal);
  if (!head) return fail(head.error());
  return head->size > 0;
}

/// The journal up to its last whole line, and what is unwritten behind it. Where there is none, one
/// is begun. Errors: nothing is left of a session there.
result<void> gather_journal(const fs::path& from, const fs::path& to,
                            const unwritten_part& unwritten) {
  auto source = from / journal_name, target = to / journal_name;
  auto is_begun = has_begun(source);
  if (!is_begun) return fail(is_begun.error());
  if (!*is_begun) {
    auto meta = unwritten.meta;
    if (meta.slug.empty()) {
      if (!is_session(from)) return fail(read_error("cannot open", source, ENOENT));
      meta.slug = meta.name = from.filename().string();
      if (auto known = read_meta(from)) meta = std::move(*known);
    }
    if (auto begun = journal_file::open(target, meta); !begun) return fail(begun.error());
  }
  auto out = open_to_append(target);
  if (!out) return fail(write_error("cannot open", target, errno));
  if (*is_begun) {
    auto journal = journal_file::open(source, {}, {}, journal_file::access::read_only);
    if (!journal) return fail(journal.error());
    auto end = journal->end().offset;
    if (auto done = append_bytes(source, 0, end, out, target); !done) return done;
  }
  for (auto& t : unwritten.transitions)
    if (auto done = write_all(out.get(), transition_line(t) + '\n', target); !done) return done;
  return {};
}

/// The three files of a checkpoint. It may be replaced meanwhile, so that they do not belong
/// together: then they are copied again.
void gather_checkpoint(const fs::path& from, const fs::path& to) {
  constexpr int attempts = 5;
  std::error_code failed;
  for (int i = 0; i < attempts; ++i) {
    for (auto name : {"checkpoint.json", "env.json", "score.ferm"})
      if (look_at_file(from / name))
        fs::copy_file(from / name, to / name, fs::copy_options::overwrite_existing, failed);
    auto saved = read_checkpoint(to);
    if (saved && (!*saved || (*saved)->state.score)) return;
  }
  for (auto name : {"checkpoint.json", "env.json"})
    fs::remove(to / name, failed);
}

/// "Line 2 of its journal is damaged", "3 lines ... , the first of them line 2, are damaged".
std::vector<std::string> damage_in(const journal_file& journal) {
  std::size_t damaged = 0, first = 0;
  for (std::size_t i = 0; i < journal.lines().size(); ++i) {
    auto text = journal.read(journal.lines()[i]);
    if (text && is_sound_line(*text)) continue;
    if (damaged++ == 0) first = i + 2;  // the first line of the file says what it is
  }
  auto number = std::to_string(first);
  if (damaged == 0) return {};
  if (damaged == 1)
    return {"Line " + number + " of its journal is damaged and included unchanged."};
  return {std::to_string(damaged) + " lines of its journal, the first of them line " + number +
          ", are damaged and included unchanged."};
}

/// What was saved last, where the journal has lost what led to it; or null.
struct saved_last {
  score_ptr score;
  environment_ptr env;
};

/// `folder`: what goes into the archive, with this journal.
saved_last what_the_journal_lost(const fs::path& folder, const journal_file& journal) {
  auto saved = read_checkpoint(folder);
  if (saved && *saved && (*saved)->state.score) {
    auto& c = **saved;
    if (c.place.offset <= journal.end().offset) return {};
    return {c.state.score, c.state.env};
  }
  if (!journal.is_fresh()) return {};
  auto text = read_file(folder / "score.ferm");
  auto score = text ? score_of_text(std::move(*text)) : fail(text.error());
  return {score ? *score : nullptr, nullptr};
}

/// An entry that takes it, as one change. Nothing: there is nothing to take.
std::optional<transition> taking(const saved_last& what, const session_state& s) {
  command_entry entry;
  entry.text = ":reload";
  entry.output = "restored from the last save; the entries leading to it are lost";
  if (what.score) entry.delta = diff_snapshots(s.score, what.score);
  if (what.env) entry.env_change = difference(*s.env, *what.env);
  if (entry.delta.empty() && entry.env_change.empty()) return std::nullopt;
  entry.revision_before = s.revision;
  entry.revision_after = s.revision + (entry.delta.empty() ? 0 : 1);
  auto t = committed(s, std::move(entry), {"fermata", "system"}, s.meta.modified);
  t.events.push_back(step_made{});
  return t;
}

}  // namespace

result<void> append_bytes(const fs::path& source, std::uint64_t from, std::uint64_t to,
                          const file_descriptor& target, const fs::path& path) {
  file_descriptor in{::open(source.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!in) return fail(read_error("cannot open", source, errno));
  constexpr std::uint64_t piece = 1 << 20;
  while (from < to) {
    auto size = std::min(piece, to - from);
    auto bytes = read_piece(in.get(), from, static_cast<std::uint32_t>(size), source);
    if (!bytes) return fail(bytes.error());
    if (auto done = write_all(target.get(), *bytes, path); !done) return done;
    from += size;
  }
  return {};
}

result<std::vector<std::string>> gather_session(const fs::path& from, const fs::path& to,
                                                const unwritten_part& unwritten) {
  // In this order: a checkpoint never knows more than the journal.
  gather_checkpoint(from, to);
  if (auto done = gather_journal(from, to, unwritten); !done) return fail(done.error());
  if (auto done = copy_takes(from, to); !done) return fail(done.error());
  auto path = to / journal_name;
  auto journal = journal_file::open(path, {}, {}, journal_file::access::read_only);
  if (!journal) return fail(journal.error());
  auto remarks = damage_in(*journal);
  auto lost = what_the_journal_lost(to, *journal);
  // As it would be opened; what that finds is said now, while the first one is at hand.
  auto directory = session_directory::open_read_only(to);
  if (!directory) return fail(directory.error());
  auto loaded = directory->load();
  if (!loaded) return fail(loaded.error());
  remarks.insert(remarks.end(), loaded->remarks.begin(), loaded->remarks.end());
  for (auto& waiting : pending_edits(from))
    remarks.push_back(waiting.name + ", which is waiting for `:reload`, is not included.");
  if (loaded->breaks_off) return remarks;
  auto state = loaded->state;
  if (auto take = unwritten.transitions.empty() ? taking(lost, *state) : std::nullopt) {
    auto after = apply(*state, *take);
    if (!after) return fail(after.error());
    state = std::make_shared<const session_state>(std::move(*after));
    auto out = open_to_append(path);
    if (!out) return fail(write_error("cannot open", path, errno));
    if (auto done = write_all(out.get(), transition_line(*take) + '\n', path); !done)
      return fail(done.error());
    directory = session_directory::open_read_only(to);
    if (!directory) return fail(directory.error());
    remarks.push_back(std::string{lost.env ? "The last saved score and definitions are included"
                                           : "The last saved score is included"} +
                      " as entry " + std::to_string(state->history.size()) +
                      ", one change; the entries leading to it are lost.");
  }
  if (auto done = directory->checkpoint(*state); !done) return fail(done.error());
  return remarks;
}

result<std::optional<copied_score>> copy_checkpoint(const fs::path& from, const fs::path& to,
                                                    std::uint64_t began_at,
                                                    std::uint64_t begins_at) {
  auto saved = read_checkpoint(from);
  auto fits = saved && *saved && (*saved)->state.score && (*saved)->place.offset >= began_at;
  if (fits) {
    auto& c = **saved;
    auto journal =
        journal_file::open(from / journal_name, {}, c.place, journal_file::access::read_only);
    // Where the journal is shorter, or no line ends there, it is of another one.
    fits = journal && journal->begins_at() == c.place;
    if (fits) {
      c.state.history = history::on_disk(c.entries, nullptr);
      auto place = journal_place{c.place.lines, c.place.offset - began_at + begins_at};
      auto done = write_checkpoint(to, make_checkpoint(c.state, place));
      if (!done) return fail(done.error());
      return copied_score{summary(*c.state.score), c.entries};
    }
  }
  std::error_code failed;
  if (look_at_file(from / "score.ferm"))
    fs::copy_file(from / "score.ferm", to / "score.ferm", fs::copy_options::overwrite_existing,
                  failed);
  if (failed) return fail(write_error("cannot write", to / "score.ferm", failed.value()));
  return std::nullopt;
}

}  // namespace fermata::io
