// What the manager does with the folders of sessions: copying, putting away, packing.

#include "actors/session_manager.hpp"
#include "core/music/name_match.hpp"
#include "core/session/entry_text.hpp"
#include "core/session/text_match.hpp"
#include "io/store/home.hpp"
#include "io/store/session_archive.hpp"
#include "io/store/session_directory.hpp"
#include "messages/errors.hpp"

#include <algorithm>

namespace fermata::actors {

std::optional<caf::error> session_manager_state::refusal() const {
  if (stopping_) return program_ends();
  if (setup_.home.empty())
    return make_problem(problem::failed, "sessions are not kept on a disk here");
  return std::nullopt;
}

void session_manager_state::run(std::function<result<void>()> work, done then) {
  ask(clerk_, std::move(work), std::move(then));
}

void session_manager_state::ask(const file_clerk_actor& clerk, std::function<result<void>()> work,
                                done then) {
  ++jobs_;
  auto finished = [this, then](caf::error failed) {
    --jobs_;
    then(std::move(failed));
    finish_stop();
  };
  self_->request(clerk, caf::infinite, file_job{std::move(work)})
      .then([finished] { finished(caf::none); },
            [finished](caf::error& reason) { finished(std::move(reason)); });
}

void session_manager_state::flushed(const std::string& slug, done then) {
  auto it = sessions_.find(slug);
  if (it == sessions_.end() || !it->second.session) return then(caf::none);
  self_->request(it->second.session, caf::infinite, atom::flush_v)
      .then([then] { then(caf::none); }, [then](caf::error& reason) { then(std::move(reason)); });
}

void session_manager_state::gone(const std::string& slug) {
  board_->take_down(slug);
  granted_.erase(slug);
  auto node = sessions_.extract(slug);
  if (!node.empty())
    for (auto& then : node.mapped().when_gone)
      then();
}

session_manager_state::done session_manager_state::while_reading(const std::string& slug,
                                                                 done then) {
  ++readers_[slug];
  return [this, slug, told = std::move(then)](caf::error failed) {
    if (--readers_[slug] == 0) {
      readers_.erase(slug);
      auto waiting = when_unread_.extract(slug);
      if (!waiting.empty())
        for (auto& go_on : waiting.mapped())
          go_on();
    }
    told(std::move(failed));
  };
}

// --- putting away --------------------------------------------------------------------------------

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
  auto moment = to_text(setup_.now());
  std::erase_if(moment, [](char c) { return c < '0' || c > '9'; });
  return io::trash_folder(setup_.home) / (slug + '-' + moment);
}

caf::result<put_away_answer> session_manager_state::put_away(const putting_away& what) {
  if (auto no = refusal()) return std::move(*no);
  auto promise = self_->make_response_promise<put_away_answer>();
  with_known(
      what.session,
      [=, this](const session_meta& target) { begin_leaving(target.slug, what, promise); },
      [promise](caf::error e) mutable { promise.deliver(std::move(e)); });
  return promise;
}

void session_manager_state::begin_leaving(const std::string& slug, const putting_away& what,
                                          caf::typed_response_promise<put_away_answer> promise) {
  auto it = sessions_.find(slug);
  if (it != sessions_.end() && it->second.in_memory) {
    promise.deliver(make_problem(problem::failed,
                                 "session " + slug +
                                     " is kept in memory only, since nothing can be written here",
                                 "It goes with the end of the program."));
    return;
  }
  auto from = io::session_folder(setup_.home, slug);
  if (!from) {
    promise.deliver(to_problem(from.error()));
    return;
  }
  // Whoever asks from now on finds it where it is going to be.
  leaving_.insert_or_assign(slug, what.to_trash);
  auto is_ours = it != sessions_.end() && it->second.store;
  // Nobody is sent away, and no session ended, for a move that cannot be made.
  run([from = *from, to = place_for(slug, what.to_trash),
       is_ours] { return io::can_put_folder_away(from, to, is_ours); },
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
              promise.deliver(put_away_answer{slug, {}});
          });
        }
      });
}

/// Where the musician goes who puts away the session that he is in: to what was used last beside
/// it, else to a new one.
void session_manager_state::send_elsewhere(const std::string& slug,
                                           caf::typed_response_promise<put_away_answer> promise) {
  auto stuck = [this, promise, slug](caf::error e) mutable {
    stays(slug);
    promise.deliver(std::move(e));
  };
  auto go = [this, promise, slug](const session_ref& next) mutable {
    make_active(next.slug);
    promise.deliver(put_away_answer{slug, next.slug});
  };
  auto begin_new = [=, this] {
    with_free_name(
        {},
        [=, this](const home_view& disk) {
          open(meta_for({}, disk), [=](caf::expected<session_ref> made) mutable {
            if (made)
              go(*made);
            else
              stuck(std::move(made.error()));
          });
        },
        stuck);
  };
  look(
      io::closeness::names,
      [=, this](const home_view& disk) {
        auto all = staying(disk);
        auto newest = std::max_element(all.begin(), all.end(),
                                       [](auto& a, auto& b) { return a.modified < b.modified; });
        if (newest == all.end()) return begin_new();
        open(*newest, [=](caf::expected<session_ref> found) mutable {
          if (found)
            go(*found);
          else
            begin_new();
        });
      },
      stuck);
}

void session_manager_state::left(const std::string& slug, bool gone) {
  auto leaving = leaving_.find(slug);
  if (leaving == leaving_.end()) return;
  if (!gone) {
    make_active(slug);
    return stays(slug);
  }
  end_and_move(slug, leaving->second, [this, slug](caf::error failed) {
    if (!failed) return;
    auto it = sessions_.find(active_);
    if (it != sessions_.end() && it->second.session)
      self_->send(it->second.session, atom::note_v, std::string{"not-moved"},
                  "Session " + slug +
                      " could not be moved and stays: " + detail_of(failed).message);
  });
}

session_meta session_manager_state::new_meta(const session_meta& like,
                                             const std::string& session_name,
                                             const home_view& disk) const {
  auto meta = meta_for(session_name, disk);
  meta.tags = like.tags;
  return meta;
}

caf::result<session_ref> session_manager_state::clone(const std::string& slug,
                                                      const std::string& session_name) {
  if (auto no = refusal()) return std::move(*no);
  auto promise = self_->make_response_promise<session_ref>();
  auto copy = [=, this](const session_meta& source) {
    auto made_of = std::make_shared<session_meta>();  // once it has a name
    auto copied = while_reading(
        source.slug, [=, this](caf::error failed) { made(*made_of, std::move(failed), promise); });
    flushed(source.slug, [=, this](caf::error failed) {
      if (failed) return copied(std::move(failed));
      auto name = session_name.empty() ? source.name + " copy" : session_name;
      with_free_name(
          name,
          [=, this](const home_view& disk) {
            *made_of = new_meta(source, name, disk);
            auto from = io::session_folder(setup_.home, source.slug),
                 to = io::session_folder(setup_.home, made_of->slug);
            if (!from || !to) return copied(to_problem(!from ? from.error() : to.error()));
            begun_.insert_or_assign(made_of->slug, made_of->name);
            run([from = *from, to = *to,
                 meta = *made_of] { return io::copy_session(from, to, meta); },
                copied);
          },
          copied);
    });
  };
  with_known(slug, copy, answering(promise));
  return promise;
}

/// The folder of a session that was begun is there, or is not.
void session_manager_state::made(const session_meta& meta, caf::error failed,
                                 caf::typed_response_promise<session_ref> promise) {
  begun_.erase(meta.slug);
  if (!failed && stopping_) failed = program_ends();
  if (failed) {
    promise.deliver(std::move(failed));
    return;
  }
  open(meta, activating(promise));
}

caf::result<session_ref> session_manager_state::bring_back(const std::string& slug_or_name) {
  if (auto no = refusal()) return std::move(*no);
  auto promise = self_->make_response_promise<session_ref>();
  look(
      io::closeness::names,
      [=, this](const home_view& disk) mutable {
        auto all = all_archived(disk);
        if (auto found = called(slug_or_name, all)) return return_to_use(*found, promise);
        std::vector<std::string_view> names;
        for (auto& meta : all)
          names.push_back(meta.slug);
        auto guess = nearest(slug_or_name, names);
        promise.deliver(make_problem(problem::not_found,
                                     "there is no session `" + slug_or_name + "` in the archive",
                                     guess ? "Did you mean `" + *guess + "`?"
                                           : "`:session list --archived` shows what is there."));
      },
      answering(promise));
  return promise;
}

void session_manager_state::return_to_use(const session_meta& meta,
                                          caf::typed_response_promise<session_ref> promise) {
  auto to = io::session_folder(setup_.home, meta.slug);
  if (!to) {
    promise.deliver(to_problem(to.error()));
    return;
  }
  auto [back_under_way, is_first] = returning_.try_emplace(meta.slug, returning{meta, {}});
  back_under_way->second.askers.push_back(promise);
  if (!is_first) return;
  auto back = [this, meta](caf::error failed) {
    ++moves_;
    auto waiting = returning_.extract(meta.slug);
    for (auto& asked : waiting.mapped().askers) {
      if (failed)
        asked.deliver(failed);
      else
        open(meta, answering(asked));
    }
  };
  auto bring = [this, meta, back, to = *to](bool is_there) {
    if (!is_there) return back(caf::none);  // it never left
    run([from = io::archive_folder(setup_.home) / meta.slug,
         to] { return io::move_folder(from, to); },
        back);
  };
  if (leaves(meta))
    after_leaving_[meta.slug].push_back(std::move(bring));
  else
    bring(true);
}

caf::result<std::string> session_manager_state::pack(const std::string& slug_or_name,
                                                     const std::string& file) {
  if (auto no = refusal()) return std::move(*no);
  auto promise = self_->make_response_promise<std::string>();
  refuse refuse_it = [promise](caf::error e) mutable { promise.deliver(std::move(e)); };
  with_known(
      slug_or_name,
      [=, this](const session_meta& source) {
        auto folder = io::session_folder(setup_.home, source.slug);
        if (!folder) return refuse_it(to_problem(folder.error()));
        auto packed =
            while_reading(source.slug, [promise, slug = source.slug](caf::error failed) mutable {
              if (failed)
                promise.deliver(std::move(failed));
              else
                promise.deliver(slug);
            });
        flushed(source.slug, [this, packed, file, from = *folder](caf::error failed) {
          if (failed) return packed(std::move(failed));
          run([from, file] { return io::write_archive(from, file); }, packed);
        });
      },
      refuse_it);
  return promise;
}

caf::result<session_ref> session_manager_state::unpack(const std::string& file,
                                                       const std::string& session_name) {
  if (auto no = refusal()) return std::move(*no);
  auto promise = self_->make_response_promise<session_ref>();
  auto read = std::make_shared<session_meta>();
  run(
      [read, file]() -> result<void> {
        auto meta = io::read_archive_meta(file);
        if (!meta) return fail(meta.error());
        *read = std::move(*meta);
        return {};
      },
      [=, this](caf::error failed) mutable {
        if (failed) {
          promise.deliver(std::move(failed));
          return;
        }
        auto name = session_name.empty() ? read->name : session_name;
        with_free_name(
            name,
            [=, this](const home_view& disk) mutable {
              auto meta = new_meta(*read, name, disk);
              meta.created = read->created;
              auto to = io::session_folder(setup_.home, meta.slug);
              if (!to) {
                promise.deliver(to_problem(to.error()));
                return;
              }
              begun_.insert_or_assign(meta.slug, meta.name);
              run([file, meta, to = *to] { return io::unpack_archive(file, to, meta); },
                  [this, promise, meta](caf::error broken) {
                    made(meta, std::move(broken), promise);
                  });
            },
            answering(promise));
      });
  return promise;
}

}  // namespace fermata::actors
