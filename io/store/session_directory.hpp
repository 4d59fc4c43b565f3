#pragma once

#include "core/result.hpp"
#include "core/session/timeline/event.hpp"
#include "io/store/checkpoint.hpp"
#include "io/store/entries_on_disk.hpp"
#include "io/store/folder_lock.hpp"
#include "io/store/journal_file.hpp"
#include "io/store/pending_edits.hpp"
#include "io/store/session_summary.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fermata::io {

/// A session as loaded from disk.
struct stored_session {
  session_snapshot state;
  bool fresh = false;                ///< nothing has been written yet
  std::vector<std::string> remarks;  ///< damage, and how it was handled
  bool breaks_off = false;           ///< the journal continues, but cannot be replayed
  entry_loader_ptr loader;           ///< reads entries by index from the journal
  /// Why nothing can be written; changes are then kept in memory only.
  std::optional<std::string> read_only;
};

/// The folder of one session and its only writer.
///
///     history.jsonl     the journal: everything that happened. Sufficient on its own.
///     checkpoint.json   the state after some line of the journal, apart from score and environment
///     score.ferm        the score at that line, as Fermata text
///     score.edited*     external edits of score.ferm, until they are loaded
///                       (io/store/pending_edits.hpp)
///     history.index     offsets of entries in the journal
///     env.json          the environment at that line
///     meta.json         name, dates, tags; and a summary for lists
///     journal.lock      the lock of the writer
///
/// Loading reads the checkpoint and replays the rest of the journal; without an intact checkpoint
/// it replays everything. Damaged files are kept, with the reason, and the session opens with what
/// is intact: a first line is rewritten, a line that changed no score is skipped or may be missing,
/// and if a change of the score is lost the journal ends before it, and a score recovered from the
/// rest is offered. A checkpoint consists of three files that are replaced one after another; each
/// names its line, and only three with the same line are valid.
class session_directory {
public:
  using opened = tl::expected<session_directory, lock_failure>;
  /// A new session: creates the folder and locks it. Remains of one that was never started are
  /// reused. Error: `elsewhere`, if another process has created a session there.
  static opened make(const std::filesystem::path& folder, const session_meta& meta);
  /// An existing one: locks it. `meta` is used if it cannot be read. Error: `elsewhere`, if another
  /// process has it open or has moved it; the folder is never recreated.
  static opened open(const std::filesystem::path& folder, const session_meta& meta);
  /// Read-only: nothing is created, locked, moved or written, and `append` fails. `another_writes`:
  /// another process has the lock, so an incomplete line at the end is not damage.
  static result<session_directory> open_read_only(const std::filesystem::path& folder,
                                                  bool another_writes = false);

  result<stored_session> load();

  /// For a session opened read-only that another process writes to: its state since `before`, which
  /// this or `load` returned. The same pointer if nothing has been written. If the journal was
  /// moved, cut or cannot be followed, the session is reloaded. Errors: it cannot be read.
  result<session_snapshot> read_on(const session_snapshot& before);

  /// Written on return; flushed to disk by `sync`. After an error nothing of it is written.
  /// `known`: the lines of the first transitions, if they were made before (transition_line); null:
  /// that one is not.
  result<void> append(const std::vector<transition>& transitions,
                      const std::vector<std::shared_ptr<const std::string>>& known = {});
  result<void> sync();
  /// An error if another program has moved, removed or replaced the journal, alone or with the
  /// folder. Then nothing is written here until it is restored.
  result<void> in_its_place() const { return journal_.in_its_place(); }
  /// If it was removed: recreates the folder and the journal, from the open file. The next
  /// checkpoint writes the rest. Does nothing if it is in place.
  result<void> recreate();
  bool is_synced() const { return journal_.is_synced(); }

  /// Name and tags have changed: writes them to meta.json at once, for lists and lookups by name,
  /// instead of with the next checkpoint.
  result<void> remember_meta(const session_state& s);

  /// Writes score, environment and the rest of `s`, which must be the state after everything
  /// appended.
  result<void> checkpoint(const session_state& s);
  /// The same in two steps, so that appending continues while the texts of a long score are created
  /// (make_checkpoint). First: flushes everything appended to disk, and returns its position in the
  /// journal.
  result<journal_place> begin_checkpoint(const session_state& s);
  /// Second: writes the texts, unless another checkpoint was started or the session was reloaded
  /// meanwhile.
  result<void> finish_checkpoint(const checkpoint_files& files);
  /// Instead of the second step, if the texts could not be created.
  void abandon_checkpoint();
  /// Whether none is in progress and the journal has grown by the size of the last checkpoint. So
  /// checkpoints cost as much as the journal, however large the score; and replaying the rest takes
  /// no longer than reading a checkpoint.
  bool is_checkpoint_due() const;

  /// The message if another program has changed score.ferm since it was written or last checked.
  /// The edit is then pending for `:reload`, with earlier ones, so that the next checkpoint does
  /// not destroy it; if it cannot be kept, that checkpoint fails. Takes one look at the folder if
  /// nothing has changed.
  std::optional<std::string> score_was_edited();
  /// The score for `:reload`, including a new edit of score.ferm. Errors: nothing is pending, or
  /// only edits for other branches.
  result<offered_score> edited_score();
  /// It has been loaded.
  void forget_edited_score(const offered_score& taken);

private:
  /// Tries to take over the lock.
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
  /// The path to which a history.jsonl that was not a journal was moved, and why.
  std::string journal_set_aside_;
  bool journal_lost_ = false;  ///< there was a session here, but its journal is lost
  std::shared_ptr<entries_on_disk> entries_;
  std::optional<file_state> score_file_;  ///< as last seen
  std::string score_text_;                ///< hash of its text
  std::string written_branch_;            ///< of the score in score.ferm; empty: never written
  std::string current_branch_;            ///< after everything appended
  std::set<std::string> branches_;        ///< likewise
  std::optional<std::string> unsaid_;     ///< message about a kept edit
  std::uint64_t checkpoint_ends_ = 0;     ///< position in the journal of the last checkpoint
  std::optional<journal_place> begun_checkpoint_;  ///< not written yet
  std::optional<std::string> rescued_;  ///< from a checkpoint that was ahead of the journal
  bool rescued_from_rest_ = false;      ///< from a journal that could not be replayed
};

}  // namespace fermata::io
