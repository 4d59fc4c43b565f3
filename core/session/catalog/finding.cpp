// Creating, finding and activating sessions.

#include "core/session/catalog/catalog_stepper.hpp"

#include <algorithm>
#include <utility>

namespace fermata::catalog {

namespace {

/// The sessions that can be used instead.
std::string others_of(const std::vector<session_meta>& all) {
  std::string names;
  for (auto& m : all)
    names += (names.empty() ? "" : ", ") + m.slug;
  return all.empty() ? std::string{} : "Available sessions: " + names + '.';
}

}  // namespace

void catalog_stepper::begin(operation& o, create_session& k) {
  o.activation = ++s_.activations_asked;
  find_name(o, k.name);
}

void catalog_stepper::named(operation& o, create_session& k, const disk_view_ptr& disk) {
  k.step = create_session::step_t::opening;
  open(o, {new_meta(k.name, *disk), false, false, requested_name{k.name, disk}});
}

void catalog_stepper::begin(operation& o, find_session& k) {
  using step_t = find_session::step_t;
  if (s_.stopping) return fail(o, program_ends());
  if (is_to_be_told(k.wanted)) {
    k.step = step_t::waiting_for_note;
    o.wait = {wait_condition::kind_t::told, k.wanted};
    return;
  }
  k.step = step_t::finding;
  find_known(o, k, k.wanted);
}

void catalog_stepper::seen(operation& o, find_session& k, const disk_view_ptr& disk) {
  known_or_not(o, k, k.wanted, *disk);
}

void catalog_stepper::known(operation& o, find_session& k, const session_meta& meta) {
  k.step = find_session::step_t::opening;
  open(o, {meta});
}

void catalog_stepper::begin(operation& o, activate_session& k) {
  o.activation = ++s_.activations_asked;
  find_known(o, k, k.wanted);
}

void catalog_stepper::seen(operation& o, activate_session& k, const disk_view_ptr& disk) {
  known_or_not(o, k, k.wanted, *disk);
}

void catalog_stepper::known(operation& o, activate_session& k, const session_meta& meta) {
  k.step = activate_session::step_t::opening;
  open(o, {meta, false, true});
}

// --- the active session --------------------------------------------------------------------------

void catalog_stepper::begin(operation& o, find_active& k) {
  k = {};
  o.opening.reset();
  if (auto meta = known_as_loaded(s_.active)) {
    k.step = find_active::step_t::opening_active;
    return open(o, {*meta});
  }
  look(o, disk_detail::names);
}

void catalog_stepper::seen(operation& o, find_active& k, const disk_view_ptr& disk) {
  auto meta = s_.active.empty() ? std::nullopt : known_on(s_.active, *disk);
  if (!meta) return choose_active(o, k, disk);
  k.step = find_active::step_t::opening_active;
  open(o, {*meta});
}

/// None is active, or the one that was is being archived: the one that was used last.
void catalog_stepper::choose_active(operation& o, find_active& k, const disk_view_ptr& disk) {
  using step_t = find_active::step_t;
  auto all = in_use(*disk);
  auto wanted = s_.active.empty() ? disk->active : s_.active;
  auto chosen = std::find_if(all.begin(), all.end(), [&](auto& m) { return m.slug == wanted; });
  k.others = others_of(all);
  if (chosen == all.end()) {
    if (!wanted.empty() && !all.empty() && !archiving(wanted))
      k.note = "Session " + wanted + ", used last, no longer exists. " + k.others;
    chosen = std::max_element(all.begin(), all.end(),
                              [](auto& a, auto& b) { return a.modified < b.modified; });
  }
  if (chosen == all.end()) {
    auto meta = new_meta({}, *disk);
    make_active(meta.slug, true);
    k.step = step_t::opening_new;
    return open(o, {meta, false, false, requested_name{{}, disk}});
  }
  k.step = step_t::opening_last_used;
  k.last_used = *chosen;
  k.active_before = s_.active;
  open(o, {*chosen, true});
}

void catalog_stepper::opened(operation& o, find_active& k) {
  auto& slug = o.opening->meta.slug;
  // Several may ask at once, and the first to be done decides for all.
  if (k.step == find_active::step_t::opening_last_used && s_.active == k.active_before)
    make_active(slug, true);
  if (!k.note.empty()) act(send_note{slug, "restore-failed", k.note});
  answer_opened(o);
}

void catalog_stepper::not_opened(operation& o, find_active& k, failure why) {
  using step_t = find_active::step_t;
  auto slug = o.opening->meta.slug;
  if (k.step == step_t::opening_active && archiving(slug)) return begin(o, k);
  if (k.step != step_t::opening_last_used) return fail(o, std::move(why));
  if (s_.active != k.active_before || archiving(slug)) return begin(o, k);
  // Another process has it, and this one could not attach to that: it is followed.
  if (why.kind == failure::kind_t::conflict) {
    make_active(slug, false);
    k.step = step_t::opening_read_only;
    return open(o, {k.last_used});
  }
  k.note = "Session " + slug + " could not be opened: " + why.message +
           ". This is a new session; `:session switch " + slug + "` tries again. " + k.others;
  k.step = step_t::finding_name;
  find_name(o, {});
}

void catalog_stepper::named(operation& o, find_active& k, const disk_view_ptr& disk) {
  if (s_.active != k.active_before) return begin(o, k);
  auto meta = new_meta({}, *disk);
  make_active(meta.slug, false);
  k.step = find_active::step_t::opening_new;
  open(o, {meta, false, false, requested_name{{}, disk}});
}

}  // namespace fermata::catalog
