// Sessions on their way to the archive and the trash. From the request on, everybody finds them
// where they are going to be; when a folder cannot be moved, or the session that archives itself
// could not record it, they are in use again.

#include "core/session/catalog/catalog_stepper.hpp"

#include <algorithm>
#include <utility>

namespace fermata::catalog {

using archive_step = archive_session::step_t;

// --- for other operations ------------------------------------------------------------------------

const archive_session* catalog_stepper::archiving(const std::string& slug) const {
  if (slug.empty()) return nullptr;
  for (auto& [id, o] : s_.operations)
    if (auto k = std::get_if<archive_session>(&o.kind); k && k->slug == slug) return k;
  return nullptr;
}

bool catalog_stepper::is_read(const std::string& slug) const {
  return std::any_of(s_.operations.begin(), s_.operations.end(),
                     [&](auto& o) { return o.second.reads == slug; });
}

bool catalog_stepper::is_to_be_told(const std::string& slug) const {
  return std::any_of(s_.operations.begin(), s_.operations.end(), [&](auto& o) {
    auto k = std::get_if<archive_session>(&o.second.kind);
    return k && k->delays_finding && k->next == slug;
  });
}

void catalog_stepper::moved(operation& o, const std::string& slug) {
  for (auto& [id, other] : s_.operations)
    if (auto k = std::get_if<restore_session>(&other.kind);
        k && k->step == restore_session::step_t::waiting_until_moved && k->original.slug == slug)
      k->was_moved = true;
  end(o);
}

void catalog_stepper::session_cannot_record(const std::string& slug) {
  for (auto& [id, o] : s_.operations)
    if (auto k = std::get_if<archive_session>(&o.kind);
        k && k->slug == slug && k->request.asker == slug)
      return fail(o, {failure::kind_t::internal, "session " + slug + " ended unexpectedly"});
}

// --- steps ---------------------------------------------------------------------------------------

void catalog_stepper::begin(operation& o, archive_session& k) {
  if (!refused(o)) find_known(o, k, k.request.session);
}

void catalog_stepper::known(operation& o, archive_session& k, const session_meta& meta) {
  if (k.request.only_asks) return answer_and_end(o, archive_answer{meta.slug, {}});
  auto r = record(meta.slug);
  if (r && r->in_memory)
    return fail(
        o, {failure::kind_t::failed,
            "session " + meta.slug + " is kept in memory only, because nothing can be written here",
            "It is lost when the program ends."});
  k.slug = meta.slug;
  k.step = archive_step::checking;
  // Nobody is sent away, and no session closed, for a move that cannot be made.
  start(o, check_move{k.slug, k.request.to_trash, r && r->has_store && r->written_by.empty()});
}

void catalog_stepper::done(operation& o, archive_session& k, job_finished& in) {
  if (k.step == archive_step::checking) {
    if (!in.failed && s_.stopping) in.failed = program_ends();
    if (in.failed) return fail(o, std::move(*in.failed));
    if (k.slug == k.request.asker) {
      k.step = archive_step::finding_next;
      return look(o, disk_detail::names);
    }
    if (k.slug == s_.active && record(k.request.asker)) make_active(k.request.asker, true);
    return close_and_move(o, k);
  }
  ++s_.moves;
  if (k.is_told_next) tell_next(k, in.failed);
  if (in.failed) return fail(o, std::move(*in.failed));
  answer_all(o, archive_answer{k.slug, {}});
  moved(o, std::string{k.slug});
}

/// The session to switch to after the current one is archived: the one that was used last and is
/// not open in another process, else a new one.
void catalog_stepper::seen(operation& o, archive_session& k, const disk_view_ptr& disk) {
  if (k.step == archive_step::finding) return known_or_not(o, k, k.request.session, *disk);
  k.candidates = in_use(*disk);
  std::sort(k.candidates.begin(), k.candidates.end(),
            [](auto& a, auto& b) { return a.modified > b.modified; });
  open_next(o, k);
}

void catalog_stepper::open_next(operation& o, archive_session& k) {
  if (k.candidates.empty()) {
    k.step = archive_step::finding_name;
    return find_name(o, {});
  }
  k.step = archive_step::opening_next;
  auto next = std::move(k.candidates.front());
  k.candidates.erase(k.candidates.begin());
  open(o, {std::move(next), true});
}

void catalog_stepper::named(operation& o, archive_session& k, const disk_view_ptr& disk) {
  k.step = archive_step::opening_new;
  open(o, {new_meta({}, *disk), false, false, requested_name{{}, disk}});
}

void catalog_stepper::not_opened(operation& o, archive_session& k, failure why) {
  if (k.step == archive_step::opening_next) return open_next(o, k);
  fail(o, std::move(why));
}

void catalog_stepper::opened(operation& o, archive_session& k) {
  k.next = o.opening->meta.slug;
  o.opening.reset();
  k.step = archive_step::waiting_for_record;
  make_active(k.next, true);
  answer_all(o, archive_answer{k.slug, k.next});
}

void catalog_stepper::on(archive_recorded& in) {
  for (auto& [id, o] : s_.operations) {
    auto k = std::get_if<archive_session>(&o.kind);
    if (!k || k->slug != in.slug || k->step != archive_step::waiting_for_record) continue;
    current_ = id;
    if (!in.recorded) {
      make_active(in.slug, true);
      return end(o);
    }
    // Whoever comes from there hears at once what became of it; but does not wait while it is read
    // for a copy.
    k->is_told_next = true;
    k->delays_finding = !is_read(in.slug);
    return close_and_move(o, *k);
  }
}

void catalog_stepper::close_and_move(operation& o, archive_session& k) {
  using kind_t = wait_condition::kind_t;
  auto slug = k.slug;
  if (auto r = record(slug)) {
    k.step = archive_step::closing;
    if (is_unloading(*r)) {
      o.wait = {kind_t::not_unloading, slug};
      return;
    }
    o.wait = {kind_t::closed, slug};
    if (is_ending(*r)) return;
    end(*r);
    return loaded(slug, failure{failure::kind_t::invalid_state,
                                "session " + slug + " is being closed and moved"});
  }
  k.step = archive_step::moving;
  if (is_read(slug))
    o.wait = {kind_t::unread, slug};
  else
    start(o, move_away{slug, k.request.to_trash});
}

void catalog_stepper::tell_next(const archive_session& k, const std::optional<failure>& failed) {
  auto r = record(k.next);
  if (!r || !has_actor(*r)) r = record(s_.active);
  if (!r || !has_actor(*r)) return;
  auto text = failed ? "Session " + k.slug + " could not be moved: " + failed->message
                     : "Session " + k.slug + " was moved to the " +
                           location_text(k.slug, k.request.to_trash);
  act(send_note{r->meta.slug, failed ? "not-moved" : "put-away", std::move(text)});
}

}  // namespace fermata::catalog
