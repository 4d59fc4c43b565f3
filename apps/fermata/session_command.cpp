#include "apps/fermata/session_command.hpp"

#include "apps/fermata/commands.hpp"
#include "core/music/name_match.hpp"
#include "core/session/slug.hpp"
#include "io/store/home.hpp"
#include "io/store/session_archive.hpp"
#include "io/store/session_directory.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace fermata::app {

namespace {

std::filesystem::path home_of(const session_options& o) {
  return o.home.empty() ? io::fermata_home() : std::filesystem::path{o.home};
}

int refuse(const error& e) {
  complain(e, {}, {});
  return exit_failure;
}

void say(const std::string& line) { std::puts(line.c_str()); }

}  // namespace

int export_session_command(const session_options& o) {
  auto home = home_of(o);
  auto slugs = io::stored_sessions(home);
  auto found = std::find(slugs.begin(), slugs.end(), o.session);
  if (found == slugs.end()) {
    // By name as well.
    found = std::find_if(slugs.begin(), slugs.end(), [&](auto& slug) {
      auto stored = io::read_summary(home / "sessions" / slug);
      return stored && same_name(stored->meta.name, o.session);
    });
  }
  if (found == slugs.end()) {
    std::vector<std::string_view> names(slugs.begin(), slugs.end());
    auto guess = nearest(o.session, names);
    return refuse(
        {errc::no_such_target, "there is no session `" + o.session + '`', std::nullopt,
         guess ? "Did you mean `" + *guess + "`?" : "`:session list` at the prompt shows them."});
  }
  auto file = o.file.empty() ? *found + ".fermata" : o.file;
  auto done = io::write_archive(home / "sessions" / *found, file);
  if (!done) return refuse(done.error());
  say("wrote " + *found + " to " + file);
  return exit_ok;
}

int import_session_command(const session_options& o) {
  auto home = home_of(o);
  auto meta = io::read_archive_meta(o.file);
  if (!meta) return refuse(meta.error());
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
  while (true) {
    meta->name = unique_name(wanted, is_taken);
    meta->slug = unique_slug(meta->name, is_taken);
    if (meta->name.empty()) meta->name = meta->slug;
    auto folder = home / "sessions" / meta->slug;
    auto done = io::unpack_archive(o.file, folder, *meta);
    if (done) break;
    // Another process may have made a session of this name meanwhile.
    if (!io::look_at_file(folder)) return refuse(done.error());
    names.push_back(meta->slug);
  }
  say("made " + meta->slug + "; `fermata --session " + meta->slug + "` opens it");
  return exit_ok;
}

}  // namespace fermata::app
