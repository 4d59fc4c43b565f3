// What the manager does with the folders of sessions: copying and packing. Putting away is in
// session_archiving.cpp.

#include "actors/manager/session_manager.hpp"
#include "io/store/home.hpp"
#include "io/store/session_archive.hpp"
#include "io/store/session_directory.hpp"
#include "messages/errors.hpp"

#include <algorithm>

namespace fermata::actors {

namespace {

/// Work that makes a folder; `taken` says afterwards whether it could not be made because another
/// process had made it first.
std::function<result<void>()> making(const std::filesystem::path& folder,
                                     const std::shared_ptr<bool>& taken,
                                     std::function<result<void>()> work) {
  return [=, work = std::move(work)] {
    auto done = work();
    *taken = !done && io::look_at_file(folder);
    return done;
  };
}

}  // namespace

std::optional<caf::error> session_manager_state::refusal() const {
  if (stopping_) return program_ends();
  if (setup_.home.empty())
    return make_problem(problem::failed, "sessions are not kept on disk here");
  return std::nullopt;
}

void session_manager_state::run(std::function<result<void>()> work, done then) {
  ask(worker_, std::move(work), std::move(then));
}

void session_manager_state::ask(const file_worker_actor& worker, std::function<result<void>()> work,
                                done then) {
  ++jobs_;
  auto finished = [this, then](caf::error failed) {
    --jobs_;
    try {
      then(std::move(failed));
    } catch (const std::exception&) {
      // Nothing that one asker meets with ends the manager of all.
    }
    finish_stop();
  };
  self_->request(worker, caf::infinite, file_job{std::move(work)})
      .then([finished] { finished(caf::none); },
            [finished](caf::error& reason) { finished(std::move(reason)); });
}

void session_manager_state::flushed(const std::string& slug, done then) {
  auto it = sessions_.find(slug);
  if (it != sessions_.end() && it->second.unloading)
    return it->second.after_unloading.push_back([=, this] { flushed(slug, then); });
  if (it == sessions_.end() || !it->second.session) return then(caf::none);
  self_->request(it->second.session, caf::infinite, atom::flush_v)
      .then([then] { then(caf::none); }, [then](caf::error& reason) { then(std::move(reason)); });
}

void session_manager_state::gone(const std::string& slug) {
  board_->remove(slug);
  granted_.erase(slug);
  auto node = sessions_.extract(slug);
  if (node.empty()) return;
  for (auto& then : node.mapped().when_gone)
    then();
  for (auto& then : node.mapped().after_unloading)
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
  auto taken = std::make_shared<bool>(false);
  std::function<void()> again = [=, this]() mutable {
    promise.delegate(session_manager_actor{self_}, atom::clone_v, slug, session_name);
  };
  auto copy = [=, this](const session_meta& source) {
    auto made_of = std::make_shared<session_meta>();  // once it has a name
    auto copied = while_reading(source.slug, [=, this](caf::error failed) {
      made(*made_of, std::move(failed), promise, *taken ? again : nullptr);
    });
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
            auto work = [from = *from, to = *to, meta = *made_of] {
              return io::copy_session(from, to, meta);
            };
            run(making(*to, taken, work), copied);
          },
          copied);
    });
  };
  with_known(slug, copy, answering(promise));
  return promise;
}

/// The folder of a session that was begun is there, or is not.
void session_manager_state::made(const session_meta& meta, caf::error failed,
                                 caf::typed_response_promise<session_ref> promise,
                                 const std::function<void()>& again,
                                 const std::vector<std::string>& remarks) {
  begun_.erase(meta.slug);
  if (again && !stopping_) {
    taken_elsewhere_.insert(meta.slug);
    return again();
  }
  if (!failed && stopping_) failed = program_ends();
  if (failed) {
    promise.deliver(std::move(failed));
    return;
  }
  open(meta, [remarks, to = activating(promise)](caf::expected<session_ref> opened) mutable {
    if (opened) opened->remarks = remarks;
    to(std::move(opened));
  });
}

/// What a session has only in memory, once what it has for the disk is there as far as the disk
/// takes it: what was written is read, also where it cannot be brought to the disk itself.
void session_manager_state::with_unwritten(const std::string& slug,
                                           std::function<void(io::unwritten_part)> then,
                                           const refuse& failed) {
  auto it = sessions_.find(slug);
  if (it == sessions_.end() || !it->second.session) return then({});
  if (!it->second.in_memory) return flushed(slug, [then](const caf::error&) { then({}); });
  self_->request(it->second.session, caf::infinite, atom::unwritten_v)
      .then(
          [then, meta = it->second.meta](unwritten_transitions& what) {
            then({meta, std::move(what.all)});
          },
          failed);
}

caf::result<packed_session> session_manager_state::pack(const packing& what) {
  if (auto no = refusal()) return std::move(*no);
  auto promise = self_->make_response_promise<packed_session>();
  refuse refuse_it = [promise](caf::error e) mutable { promise.deliver(std::move(e)); };
  if (!what.perhaps.empty()) {
    look(
        io::detail_level::names,
        [=, this](const home_view& disk) mutable {
          auto next = what;
          next.perhaps.clear();
          if (auto found = known(what.perhaps, disk)) {
            next.session = found->slug;
            next.file.clear();
          }
          promise.delegate(session_manager_actor{self_}, atom::pack_v, std::move(next));
        },
        refuse_it);
    return promise;
  }
  with_known(
      what.session,
      [=, this](const session_meta& source) {
        auto folder = io::session_folder(setup_.home, source.slug);
        if (!folder) return refuse_it(to_problem(folder.error()));
        auto answer = std::make_shared<packed_session>();
        answer->slug = source.slug;
        auto packed = while_reading(source.slug, [promise, answer](caf::error failed) mutable {
          if (failed)
            promise.deliver(std::move(failed));
          else
            promise.deliver(std::move(*answer));
        });
        answer->file = what.file.empty() ? source.slug + ".fermata" : what.file;
        auto write = [=, this, from = *folder](const io::unwritten_part& rest) {
          run(
              [=, replaces = what.replaces]() -> result<void> {
                if (auto named = io::is_archive_name(answer->file); !named) return named;
                if (auto may = io::may_replace(answer->file, source); !replaces && !may) return may;
                auto done = io::write_archive(from, answer->file, rest);
                if (!done) return fail(done.error());
                answer->remarks = std::move(*done);
                return {};
              },
              packed);
        };
        with_unwritten(source.slug, write, packed);
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
              auto taken = std::make_shared<bool>(false);
              std::function<void()> again = [=, this]() mutable {
                promise.delegate(session_manager_actor{self_}, atom::unpack_v, file, session_name);
              };
              auto left_out = std::make_shared<std::vector<std::string>>();
              auto work = [file, meta, left_out, to = *to]() -> result<void> {
                auto done = io::unpack_archive(file, to, meta);
                if (!done) return fail(done.error());
                *left_out = std::move(*done);
                return {};
              };
              run(making(*to, taken, work), [=, this](caf::error broken) {
                made(meta, std::move(broken), promise, *taken ? again : nullptr, *left_out);
              });
            },
            answering(promise));
      });
  return promise;
}

}  // namespace fermata::actors
