#pragma once

#include "core/session/catalog/catalog_step.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fermata::catalog {

/// One step under way; the implementation of `step`. Its members are in step.cpp (inputs, waiting,
/// answers), names.cpp (the disk, names), loading.cpp (sessions), finding.cpp (creating and finding
/// sessions, lists), copying.cpp (clone, import, export), archiving.cpp and restoring.cpp.
///
/// A member that takes an operation may end it: each returns at once after it has called another
/// one.
class catalog_stepper {
public:
  /// `actions`: what it decides is added there.
  catalog_stepper(catalog_state& state, const catalog_context& context,
                  std::vector<action>& actions)
    : s_(state), c_(context), actions_(actions) {}

  /// Takes one input, and what it holds; may throw.
  void take(input& in);
  /// After an input on this loading went wrong: those who wait for it go on if the session runs,
  /// and are refused if it does not.
  void end_loading(const std::string& slug, ticket load, const failure& why);
  /// Continues an operation whose condition is fulfilled; false: there is none.
  bool continue_waiting();
  /// Ends the program once everything has stopped.
  void finish_stop();
  /// Refuses the operation that is being continued; false: there is none.
  bool fail_current(const failure& why);

private:
  // Inputs.
  void on(started&);
  void on(requested& in);
  void on(stop_requested& in);
  void on(archive_recorded& in);
  void on(name_recorded& in) { s_.granted_names.erase(in.slug); }
  void on(followed& in);
  void on(disk_seen& in);
  void on(job_finished& in);
  void on(session_loaded& in);
  void on(load_failed& in);
  void on(session_started& in);
  void on(unload_answered& in);
  void on(session_stopped& in);
  void on(session_answered& in);
  void on(session_down& in);
  void on(store_down& in);
  void on(restart_due& in);
  void on(unload_due&);

  // What continues an operation; each kind has those that it needs.
  void begin(operation& o, create_session& k);
  void named(operation& o, create_session& k, const disk_view_ptr& disk);
  void opened(operation& o, create_session&) { answer_activated(o); }

  void begin(operation& o, find_session& k);
  void proceed(operation& o, find_session& k) { begin(o, k); }
  void seen(operation& o, find_session& k, const disk_view_ptr& disk);
  void known(operation& o, find_session& k, const session_meta& meta);
  void opened(operation& o, find_session&) { answer_opened(o); }

  void begin(operation& o, find_active& k);
  void seen(operation& o, find_active& k, const disk_view_ptr& disk);
  void named(operation& o, find_active& k, const disk_view_ptr& disk);
  void opened(operation& o, find_active& k);
  void not_opened(operation& o, find_active& k, failure why);
  void choose_active(operation& o, find_active& k, const disk_view_ptr& disk);

  void begin(operation& o, activate_session& k);
  void seen(operation& o, activate_session& k, const disk_view_ptr& disk);
  void known(operation& o, activate_session& k, const session_meta& meta);
  void opened(operation& o, activate_session&) { answer_activated(o); }

  void begin(operation& o, list_sessions& k) { look(o, k.detail); }
  void seen(operation& o, list_sessions& k, const disk_view_ptr& disk);

  void begin(operation& o, rename_session& k);
  void seen(operation& o, rename_session& k, const disk_view_ptr& disk);

  void begin(operation& o, clone_session& k);
  void seen(operation& o, clone_session& k, const disk_view_ptr& disk);
  void known(operation& o, clone_session& k, const session_meta& meta);
  void proceed(operation& o, clone_session& k);
  void answered(operation& o, clone_session& k, session_answered& in);
  void named(operation& o, clone_session& k, const disk_view_ptr& disk);
  void done(operation& o, clone_session& k, job_finished& in);
  void opened(operation& o, clone_session&) { answer_activated(o); }

  bool made(operation& o, job_finished& in);

  void begin(operation& o, import_session& k);
  void named(operation& o, import_session& k, const disk_view_ptr& disk);
  void done(operation& o, import_session& k, job_finished& in);
  void opened(operation& o, import_session&) { answer_activated(o); }

  void begin(operation& o, export_session& k);
  void seen(operation& o, export_session& k, const disk_view_ptr& disk);
  void known(operation& o, export_session& k, const session_meta& meta);
  void proceed(operation& o, export_session& k);
  void answered(operation& o, export_session& k, session_answered& in);
  void done(operation& o, export_session& k, job_finished& in);
  void write(operation& o, export_session& k,
             std::shared_ptr<const std::vector<transition>> unwritten);

  void begin(operation& o, archive_session& k);
  void seen(operation& o, archive_session& k, const disk_view_ptr& disk);
  void known(operation& o, archive_session& k, const session_meta& meta);
  void done(operation& o, archive_session& k, job_finished& in);
  void named(operation& o, archive_session& k, const disk_view_ptr& disk);
  void opened(operation& o, archive_session& k);
  void not_opened(operation& o, archive_session& k, failure why);
  void proceed(operation& o, archive_session& k) { close_and_move(o, k); }
  void open_next(operation& o, archive_session& k);
  void close_and_move(operation& o, archive_session& k);
  void tell_next(const archive_session& k, const std::optional<failure>& failed);

  void begin(operation& o, restore_session& k);
  void seen(operation& o, restore_session& k, const disk_view_ptr& disk);
  void proceed(operation& o, restore_session& k);
  void done(operation& o, restore_session& k, job_finished& in);
  void opened(operation& o, restore_session& k);
  void answered(operation& o, restore_session& k, session_answered& in);
  void open_restored(operation& o, restore_session& k);

  // Looking at the disk (names.cpp).
  void look(operation& o, disk_detail detail);
  /// Continues with `named` when no session of this name is on its way to the trash: its name is
  /// free then. One that is still read for a copy keeps its name.
  void find_name(operation& o, std::string name);
  void name_seen(operation& o, const disk_view_ptr& disk);
  /// Continues with `known`, at once or after a look.
  template <class Kind>
  void find_known(operation& o, Kind& k, const std::string& slug_or_name) {
    // Loaded sessions are requested often; the disk is not read for them.
    if (auto meta = known_as_loaded(slug_or_name)) return known(o, k, *meta);
    look(o, disk_detail::names);
  }
  template <class Kind>
  void known_or_not(operation& o, Kind& k, const std::string& slug_or_name, const disk_view& disk) {
    if (auto meta = known_on(slug_or_name, disk)) return known(o, k, *meta);
    fail(o, not_found(slug_or_name, disk));
  }

  // Names (names.cpp).
  /// The one with this slug, otherwise with this name.
  std::optional<session_meta> called(const std::string& slug_or_name,
                                     const std::vector<session_meta>& all) const;
  std::optional<session_meta> known_on(const std::string& slug_or_name,
                                       const disk_view& disk) const;
  std::optional<session_meta> known_as_loaded(const std::string& slug) const;
  /// Those that are loaded or on disk, with those that are being archived.
  std::vector<session_meta> all_known(const disk_view& disk) const;
  std::vector<session_summary> all_summaries(const disk_view& disk) const;
  /// Those that are not being archived.
  std::vector<session_meta> in_use(const disk_view& disk) const;
  std::vector<session_meta> all_archived(const disk_view& disk) const;
  /// Whether a session, here or in the archive, has this slug or name.
  std::function<bool(const std::string&)> taken_by_others(const disk_view& disk,
                                                          const std::string& except = {}) const;
  session_meta new_meta(const std::string& name, const disk_view& disk) const;
  std::string name_for_restored(const session_meta& meta, const disk_view& disk) const;
  std::optional<std::string> being_deleted(const std::string& name, const disk_view& disk) const;
  failure not_found(const std::string& what, const disk_view& disk) const;

  // Sessions (loading.cpp).
  void open(operation& o, operation::opening_t what);
  void try_open(operation& o);
  void did_open(operation& o);
  void did_not_open(operation& o, failure why);
  void load(session_record& r);
  /// Continues operations that wait for a session to be loaded.
  void loaded(const std::string& slug, const std::optional<failure>& failed);
  void not_loaded(const std::string& slug, failure why);
  void tell_loaded(session_record& r, const session_loaded& in);
  void unload_unused();
  void crashed(session_record& r, std::string reason);
  /// Ends its actors, so that its folder can be moved.
  void end(session_record& r);
  /// Ends its store, if it has one.
  void close(session_record& r);
  void forget(const std::string& slug);
  /// True: nothing is left to write. Otherwise `answered` or `proceed` continues.
  bool flush(operation& o, const std::string& slug);
  void make_active(const std::string& slug, bool remember);

  // Archiving, seen from other operations (archiving.cpp).
  /// The operation that moves the session to the archive or the trash; null: none.
  const archive_session* archiving(const std::string& slug) const;
  bool is_read(const std::string& slug) const;
  bool is_to_be_told(const std::string& slug) const;
  /// The folder was moved: ends the operation, and whoever waits to restore it begins with that.
  void moved(operation& o, const std::string& slug);
  void session_cannot_record(const std::string& slug);

  // Operations (step.cpp).
  operation* find(std::uint64_t id);
  operation* awaiting(ticket id);
  ticket new_ticket() { return s_.next_ticket++; }
  void start(operation& o, folder_job job);
  /// The same without an operation that waits for it.
  void start(folder_job job);
  bool is_fulfilled(const wait_condition& w) const;
  void answer_opened(operation& o, std::string instead_of = {});
  void answer_activated(operation& o);
  template <class Value>
  void answer_all(operation& o, const Value& value) {
    // One by one: whoever cannot be answered, for want of memory, can still be refused.
    for (; !o.askers.empty(); o.askers.erase(o.askers.begin()))
      act(answer{o.askers.front(), value});
  }
  void answer_and_end(operation& o, auto value) {
    answer_all(o, value);
    end(o);
  }
  void fail(operation& o, failure why);
  void end(operation& o);
  /// Refuses what needs a home, and everything at the end of the program.
  bool refused(operation& o);

  session_record* record(const std::string& slug) {
    auto it = s_.sessions.find(slug);
    return it == s_.sessions.end() ? nullptr : &it->second;
  }
  const session_record* record(const std::string& slug) const {
    auto it = s_.sessions.find(slug);
    return it == s_.sessions.end() ? nullptr : &it->second;
  }
  void act(action a) { actions_.push_back(std::move(a)); }

  catalog_state& s_;
  const catalog_context& c_;
  std::vector<action>& actions_;
  std::uint64_t current_ = 0;  ///< the operation being continued
};

using phase_t = session_record::phase_t;

/// Whether the session has an actor that can be asked.
bool has_actor(const session_record& r);
bool is_unloading(const session_record& r);
/// It is being closed for another reason than that nobody uses it.
bool is_ending(const session_record& r);
/// It is still in the archive for everybody.
bool is_restoring(const restore_session& k);

}  // namespace fermata::catalog
