#pragma once

#include "core/memory_meter.hpp"
#include "core/session/catalog/catalog_step.hpp"
#include "core/session/timeline/slug.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fermata::catalog {

/// A home with sessions, without actors or files: it executes the actions of `step` when the test
/// says so, in any order that a real home could have. Results of different stores, sessions and
/// workers come in any order; those of one in theirs.
struct simulated_catalog {
  // --- requests ---

  request_id ask(operation_kind what) {
    auto id = next_request++;
    unanswered.insert(id);
    feed(requested{id, std::move(what)});
    return id;
  }
  request_id create(std::string name) { return ask(create_session{.name = std::move(name)}); }
  request_id find(std::string name) { return ask(find_session{.wanted = std::move(name)}); }
  request_id activate(std::string name) { return ask(activate_session{.wanted = std::move(name)}); }
  request_id clone(std::string slug, std::string name = {}) {
    return ask(clone_session{.wanted = std::move(slug), .name = std::move(name)});
  }
  request_id archive(std::string slug, std::string asker = {}, bool to_trash = false) {
    return ask(archive_session{.request = {std::move(slug), std::move(asker), to_trash}});
  }
  request_id restore(std::string slug) { return ask(restore_session{.wanted = std::move(slug)}); }
  request_id export_to(std::string slug) {
    return ask(export_session{.request = {std::move(slug), {}}});
  }
  request_id import_from(std::string file, std::string name = {}) {
    return ask(import_session{.file = std::move(file), .name = std::move(name)});
  }
  /// A session asks for another name, and records the one that it gets.
  request_id rename(std::string slug, std::string name, ticket asked_by_catalog = 0) {
    renaming.insert_or_assign(next_request, std::pair{slug, asked_by_catalog});
    return ask(rename_session{std::move(slug), std::move(name)});
  }
  request_id stop() {
    auto id = next_request++;
    unanswered.insert(id);
    feed(stop_requested{id});
    return id;
  }
  /// A session that is on disk, or in the archive.
  void put(std::string slug, bool archived = false) {
    session_meta meta;
    meta.slug = meta.name = slug;
    meta.created = meta.modified = now += std::chrono::seconds{1};
    (archived ? archive_folders : folders).insert_or_assign(std::move(slug), meta);
  }

  // --- results ---

  /// What can happen next, one function for each.
  std::vector<std::function<void()>> possible_results() {
    std::vector<std::function<void()>> all;
    for (auto& [owner, queue] : results)
      if (!queue.empty())
        all.emplace_back([this, owner = owner] {
          auto& waiting = results.at(owner);
          auto next = std::move(waiting.front());
          waiting.pop_front();
          next();
        });
    return all;
  }
  /// Results in some order until nothing is under way.
  void settle() {
    for (auto next = possible_results(); !next.empty(); next = possible_results())
      next.front()();
  }
  /// A session crashes. What it was asked fails.
  void crash(const std::string& slug) {
    auto it = live.find(slug);
    if (it == live.end() || !it->second.has_actor) return;
    it->second.has_actor = false;
    feed(session_down{slug, "crash"});
  }
  /// The timer for unloading, which runs as long as too many are loaded.
  void unload_time() {
    if (std::exchange(unload_is_due, false)) feed(unload_due{});
  }
  /// A store ends unexpectedly.
  void crash_store(const std::string& slug) {
    auto it = live.find(slug);
    if (it == live.end() || !it->second.has_store) return;
    it->second.has_store = false;
    feed(store_down{slug});
  }

  // --- what came of it ---

  struct outcome {
    std::optional<failure> refused;
    std::string slug;  ///< of the session, or of what was archived or exported
    std::string text;  ///< where the user goes; the name; the file; the slug in the archive
    std::vector<std::string> remarks;
    std::vector<std::string> listed;
  };
  const outcome& answer_to(request_id id) const {
    CAPTURE(id);
    REQUIRE(answers.contains(id));
    return answers.at(id);
  }
  bool is_refused(request_id id) const { return answer_to(id).refused.has_value(); }

  /// Every request has one answer and nothing is left of it; what is loaded has its actors.
  void check_settled() const {
    CHECK(unanswered.empty());
    for (auto& [id, o] : state.operations) {
      // It waits for a session that has not recorded yet that it is archived.
      auto archived = std::get_if<archive_session>(&o.kind);
      CAPTURE(id, o.kind.index(), static_cast<int>(o.wait.kind), o.wait.slug, o.awaits);
      CHECK((archived && archived->step == archive_session::step_t::waiting_for_record));
      CHECK(o.askers.empty());
    }
    CHECK(state.jobs.empty());
    for (auto& [slug, r] : state.sessions) {
      CAPTURE(slug);
      CHECK(r.phase == session_record::phase_t::running);
      CHECK_FALSE(r.made_as);
      CHECK(live.at(slug).has_actor);
    }
    check_names();
  }
  /// No two sessions have the same id or name, here and in the archive.
  void check_names() const {
    std::set<std::string> names;
    for (auto all : {&folders, &archive_folders})
      for (auto& [slug, meta] : *all) {
        CAPTURE(slug, meta.name);
        CHECK(names.insert(meta.name).second);
        if (slug != meta.name) CHECK(names.insert(slug).second);
      }
  }
  void check_stopped() const {
    CHECK(unanswered.empty());
    CHECK(has_quit);
    CHECK(state.stopped);
    CHECK(state.operations.empty());
    CHECK(state.sessions.empty());
    CHECK(state.jobs.empty());
    CHECK(state.stop_requests.empty());
    CHECK(live.empty());
    check_names();
  }

  void feed(input in) {
    inputs.push_back(std::move(in));
    if (stepping) return;
    stepping = true;
    while (!inputs.empty()) {
      auto next = std::move(inputs.front());
      inputs.pop_front();
      auto done = stepped(std::move(next));
      state = std::move(done.state);
      for (auto& a : done.actions) {
        failure why{failure::kind_t::internal, "out of memory"};
        auto failed = result_of_failed(a, why);
        if (failed && !std::holds_alternative<end_store>(a) && ++executed == fail_at) {
          if (auto s = std::get_if<stop_session>(&a)) live[s->slug].has_actor = false;
          inputs.push_back(std::move(*failed));
          continue;
        }
        std::visit([this](auto& one) { execute(one); }, a);
      }
    }
    stepping = false;
  }

  struct live_session {
    bool has_actor = false, has_store = false;
    session_meta meta;
  };

  catalog_state state;
  std::map<request_id, outcome> answers;
  std::set<request_id> unanswered;
  std::map<std::string, session_meta> folders, archive_folders;  ///< by slug
  std::vector<session_meta> trash;
  std::map<std::string, live_session> live;
  std::map<std::string, int> readers;  ///< jobs that read a folder now
  std::vector<send_note> notes;
  std::string active_on_disk, active_shown;
  std::set<std::string> elsewhere;   ///< open in another process
  std::set<std::string> unreadable;  ///< cannot be loaded
  std::set<std::string> unmovable;   ///< the folder cannot be moved
  std::set<std::string> used;        ///< it is used, so that it is not unloaded
  std::set<std::string> unsaved;     ///< its last changes cannot be written
  /// Slugs that another process takes just before a folder is made here.
  std::set<std::string> lost_races;
  bool cannot_record = false;  ///< that a session is archived
  bool records_late = false;   ///< the test says when it has recorded it
  bool keeps_sessions = true;
  std::size_t most_loaded = 32;
  std::size_t executed = 0;  ///< actions with a result so far
  std::size_t fail_at = 0;   ///< the one of them that fails; 0: none
  bool unload_is_due = false;
  bool has_quit = false;
  /// Requests for names: the session, and the action of the catalog that made it ask.
  std::map<request_id, std::pair<std::string, ticket>> renaming;
  timestamp now{std::chrono::sys_days{std::chrono::year{2026} / 2 / 1}};
  /// What waits for its turn, by whoever does it.
  std::map<std::string, std::deque<std::function<void()>>> results;

  /// The allocation that fails in one of the inputs that say a session is loaded or has started.
  struct failing_allocation {
    std::size_t input = 0;   ///< from 1; 0: none fails
    std::size_t number = 0;  ///< from 1, in that step
    bool has_failed = false;
  } failing;

private:
  catalog_step stepped(input in) {
    auto where = context();
    auto is_load =
        std::holds_alternative<session_loaded>(in) || std::holds_alternative<session_started>(in);
    if (!is_load || failing.input == 0 || --failing.input > 0)
      return step(std::move(state), std::move(in), where);
    constexpr std::size_t every_allocation = 1;
    memory_meter meter{std::make_shared<memory_pool>(),
                       [this]() -> std::optional<errc> {
                         if (failing.number == 0 || --failing.number > 0) return std::nullopt;
                         failing.has_failed = true;
                         return errc::cancelled;
                       },
                       every_allocation};
    memory_meter::stoppable from_here;
    return step(std::move(state), std::move(in), where);
  }
  catalog_context context() {
    now += std::chrono::milliseconds{1};
    return {now,
            keeps_sessions,
            most_loaded,
            std::chrono::milliseconds{0},
            [](const std::string& name) { return clean_name(name); },
            [this](const std::string& slug) -> session_snapshot {
              auto it = shown.find(slug);
              return it == shown.end() ? nullptr : it->second;
            }};
  }
  void later(const std::string& who, std::function<void()> what) {
    results[who].push_back(std::move(what));
  }
  void show(const session_meta& meta) {
    auto s = empty_session(meta);
    if (elsewhere.contains(meta.slug)) s.written_by = "process 12";
    shown[meta.slug] = std::make_shared<const session_state>(std::move(s));
  }
  static failure failed(std::string why) { return {failure::kind_t::failed, std::move(why)}; }

  // --- files ---

  void execute(look_at_disk& a) {
    later("reader", [this, a] {
      auto disk = std::make_shared<disk_view>();
      auto read = [&](auto& from, auto& to, bool all) {
        for (auto& [slug, meta] : from)
          if (all || std::find(a.left_out.begin(), a.left_out.end(), slug) == a.left_out.end())
            to.push_back({meta, {}});
      };
      read(folders, disk->sessions, false);
      read(archive_folders, disk->archived, true);
      disk->active = active_on_disk;
      // It takes a while until it is said.
      later("reader " + std::to_string(a.id), [this, id = a.id, disk] {
        feed(disk_seen{id, disk, {}});
      });
    });
  }
  void execute(start_job& a) {
    if (auto copy = std::get_if<copy_folder>(&a.job)) ++readers[copy->from];
    if (auto write = std::get_if<write_archive>(&a.job)) ++readers[write->source.slug];
    later("worker", [this, a] {
      job_finished to;
      to.id = a.id;
      std::visit([&](auto& job) { work(job, to); }, a.job);
      feed(std::move(to));
    });
  }
  void work(const remove_drafts&, job_finished&) {}
  void work(const remember_active& j, job_finished&) { active_on_disk = j.slug; }
  void make(const session_meta& meta, job_finished& to) {
    if (lost_races.erase(meta.slug) > 0) put(meta.slug);
    to.place_is_taken = folders.contains(meta.slug);
    if (to.place_is_taken)
      to.failed = failed("it exists");
    else
      folders[meta.slug] = meta;
  }
  void work(const copy_folder& j, job_finished& to) {
    --readers[j.from];
    // One that is only being made has no folder yet.
    if (folders.contains(j.from))
      make(j.to, to);
    else
      to.failed = failed("no such folder");
  }
  void work(const check_move& j, job_finished& to) {
    if (unmovable.contains(j.slug)) to.failed = failed("permission denied");
  }
  void work(const move_away& j, job_finished& to) {
    CAPTURE(j.slug);
    CHECK(readers[j.slug] == 0);
    for (auto& [id, o] : state.operations)
      CHECK(o.reads != j.slug);
    CHECK_FALSE(live.contains(j.slug));
    auto folder = folders.extract(j.slug);
    if (folder.empty()) {
      to.failed = failed("no such folder");
    } else if (j.to_trash) {
      trash.push_back(std::move(folder.mapped()));
    } else {
      CHECK(archive_folders.insert(std::move(folder)).inserted);
    }
  }
  void work(const move_back& j, job_finished& to) {
    if (lost_races.erase(j.as) > 0) put(j.as);
    to.place_is_taken = archive_folders.contains(j.slug) && folders.contains(j.as);
    auto folder = to.place_is_taken ? decltype(archive_folders)::node_type{}
                                    : archive_folders.extract(j.slug);
    if (folder.empty()) {
      to.failed = failed("it cannot be moved");
      return;
    }
    folder.mapped().slug = j.as;
    folders[j.as] = folder.mapped();
  }
  void work(const write_archive& j, job_finished& to) {
    --readers[j.source.slug];
    if (!folders.contains(j.source.slug)) to.failed = failed("no such folder");
  }
  void work(const read_archive& j, job_finished& to) {
    if (j.file == "broken") {
      to.failed = failed("it is no archive");
      return;
    }
    to.meta.slug = to.meta.name = j.file;
  }
  void work(const unpack_archive& j, job_finished& to) { make(j.to, to); }

  // --- sessions ---

  void execute(load_session& a) {
    auto slug = a.meta.slug;
    auto& session = live[slug];
    if (a.mode == load_session::mode_t::in_memory) {
      session.meta = a.meta;
      return feed(session_loaded{slug, a.load, a.meta});
    }
    session.has_store = true;
    later("store " + slug, [this, a] { read(a.meta, a.load, a.mode); });
  }
  void execute(reload_session& a) {
    later("store " + a.slug, [this, a] {
      read(folders.contains(a.slug) ? folders.at(a.slug) : session_meta{}, a.load,
           load_session::mode_t::existing);
    });
  }
  void read(const session_meta& meta, ticket load, load_session::mode_t mode) {
    auto& slug = meta.slug;
    auto it = live.find(slug);
    if (it == live.end() || !it->second.has_store || unreadable.contains(slug))
      return feed(load_failed{slug, load, failed("it cannot be read")});
    if (mode == load_session::mode_t::new_session) {
      if (lost_races.erase(slug) > 0) put(slug);
      if (folders.contains(slug))
        return feed(load_failed{slug, load, {failure::kind_t::conflict, "it exists"}});
      folders.try_emplace(slug, meta);
    }
    if (!folders.contains(slug)) return feed(load_failed{slug, load, failed("no such folder")});
    if (mode == load_session::mode_t::only_to_write && elsewhere.contains(slug))
      return feed(load_failed{slug, load, {failure::kind_t::conflict, "it is open elsewhere"}});
    it->second.meta = folders.at(slug);
    session_loaded in{slug, load, folders.at(slug)};
    if (elsewhere.contains(slug)) in.written_by = "process 12";
    feed(std::move(in));
  }
  void execute(start_session& a) {
    auto& session = live.at(a.slug);
    CHECK_FALSE(session.has_actor);
    session.has_actor = true;
    if (keeps_sessions) session.meta = folders.at(a.slug);
    show(session.meta);
    feed(session_started{a.slug, a.load});
  }
  void execute(show_reloaded& a) { show(live.at(a.slug).meta); }
  void execute(show_followed& a) { shown[a.slug] = a.state; }
  bool has_actor(const std::string& slug) const {
    auto it = live.find(slug);
    return it != live.end() && it->second.has_actor;
  }
  void execute(ask_to_unload& a) {
    later("session " + a.slug, [this, slug = a.slug] {
      auto granted = !has_actor(slug) || !used.contains(slug);
      if (granted) live[slug].has_actor = false;
      feed(unload_answered{slug, granted});
    });
  }
  void execute(stop_session& a) {
    later("session " + a.slug, [this, slug = a.slug] {
      session_stopped in{slug};
      if (has_actor(slug) && unsaved.contains(slug)) in.failed = failed("no space left");
      live[slug].has_actor = false;
      feed(std::move(in));
    });
  }
  void execute(kill_session& a) {
    later("down " + a.slug, [this, slug = a.slug] { crash(slug); });
  }
  void execute(end_store& a) {
    live.at(a.slug).has_actor = false;
    later("store " + a.slug, [this, slug = a.slug] { crash_store(slug); });
  }
  void execute(discard_session& a) { live.erase(a.slug); }
  void execute(forget_session& a) {
    live.erase(a.slug);
    shown.erase(a.slug);
  }
  void execute(flush_session& a) {
    later("session " + a.slug, [this, a] {
      session_answered in{a.id};
      if (!has_actor(a.slug)) in.failed = failed("it crashed");
      feed(std::move(in));
    });
  }
  void execute(read_unwritten& a) {
    later("session " + a.slug, [this, a] { feed(session_answered{a.id}); });
  }
  void execute(rename_in_session& a) {
    later("session " + a.slug, [this, a] {
      if (has_actor(a.slug))
        rename(a.slug, a.name, a.id);
      else
        feed(session_answered{a.id});
    });
  }
  void record_name(request_id id, const std::string& name) {
    auto [slug, asked_by_catalog] = renaming.extract(id).mapped();
    later("session " + slug, [this, slug = slug, asked_by_catalog = asked_by_catalog, name] {
      if (has_actor(slug)) {
        folders.at(slug).name = live.at(slug).meta.name = name;
        show(live.at(slug).meta);
        feed(name_recorded{slug});
      }
      if (asked_by_catalog != 0) feed(session_answered{asked_by_catalog});
    });
  }
  void execute(send_note& a) { notes.push_back(a); }
  void execute(restart_later& a) {
    later("timer " + a.slug, [this, slug = a.slug] { feed(restart_due{slug}); });
  }
  void execute(unload_later&) { unload_is_due = true; }
  void execute(show_active& a) { active_shown = a.slug; }

  // --- answers ---

  void execute(answer& a) {
    outcome out;
    if (auto opened = std::get_if<opened_session>(&a.value)) {
      CAPTURE(opened->slug);
      CHECK(live.contains(opened->slug));
      out = {{}, opened->slug, opened->instead_of, opened->remarks, {}};
    } else if (auto all = std::get_if<std::vector<session_summary>>(&a.value)) {
      for (auto& s : *all)
        out.listed.push_back(s.meta.slug);
    } else if (auto archived = std::get_if<archive_answer>(&a.value)) {
      out.slug = archived->slug;
      out.text = archived->next;
      if (!archived->next.empty() && !records_late)
        later("session " + archived->slug, [this, slug = archived->slug] {
          if (has_actor(slug)) feed(archive_recorded{slug, !cannot_record});
        });
    } else if (auto packed = std::get_if<exported_session>(&a.value)) {
      out.slug = packed->slug;
      out.text = packed->file;
    } else if (auto name = std::get_if<std::string>(&a.value)) {
      out.text = *name;
    }
    settle_request(a.id, std::move(out));
    if (auto name = std::get_if<std::string>(&a.value)) record_name(a.id, *name);
  }
  void execute(refuse& a) {
    settle_request(a.id, {a.why, {}, {}, {}, {}});
    auto renames = renaming.extract(a.id);
    if (!renames.empty() && renames.mapped().second != 0)
      later("session " + renames.mapped().first,
            [this, id = renames.mapped().second] { feed(session_answered{id}); });
  }
  void execute(quit&) { has_quit = true; }
  void settle_request(request_id id, outcome out) {
    CAPTURE(id);
    CHECK(unanswered.erase(id) == 1);
    answers[id] = std::move(out);
  }

  std::map<std::string, session_snapshot> shown;
  request_id next_request = 1;
  std::deque<input> inputs;
  bool stepping = false;
};

/// The first of them is loaded.
inline void two_sessions(simulated_catalog& c) {
  c.put("a");
  c.put("b");
  c.feed(started{});
  c.find("a");
  c.settle();
}

/// Both are loaded; the user is in the first.
inline void in_a(simulated_catalog& c) {
  two_sessions(c);
  c.activate("b");
  c.activate("a");
  c.settle();
}

}  // namespace fermata::catalog
