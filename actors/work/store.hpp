#pragma once

#include "actors/work/strand.hpp"
#include "io/store/loading_progress.hpp"
#include "io/store/session_directory.hpp"
#include "messages/session.hpp"
#include "messages/session_manager.hpp"
#include "messages/store.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <filesystem>
#include <memory>
#include <optional>

namespace fermata::actors {

/// Whether the folder of a session is to be made, or was there when it was looked for last; or was
/// there and is of use only when it can be written to. Other processes may make, open and move
/// folders in the same home meanwhile.
enum class folder_state { to_create, existing, writable_only };

/// The folder of a session, as its store works on it. Of one thread at a time.
class folder_writer {
public:
  folder_writer(caf::weak_actor_ptr self, std::filesystem::path folder, session_meta meta,
                folder_state state, std::shared_ptr<io::loading_progress> progress);

  // In the order of the interface of the store.
  /// `reader`: notified of changes to a session that another process writes to.
  caf::result<loaded_session> load(const session_manager_actor& reader);
  /// `writer_of_entries`: notified of external edits of score.ferm.
  caf::result<void> append(const journal_batch& batch, const session_actor& writer_of_entries);
  caf::result<void> checkpoint(const session_snapshot& s, const session_actor& writer_of_entries);
  caf::result<void> save(const session_snapshot& s, const session_actor& writer_of_entries);
  /// The first step of a checkpoint that others need not wait for: its place in the journal when
  /// one is due.
  result<std::optional<io::journal_place>> begin_checkpoint_when_due(const session_snapshot& s);
  /// The last step, with the texts or why they could not be made.
  caf::result<void> finish_checkpoint(const result<io::checkpoint_files>& files,
                                      const session_actor& writer_of_entries);
  caf::result<void> flush();
  caf::result<io::offered_score> edited_score();
  void score_taken(const io::offered_score& taken);
  void follow();
  void sync();

private:
  tl::expected<void, io::lock_failure> open();
  caf::result<loaded_session> load_without_writing(const error& why);
  caf::result<loaded_session> load_read_only(const io::lock_failure& why,
                                             const session_manager_actor& reader);
  void look_again_later();
  void look_at_score(const session_actor& writer_of_entries);

  caf::weak_actor_ptr self_;  ///< to remind it of the sync
  std::filesystem::path folder_;
  session_meta meta_;
  folder_state state_ = folder_state::existing;
  std::shared_ptr<io::loading_progress> progress_;
  std::optional<io::session_directory> directory_;
  /// Of a session that another process writes to: it is followed, and whoever loaded it is told.
  std::optional<io::session_directory> followed_;
  session_snapshot shown_;  ///< as it was told last
  session_manager_actor follower_;
  bool follow_is_due_ = false;
  bool sync_is_due_ = false;
  std::optional<error> sync_failed_;
  session_snapshot latest_;  ///< what lists are to say, as soon as that is written
};

/// The writer of one session's folder.
///
/// It owns the folder (io::session_directory) from when it is first asked to load, with the lock
/// that keeps other processes out, until it ends; the manager starts it, lets the session use it,
/// and ends it after the session, so that a session that crashed finds its folder again.
///
/// An append is answered when the operating system has it: from then on it survives the death of
/// this process. fsync is grouped: the first append after a sync asks for one a second later, which
/// covers everything that came in between; flush and checkpoint do it at once. A sync that fails is
/// told to the next one who asks for anything.
///
/// Where nothing can be written, a session is read once and then kept in memory only; it says so.
/// Never because another process was first: then there is another name for a wanted session
/// (`conflict`), and one that was moved is not opened at all (`failed`). One that is open there is
/// read up to the last whole line of its journal, without the lock and without a change to any
/// file; who has it is said (`session_state::written_by`), and whoever asks to load it again tries
/// for the lock again. Until then it follows the journal there, and tells the manager what the
/// session has become. Where only writing is of use, it is refused (`conflict`).
///
/// Another program may move, remove or replace the journal, alone or with the folder: then nothing
/// is written any more, and whoever asks is told, until it is back in its place or the session is
/// saved on request. What happens to a folder is the user's decision: a removed one is never
/// recreated automatically.
///
/// With each sync lists of sessions get to know what the score has become (meta.json), so that they
/// are right a second later, also in other processes and after this one was killed.
///
/// With each append it checks for external edits of score.ferm, and tells the session.
///
/// The texts of a checkpoint that is due are made by another worker, which may take long, and
/// appends go on meanwhile; one that is asked for is written before anything else.
///
/// It blocks on the disk and so does its work on the shared workers, one thing at a time (strand).
/// It ends when everything that it was asked for before is done.
class store_actor_state {
public:
  using pointer = store_actor::stateful_pointer<store_actor_state>;
  static inline const char* name = "store";

  explicit store_actor_state(pointer) {}

  std::shared_ptr<folder_writer> writer;
  std::optional<strand> work;  ///< what is done with the writer
};
static_assert(!std::is_aggregate_v<store_actor_state>);

/// `meta` names a session that is not there yet.
store_actor::behavior_type store(store_actor_state::pointer self, std::filesystem::path folder,
                                 session_meta meta, folder_state state, worker_pool_ptr workers,
                                 std::shared_ptr<io::loading_progress> progress);

}  // namespace fermata::actors
