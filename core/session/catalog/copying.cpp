// New sessions from others and from archive files, and archive files from sessions.

#include "core/session/catalog/catalog_stepper.hpp"

#include <utility>

namespace fermata::catalog {

// --- clone ---------------------------------------------------------------------------------------

void catalog_stepper::begin(operation& o, clone_session& k) {
  k.step = clone_session::step_t::finding;
  if (!refused(o)) find_known(o, k, k.wanted);
}

void catalog_stepper::seen(operation& o, clone_session& k, const disk_view_ptr& disk) {
  known_or_not(o, k, k.wanted, *disk);
}

void catalog_stepper::known(operation& o, clone_session& k, const session_meta& meta) {
  k.source = meta;
  o.reads = meta.slug;
  k.step = clone_session::step_t::flushing;
  proceed(o, k);
}

/// Everything of the session is on disk, or is being written.
void catalog_stepper::proceed(operation& o, clone_session& k) {
  if (!flush(o, k.source.slug)) return;
  k.step = clone_session::step_t::finding_name;
  find_name(o, k.name.empty() ? k.source.name + " copy" : k.name);
}

void catalog_stepper::answered(operation& o, clone_session& k, session_answered& in) {
  if (in.failed) return fail(o, std::move(*in.failed));
  k.step = clone_session::step_t::finding_name;
  find_name(o, k.name.empty() ? k.source.name + " copy" : k.name);
}

void catalog_stepper::named(operation& o, clone_session& k, const disk_view_ptr& disk) {
  k.step = clone_session::step_t::copying;
  k.made = new_meta(k.name.empty() ? k.source.name + " copy" : k.name, *disk);
  k.made.tags = k.source.tags;
  o.reserved = k.made;
  start(o, copy_folder{k.source.slug, k.made});
}

void catalog_stepper::done(operation& o, clone_session& k, job_finished& in) {
  o.reads.clear();
  if (!made(o, in)) return begin(o, k);
  if (in.failed) return fail(o, std::move(*in.failed));
  k.step = clone_session::step_t::opening;
  open(o, {k.made});
}

/// The folder of a new session is there, or is not. False: another process has it, so that the next
/// name is to be tried.
bool catalog_stepper::made(operation& o, job_finished& in) {
  auto slug = std::exchange(o.reserved, {}).slug;
  if (in.failed && in.place_is_taken && !s_.stopping) {
    s_.taken_elsewhere.insert(slug);
    return false;
  }
  if (!in.failed && s_.stopping) in.failed = program_ends();
  o.activation = ++s_.activations_asked;
  o.remarks = std::move(in.remarks);
  return true;
}

// --- import --------------------------------------------------------------------------------------

void catalog_stepper::begin(operation& o, import_session& k) {
  k.step = import_session::step_t::reading;
  if (!refused(o)) start(o, read_archive{k.file});
}

void catalog_stepper::named(operation& o, import_session& k, const disk_view_ptr& disk) {
  k.step = import_session::step_t::unpacking;
  k.made = new_meta(k.name.empty() ? k.archived.name : k.name, *disk);
  k.made.tags = k.archived.tags;
  k.made.created = k.archived.created;
  o.reserved = k.made;
  start(o, unpack_archive{k.file, k.made});
}

void catalog_stepper::done(operation& o, import_session& k, job_finished& in) {
  using step_t = import_session::step_t;
  if (k.step == step_t::reading) {
    if (in.failed) return fail(o, std::move(*in.failed));
    k.archived = std::move(in.meta);
    k.step = step_t::finding_name;
    return find_name(o, k.name.empty() ? k.archived.name : k.name);
  }
  if (!made(o, in)) return begin(o, k);
  if (in.failed) return fail(o, std::move(*in.failed));
  k.step = step_t::opening;
  open(o, {k.made});
}

// --- export --------------------------------------------------------------------------------------

void catalog_stepper::begin(operation& o, export_session& k) {
  using step_t = export_session::step_t;
  if (refused(o)) return;
  k.step = k.request.perhaps.empty() ? step_t::finding : step_t::finding_other;
  if (k.step == step_t::finding) return find_known(o, k, k.request.session);
  look(o, disk_detail::names);
}

void catalog_stepper::seen(operation& o, export_session& k, const disk_view_ptr& disk) {
  if (k.step == export_session::step_t::finding)
    return known_or_not(o, k, k.request.session, *disk);
  if (auto other = known_on(std::exchange(k.request.perhaps, {}), *disk)) {
    k.request.session = other->slug;
    k.request.file.clear();
  }
  begin(o, k);
}

void catalog_stepper::known(operation& o, export_session& k, const session_meta& meta) {
  k.source = meta;
  if (k.request.file.empty()) k.request.file = meta.slug + ".fermata";
  o.reads = meta.slug;
  k.step = export_session::step_t::flushing;
  proceed(o, k);
}

/// What was written is read, also where it could not be brought to the disk itself.
void catalog_stepper::proceed(operation& o, export_session& k) {
  auto r = record(k.source.slug);
  if (!r || !r->in_memory || !has_actor(*r)) {
    if (flush(o, k.source.slug)) write(o, k, nullptr);
    return;
  }
  k.source = r->meta;
  k.step = export_session::step_t::reading_memory;
  o.awaits = new_ticket();
  act(read_unwritten{o.awaits, k.source.slug});
}

void catalog_stepper::answered(operation& o, export_session& k, session_answered& in) {
  if (k.step == export_session::step_t::flushing) return write(o, k, nullptr);
  if (in.failed) return fail(o, std::move(*in.failed));
  write(o, k, std::move(in.unwritten));
}

void catalog_stepper::write(operation& o, export_session& k,
                            std::shared_ptr<const std::vector<transition>> unwritten) {
  k.step = export_session::step_t::writing;
  start(o, write_archive{k.source, k.request.file, k.request.replaces, std::move(unwritten)});
}

void catalog_stepper::done(operation& o, export_session& k, job_finished& in) {
  if (in.failed) return fail(o, std::move(*in.failed));
  answer_and_end(o, exported_session{k.source.slug, k.request.file, std::move(in.remarks)});
}

}  // namespace fermata::catalog
