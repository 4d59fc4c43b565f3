#pragma once

#include "actors/manager/creation_allowance.hpp"
#include "actors/session/session.hpp"
#include "actors/session/snapshot_board.hpp"
#include "actors/work/file_worker.hpp"
#include "actors/work/store.hpp"
#include "io/store/archive_contents.hpp"
#include "io/store/loading_progress.hpp"
#include "io/store/session_list.hpp"
#include "messages/session_manager.hpp"
#include "messages/store.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace fermata::actors {

/// What all sessions of a process have in common.
struct manager_setup {
  std::filesystem::path home;  ///< where sessions are kept; empty: nothing is kept
  evaluate_function evaluate;
  std::function<timestamp()> now;
  wall_clock clock{};  ///< on the musician's wall
  session_limits limits;
  /// How far sessions have been read that are being opened; whoever shares it shows that, and can
  /// stop it. May be null.
  std::shared_ptr<io::loading_progress> loading;
  /// `commit` of config.toml: which music enters the score where the session does not say it.
  commit_rule commit_by_default = commit_rule::notation;
  /// When more sessions than this are loaded, those that nobody uses are unloaded, the one first
  /// that was used longest ago; none before it has not been asked for for so long.
  std::size_t most_loaded = 32;
  std::chrono::milliseconds unused_after{2'000};
  creation_limits new_sessions;  ///< of clients
  worker_pool_ptr workers;       ///< where what blocks is done; null: on the actors' own thread
  /// Where sessions pin up their states; whoever shares it reads without asking.
  std::shared_ptr<snapshot_board> board = std::make_shared<snapshot_board>();
};
/// The home of the user, the language's evaluator, the clock of the system.
manager_setup default_manager_setup();

/// Knows every session by slug: those that have an actor, and those that lie on disk.
///
/// It owns, for each session that is loaded, the session actor and its store. Loading goes: spawn
/// the store, let it read, spawn the session with what it read; requests for the session wait
/// meanwhile.
///
///     on disk --find--> loading --loaded--> running --stop--> gone
///                          ^                   |
///                          +---- crashed <-----+   (10 ms, doubling up to 1 s; the journal has
///                          all)
///
/// A session that crashes is loaded again, and its timeline says so. When it crashes ten times
/// without a minute's rest between, it is left alone until somebody asks for it again. Its store is
/// kept over the crash, and with it the lock of the folder; a store that dies takes its session
/// with it, so that both are made anew.
///
/// A session that another process writes to is loaded all the same, to be looked at; without a
/// store that writes. Its store tries for the lock again whenever the session is made the active
/// one, and the session goes on with what was read then.
///
/// A session that nobody uses does not stay loaded for ever: it is ended with all it has on the
/// disk, and loaded again by whoever asks for it next. Whoever asks meanwhile waits for that.
///
///     running --rest--> unloading --rested--> gone
///        ^                 | it is used after all
///        +-----------------+
///
/// The active session is the one that was activated or made last. The one that the musician chose
/// so is remembered in the home over the end of the program: what clients make the active one is
/// for clients. Where that is not known, it is the one that was changed last.
///
/// What lies on the disk is looked at by a worker of its own, so that nobody who only looks waits
/// for a copy or an archive that takes long. What is decided from what it saw is decided in one
/// handler, together with what the manager knows itself: what is loaded, begun, leaving, coming
/// back. Should a folder have been moved since, it looks again.
///
/// Copying, archiving, packing: another file worker does what blocks. A session that is put away is
/// ended first, with its store, and then its folder is moved. From the moment when that is asked
/// for, everybody finds it where it is going to be; when it cannot be moved, or when the session
/// that puts itself away could not write that down, it is where it was again.
///
///     there --archive_session--> leaving --moved--> archive, trash
///       ^                    |                  |
///       +---- it stays ------+   returning <----+ bring_back
///       +---------------------------+
///
/// A folder is not moved while another job reads it. Names are given away here, like slugs, so that
/// no two sessions have the same one: also not two that are made or renamed at the same time.
class session_manager_state {
public:
  using pointer = session_manager_actor::stateful_pointer<session_manager_state>;
  static inline const char* name = "session_manager";

  explicit session_manager_state(pointer self) : self_(self) {}
  ~session_manager_state();
  session_manager_state(const session_manager_state&) = delete;
  session_manager_state& operator=(const session_manager_state&) = delete;

  void start(manager_setup setup);

  // In the order of the interface.
  /// Who makes a session the active one.
  enum class by : std::uint8_t { musician, client };
  caf::result<session_ref> create(const std::string& session_name, by whom);
  caf::result<session_ref> create_for(const std::string& client, const std::string& session_name);
  caf::result<session_ref> find(const std::string& slug_or_name);
  caf::result<session_ref> active();
  caf::result<session_ref> activate(const std::string& slug_or_name, by whom);
  caf::result<std::vector<session_summary>> list(io::detail_level how);
  caf::result<std::vector<session_summary>> archived();
  caf::result<session_ref> clone(const std::string& slug, const std::string& session_name);
  caf::result<archive_answer> archive_session(const archive_request& what);
  void left(const std::string& slug, bool gone);
  caf::result<session_ref> bring_back(const std::string& slug_or_name);
  caf::result<packed_session> pack(const packing& what);
  caf::result<session_ref> unpack(const std::string& file, const std::string& session_name);
  caf::result<std::string> rename(const std::string& slug, const std::string& wanted);
  void renamed(const std::string& slug);
  caf::result<void> stop();
  void follow(const std::string& slug, const session_snapshot& now);
  void restart(const std::string& slug);
  void time_to_rest();
  void down(const caf::down_msg& msg);

private:
  using answer = std::function<void(caf::expected<session_ref>)>;
  using naming = std::function<session_meta()>;
  struct managed {
    session_meta meta;
    session_actor session;  ///< null: loading, or waiting for a restart
    store_actor store;
    std::vector<answer> waiting;  ///< for it to be loaded
    /// Until it is loaded, when it is to be made: what it is called should another process have
    /// taken its name meanwhile.
    naming another;
    session_is is = session_is::there;  ///< until it is loaded
    std::string written_by;             ///< another process, while it is only looked at here
    bool loading = false;
    int crashes = 0;  ///< without a rest between
    timestamp last_crash;
    std::string crash_reason;  ///< to be told in the timeline when it is back
    bool ending = false;
    bool unloading = false;                              ///< is asked whether it is used
    std::vector<std::function<void()>> after_unloading;  ///< when that is known
    timestamp last_used;
    bool in_memory = false;                        ///< nothing can be written where it lies
    std::string unkept;                            ///< why
    std::vector<std::function<void()>> when_gone;  ///< its actors have ended
  };
  using done = std::function<void(caf::error)>;  ///< none: all is well

  // The steps of loading.
  /// `another`: the session is to be made, and is called that when its name is taken.
  void open(const session_meta& meta, answer to, naming another = nullptr);
  /// Only where it can be written to. Errors: conflict when another process does.
  void open_to_write(const session_meta& meta, answer to);
  /// One that is only looked at is read again, and perhaps can be written to now.
  void open_again(const session_meta& meta, answer to);
  session_snapshot as_configured(session_snapshot state) const;
  void read_again(const std::string& slug, loaded_session what);
  void not_read_again(const std::string& slug, const caf::error& why);
  void load(managed& m);
  void loaded(const std::string& slug, loaded_session what);
  void load_failed(const std::string& slug, const caf::error& reason);
  void tell(const std::string& slug, const loaded_session& what);
  void unload_unused();
  void unload(const std::string& slug);
  void not_unloaded(const std::string& slug);

  void crashed(managed& m, const caf::error& reason);
  void make_active(const std::string& slug, bool remember = true);
  answer answering(caf::typed_response_promise<session_ref> promise);
  answer activating(caf::typed_response_promise<session_ref> promise, by whom = by::musician);

  // What lies on the disk.
  struct home_view {
    std::vector<io::session_on_disk> sessions, archived;
    std::string active;  ///< the session that was active last; empty: that is not known
  };
  using looked = std::function<void(const home_view& disk)>;
  using refuse = std::function<void(caf::error)>;
  /// Exactly one of the two is called, later or at once. Of what is loaded only `sizes` looks at
  /// the disk.
  void look(io::detail_level how, looked then, refuse failed);
  /// Goes on with a session that is loaded or on disk, and not about to leave.
  void with_known(const std::string& slug_or_name, std::function<void(const session_meta&)> then,
                  const refuse& failed);
  /// Goes on when no session of this name is on its way to the trash: its name is free then. One
  /// that is still read for a copy keeps its name.
  void with_free_name(const std::string& session_name, looked then, const refuse& failed);

  /// Goes on with the active session.
  void with_active(answer to);
  /// The same where none is active, or the one that was is leaving: the one that was used last.
  void choose_active(const home_view& disk, answer to);
  /// The one that is called that: by its slug, else by its name.
  static std::optional<session_meta> called(const std::string& slug_or_name,
                                            const std::vector<session_meta>& all);
  std::optional<session_meta> known(const std::string& slug_or_name, const home_view& disk) const;
  std::optional<session_meta> known_as_loaded(const std::string& slug) const;
  /// Those that are loaded or on disk, also those that are about to leave.
  std::vector<session_meta> all_known(const home_view& disk) const;
  std::vector<session_summary> all_sessions(const home_view& disk) const;
  /// Those that do not leave.
  std::vector<session_meta> staying(const home_view& disk) const;
  std::vector<session_meta> all_archived(const home_view& disk) const;
  bool leaves(const session_meta& meta) const { return leaving_.contains(meta.slug); }
  /// Whether a session, here or in the archive, is called that.
  std::function<bool(const std::string&)> taken_by_others(const home_view& disk,
                                                          const std::string& except = {}) const;
  session_meta meta_for(const std::string& session_name, const home_view& disk) const;
  /// The same again, for when that is taken.
  naming another_name(const std::string& session_name, const home_view& disk) const;
  std::optional<std::string> being_deleted(const std::string& session_name,
                                           const home_view& disk) const;
  caf::error not_found(const std::string& what, const home_view& disk) const;
  void stopped_one(const std::string& slug);
  void finish_stop();

  // Folders.
  void run(std::function<result<void>()> work, done then);
  void ask(const file_worker_actor& worker, std::function<result<void>()> work, done then);
  void flushed(const std::string& slug, done then);
  done while_reading(const std::string& slug, done then);
  void with_unwritten(const std::string& slug, std::function<void(io::unwritten_part)> then,
                      const refuse& failed);
  void end_and_move(const std::string& slug, bool to_trash, done then);
  void begin_leaving(const std::string& slug, const archive_request& what,
                     caf::typed_response_promise<archive_answer> promise);
  void return_to_use(const session_meta& meta, caf::typed_response_promise<session_ref> promise);
  void send_elsewhere(const std::string& slug, caf::typed_response_promise<archive_answer> promise);
  /// Opens the first of these that can be written to, and goes there; else begins a new one.
  void go_to_first_of(std::vector<session_meta> those, const answer& go, const refuse& stuck);
  void tell_of_parting(const std::string& next, const std::string& slug, bool to_trash,
                       const caf::error& failed);
  /// `as`: what it is called now, should another process have taken its id.
  void bring_from_archive(const std::string& slug, const session_meta& as);
  void is_back(const std::string& slug, const session_meta& as, caf::error failed);
  void call(const session_actor& session, const std::string& name, std::function<void()> then);
  std::string name_for_return(const session_meta& meta, const home_view& disk) const;
  void stays(const std::string& slug);
  void settle_leaving(const std::string& slug, bool moved);
  /// `again`: the folder is another process's, and this tries the next name. `remarks` go along
  /// with the answer.
  void made(const session_meta& meta, caf::error failed,
            caf::typed_response_promise<session_ref> promise, const std::function<void()>& again,
            const std::vector<std::string>& remarks = {});
  std::filesystem::path place_for(const std::string& slug, bool to_trash) const;
  void gone(const std::string& slug);
  session_meta new_meta(const session_meta& like, const std::string& session_name,
                        const home_view& disk) const;
  std::optional<caf::error> refusal() const;
  static caf::error program_ends();

  pointer self_;
  manager_setup setup_;
  std::shared_ptr<snapshot_board> board_;
  std::map<std::string, managed> sessions_;
  std::string active_;
  /// Requests to make a session the active one are counted; this is the one that made it so.
  std::size_t asked_ = 0, activated_ = 0;
  /// On their way to the archive (false) or to the trash, and what waits for them to be there.
  std::map<std::string, bool> leaving_;
  std::map<std::string, std::vector<std::function<void(bool moved)>>> after_leaving_;
  /// Where the musician goes who puts away a session (slug) that he is in.
  std::map<std::string, std::string> going_to_;
  /// Who asks for such a place before it is said there what became of the session that was left.
  std::map<std::string, std::vector<std::function<void()>>> arriving_;
  /// On their way back from the archive, and who asked for them.
  struct returning {
    session_meta meta;
    std::vector<caf::typed_response_promise<session_ref>> askers;
  };
  std::map<std::string, returning> returning_;
  /// Slugs and names of sessions whose folders are being made.
  std::map<std::string, std::string> begun_;
  /// Slugs that were free when that was looked for, and another process's when the folder was to be
  /// made; until they are seen on the disk.
  std::set<std::string> taken_elsewhere_;
  /// Names that sessions were allowed to take, which may not have become theirs yet.
  std::map<std::string, std::string> granted_;
  /// Jobs that read the folder of a session, and what waits for it to be read by none.
  std::map<std::string, std::size_t> readers_;
  std::map<std::string, std::vector<std::function<void()>>> when_unread_;
  file_worker_actor worker_;
  file_worker_actor reader_;  ///< a worker that only looks
  std::size_t jobs_ = 0;      ///< that the clerks have not answered yet
  std::size_t moves_ = 0;     ///< of folders so far
  creation_allowance may_create_;
  bool rest_is_due_ = false;  ///< a reminder to unload is on its way
  bool stopping_ = false;
  std::string unsaved_;  ///< what could not be brought to the disk at the end, and why
  std::vector<caf::response_promise> stop_promises_;
};
static_assert(!std::is_aggregate_v<session_manager_state>);

session_manager_actor::behavior_type session_manager(session_manager_state::pointer self,
                                                     manager_setup setup);

}  // namespace fermata::actors
