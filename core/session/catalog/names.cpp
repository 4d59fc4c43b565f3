// Sessions by slug and name, loaded or on disk.

#include "core/error.hpp"
#include "core/music/name_match.hpp"
#include "core/score/model/score.hpp"
#include "core/session/catalog/catalog_stepper.hpp"
#include "core/session/timeline/slug.hpp"

#include <algorithm>
#include <string_view>

namespace fermata::catalog {

namespace {

/// Null: it is not there.
const session_summary* find_in(const std::vector<session_summary>& all, const std::string& slug) {
  auto it = std::lower_bound(all.begin(), all.end(), slug,
                             [](auto& s, auto& wanted) { return s.meta.slug < wanted; });
  return it != all.end() && it->meta.slug == slug ? &*it : nullptr;
}

}  // namespace

// --- the disk ------------------------------------------------------------------------------------

void catalog_stepper::look(operation& o, disk_detail detail) {
  if (!c_.keeps_sessions) {
    auto nothing = std::make_shared<const disk_view>();
    if (o.name_to_find) return name_seen(o, nothing);
    return std::visit(
        [&](auto& kind) {
          if constexpr (requires { seen(o, kind, nothing); }) seen(o, kind, nothing);
        },
        o.kind);
  }
  if (s_.stopping) return fail(o, program_ends());
  o.look = {detail, s_.moves, {}};
  // What is loaded is known without the disk, but for the size of its files.
  if (detail != disk_detail::sizes)
    for (auto& [slug, r] : s_.sessions)
      if (c_.shown(slug)) o.look.left_out.push_back(slug);
  o.awaits = new_ticket();
  s_.jobs.insert(o.awaits);
  act(look_at_disk{o.awaits, detail, o.look.left_out});
}

void catalog_stepper::find_name(operation& o, std::string name) {
  o.name_to_find = std::move(name);
  look(o, disk_detail::names);
}

void catalog_stepper::name_seen(operation& o, const disk_view_ptr& disk) {
  if (auto slug = being_deleted(*o.name_to_find, *disk)) {
    o.wait = {wait_condition::kind_t::settled, *slug};
    return;
  }
  o.name_to_find.reset();
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { named(o, kind, disk); }) named(o, kind, disk);
      },
      o.kind);
}

// --- which there are -----------------------------------------------------------------------------

std::vector<session_summary> catalog_stepper::all_summaries(const disk_view& disk) const {
  std::vector<session_summary> all;
  all.reserve(s_.sessions.size() + disk.sessions.size());
  for (auto& [slug, r] : s_.sessions) {
    session_summary s;
    s.meta = r.meta;
    if (auto stored = find_in(disk.sessions, slug)) s = *stored;
    if (auto state = c_.shown(slug)) {
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
    if (!s_.sessions.contains(stored.meta.slug)) all.push_back(stored);
  for (auto& s : all)
    s.active = s.meta.slug == s_.active;
  return all;
}

std::vector<session_meta> catalog_stepper::all_known(const disk_view& disk) const {
  std::vector<session_meta> all;
  all.reserve(s_.sessions.size() + disk.sessions.size());
  for (auto& [slug, r] : s_.sessions) {
    auto state = c_.shown(slug);
    all.push_back(state ? state->meta : r.meta);
  }
  for (auto& stored : disk.sessions)
    if (!s_.sessions.contains(stored.meta.slug)) all.push_back(stored.meta);
  return all;
}

std::vector<session_meta> catalog_stepper::in_use(const disk_view& disk) const {
  auto all = all_known(disk);
  std::erase_if(all, [this](auto& meta) { return archiving(meta.slug) != nullptr; });
  return all;
}

std::vector<session_meta> catalog_stepper::all_archived(const disk_view& disk) const {
  std::vector<session_meta> all;
  for (auto& stored : disk.archived)
    all.push_back(stored.meta);
  for (auto& meta : all_known(disk))
    if (auto a = archiving(meta.slug); a && !a->request.to_trash) all.push_back(std::move(meta));
  for (auto& [id, o] : s_.operations)
    if (auto restore = std::get_if<restore_session>(&o.kind))
      if (is_restoring(*restore)) all.push_back(restore->original);
  return all;
}

void catalog_stepper::seen(operation& o, list_sessions& k, const disk_view_ptr& disk) {
  auto all = all_summaries(*disk);
  if (!k.archived) {
    std::erase_if(all, [this](auto& s) { return archiving(s.meta.slug) != nullptr; });
    sort_for_a_list(all);
    return answer_and_end(o, std::move(all));
  }
  auto archived = disk->archived;
  for (auto& s : all) {
    auto a = archiving(s.meta.slug);
    // It may have been moved already, and the result be on its way.
    if (a && !a->request.to_trash && !find_in(disk->archived, s.meta.slug))
      archived.push_back(std::move(s));
  }
  answer_and_end(o, std::move(archived));
}

// --- names ---------------------------------------------------------------------------------------

std::optional<session_meta> catalog_stepper::known_as_loaded(const std::string& slug) const {
  auto state = c_.shown(slug);
  if (!state || !s_.sessions.contains(slug) || archiving(state->meta.slug)) return std::nullopt;
  return state->meta;
}

std::optional<session_meta> catalog_stepper::called(const std::string& slug_or_name,
                                                    const std::vector<session_meta>& all) const {
  for (auto& meta : all)
    if (meta.slug == slug_or_name) return meta;
  auto name = c_.kept_name(slug_or_name);
  for (auto& meta : all)
    if (same_name(meta.name, name)) return meta;
  return std::nullopt;
}

std::optional<session_meta> catalog_stepper::known_on(const std::string& slug_or_name,
                                                      const disk_view& disk) const {
  return called(slug_or_name, in_use(disk));
}

std::function<bool(const std::string&)> catalog_stepper::taken_by_others(
    const disk_view& disk, const std::string& except) const {
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
  for (auto& [id, o] : s_.operations)
    if (!o.reserved.slug.empty()) add(o.reserved.slug, o.reserved.name);
  for (auto& [slug, name] : s_.granted_names)
    add(slug, name);
  for (auto& slug : s_.taken_elsewhere)
    add(slug, {});
  return [names = std::move(names)](const std::string& text) {
    return std::any_of(names.begin(), names.end(),
                       [&](auto& taken) { return same_name(taken, text); });
  };
}

session_meta catalog_stepper::new_meta(const std::string& name, const disk_view& disk) const {
  auto is_taken = taken_by_others(disk);
  session_meta meta;
  meta.name = unique_name(c_.kept_name(name), is_taken);
  meta.slug = unique_slug(meta.name, is_taken);
  if (meta.name.empty()) meta.name = meta.slug;
  meta.created = meta.modified = c_.now;
  return meta;
}

/// Another session may have got its name meanwhile.
std::string catalog_stepper::name_for_restored(const session_meta& meta,
                                               const disk_view& disk) const {
  auto all = in_use(disk);
  return unique_name(meta.name, [&](const std::string& name) {
    return std::any_of(all.begin(), all.end(), [&](auto& other) {
      return same_name(other.name, name) || same_name(other.slug, name);
    });
  });
}

std::optional<std::string> catalog_stepper::being_deleted(const std::string& name,
                                                          const disk_view& disk) const {
  auto wanted = c_.kept_name(name);
  for (auto& meta : all_known(disk)) {
    auto a = archiving(meta.slug);
    if (!a || !a->request.to_trash) continue;
    // What is still read may be read for a copy that is to have this very name.
    if (is_read(meta.slug)) continue;
    if (meta.slug == slug_of(wanted) || same_name(meta.name, wanted)) return meta.slug;
  }
  return std::nullopt;
}

void catalog_stepper::begin(operation& o, rename_session&) { look(o, disk_detail::names); }

void catalog_stepper::seen(operation& o, rename_session& k, const disk_view_ptr& disk) {
  auto name = unique_name(c_.kept_name(k.wanted), taken_by_others(*disk, k.slug));
  s_.granted_names.insert_or_assign(k.slug, name);
  answer_and_end(o, std::move(name));
}

failure catalog_stepper::not_found(const std::string& what, const disk_view& disk) const {
  if (auto archived = called(what, all_archived(disk)))
    return {failure::kind_t::invalid_state, "session " + archived->slug + " is archived",
            "`:session unarchive " + archived->slug + "` restores it."};
  auto all = in_use(disk);
  std::vector<std::string_view> names;
  for (auto& meta : all) {
    names.push_back(meta.slug);
    names.push_back(meta.name);
  }
  auto guess = nearest(what, names);
  return {failure::kind_t::not_found, "unknown session `" + what + '`',
          guess ? "Did you mean `" + *guess + "`?" : "`:session list` lists them."};
}

}  // namespace fermata::catalog
