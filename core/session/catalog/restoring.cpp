// Sessions on their way back from the archive.

#include "core/error.hpp"
#include "core/music/name_match.hpp"
#include "core/session/catalog/catalog_stepper.hpp"
#include "core/session/timeline/slug.hpp"

#include <string_view>
#include <utility>

namespace fermata::catalog {

using restore_step = restore_session::step_t;

bool is_restoring(const restore_session& k) {
  return k.step == restore_step::waiting_until_moved || k.step == restore_step::finding_place ||
         k.step == restore_step::moving;
}

void catalog_stepper::begin(operation& o, restore_session&) {
  if (!refused(o)) look(o, disk_detail::names);
}

void catalog_stepper::seen(operation& o, restore_session& k, const disk_view_ptr& disk) {
  if (k.step == restore_step::finding_place) {
    if (k.place_is_taken) k.as.slug = unique_slug(k.original.slug, taken_by_others(*disk));
    k.as.name = name_for_restored(k.as, *disk);
    o.reserved = k.as;
    k.step = restore_step::moving;
    return start(o, move_back{k.original.slug, k.as.slug});
  }
  auto all = all_archived(*disk);
  auto found = called(k.wanted, all);
  if (!found) {
    std::vector<std::string_view> names;
    for (auto& meta : all)
      names.push_back(meta.slug);
    auto guess = nearest(k.wanted, names);
    return fail(
        o, {failure::kind_t::not_found, "no archived session `" + k.wanted + '`',
            guess ? "Did you mean `" + *guess + "`?" : "`:session list --archived` lists them."});
  }
  for (auto& [id, other] : s_.operations) {
    auto same = std::get_if<restore_session>(&other.kind);
    if (!same || !is_restoring(*same) || same->original.slug != found->slug) continue;
    other.askers.insert(other.askers.end(), o.askers.begin(), o.askers.end());
    return end(o);
  }
  k.original = k.as = *found;
  k.was_moved = !archiving(found->slug);
  k.step = restore_step::waiting_until_moved;
  if (k.was_moved) return proceed(o, k);
  o.wait = {wait_condition::kind_t::settled, found->slug};
}

void catalog_stepper::proceed(operation& o, restore_session& k) {
  if (!k.was_moved) return open_restored(o, k);
  k.step = restore_step::finding_place;
  look(o, disk_detail::names);
}

void catalog_stepper::done(operation& o, restore_session& k, job_finished& in) {
  if (in.failed && in.place_is_taken && !s_.stopping) {
    o.reserved = {};
    k.place_is_taken = true;
    k.step = restore_step::finding_place;
    return look(o, disk_detail::names);
  }
  o.reserved = {};
  ++s_.moves;
  if (in.failed) return fail(o, std::move(*in.failed));
  open_restored(o, k);
}

void catalog_stepper::open_restored(operation& o, restore_session& k) {
  k.step = restore_step::opening;
  open(o, {k.as});
}

/// It has its new name by the time it is said to be back.
void catalog_stepper::opened(operation& o, restore_session& k) {
  if (k.as.name == k.original.name)
    return answer_opened(o, k.as.slug == k.original.slug ? std::string{} : k.original.slug);
  k.step = restore_step::renaming;
  o.awaits = new_ticket();
  act(rename_in_session{o.awaits, k.as.slug, k.as.name});
}

/// Where it cannot be written, the session says so itself.
void catalog_stepper::answered(operation& o, restore_session& k, session_answered&) {
  // It ended meanwhile: it is loaded again and gets its name before anybody has it.
  if (auto r = record(k.as.slug); !r || !has_actor(*r)) return open_restored(o, k);
  answer_opened(o, k.as.slug == k.original.slug ? std::string{} : k.original.slug);
}

}  // namespace fermata::catalog
