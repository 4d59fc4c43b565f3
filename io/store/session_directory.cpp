#include "io/store/session_directory.hpp"

#include "io/json/journal_json.hpp"
#include "io/store/checkpoint.hpp"
#include "io/store/loading_progress.hpp"
#include "io/store/score_file.hpp"

#include <algorithm>
#include <cerrno>
#include <tuple>

namespace fermata::io {

namespace {

result<void> write_meta(const std::filesystem::path& folder, const session_state& s) {
  return write_meta_file(folder, s.meta, summary(*s.score), s.history.size());
}

/// What a System entry says of damage that was found when the session was opened.
const std::string* told_of_damage(const transition& t) {
  auto entry = entry_of(t);
  auto told = entry ? std::get_if<system_entry>(&entry->kind) : nullptr;
  return told && told->event == "restored" ? &told->text : nullptr;
}

/// The revision that an entry was made on, when it says so.
std::optional<std::uint64_t> revision_before(const history_entry& e) {
  if (auto eval = std::get_if<eval_entry>(&e.kind)) return eval->revision_before;
  if (auto command = std::get_if<command_entry>(&e.kind)) return command->revision_before;
  return std::nullopt;
}

}  // namespace

session_directory::session_directory(std::filesystem::path folder, folder_lock lock,
                                     journal_file journal,
                                     result<std::optional<fermata::io::checkpoint>> saved)
  : folder_(std::move(folder)),
    lock_(std::move(lock)),
    journal_(std::move(journal)),
    saved_(std::move(saved)) {}

namespace {

/// Whether something beside the journal says that a session is in this folder.
bool knows_a_session(const std::filesystem::path& folder) {
  std::error_code failed;
  return std::filesystem::exists(folder / "meta.json", failed) ||
         std::filesystem::exists(folder / "checkpoint.json", failed) ||
         std::filesystem::exists(folder / score_name, failed);
}

journal_place place_of(const result<std::optional<fermata::io::checkpoint>>& saved) {
  return saved && *saved ? (*saved)->place : journal_place{};
}

}  // namespace

session_directory::opened session_directory::make(const std::filesystem::path& folder,
                                                  const session_meta& meta) {
  auto no = [](error why, bool elsewhere) {
    return tl::unexpected<lock_failure>{lock_failure{std::move(why), elsewhere}};
  };
  if (auto made = make_private_folder(folder); !made) return no(made.error(), false);
  // Two may have made it at once: the lock says whose it is.
  auto lock = folder_lock::take(folder);
  if (!lock) return tl::unexpected<lock_failure>{lock.error()};
  if (is_session(folder)) return no(write_error("cannot create", folder, EEXIST), true);
  auto made = open_locked(folder, *lock, meta);
  auto done = made ? write_meta_file(folder, meta, summary(*empty_score()), 0) : result<void>{};
  if (made && done) return made;
  // Nothing is left of what could not be begun. The lock is held until then: these files are not
  // those of a process that begins a session here meanwhile.
  std::error_code failed;
  for (auto name : {journal_name, "meta.json", "journal.lock"})
    std::filesystem::remove(folder / name, failed);
  std::filesystem::remove(folder, failed);
  if (made) return no(done.error(), false);
  return made;
}

session_directory::opened session_directory::open(const std::filesystem::path& folder,
                                                  const session_meta& meta) {
  auto lock = folder_lock::take(folder);
  if (!lock) return tl::unexpected<lock_failure>{lock.error()};
  auto was_there = is_session(folder);
  auto opened = open_locked(folder, *lock, meta);
  if (opened) opened->journal_lost_ = was_there && opened->journal_.is_new();
  return opened;
}

session_directory::opened session_directory::open_locked(const std::filesystem::path& folder,
                                                         folder_lock& lock,
                                                         const session_meta& meta) {
  auto saved = read_checkpoint(folder);
  auto journal = journal_file::open(folder / journal_name, meta, place_of(saved));
  std::string set_aside;
  if (!journal && knows_a_session(folder) && is_no_journal(folder / journal_name))
    if (auto kept = set_aside_damaged(folder / journal_name, journal.error().first().message)) {
      set_aside = *kept;
      journal = journal_file::open(folder / journal_name, meta, {});
    }
  if (!journal) return tl::unexpected<lock_failure>{lock_failure{journal.error()}};
  session_directory opened{folder, std::move(lock), std::move(*journal), std::move(saved)};
  opened.journal_set_aside_ = std::move(set_aside);
  return opened;
}

namespace {

/// The files of a checkpoint are replaced one after the other: when they do not belong together
/// because another process is just doing that, they do a moment later.
result<std::optional<fermata::io::checkpoint>> read_checkpoint_being_written(
    const std::filesystem::path& folder) {
  constexpr int attempts = 5;
  auto saved = read_checkpoint(folder);
  for (int i = 1; i < attempts && !(saved && (!*saved || (*saved)->state.score)); ++i)
    saved = read_checkpoint(folder);
  return saved;
}

}  // namespace

result<session_directory> session_directory::open_read_only(const std::filesystem::path& folder,
                                                            bool another_writes) {
  // Before the journal: a checkpoint never knows more than that.
  auto saved = another_writes ? read_checkpoint_being_written(folder) : read_checkpoint(folder);
  auto journal = journal_file::open(folder / journal_name, {}, place_of(saved),
                                    journal_file::access::read_only);
  if (!journal) return fail(journal.error());
  session_directory directory{folder, {}, std::move(*journal), std::move(saved)};
  directory.read_only_ = true;
  directory.another_writes_ = another_writes;
  return directory;
}

result<void> session_directory::look_again() {
  // Opening would begin a new one.
  if (auto here = in_its_place(); !here) return here;
  saved_ = read_checkpoint(folder_);
  auto how = read_only_ ? journal_file::access::read_only : journal_file::access::write;
  auto journal = journal_file::open(journal_.path(), journal_.meta(), place_of(saved_), how);
  if (!journal) return fail(journal.error());
  journal_ = std::move(*journal);
  return {};
}

result<stored_session> session_directory::load() {
  // A session that crashed is loaded again by the same store.
  begun_checkpoint_.reset();
  if (std::exchange(loaded_, true))
    if (auto done = look_again(); !done) return fail(done.error());
  stored_session loaded;
  fit_checkpoint(loaded);
  loaded.fresh = journal_.is_fresh();
  if (auto& damage = journal_.first_line_damage(); !damage.empty())
    loaded.remarks.push_back("The first line of history.jsonl could not be read (" + damage + ')' +
                             (read_only_ ? std::string{"."}
                                         : " and was rewritten; the old one is in " +
                                               journal_.first_line_kept_in() + '.'));
  tell_of_the_end(loaded);
  auto opened = entries_on_disk::open(journal_.path());
  if (!opened) return fail(opened.error());
  entries_ = std::move(*opened);

  auto state = empty_session(journal_.meta());
  load_from_checkpoint(loaded, state);
  // Names and tags as of the last checkpoint; later changes are in the journal.
  auto meta = read_meta_json(folder_);
  auto known_from_meta = meta.has_value();
  if (meta)
    state.meta = std::move(meta->meta);
  else
    take_meta_from_journal(meta.error(), loaded, state);
  // The folder is the session's id, wherever it was moved to.
  if (auto slug = folder_.filename().string(); !slug.empty()) state.meta.slug = slug;
  auto known = std::pair{state.meta.name, state.meta.tags};
  auto sound = loaded.remarks.size();
  replay(loaded, state);
  // What was read until then is no session.
  if (loading_is_stopped()) return fail(interrupted_opening());
  journal_.forget_lines();
  // What is lost may have said its name: meta.json was written at the same moment.
  auto renamed = std::pair{state.meta.name, state.meta.tags} != known;
  if (loaded.remarks.size() > sound && renamed && known_from_meta) {
    std::tie(state.meta.name, state.meta.tags) = known;
    if (!read_only_)
      if (auto done = append({{{meta_changed{known.first, known.second}}}}); !done)
        return fail(done.error());
  }
  know_branches(state);
  look_at_score_after(state, loaded);
  offer_rescued_score(state, loaded);
  loaded.state = std::make_shared<const session_state>(std::move(state));
  loaded.loader = entries_;
  if (read_only_ || (known_from_meta && !loaded.fresh)) return loaded;
  auto done = write_meta(folder_, *loaded.state);
  // Of a session that was there the next checkpoint writes it.
  if (!done && loaded.fresh) return fail(done.error());
  return loaded;
}

/// meta.json is damaged or gone. A checkpoint has no name in it, and what the journal said before
/// it is not replayed: it is looked for.
void session_directory::take_meta_from_journal(const error& why, stored_session& loaded,
                                               session_state& state) const {
  std::error_code failed;
  auto is_there = std::filesystem::exists(folder_ / "meta.json", failed);
  take_names_from_journal(journal_.path(), state.meta, journal_.begins_at().offset);
  if (!state.history.empty())
    if (auto last = state.history.last())
      state.meta.modified = std::max(state.meta.modified, last->time);
  // Where all of the journal is replayed, nothing but it is needed; and the contents of an archive,
  // which are only looked at, have no meta.json.
  if (!is_there && (journal_.begins_at().lines == 0 || read_only_)) return;
  loaded.remarks.push_back((is_there ? set_aside(folder_ / "meta.json", why.first().message)
                                     : "meta.json was not there") +
                           ". Name, tags and dates were taken from the journal.");
}

/// What stood behind the last whole line.
void session_directory::tell_of_the_end(stored_session& loaded) {
  // A line that is being written is whole a moment later.
  if (another_writes_ && journal_.cut_off() > 0) return;
  // A session that was saved before anything was written to it has only lost its first line.
  auto had_nothing = saved_ && *saved_ && (*saved_)->place.lines == 0;
  if (journal_.is_shorter() && !had_nothing)
    loaded.remarks.push_back("history.jsonl is shorter than when the session was last saved; "
                             "entries at its end are lost" +
                             (journal_.kept_in().empty()
                                  ? std::string{"."}
                                  : ". An incomplete line is kept in " + journal_.kept_in() + '.'));
  else if (journal_.end_is_damaged())
    loaded.remarks.push_back(
        "history.jsonl was cut short, as after a power cut; input from the last second before may "
        "be lost. " +
        std::to_string(journal_.cut_off()) + " bytes at its end were left out" +
        (journal_.kept_in().empty() ? std::string{"."}
                                    : " and kept in " + journal_.kept_in() + '.'));
  else if (journal_.cut_off() > 0)
    loaded.remarks.push_back(
        "The last line of history.jsonl was incomplete (" + std::to_string(journal_.cut_off()) +
        " bytes) and was left out: it was being written when Fermata or the machine stopped. After "
        "a power cut, input from the last second may be lost.");
  else
    look_for_what_is_lost(loaded);
}

/// A journal that is there as if nothing had ever been written to it, in a folder that knows
/// better.
void session_directory::look_for_what_is_lost(stored_session& loaded) {
  if (!journal_.is_fresh()) return;
  auto known = read_meta_json(folder_);
  auto entries = known ? known->entries : 0;
  if (saved_ && *saved_) entries = std::max(entries, (*saved_)->entries);
  auto saved_score = read_file(folder_ / score_name);
  auto had_music = saved_score && *saved_score != text_of_score(*empty_score());
  // A session that was begun and never written to has lost nothing. Where a file that would know
  // cannot be read, there may have been something.
  std::error_code failed;
  auto knows_nothing =
      !saved_ || (!known && !*saved_ && std::filesystem::exists(folder_ / "meta.json", failed));
  if (entries == 0 && !(journal_lost_ && (had_music || knows_nothing))) {
    journal_lost_ = false;
    return;
  }
  journal_lost_ = true;
  loaded.remarks.push_back(
      (journal_set_aside_.empty()
           ? std::string{"history.jsonl was empty or missing"}
           : "history.jsonl was no longer a Fermata journal; it is kept in " + journal_set_aside_) +
      "; the timeline of this session is lost" +
      (entries == 0   ? std::string{"."}
       : entries == 1 ? std::string{"; it had one entry."}
                      : "; it had " + std::to_string(entries) + " entries or more."));
}

/// What is said of a file that could not be used. It is copied to the side where that is allowed.
std::string session_directory::set_aside(const std::filesystem::path& path,
                                         std::string_view reason) const {
  auto what = path.filename().string() + " could not be used (" + std::string{reason} + ')';
  if (read_only_) return what;
  auto copy = keep_beside(path, reason);
  return copy ? what + "; a copy and the reason are in " + *copy : what;
}

/// A checkpoint that does not hold: its files are kept beside and taken away.
std::string session_directory::set_checkpoint_aside(std::string_view reason) const {
  std::error_code failed;
  for (auto name : {"env.json", "score.ferm"})
    if (!read_only_ && std::filesystem::exists(folder_ / name, failed))
      (void)keep_beside(folder_ / name, reason);  // no copy, no harm: they stay where they are
  auto what = set_aside(folder_ / "checkpoint.json", reason) +
              ". The session was rebuilt from the journal.";
  if (!read_only_) std::filesystem::remove(folder_ / "checkpoint.json", failed);
  return what;
}

/// Takes the state from the checkpoint when its files belong together and to this journal.
void session_directory::load_from_checkpoint(stored_session& loaded, session_state& state) {
  auto saved = std::exchange(saved_, std::optional<fermata::io::checkpoint>{});
  if (!saved) {
    loaded.remarks.push_back(set_checkpoint_aside(saved.error().first().message));
    // Without a journal the score is in this file alone.
    if (!journal_lost_) score_file_ = look_at_file(folder_ / score_name);
    return;
  }
  if (!*saved) return;
  auto& c = **saved;
  checkpoint_ends_ = c.place.offset;
  score_text_ = c.score_text;
  written_branch_ = c.state.branch;
  if (!c.state.score) return;
  auto known = c.place.offset == journal_.begins_at().offset &&
               c.place.lines == journal_.begins_at().lines &&
               entries_->know(c.entries, c.place.offset);
  if (!known) {
    if (!read_only_) rescued_ = text_of_score(*c.state.score);
    loaded.remarks.push_back(set_checkpoint_aside("it does not fit the journal"));
    if (!c.score_text_differs) score_file_ = look_at_file(folder_ / score_name);
    return;
  }
  auto meta = std::move(state.meta);
  state = std::move(c.state);
  state.meta = std::move(meta);
  state.history = history::on_disk(c.entries, entries_);
  if (!c.score_text_differs) score_file_ = look_at_file(folder_ / score_name);
}

void session_directory::replay(stored_session& loaded, session_state& state) {
  if (state.history.empty()) state.history = history::on_disk(0, entries_);
  // Without a checkpoint all lines are replayed, those too that it would have covered.
  if (state.history.empty() && journal_.begins_at().lines > 0) {
    auto how = read_only_ ? journal_file::access::read_only : journal_file::access::write;
    auto again = journal_file::open(journal_.path(), journal_.meta(), {}, how);
    if (again) journal_ = std::move(*again);
  }
  auto& lines = journal_.lines();
  auto found_before = static_cast<std::ptrdiff_t>(loaded.remarks.size());
  std::set<std::string> told;
  for (const auto& line : lines)
    loading_expects(line.length);
  for (std::size_t next = 0; next < lines.size(); ++next) {
    if (loading_is_stopped()) return;
    loading_has_read(lines[next].length);
    auto text = journal_.read(lines[next]);
    auto t = text ? read_transition(*text, state) : fail(text.error());
    auto after = t ? apply(state, *t) : fail(t.error());
    if (!after && t) after = follow_after_gap(next, *t, state, loaded);
    if (!after) {
      auto reason = "line " + std::to_string(journal_.begins_at().lines + next + 2) +
                    " of history.jsonl: " + after.error().first().message;
      if (step_over(next, state, reason, loaded)) continue;
      cut_journal(next, state, reason, loaded);
      break;
    }
    state = std::move(*after);
    if (auto words = told_of_damage(*t)) told.insert(*words);
    if (lines[next].index > 0) entries_->add(lines[next]);
    // What is replayed need not all stay in memory either.
    if (state.history.resident() > 11'000) state.history.leave_on_disk(10'000, entries_);
  }
  // What stays in the journal is found each time that it is replayed, and was said the first time.
  auto found = loaded.remarks.begin() + found_before;
  loaded.remarks.erase(
      std::remove_if(found, loaded.remarks.end(), [&](auto& r) { return told.contains(r); }),
      loaded.remarks.end());
}

/// A line cannot be used. When those after it say that the score was the same before and after it,
/// it alone is lost: what it said is missing in the timeline, where an entry says so. The line
/// stays where it is.
bool session_directory::step_over(std::size_t next, session_state& state, const std::string& reason,
                                  stored_session& loaded) {
  auto& lines = journal_.lines();
  auto expected = state.history.next_index();
  // The next entry that is whole; what is damaged before it may have been entries as well.
  std::int64_t others = 0, found = 0;
  for (auto i = next + 1; i < lines.size(); ++i) {
    auto text = journal_.read(lines[i]);
    auto entry = text ? read_entry(*text) : fail(text.error());
    if (!entry) {
      if (found == 0 && !(text && is_sound_line(*text))) ++others;
      continue;
    }
    if (found == 0) found = (*entry)->index;
    auto revision = revision_before(**entry);
    if (!revision) continue;
    if (*revision != state.revision) return false;
    break;
  }
  auto lost = found - expected - others;
  // Several lines become one when what parts them is lost; but no more than they had room for.
  if (found < expected || lost > static_cast<std::int64_t>(lines[next].length)) return false;
  auto with_gaps = state;
  for (std::int64_t i = 0; i < lost; ++i) {
    auto gap =
        apply(with_gaps,
              {{entry_committed{unreadable_entry(expected + i, reason, state.meta.modified)}}});
    if (!gap) return false;
    with_gaps = std::move(*gap);
  }
  state = std::move(with_gaps);
  auto what = lost <= 0   ? std::string{"nothing of the timeline"}
              : lost == 1 ? "entry " + std::to_string(expected)
                          : "entries " + std::to_string(expected) + " to " +
                                std::to_string(expected + lost - 1);
  loaded.remarks.push_back("An unreadable journal line (" + reason + "): " + what +
                           (lost > 1 ? " are" : " is") + " lost; later entries are intact.");
  return true;
}

void session_directory::cut_journal(std::size_t next, const session_state& state,
                                    const std::string& reason, stored_session& loaded) {
  loaded.breaks_off = true;
  auto rest = read_only_ ? std::nullopt : score_of_the_rest(next, state);
  auto copy = read_only_ ? result<std::string>{"the file"} : journal_.cut_before(next, reason);
  loaded.remarks.push_back("The journal is intact up to entry " +
                           std::to_string(state.history.size()) + " (" + reason +
                           "). The rest is kept in " +
                           (copy ? *copy
                                 : std::string{"the journal, which cannot be truncated: "} +
                                       copy.error().first().message) +
                           '.');
  // A checkpoint that was used is older than what was replayed after it.
  if (!rescued_ && !read_only_ && journal_.begins_at().lines == 0)
    if (auto text = read_file(folder_ / score_name); text && score_of_text(*text))
      rescued_ = std::move(*text);
  if (!rescued_ && rest) {
    rescued_ = std::move(rest);
    rescued_from_rest_ = true;
  }
}

result<void> session_directory::append(
    const std::vector<transition>& transitions,
    const std::vector<std::shared_ptr<const std::string>>& known) {
  if (read_only_)
    return fail({errc::unwritable_file, folder_.string() + " was opened read-only", std::nullopt,
                 "Open it for writing."});
  std::vector<std::string> lines;
  std::vector<std::int64_t> indices;
  for (std::size_t i = 0; i < transitions.size(); ++i) {
    auto& t = transitions[i];
    lines.push_back(i < known.size() && known[i] ? *known[i] : transition_line(t));
    auto entry = entry_of(t);
    indices.push_back(entry ? entry->index : 0);
  }
  auto written = journal_.append(lines, indices);
  if (!written) return fail(written.error());
  if (entries_)
    for (auto& line : *written)
      if (line.index > 0) entries_->add(line);
  for (auto& t : transitions)
    for (auto& e : t.events)
      if (auto* to = std::get_if<branch_switched>(&e))
        current_branch_ = to->name;
      else if (auto* made = std::get_if<branch_made>(&e))
        branches_.insert(made->name);
  return {};
}

result<void> session_directory::recreate() {
  if (journal_.is_where() != journal_file::whereabouts::gone) return in_its_place();
  if (auto made = make_private_folder(folder_); !made) return made;
  if (!lock_.is_of(folder_)) {
    auto lock = folder_lock::take(folder_);
    if (!lock) return fail(lock.error().why);
    lock_ = std::move(*lock);
  }
  if (auto done = journal_.recreate(); !done) return done;
  return entries_ ? entries_->open_again() : result<void>{};
}

result<void> session_directory::sync() { return journal_.sync(); }

result<void> session_directory::remember_meta(const session_state& s) {
  if (auto here = in_its_place(); !here) return here;
  return write_meta(folder_, s);
}

result<void> session_directory::checkpoint(const session_state& s) {
  auto place = begin_checkpoint(s);
  if (!place) return fail(place.error());
  return finish_checkpoint(make_checkpoint(s, *place));
}

result<journal_place> session_directory::begin_checkpoint(const session_state& s) {
  if (auto here = in_its_place(); !here) return fail(here.error());
  // The journal first: a checkpoint never knows more than it.
  if (auto done = journal_.sync(); !done) return fail(done.error());
  if (auto done = write_meta(folder_, s); !done) return fail(done.error());
  if (entries_)
    if (auto done = entries_->save_index(); !done) return fail(done.error());
  begun_checkpoint_ = journal_.end();
  return *begun_checkpoint_;
}

result<void> session_directory::finish_checkpoint(const checkpoint_files& files) {
  if (begun_checkpoint_ != files.place) return {};
  begun_checkpoint_.reset();
  if (auto here = in_its_place(); !here) return here;
  // An external edit of score.ferm is kept before it is replaced, or it is not replaced.
  if (auto done = look_for_edit(); !done) return done;
  if (auto done = write_checkpoint(folder_, files); !done) return done;
  score_text_ = score_text_hash(files.score);
  written_branch_ = files.branch;
  score_file_ = look_at_file(folder_ / score_name);
  checkpoint_ends_ = files.place.offset;
  return {};
}

void session_directory::abandon_checkpoint() { begun_checkpoint_.reset(); }

bool session_directory::is_checkpoint_due() const {
  if (begun_checkpoint_) return false;
  std::uint64_t bytes = 0;
  for (auto name : {score_name, "env.json", "checkpoint.json"})
    if (auto file = look_at_file(folder_ / name)) bytes += file->size;
  return journal_.end().offset >= checkpoint_ends_ + bytes;
}

}  // namespace fermata::io
