// How the manager puts sessions into the archive and the trash, and brings them back.

#include "actors/manager/session_manager.hpp"
#include "core/music/name_match.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "core/session/timeline/slug.hpp"
#include "core/session/timeline/text_match.hpp"
#include "io/store/home.hpp"
#include "io/store/session_summary.hpp"
#include "messages/errors.hpp"

#include <algorithm>

namespace fermata::actors {

void session_manager_state::stays(const std::string& slug) { settle_leaving(slug, false); }

void session_manager_state::settle_leaving(const std::string& slug, bool moved) {
  leaving_.erase(slug);
  auto waiting = after_leaving_.extract(slug);
  if (!waiting.empty())
    for (auto& go_on : waiting.mapped())
      go_on(moved);
}

void session_manager_state::end_and_move(const std::string& slug, bool to_trash, done then) {
  leaving_.insert_or_assign(slug, to_trash);
  if (auto it = sessions_.find(slug); it != sessions_.end() && it->second.unloading)
    return it->second.after_unloading.push_back([=, this] { end_and_move(slug, to_trash, then); });
  auto told = [this, slug, then = std::move(then)](caf::error failed) {
    ++moves_;
    settle_leaving(slug, !failed);
    then(std::move(failed));
  };
  auto move = [this, slug, to_trash, told] {
    auto from = io::session_folder(setup_.home, slug);
    if (!from) return told(to_problem(from.error()));
    auto work = [from = *from, to = place_for(slug, to_trash), to_trash] {
      return io::put_folder_away(from, to_trash ? io::free_place(to) : to);
    };
    auto start = [this, work, told] { run(work, told); };
    if (readers_.contains(slug))
      when_unread_[slug].push_back(start);
    else
      start();
  };
  auto it = sessions_.find(slug);
  if (it == sessions_.end()) return move();
  auto& m = it->second;
  m.when_gone.push_back(move);
  if (std::exchange(m.ending, true)) return;
  for (auto& to : std::exchange(m.waiting, {}))
    to(make_problem(problem::invalid_state, "session " + slug + " is being closed and moved"));
  if (!m.session) {
    if (!m.loading) stopped_one(slug);
    return;
  }
  self_->request(m.session, caf::infinite, atom::stop_v)
      .then([this, slug] { stopped_one(slug); }, [this, slug](caf::error&) { stopped_one(slug); });
}

std::filesystem::path session_manager_state::place_for(const std::string& slug,
                                                       bool to_trash) const {
  if (!to_trash) return io::archive_folder(setup_.home) / slug;
  auto moment = to_text(setup_.now(), wall_clock{});
  std::erase_if(moment, [](char c) { return c < '0' || c > '9'; });
  return io::trash_folder(setup_.home) / (slug + '-' + moment);
}

caf::result<archive_answer> session_manager_state::archive_session(const archive_request& what) {
  if (auto no = refusal()) return std::move(*no);
  auto promise = self_->make_response_promise<archive_answer>();
  with_known(
      what.session,
      [=, this](const session_meta& target) mutable {
        if (what.only_asks)
          promise.deliver(archive_answer{target.slug, {}});
        else
          begin_leaving(target.slug, what, promise);
      },
      [promise](caf::error e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

void session_manager_state::begin_leaving(const std::string& slug, const archive_request& what,
                                          caf::typed_response_promise<archive_answer> promise) {
  auto it = sessions_.find(slug);
  if (it != sessions_.end() && it->second.in_memory) {
    promise.deliver(make_problem(problem::failed,
                                 "session " + slug +
                                     " is kept in memory only, because nothing can be written here",
                                 "It is lost when the program ends."));
    return;
  }
  auto from = io::session_folder(setup_.home, slug);
  if (!from) {
    promise.deliver(to_problem(from.error()));
    return;
  }
  // Whoever asks from now on finds it where it is going to be.
  leaving_.insert_or_assign(slug, what.to_trash);
  auto is_ours = it != sessions_.end() && it->second.store && it->second.written_by.empty();
  // Nobody is sent away, and no session ended, for a move that cannot be made.
  run(
      [from = *from, to = place_for(slug, what.to_trash), to_trash = what.to_trash, is_ours] {
        return io::can_put_folder_away(from, to_trash ? io::free_place(to) : to, is_ours);
      },
      [this, promise, what, slug](caf::error no) mutable {
        if (!no && stopping_) no = program_ends();
        if (no) {
          stays(slug);
          promise.deliver(std::move(no));
        } else if (slug == what.asker) {
          send_elsewhere(slug, promise);
        } else {
          if (slug == active_ && sessions_.contains(what.asker)) make_active(what.asker);
          end_and_move(slug, what.to_trash, [promise, slug](caf::error failed) mutable {
            if (failed)
              promise.deliver(std::move(failed));
            else
              promise.deliver(archive_answer{slug, {}});
          });
        }
      });
}

/// Where the musician goes who puts away the session that he is in: to what was used last beside
/// it and is not another process's, else to a new one.
void session_manager_state::send_elsewhere(const std::string& slug,
                                           caf::typed_response_promise<archive_answer> promise) {
  auto stuck = [this, promise, slug](caf::error e) mutable {
    stays(slug);
    promise.deliver(std::move(e));
  };
  auto go = [this, promise, slug, stuck](caf::expected<session_ref> next) mutable {
    if (!next) return stuck(std::move(next.error()));
    make_active(next->slug);
    going_to_.insert_or_assign(slug, next->slug);
    promise.deliver(archive_answer{slug, next->slug});
  };
  look(
      io::detail_level::names,
      [=, this](const home_view& disk) {
        auto all = staying(disk);
        std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.modified > b.modified; });
        go_to_first_of(std::move(all), go, stuck);
      },
      stuck);
}

void session_manager_state::go_to_first_of(std::vector<session_meta> those, const answer& go,
                                           const refuse& stuck) {
  if (those.empty())
    return with_free_name(
        {},
        [=, this](const home_view& disk) { open(meta_for({}, disk), go, another_name({}, disk)); },
        stuck);
  auto next = std::move(those.front());
  those.erase(those.begin());
  open_to_write(next, [=, this, rest = std::move(those)](caf::expected<session_ref> found) {
    if (found) return go(std::move(found));
    go_to_first_of(rest, go, stuck);
  });
}

void session_manager_state::left(const std::string& slug, bool gone) {
  auto leaving = leaving_.find(slug);
  if (leaving == leaving_.end()) return;
  auto to_trash = leaving->second;
  auto next = going_to_.extract(slug);
  if (!gone) {
    make_active(slug);
    return stays(slug);
  }
  auto arrives_at = next.empty() ? active_ : next.mapped();
  // Whoever comes from there hears at once what became of it; but is not kept waiting while it is
  // read for a copy.
  if (!readers_.contains(slug)) arriving_.try_emplace(arrives_at);
  end_and_move(slug, to_trash, [this, slug, to_trash, arrives_at](caf::error failed) {
    tell_of_parting(arrives_at, slug, to_trash, failed);
    auto waiting = arriving_.extract(arrives_at);
    if (!waiting.empty())
      for (auto& go_on : waiting.mapped())
        go_on();
  });
}

void session_manager_state::tell_of_parting(const std::string& next, const std::string& slug,
                                            bool to_trash, const caf::error& failed) {
  auto it = sessions_.find(next);
  if (it == sessions_.end() || !it->second.session) it = sessions_.find(active_);
  if (it == sessions_.end() || !it->second.session) return;
  auto text = failed ? "Session " + slug + " could not be moved: " + detail_of(failed).message
                     : "Session " + slug + " was moved to the " + where_it_lies(slug, to_trash);
  self_->send(it->second.session, atom::note_v, std::string{failed ? "not-moved" : "put-away"},
              std::move(text));
}

// --- bringing back -------------------------------------------------------------------------------

caf::result<session_ref> session_manager_state::bring_back(const std::string& slug_or_name) {
  if (auto no = refusal()) return std::move(*no);
  auto promise = self_->make_response_promise<session_ref>();
  look(
      io::detail_level::names,
      [=, this](const home_view& disk) mutable {
        auto all = all_archived(disk);
        if (auto found = called(slug_or_name, all)) return return_to_use(*found, promise);
        std::vector<std::string_view> names;
        for (auto& meta : all)
          names.push_back(meta.slug);
        auto guess = nearest(slug_or_name, names);
        promise.deliver(make_problem(
            problem::not_found, "no archived session `" + slug_or_name + '`',
            guess ? "Did you mean `" + *guess + "`?" : "`:session list --archived` lists them."));
      },
      answering(promise));
  return promise;
}

void session_manager_state::return_to_use(const session_meta& meta,
                                          caf::typed_response_promise<session_ref> promise) {
  auto [back_under_way, is_first] = returning_.try_emplace(meta.slug, returning{meta, {}});
  back_under_way->second.askers.push_back(promise);
  if (!is_first) return;
  auto bring = [this, meta](bool is_there) {
    if (!is_there) return is_back(meta.slug, meta, caf::none);  // it never left
    look(
        io::detail_level::names,
        [this, meta](const home_view& disk) {
          auto as = meta;
          as.name = name_for_return(meta, disk);
          begun_.insert_or_assign(as.slug, as.name);
          bring_from_archive(meta.slug, as);
        },
        [this, meta](caf::error e) { is_back(meta.slug, meta, std::move(e)); });
  };
  if (leaves(meta))
    after_leaving_[meta.slug].push_back(std::move(bring));
  else
    bring(true);
}

/// What a session is called when it comes back: another one may have been called so meanwhile.
std::string session_manager_state::name_for_return(const session_meta& meta,
                                                   const home_view& disk) const {
  auto all = staying(disk);
  return unique_name(meta.name, [&](const std::string& name) {
    return std::any_of(all.begin(), all.end(), [&](auto& other) {
      return same_name(other.name, name) || same_name(other.slug, name);
    });
  });
}

void session_manager_state::bring_from_archive(const std::string& slug, const session_meta& as) {
  auto to = io::session_folder(setup_.home, as.slug);
  if (!to) return is_back(slug, as, to_problem(to.error()));
  auto taken = std::make_shared<bool>(false);
  auto move = [from = io::archive_folder(setup_.home) / slug, to = *to, taken] {
    auto done = io::move_folder(from, to);
    // Where both are, another process has made a session of that name; where one is, it has
    // brought this one back.
    *taken = !done && io::look_at_file(from) && io::look_at_file(to);
    return done;
  };
  run(move, [=, this](caf::error failed) {
    if (!failed || !*taken || stopping_) return is_back(slug, as, std::move(failed));
    look(
        io::detail_level::names,
        [=, this](const home_view& disk) {
          begun_.erase(as.slug);
          auto next = as;
          next.slug = unique_slug(slug, taken_by_others(disk));
          next.name = name_for_return(as, disk);
          begun_.insert_or_assign(next.slug, next.name);
          bring_from_archive(slug, next);
        },
        [=, this](caf::error e) { is_back(slug, as, std::move(e)); });
  });
}

void session_manager_state::call(const session_actor& session, const std::string& name,
                                 std::function<void()> then) {
  submission line{":session rename " + name, {"fermata", "system"}, nullptr, false};
  // Where it cannot be written, the session says so itself.
  self_->request(session, caf::infinite, atom::submit_v, std::move(line))
      .then([then](const turn&) { then(); }, [then](caf::error&) { then(); });
}

/// Whoever asked for it gets it, under the id and the name that it has now.
void session_manager_state::is_back(const std::string& slug, const session_meta& as,
                                    caf::error failed) {
  ++moves_;
  begun_.erase(as.slug);
  auto waiting = returning_.extract(slug);
  auto renames = as.name != waiting.mapped().meta.name;
  for (auto& asked : waiting.mapped().askers) {
    if (failed) {
      asked.deliver(failed);
      continue;
    }
    auto to = answering(asked);
    open(as, [=, this](caf::expected<session_ref> back) {
      if (back && as.slug != slug) back->instead_of = slug;
      // It is called so by the time it is said to be back.
      if (back && renames) return call(back->actor, as.name, [to, back] { to(back); });
      to(std::move(back));
    });
    renames = false;
  }
}

}  // namespace fermata::actors
