// How the manager knows its sessions: by slug and name, loaded or on disk.

#include "actors/session_manager.hpp"
#include "core/music/name_match.hpp"
#include "core/session/slug.hpp"
#include "core/session/text_match.hpp"
#include "io/store/home.hpp"
#include "io/store/session_directory.hpp"
#include "messages/errors.hpp"

#include <algorithm>

namespace fermata::actors {

std::vector<session_summary> session_manager_state::all_sessions() const {
  std::vector<session_summary> all;
  auto from_disk = [](session_summary& s) {
    auto stored = io::read_summary(s.folder);
    if (!stored) return;  // its meta.json is damaged; the journal may be sound
    s.meta = std::move(stored->meta);
    s.score = std::move(stored->score);
    s.entries = static_cast<std::size_t>(stored->entries);
  };
  auto folder_of = [this](const std::string& slug) {
    auto folder = setup_.home.empty() ? fail({errc::no_such_target, "nothing is kept"})
                                      : io::session_folder(setup_.home, slug);
    return folder ? std::move(*folder) : std::filesystem::path{};
  };
  for (auto& [slug, m] : sessions_) {
    session_summary s;
    s.meta = m.meta;
    s.active = slug == active_;
    s.folder = folder_of(slug);
    if (auto state = board_->find(slug)) {
      s.meta = state->meta;
      s.score = summary(*state->score);
      s.entries = static_cast<std::size_t>(state->history.size());
      s.loaded = true;
    } else if (!s.folder.empty()) {
      from_disk(s);
    }
    all.push_back(std::move(s));
  }
  if (setup_.home.empty()) return all;
  for (auto& slug : io::stored_sessions(setup_.home)) {
    if (sessions_.contains(slug)) continue;
    session_summary s;
    s.meta.slug = s.meta.name = slug;
    s.active = slug == active_;
    s.folder = folder_of(slug);
    from_disk(s);
    all.push_back(std::move(s));
  }
  return all;
}

std::vector<session_meta> session_manager_state::all_known() const {
  std::vector<session_meta> all;
  for (auto& s : all_sessions())
    all.push_back(std::move(s.meta));
  return all;
}

std::optional<session_meta> session_manager_state::known(const std::string& slug_or_name) const {
  // What is loaded is asked for with every request of a client; the disk is not looked at for it.
  if (auto state = board_->find(slug_or_name); state && sessions_.contains(slug_or_name))
    return leaving_.contains(slug_or_name) ? std::nullopt : std::optional{state->meta};
  auto all = all_known();
  std::erase_if(all, [this](auto& meta) { return leaving_.contains(meta.slug); });
  for (auto& meta : all)
    if (meta.slug == slug_or_name) return meta;
  auto name = clean_name(slug_or_name);
  for (auto& meta : all)
    if (same_name(meta.name, name)) return meta;
  return std::nullopt;
}

std::vector<session_manager_state::taken_name> session_manager_state::taken_names() const {
  std::vector<taken_name> all;
  for (auto& meta : all_known())
    all.push_back({meta.slug, meta.name});
  for (auto& s : archived())
    all.push_back({s.meta.slug, s.meta.name});
  for (auto& [slug, called] : begun_)
    all.push_back({slug, called});
  for (auto& [slug, called] : granted_)
    if (auto state = board_->find(slug); !state || state->meta.name != called)
      all.push_back({slug, called});
  for (auto& [slug, waiting] : returning_)
    all.push_back({slug, slug});
  return all;
}

session_meta session_manager_state::meta_for(const std::string& session_name) const {
  auto all = taken_names();
  auto is_taken = [&](const std::string& text) {
    return std::any_of(all.begin(), all.end(), [&](auto& t) {
      return same_name(t.slug, text) || same_name(t.called, text);
    });
  };
  session_meta meta;
  meta.name = unique_name(clean_name(session_name), is_taken);
  meta.slug = unique_slug(meta.name, is_taken);
  if (meta.name.empty()) meta.name = meta.slug;
  meta.created = meta.modified = setup_.now();
  return meta;
}

void session_manager_state::after_deletion(const std::string& session_name,
                                           std::function<void()> go_on) {
  auto wanted = clean_name(session_name);
  for (auto& [slug, to_trash] : leaving_) {
    auto state = board_->find(slug);
    auto is_called_that = slug == slug_of(wanted) || (state && same_name(state->meta.name, wanted));
    if (!to_trash || !is_called_that) continue;
    after_leaving_[slug].push_back([go_on = std::move(go_on)](bool) { go_on(); });
    return;
  }
  go_on();
}

caf::result<std::string> session_manager_state::rename(const std::string& slug,
                                                       const std::string& wanted) {
  if (stopping_) return program_ends();
  auto all = taken_names();
  std::erase_if(all, [&](auto& t) { return t.slug == slug; });
  auto is_taken = [&](const std::string& text) {
    return std::any_of(all.begin(), all.end(), [&](auto& t) {
      return same_name(t.slug, text) || same_name(t.called, text);
    });
  };
  auto called = unique_name(clean_name(wanted), is_taken);
  granted_.insert_or_assign(slug, called);
  return called;
}

caf::error session_manager_state::not_found(const std::string& what) const {
  auto all = all_known();
  std::erase_if(all, [this](auto& meta) { return leaving_.contains(meta.slug); });
  std::vector<std::string_view> names;
  for (auto& meta : all) {
    names.push_back(meta.slug);
    names.push_back(meta.name);
  }
  auto guess = nearest(what, names);
  return make_problem(problem::not_found, "there is no session `" + what + '`',
                      guess ? "Did you mean `" + *guess + "`?"
                            : "`:session list` shows all of them.");
}

}  // namespace fermata::actors
