#include "actors/manager/folder_jobs.hpp"

#include "actors/manager/catalog_failures.hpp"
#include "actors/session/session_rows.hpp"
#include "actors/work/file_worker.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "io/store/archive/archive_contents.hpp"
#include "io/store/drafts.hpp"
#include "io/store/home.hpp"
#include "io/store/archive/session_archive.hpp"
#include "io/store/session_list.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

namespace fermata::actors {

namespace {

using work = std::function<result<void>(catalog::job_finished&)>;

/// What `done` says; the rest goes to the result.
result<void> with_remarks(result<std::vector<std::string>> done, catalog::job_finished& to) {
  if (!done) return fail(done.error());
  to.remarks = std::move(*done);
  return {};
}

/// Work that makes a folder. It may fail because another process has made it first.
work making(const std::filesystem::path& folder, work make) {
  return [folder, make = std::move(make)](catalog::job_finished& to) {
    auto done = make(to);
    to.place_is_taken = !done && io::look_at_file(folder);
    return done;
  };
}

/// What is to be done for a job. Error: a slug is none.
struct work_of_job {
  const std::filesystem::path& home;
  timestamp now;

  result<work> operator()(const catalog::remove_drafts&) const {
    return work{[sessions = home / "sessions"](auto&) -> result<void> {
      io::remove_dead_drafts(sessions);
      return {};
    }};
  }
  result<work> operator()(const catalog::remember_active& j) const {
    return work{[home = home, j](auto&) { return io::remember_active_session(home, j.slug); }};
  }
  result<work> operator()(const catalog::copy_folder& j) const {
    auto from = io::session_folder(home, j.from), to = io::session_folder(home, j.to.slug);
    if (!from || !to) return fail(!from ? from.error() : to.error());
    return making(*to, [from = *from, to = *to, meta = j.to](auto&) {
      return io::copy_session(from, to, meta);
    });
  }
  result<work> operator()(const catalog::check_move& j) const {
    auto from = io::session_folder(home, j.slug);
    if (!from) return fail(from.error());
    return work{[from = *from, to = place_of(j.slug, j.to_trash), j](auto&) {
      return io::can_move_to_archive_or_trash(from, j.to_trash ? io::unused_path(to) : to,
                                              j.is_ours);
    }};
  }
  result<work> operator()(const catalog::move_away& j) const {
    auto from = io::session_folder(home, j.slug);
    if (!from) return fail(from.error());
    return work{[from = *from, to = place_of(j.slug, j.to_trash), j](auto&) {
      return io::move_to_archive_or_trash(from, j.to_trash ? io::unused_path(to) : to);
    }};
  }
  result<work> operator()(const catalog::move_back& j) const {
    auto to = io::session_folder(home, j.as);
    if (!to) return fail(to.error());
    return work{[from = io::archive_folder(home) / j.slug, to = *to](catalog::job_finished& out) {
      auto done = io::move_folder(from, to);
      // Where both are, another process has made a session of that name; where one is, it has
      // brought this one back.
      out.place_is_taken = !done && io::look_at_file(from) && io::look_at_file(to);
      return done;
    }};
  }
  result<work> operator()(const catalog::write_archive& j) const {
    auto from = io::session_folder(home, j.source.slug);
    if (!from) return fail(from.error());
    return work{[from = *from, j](catalog::job_finished& to) -> result<void> {
      if (auto named = io::is_archive_name(j.file); !named) return named;
      if (auto may = io::may_replace(j.file, j.source); !j.replaces && !may) return may;
      io::unwritten_part rest;
      if (j.unwritten) rest = {j.source, *j.unwritten};
      return with_remarks(io::write_archive(from, j.file, rest), to);
    }};
  }
  result<work> operator()(const catalog::read_archive& j) const {
    return work{[j](catalog::job_finished& to) -> result<void> {
      auto meta = io::read_archive_meta(j.file);
      if (!meta) return fail(meta.error());
      to.meta = std::move(*meta);
      return {};
    }};
  }
  result<work> operator()(const catalog::unpack_archive& j) const {
    auto to = io::session_folder(home, j.to.slug);
    if (!to) return fail(to.error());
    return making(*to, [j, to = *to](catalog::job_finished& out) {
      return with_remarks(io::unpack_archive(j.file, to, j.to), out);
    });
  }

  std::filesystem::path place_of(const std::string& slug, bool to_trash) const {
    if (!to_trash) return io::archive_folder(home) / slug;
    auto moment = to_text(now, wall_clock{});
    std::erase_if(moment, [](char c) { return c < '0' || c > '9'; });
    return io::trash_folder(home) / (slug + '-' + moment);
  }
};

io::detail_level level_of(catalog::disk_detail detail) {
  switch (detail) {
    case catalog::disk_detail::names: return io::detail_level::names;
    case catalog::disk_detail::summaries: return io::detail_level::summaries;
    case catalog::disk_detail::sizes: return io::detail_level::sizes;
  }
  return io::detail_level::names;
}

std::vector<session_summary> summaries_of(const std::vector<io::session_on_disk>& stored) {
  std::vector<session_summary> all;
  all.reserve(stored.size());
  for (auto& s : stored)
    all.push_back(summary_of(s));
  return all;
}

}  // namespace

folder_jobs::folder_jobs(session_manager_actor::pointer self, const manager_setup& setup,
                         feed_function feed)
  : self_(self), setup_(setup), feed_(std::move(feed)) {
  for (auto worker : {&worker_, &reader_})
    *worker = self_->spawn<caf::linked>(file_worker, setup_.workers, work_kind::disk);
}

void folder_jobs::execute(catalog::look_at_disk& a) {
  auto seen = std::make_shared<catalog::disk_view>();
  auto look = [seen, how = level_of(a.detail), home = setup_.home,
               left_out = std::move(a.left_out)]() -> result<void> {
    auto is_wanted = [&](const std::string& slug) {
      return !std::binary_search(left_out.begin(), left_out.end(), slug);
    };
    seen->sessions = summaries_of(io::sessions_on_disk(home, how, is_wanted));
    seen->archived = summaries_of(io::archived_on_disk(home, how));
    seen->active = io::active_session(home);
    return {};
  };
  self_->request(reader_, caf::infinite, file_job{std::move(look)})
      .then(
          [this, id = a.id, seen] {
            feed_(catalog::disk_seen{id, seen, {}});
          },
          [this, id = a.id](caf::error& why) {
            feed_(catalog::disk_seen{id, {}, to_failure(why)});
          });
}

void folder_jobs::execute(catalog::start_job& a) {
  auto to = std::make_shared<catalog::job_finished>();
  to->id = a.id;
  auto work = std::visit(work_of_job{setup_.home, setup_.now()}, a.job);
  if (!work) {
    to->failed = to_failure(to_problem(work.error()));
    return feed_(std::move(*to));
  }
  self_
      ->request(worker_, caf::infinite,
                file_job{[work = std::move(*work), to] { return work(*to); }})
      .then([this, to] { feed_(std::move(*to)); },
            [this, to](caf::error& why) {
              to->failed = to_failure(why);
              feed_(std::move(*to));
            });
}

}  // namespace fermata::actors
