#pragma once

#include "core/result.hpp"
#include "core/session/timeline/event.hpp"
#include "io/store/checkpoint.hpp"
#include "io/store/entries_on_disk.hpp"
#include "io/store/folder_lock.hpp"
#include "io/store/journal_file.hpp"
#include "io/store/session_summary.hpp"
#include "io/store/waiting_scores.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fermata::io {

/// A session as it came from disk.
struct stored_session {
  session_snapshot state;
  bool fresh = false;                ///< nothing has ever been written
  std::vector<std::string> remarks;  ///< what was damaged and what was done about it
  bool breaks_off = false;           ///< the journal goes on, but cannot be followed
  entry_loader_ptr loader;           ///< reads entries by index from the journal
  /// Why nothing can be written; what happens from now on is kept in memory only.
  std::optional<std::string> read_only;
};

/// The folder of one session and its only writer.
///
///     history.jsonl     the journal: everything that happened. It alone is enough.
///     checkpoint.json   the state after some line of the journal, beside score and environment
///     score.ferm        the score at that line, as Fermata text
///     score.edited*     what somebody else made of score.ferm, until it is taken
///                       (io/store/waiting_scores.hpp)
///     history.index     where entries begin in the journal
///     env.json          the environment at that line
///     meta.json         name, dates, tags; and a summary for lists
///     journal.lock      who writes here
///
/// Loading takes the checkpoint and replays what the journal has after it; without a checkpoint
/// that is sound it replays everything. What is damaged is kept beside, with the reason, and the
/// session opens with what is sound: a first line is written anew, a line that changed no score is
/// stepped over or may be missing, and where a change of the score is lost the journal ends before
/// it, and what can be made of the rest without it is offered. A checkpoint
/// is three files that are replaced one after the other; each names the line that it belongs to,
/// and only three of the same line count.
class session_directory {
public:
  using opened = tl::expected<session_directory, lock_failure>;
  /// A new session: makes the folder and takes its lock. What is left of one that was never begun
  /// is taken over. Error: `elsewhere`, when another process has begun a session there.
  static opened make(const std::filesystem::path& folder, const session_meta& meta);
  /// One that was there: takes its lock. `meta` is for what cannot be read. Error: `elsewhere`,
  /// when another process has it open or has moved it; the folder is never made anew.
  static opened open(const std::filesystem::path& folder, const session_meta& meta);
  /// To look only: nothing is made, locked, moved or written, and `append` fails. `another_writes`:
  /// another process has the lock, and what it is writing at this moment is no damage.
  static result<session_directory> open_read_only(const std::filesystem::path& folder,
                                                  bool another_writes = false);

  result<stored_session> load();

  /// Of one that was opened to look only and that another process writes to: the session as it has
  /// become since `before`, which this or `load` answered. The same pointer when nothing has been
  /// written. What was moved, cut or cannot be followed is loaded again. Errors: it cannot be read.
  result<session_snapshot> read_on(const session_snapshot& before);

  /// Written when it answers; on the disk itself after `sync`. After an error nothing of it is
  /// there.
  result<void> append(const std::vector<transition>& transitions);
  result<void> sync();
  /// An error when somebody else has moved, removed or replaced the journal, alone or with the
  /// folder. Then nothing is written here any more, until it is back.
  result<void> in_its_place() const { return journal_.in_its_place(); }
  /// Where it is gone: makes the folder and the journal again, from what is open still. The next
  /// checkpoint writes the rest. Does nothing when it is in its place.
  result<void> make_again();
  bool is_synced() const { return journal_.is_synced(); }

  /// Name and tags have changed: lists and whoever looks for the session by its name find them in
  /// meta.json at once, not after the next checkpoint only.
  result<void> remember_meta(const session_state& s);

  /// Writes score, environment and the rest of `s`, which must be the state after everything that
  /// was appended.
  result<void> checkpoint(const session_state& s);
  /// The same in two steps, so that appending goes on while the texts of a long score are made
  /// (make_checkpoint): first, everything that was appended is put on the disk, and its place in
  /// the journal answered;
  result<journal_place> begin_checkpoint(const session_state& s);
  /// last, the texts are written, unless another checkpoint was begun or the session was loaded
  /// again meanwhile.
  result<void> finish_checkpoint(const checkpoint_files& files);
  /// Instead of the last step, when the texts could not be made.
  void abandon_checkpoint();
  /// Whether none is begun and the journal has grown by as much as the last checkpoint is long. One
  /// that is written no sooner costs as much as the journal did, however large the score; and
  /// replaying what came after it takes no longer than reading it.
  bool is_checkpoint_due() const;

  /// What is to be said when somebody else has changed score.ferm since it was written or looked at
  /// last. What they made of it waits for `:reload` from then on, beside what waited before, so
  /// that the next checkpoint does not destroy it; when it cannot be kept, that checkpoint fails.
  /// Costs one look at the folder when nothing has changed.
  std::optional<std::string> score_was_edited();
  /// What `:reload` takes; what has just been made of score.ferm as well. Errors: nothing waits, or
  /// only what other branches are to take.
  result<offered_score> edited_score();
  /// It has been taken.
  void forget_edited_score(const offered_score& taken);

private:
  /// Takes the lock over when it succeeds.
  static opened open_locked(const std::filesystem::path& folder, folder_lock& lock,
                            const session_meta& meta);
  session_directory(std::filesystem::path folder, folder_lock lock, journal_file journal,
                    result<std::optional<fermata::io::checkpoint>> saved);
  result<void> look_again();
  result<session_snapshot> loaded_again(const session_snapshot& before);
  void tell_of_the_end(stored_session& loaded);
  std::string set_aside(const std::filesystem::path& path, std::string_view reason) const;
  std::string set_checkpoint_aside(std::string_view reason) const;
  void fit_checkpoint(stored_session& loaded);
  void load_from_checkpoint(stored_session& loaded, session_state& state);
  void take_meta_from_journal(const error& why, stored_session& loaded, session_state& state) const;
  void replay(stored_session& loaded, session_state& state);
  result<session_state> follow_after_gap(std::size_t next, const transition& t,
                                         const session_state& state, stored_session& loaded);
  std::optional<std::string> score_of_the_rest(std::size_t next, const session_state& state) const;
  bool step_over(std::size_t next, session_state& state, const std::string& reason,
                 stored_session& loaded);
  void cut_journal(std::size_t next, const session_state& state, const std::string& reason,
                   stored_session& loaded);
  void know_branches(const session_state& state);
  result<void> look_for_edit();
  void look_for_what_is_lost(stored_session& loaded);
  void look_at_score_after(const session_state& state, stored_session& loaded);
  void offer_rescued_score(const session_state& state, stored_session& loaded);

  std::filesystem::path folder_;
  folder_lock lock_;
  journal_file journal_;
  result<std::optional<fermata::io::checkpoint>> saved_;  ///< until it is loaded
  bool read_only_ = false, another_writes_ = false, loaded_ = false;
  /// Where history.jsonl lies now that was no journal, and why it was none.
  std::string journal_set_aside_;
  bool journal_lost_ = false;  ///< there was a session here, and nothing is left of its journal
  std::shared_ptr<entries_on_disk> entries_;
  std::optional<file_state> score_file_;  ///< as we know it
  std::string score_text_;                ///< hash of its text
  std::string written_branch_;            ///< that score.ferm was written from; empty: never
  std::string current_branch_;            ///< after all that was appended
  std::set<std::string> branches_;        ///< likewise
  std::optional<std::string> unsaid_;     ///< of an edit that was kept
  std::uint64_t checkpoint_ends_ = 0;     ///< where in the journal the last checkpoint was made
  std::optional<journal_place> begun_checkpoint_;  ///< not written yet
  std::optional<std::string> rescued_;  ///< of a checkpoint that knew more than the journal
  bool rescued_from_rest_ = false;      ///< of the journal where it could not be followed
};

}  // namespace fermata::io
