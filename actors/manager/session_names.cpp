// How the manager knows its sessions: by slug and name, loaded or on disk.

#include "actors/manager/session_manager.hpp"
#include "actors/session/session_rows.hpp"
#include "core/music/name_match.hpp"
#include "core/session/timeline/slug.hpp"
#include "core/session/timeline/text_match.hpp"
#include "io/text/safe_text.hpp"
#include "messages/errors.hpp"

#include <algorithm>
#include <set>

namespace fermata::actors {

namespace {

/// A name as a session keeps it, and is found by.
std::string kept_name(const std::string& given) { return clean_name(io::safe_text(given)); }

/// Null: it is not there.
const io::session_on_disk* find_in(const std::vector<io::session_on_disk>& all,
                                   const std::string& slug) {
  auto it = std::lower_bound(all.begin(), all.end(), slug,
                             [](auto& s, auto& wanted) { return s.summary.meta.slug < wanted; });
  return it != all.end() && it->summary.meta.slug == slug ? &*it : nullptr;
}

}  // namespace

// --- the disk ------------------------------------------------------------------------------------

void session_manager_state::look(io::detail_level how, looked then, refuse failed) {
  if (setup_.home.empty()) return then({});
  // What is loaded is known without the disk, but for the size of its files.
  std::set<std::string> left_out;
  if (how != io::detail_level::sizes)
    for (auto& [slug, m] : sessions_)
      if (board_->find(slug)) left_out.insert(slug);
  auto seen = std::make_shared<home_view>();
  auto work = [seen, how, home = setup_.home, left_out]() -> result<void> {
    seen->sessions = io::sessions_on_disk(
        home, how, [&](const std::string& slug) { return !left_out.contains(slug); });
    seen->archived = io::archived_on_disk(home, how);
    seen->active = io::active_session(home);
    return {};
  };
  ask(reader_, std::move(work),
      [=, this, moves = moves_, then = std::move(then)](caf::error broken) mutable {
        if (!broken && stopping_) broken = program_ends();
        if (broken) return failed(std::move(broken));
        auto is_known = [this](auto& slug) { return sessions_.contains(slug); };
        if (moves != moves_ || !std::all_of(left_out.begin(), left_out.end(), is_known))
          return look(how, std::move(then), std::move(failed));
        for (auto& there : {&seen->sessions, &seen->archived})
          for (auto& s : *there)
            taken_elsewhere_.erase(s.summary.meta.slug);
        then(*seen);
      });
}

void session_manager_state::with_known(const std::string& slug_or_name,
                                       std::function<void(const session_meta&)> then,
                                       const refuse& failed) {
  // What is loaded is asked for with every request of a client; the disk is not looked at for it.
  if (auto meta = known_as_loaded(slug_or_name)) return then(*meta);
  look(
      io::detail_level::names,
      [=, this](const home_view& disk) {
        if (auto meta = known(slug_or_name, disk))
          then(*meta);
        else
          failed(not_found(slug_or_name, disk));
      },
      failed);
}

void session_manager_state::with_free_name(const std::string& session_name, looked then,
                                           const refuse& failed) {
  look(
      io::detail_level::names,
      [=, this](const home_view& disk) {
        if (auto slug = being_deleted(session_name, disk))
          after_leaving_[*slug].push_back(
              [=, this](bool) { with_free_name(session_name, then, failed); });
        else
          then(disk);
      },
      failed);
}

// --- lists ---------------------------------------------------------------------------------------

std::vector<session_summary> session_manager_state::all_sessions(const home_view& disk) const {
  std::vector<session_summary> all;
  all.reserve(sessions_.size() + disk.sessions.size());
  for (auto& [slug, m] : sessions_) {
    session_summary s;
    s.meta = m.meta;
    auto stored = find_in(disk.sessions, slug);
    if (stored) s = summary_of(*stored);
    if (auto state = board_->find(slug)) {
      s.meta = state->meta;
      s.score = summary(*state->score);
      s.entries = static_cast<std::size_t>(state->history.size());
      s.loaded = true;
      s.messages = state->queue.size();
      s.proposals = static_cast<std::size_t>(
          std::count_if(state->proposals.begin(), state->proposals.end(),
                        [](auto& p) { return p.state == proposal::state_t::open; }));
      s.written_by = state->written_by;
    }
    all.push_back(std::move(s));
  }
  for (auto& stored : disk.sessions)
    if (!sessions_.contains(stored.summary.meta.slug)) all.push_back(summary_of(stored));
  for (auto& s : all)
    s.active = s.meta.slug == active_;
  return all;
}

std::vector<session_meta> session_manager_state::all_known(const home_view& disk) const {
  std::vector<session_meta> all;
  all.reserve(sessions_.size() + disk.sessions.size());
  for (auto& [slug, m] : sessions_) {
    auto state = board_->find(slug);
    all.push_back(state ? state->meta : m.meta);
  }
  for (auto& stored : disk.sessions)
    if (!sessions_.contains(stored.summary.meta.slug)) all.push_back(stored.summary.meta);
  return all;
}

std::vector<session_meta> session_manager_state::staying(const home_view& disk) const {
  auto all = all_known(disk);
  std::erase_if(all, [this](auto& meta) { return leaves(meta); });
  return all;
}

std::vector<session_meta> session_manager_state::all_archived(const home_view& disk) const {
  std::vector<session_meta> all;
  for (auto& stored : disk.archived)
    all.push_back(stored.summary.meta);
  for (auto& meta : all_known(disk))
    if (auto it = leaving_.find(meta.slug); it != leaving_.end() && !it->second)
      all.push_back(std::move(meta));
  for (auto& [slug, back] : returning_)
    all.push_back(back.meta);
  return all;
}

caf::result<std::vector<session_summary>> session_manager_state::list(io::detail_level how) {
  auto promise = self_->make_response_promise<std::vector<session_summary>>();
  look(
      how,
      [this, promise](const home_view& disk) mutable {
        auto all = all_sessions(disk);
        std::erase_if(all, [this](auto& s) { return leaves(s.meta); });
        sort_for_a_list(all);
        promise.deliver(std::move(all));
      },
      [promise](caf::error e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

caf::result<std::vector<session_summary>> session_manager_state::archived() {
  auto promise = self_->make_response_promise<std::vector<session_summary>>();
  look(
      io::detail_level::sizes,
      [this, promise](const home_view& disk) mutable {
        std::vector<session_summary> all;
        for (auto& stored : disk.archived)
          all.push_back(summary_of(stored));
        for (auto& s : all_sessions(disk)) {
          auto it = leaving_.find(s.meta.slug);
          // It may have been moved already, without our having been told.
          if (it != leaving_.end() && !it->second && !find_in(disk.archived, s.meta.slug))
            all.push_back(std::move(s));
        }
        promise.deliver(std::move(all));
      },
      [promise](caf::error e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

// --- names ---------------------------------------------------------------------------------------

std::optional<session_meta> session_manager_state::known_as_loaded(const std::string& slug) const {
  auto state = board_->find(slug);
  if (!state || !sessions_.contains(slug) || leaves(state->meta)) return std::nullopt;
  return state->meta;
}

std::optional<session_meta> session_manager_state::called(const std::string& slug_or_name,
                                                          const std::vector<session_meta>& all) {
  for (auto& meta : all)
    if (meta.slug == slug_or_name) return meta;
  auto name = kept_name(slug_or_name);
  for (auto& meta : all)
    if (same_name(meta.name, name)) return meta;
  return std::nullopt;
}

std::optional<session_meta> session_manager_state::known(const std::string& slug_or_name,
                                                         const home_view& disk) const {
  return called(slug_or_name, staying(disk));
}

std::function<bool(const std::string&)> session_manager_state::taken_by_others(
    const home_view& disk, const std::string& except) const {
  std::vector<std::string> names;
  auto add = [&](const std::string& slug, const std::string& name) {
    if (slug == except) return;
    names.push_back(slug);
    if (!name.empty()) names.push_back(name);
  };
  for (auto& meta : all_known(disk))
    add(meta.slug, meta.name);
  for (auto& meta : all_archived(disk))
    add(meta.slug, meta.name);
  for (auto& [slug, name] : begun_)
    add(slug, name);
  for (auto& [slug, name] : granted_)
    add(slug, name);
  for (auto& slug : taken_elsewhere_)
    add(slug, {});
  return [names = std::move(names)](const std::string& text) {
    return std::any_of(names.begin(), names.end(),
                       [&](auto& taken) { return same_name(taken, text); });
  };
}

session_meta session_manager_state::meta_for(const std::string& session_name,
                                             const home_view& disk) const {
  auto is_taken = taken_by_others(disk);
  session_meta meta;
  meta.name = unique_name(kept_name(session_name), is_taken);
  meta.slug = unique_slug(meta.name, is_taken);
  if (meta.name.empty()) meta.name = meta.slug;
  meta.created = meta.modified = setup_.now();
  return meta;
}

session_manager_state::naming session_manager_state::another_name(const std::string& session_name,
                                                                  const home_view& disk) const {
  return [this, session_name, disk] { return meta_for(session_name, disk); };
}

std::optional<std::string> session_manager_state::being_deleted(const std::string& session_name,
                                                                const home_view& disk) const {
  auto wanted = kept_name(session_name);
  for (auto& meta : all_known(disk)) {
    auto it = leaving_.find(meta.slug);
    if (it == leaving_.end() || !it->second) continue;
    // What is still read may be read for a copy that is to have this very name.
    if (readers_.contains(meta.slug)) continue;
    if (meta.slug == slug_of(wanted) || same_name(meta.name, wanted)) return meta.slug;
  }
  return std::nullopt;
}

caf::result<std::string> session_manager_state::rename(const std::string& slug,
                                                       const std::string& wanted) {
  if (stopping_) return program_ends();
  auto promise = self_->make_response_promise<std::string>();
  look(
      io::detail_level::names,
      [=, this](const home_view& disk) mutable {
        auto name = unique_name(kept_name(wanted), taken_by_others(disk, slug));
        granted_.insert_or_assign(slug, name);
        promise.deliver(std::move(name));
      },
      [promise](caf::error e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

void session_manager_state::renamed(const std::string& slug) { granted_.erase(slug); }

caf::error session_manager_state::not_found(const std::string& what, const home_view& disk) const {
  if (auto put_aside = called(what, all_archived(disk)))
    return make_problem(problem::invalid_state, "session " + put_aside->slug + " is archived",
                        "`:session unarchive " + put_aside->slug + "` restores it.");
  auto all = staying(disk);
  std::vector<std::string_view> names;
  for (auto& meta : all) {
    names.push_back(meta.slug);
    names.push_back(meta.name);
  }
  auto guess = nearest(what, names);
  return make_problem(problem::not_found, "unknown session `" + what + '`',
                      guess ? "Did you mean `" + *guess + "`?" : "`:session list` lists them.");
}

}  // namespace fermata::actors
