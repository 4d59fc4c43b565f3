#include "apps/fermata/commands/session_command.hpp"

#include "actors/session/session_rows.hpp"
#include "apps/fermata/commands/commands.hpp"
#include "core/music/name_match.hpp"
#include "core/session/timeline/slug.hpp"
#include "io/store/home.hpp"
#include "io/store/archive/session_archive.hpp"
#include "io/store/session_directory.hpp"
#include "io/store/session_list.hpp"
#include "io/terminal/local_time.hpp"
#include "io/text/safe_text.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

namespace fermata::app {

namespace {

std::filesystem::path home_of(const session_options& o) {
  return o.home.empty() ? io::fermata_home() : std::filesystem::path{o.home};
}

int refuse_command(const error& e) {
  complain(e, {}, {});
  return exit_failure;
}

void say(const std::string& line) { std::puts(line.c_str()); }

}  // namespace

namespace {

/// The one of these, folders below `folder`, that is called so: by id, else by name.
std::optional<std::string> called(const std::string& session, const std::vector<std::string>& slugs,
                                  const std::filesystem::path& folder) {
  auto found = std::find(slugs.begin(), slugs.end(), session);
  if (found == slugs.end())
    found = std::find_if(slugs.begin(), slugs.end(), [&](auto& slug) {
      auto stored = io::read_summary(folder / slug);
      return stored && same_name(stored->meta.name, session);
    });
  if (found == slugs.end()) return std::nullopt;
  return *found;
}

error not_found(const std::string& session, const std::vector<std::string>& slugs,
                const std::filesystem::path& home) {
  if (auto aside = called(session, io::archived_sessions(home), io::archive_folder(home)))
    return {errc::no_such_target, "session " + *aside + " is archived", std::nullopt,
            "`:session unarchive " + *aside + "` at the prompt restores it."};
  auto guess = nearest(session, {slugs.begin(), slugs.end()});
  return {errc::no_such_target, "unknown session `" + session + '`', std::nullopt,
          guess ? "Did you mean `" + *guess + "`?" : "`:session list` at the prompt lists them."};
}

}  // namespace

int list_sessions_command(const session_options& o) {
  auto home = home_of(o);
  std::vector<session_summary> all;
  for (auto& stored : io::sessions_on_disk(home, io::detail_level::sizes))
    all.push_back(actors::summary_of(stored));
  sort_for_a_list(all);
  auto active = io::active_session(home);
  for (auto& s : all)
    say(io::safe_text((s.meta.slug == active ? "* " : "  ") +
                      actors::session_row(s, io::local_clock())));
  if (all.empty()) say("no sessions");
  return exit_ok;
}

int export_session_command(const session_options& o) {
  auto home = home_of(o);
  auto slugs = io::stored_sessions(home);
  auto slug = called(o.session, slugs, home / "sessions");
  if (!slug) return refuse_command(not_found(o.session, slugs, home));
  auto folder = home / "sessions" / *slug;
  auto file = o.file.empty() ? *slug + ".fermata" : o.file;
  if (auto named = io::is_archive_name(file); !named) return refuse_command(named.error());
  if (!o.replaces) {
    auto summary = io::read_summary(folder);
    auto meta = summary ? summary->meta : session_meta{.slug = *slug};
    if (auto may = io::may_replace(file, meta); !may) return refuse_command(may.error());
  }
  auto done = io::write_archive(folder, file);
  if (!done) return refuse_command(done.error());
  say("wrote " + *slug + " to " + file);
  for (auto& remark : *done)
    say(remark);
  return exit_ok;
}

int import_session_command(const session_options& o) {
  if (auto wrong = name_too_long(o.session)) return refuse_command(*wrong);
  auto home = home_of(o);
  auto meta = io::read_archive_meta(o.file);
  if (!meta) return refuse_command(meta.error());
  if (!o.session.empty()) meta->name = o.session;
  // As within the program: no two sessions have the same name or id.
  std::vector<std::string> names;
  for (auto& folder : {home / "sessions", io::archive_folder(home)})
    for (auto& slug :
         folder == home / "sessions" ? io::stored_sessions(home) : io::archived_sessions(home)) {
      names.push_back(slug);
      if (auto stored = io::read_summary(folder / slug)) names.push_back(stored->meta.name);
    }
  auto is_taken = [&](const std::string& text) {
    return std::any_of(names.begin(), names.end(), [&](auto& n) { return same_name(n, text); });
  };
  auto wanted = clean_name(meta->name);
  std::vector<std::string> remarks;
  while (true) {
    meta->name = unique_name(wanted, is_taken);
    meta->slug = unique_slug(meta->name, is_taken);
    if (meta->name.empty()) meta->name = meta->slug;
    auto folder = home / "sessions" / meta->slug;
    auto done = io::unpack_archive(o.file, folder, *meta);
    if (done) {
      remarks = std::move(*done);
      break;
    }
    // Another process may have made a session of this name meanwhile.
    if (!io::look_at_file(folder)) return refuse_command(done.error());
    names.push_back(meta->slug);
  }
  say("created " + meta->slug + "; `fermata --session " + meta->slug + "` opens it");
  for (auto& remark : remarks)
    say(remark);
  return exit_ok;
}

}  // namespace fermata::app
