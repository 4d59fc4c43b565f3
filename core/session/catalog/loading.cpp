// Loading, restarting and unloading sessions.

#include "core/session/catalog/catalog_stepper.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace fermata::catalog {

namespace {

constexpr int crashes_tolerated = 10;
constexpr std::chrono::minutes crashes_forgotten_after{1};

std::chrono::milliseconds restart_delay(int crashes) {
  return std::min(std::chrono::milliseconds{10 << std::min(crashes - 1, 7)},
                  std::chrono::milliseconds{1000});
}

}  // namespace

bool has_actor(const session_record& r) {
  switch (r.phase) {
    case phase_t::starting:
    case phase_t::running:
    case phase_t::reloading:
    case phase_t::unloading:
    case phase_t::stopping: return true;
    case phase_t::loading:
    case phase_t::restarting:
    case phase_t::closing_unused:
    case phase_t::closing: return false;
  }
  return false;
}

bool is_unloading(const session_record& r) {
  return r.phase == phase_t::unloading || r.phase == phase_t::closing_unused;
}

bool is_ending(const session_record& r) {
  return r.close_when_loaded || r.phase == phase_t::stopping || r.phase == phase_t::closing;
}

// --- opening -------------------------------------------------------------------------------------

void catalog_stepper::open(operation& o, operation::opening_t what) {
  o.opening = std::move(what);
  try_open(o);
}

void catalog_stepper::try_open(operation& o) {
  auto& want = *o.opening;
  auto slug = want.meta.slug;
  if (s_.stopping) return did_not_open(o, program_ends());
  auto known = record(slug);
  if (known && want.again && known->has_store && !known->written_by.empty() &&
      (known->phase == phase_t::running || known->phase == phase_t::reloading)) {
    o.wait = {wait_condition::kind_t::loaded, slug};
    if (std::exchange(known->phase, phase_t::reloading) == phase_t::reloading) return;
    known->load = new_ticket();
    return act(reload_session{slug, known->load});
  }
  auto& r = s_.sessions[slug];
  r.last_used = c_.now;
  if (is_unloading(r)) {
    o.wait = {wait_condition::kind_t::not_unloading, slug};
    return;
  }
  if (is_ending(r))
    return did_not_open(
        o, {failure::kind_t::invalid_state, "session " + slug + " is being closed and moved"});
  if (r.phase == phase_t::running || r.phase == phase_t::reloading) return did_open(o);
  o.wait = {wait_condition::kind_t::loaded, slug};
  if (known) return;
  r.meta = want.meta;
  r.made_as = want.made_as;
  r.only_to_write = want.to_write;
  load(r);
}

void catalog_stepper::did_open(operation& o) {
  auto r = record(o.opening->meta.slug);
  // Somebody else may have asked for it, to look at it.
  if (o.opening->to_write && r && !r->written_by.empty())
    return did_not_open(o, {failure::kind_t::conflict, "it is open in " + r->written_by});
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { opened(o, kind); }) opened(o, kind);
      },
      o.kind);
}

void catalog_stepper::did_not_open(operation& o, failure why) {
  if (s_.stopping) return fail(o, program_ends());
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { not_opened(o, kind, why); })
          not_opened(o, kind, std::move(why));
        else
          fail(o, std::move(why));
      },
      o.kind);
}

void catalog_stepper::load(session_record& r) {
  using mode_t = load_session::mode_t;
  r.phase = phase_t::loading;
  r.load = new_ticket();
  auto mode = mode_t::existing;
  if (!c_.keeps_sessions || r.in_memory)
    mode = mode_t::in_memory;
  else if (r.made_as)
    mode = mode_t::new_session;
  else if (r.only_to_write)
    mode = mode_t::only_to_write;
  r.has_store = r.has_store || mode != mode_t::in_memory;
  act(load_session{r.meta, r.load, mode});
}

void catalog_stepper::loaded(const std::string& slug, const std::optional<failure>& failed) {
  std::vector<std::uint64_t> waiting;
  for (auto& [id, o] : s_.operations)
    if (o.wait.kind == wait_condition::kind_t::loaded && o.wait.slug == slug) waiting.push_back(id);
  for (auto id : waiting) {
    auto o = find(id);
    if (!o) continue;
    current_ = id;
    o->wait = {};
    if (failed)
      did_not_open(*o, *failed);
    else
      did_open(*o);
  }
}

// --- loading -------------------------------------------------------------------------------------

void catalog_stepper::on(session_loaded& in) {
  auto r = record(in.slug);
  if (!r || r->load != in.load) return;
  auto is_read_again = r->phase == phase_t::reloading;
  if (r->phase != phase_t::loading && !is_read_again) return;
  r->made_as.reset();
  r->only_to_write = false;
  if (r->close_when_loaded) return close(*r);
  auto before = std::exchange(r->written_by, in.written_by);
  // Where nothing can be written, the session does without a store: everything stays in memory.
  r->in_memory = in.read_only.has_value() || (!is_read_again && r->in_memory);
  if (in.read_only || is_read_again) r->not_saved_reason = in.read_only.value_or(std::string{});
  r->meta = in.meta;
  auto is_written = r->written_by.empty() && !r->in_memory;
  auto not_saved_reason = r->in_memory ? r->not_saved_reason : std::string{};
  if (!is_read_again) {
    r->phase = phase_t::starting;
    act(start_session{in.slug, in.load, is_written, not_saved_reason});
    return tell_loaded(*r, in);
  }
  r->phase = phase_t::running;
  act(show_reloaded{in.slug, is_written, not_saved_reason});
  tell_loaded(*r, in);
  if (is_written)
    for (auto& [id, o] : s_.operations)
      if (o.wait.kind == wait_condition::kind_t::loaded && o.wait.slug == in.slug)
        o.remarks.push_back(before + " has closed it; it can now be written to here");
  loaded(in.slug, std::nullopt);
}

void catalog_stepper::on(session_started& in) {
  auto r = record(in.slug);
  if (!r || r->load != in.load || r->phase != phase_t::starting) return;
  r->phase = phase_t::running;
  loaded(in.slug, std::nullopt);
  unload_unused();
}

void catalog_stepper::tell_loaded(session_record& r, const session_loaded& in) {
  auto& slug = in.slug;
  for (auto& remark : in.remarks)
    act(send_note{slug, "restored", remark});
  if (in.read_only)
    act(send_note{slug, "read-only",
                  "Read-only: nothing can be written here (" + *in.read_only +
                      "). You can look around and try things, but nothing is saved."});
  if (!r.written_by.empty())
    act(send_note{slug, "read-only",
                  "Session " + slug + " is open in " + r.written_by +
                      ", which is writing to it. Here it is read-only and shows what happens "
                      "there. `:session switch " +
                      slug +
                      "` reopens it for writing once it is closed there; `:session clone` "
                      "makes your own copy."});
  if (!r.crash_reason.empty())
    act(send_note{slug, "session-restarted",
                  "The session ended unexpectedly (" + std::exchange(r.crash_reason, {}) +
                      ") and was restored from its journal."});
}

void catalog_stepper::on(load_failed& in) {
  auto r = record(in.slug);
  if (!r || r->load != in.load) return;
  if (r->phase == phase_t::reloading) {
    r->phase = phase_t::running;
    return loaded(in.slug, std::move(in.why));
  }
  if (r->phase == phase_t::loading || r->phase == phase_t::starting)
    not_loaded(in.slug, std::move(in.why));
}

void catalog_stepper::end_loading(const std::string& slug, ticket load, const failure& why) {
  auto r = record(slug);
  if (!r || r->load != load) return;
  if (r->phase == phase_t::running) return loaded(slug, std::nullopt);
  load_failed failed{slug, load, why};
  on(failed);
}

void catalog_stepper::not_loaded(const std::string& slug, failure why) {
  auto r = std::move(s_.sessions.at(slug));
  s_.sessions.erase(slug);
  act(discard_session{slug});
  if (!r.made_as || r.close_when_loaded || why.kind != failure::kind_t::conflict)
    return loaded(slug, std::move(why));
  // Another process was first with this name; whoever waits gets the next one.
  s_.taken_elsewhere.insert(slug);
  auto meta = new_meta(r.made_as->name, *r.made_as->disk);
  if (s_.active == slug) make_active(meta.slug, false);
  for (auto& [id, o] : s_.operations) {
    if (o.wait.kind != wait_condition::kind_t::loaded || o.wait.slug != slug) continue;
    o.opening->meta = meta;
    o.opening->made_as = r.made_as;
    o.wait = {wait_condition::kind_t::loaded, meta.slug};
  }
  auto& next = s_.sessions[meta.slug];
  next.meta = meta;
  next.made_as = std::move(r.made_as);
  next.last_used = c_.now;
  load(next);
}

void catalog_stepper::on(followed& in) {
  auto r = record(in.slug);
  if (!r || r->phase != phase_t::running || r->written_by.empty()) return;
  r->meta = in.state->meta;
  act(show_followed{in.slug, std::move(in.state)});
}

void catalog_stepper::make_active(const std::string& slug, bool remember) {
  s_.active = slug;
  s_.activation_done = ++s_.activations_asked;
  act(show_active{slug});
  // Where that cannot be written, sessions say so themselves.
  if (remember && c_.keeps_sessions) start(remember_active{slug});
}

// --- crashes -------------------------------------------------------------------------------------

void catalog_stepper::on(session_down& in) {
  auto r = record(in.slug);
  if (!r) return;
  if (r->phase == phase_t::starting || r->phase == phase_t::running ||
      r->phase == phase_t::reloading)
    crashed(*r, std::move(in.reason));
}

void catalog_stepper::on(store_down& in) {
  auto r = record(in.slug);
  if (!r) return;
  r->has_store = false;
  if (r->phase == phase_t::closing || r->phase == phase_t::closing_unused) return forget(in.slug);
  // Without its store a session cannot answer anything: both are made anew.
  if (has_actor(*r)) act(kill_session{in.slug});
}

void catalog_stepper::crashed(session_record& r, std::string reason) {
  auto slug = r.meta.slug;
  if (c_.now - r.last_crash > crashes_forgotten_after) r.crashes = 0;
  r.last_crash = c_.now;
  r.crash_reason = std::move(reason);
  session_cannot_record(slug);
  s_.granted_names.erase(slug);
  if (++r.crashes > crashes_tolerated)
    return not_loaded(slug, {failure::kind_t::internal,
                             "session " + slug + " keeps crashing: " + r.crash_reason});
  r.phase = phase_t::restarting;  // whoever asks waits for the restart
  act(restart_later{slug, restart_delay(r.crashes)});
}

void catalog_stepper::on(restart_due& in) {
  auto r = record(in.slug);
  if (r && r->phase == phase_t::restarting) load(*r);
}

// --- unloading -----------------------------------------------------------------------------------

void catalog_stepper::on(unload_due&) {
  s_.unload_is_due = false;
  unload_unused();
}

void catalog_stepper::unload_unused() {
  if (s_.stopping || s_.sessions.size() <= c_.most_loaded) return;
  auto is_needed = [&](const std::string& slug, const session_record& r) {
    return slug == s_.active || r.phase != phase_t::running || !r.has_store || r.in_memory ||
           !r.written_by.empty() || archiving(slug) || is_read(slug) || is_to_be_told(slug) ||
           c_.now - r.last_used < c_.unused_after;
  };
  std::vector<std::pair<timestamp, std::string>> unused;
  for (auto& [slug, r] : s_.sessions)
    if (!is_needed(slug, r)) unused.emplace_back(r.last_used, slug);
  std::sort(unused.begin(), unused.end());
  unused.resize(std::min(unused.size(), s_.sessions.size() - c_.most_loaded));
  for (auto& [used, slug] : unused) {
    s_.sessions.at(slug).phase = phase_t::unloading;
    act(ask_to_unload{slug});
  }
  if (!std::exchange(s_.unload_is_due, true)) act(unload_later{});
}

void catalog_stepper::on(unload_answered& in) {
  auto r = record(in.slug);
  if (!r || r->phase != phase_t::unloading) return;
  if (in.granted) {
    close(*r);
  } else {
    r->phase = phase_t::running;
    r->last_used = c_.now;
  }
}

// --- ending --------------------------------------------------------------------------------------

void catalog_stepper::end(session_record& r) {
  if (r.phase == phase_t::closing_unused) {
    r.phase = phase_t::closing;
  } else if (has_actor(r)) {
    r.phase = phase_t::stopping;
    act(stop_session{r.meta.slug});
  } else if (r.phase == phase_t::loading && !s_.stopping) {
    r.close_when_loaded = true;
  } else {
    close(r);
  }
}

void catalog_stepper::on(session_stopped& in) {
  auto r = record(in.slug);
  if (!r || r->phase != phase_t::stopping) return;
  // Of one that crashed meanwhile the journal has everything.
  if (s_.stopping && in.failed && in.failed->kind == failure::kind_t::failed)
    s_.unsaved += (s_.unsaved.empty() ? "" : "; ") + ("session " + in.slug + " is not saved: ") +
                  in.failed->message;
  close(*r);
}

void catalog_stepper::close(session_record& r) {
  if (!r.has_store) return forget(r.meta.slug);
  r.phase = r.phase == phase_t::unloading ? phase_t::closing_unused : phase_t::closing;
  // The store ends when all it was asked for is done; the lock of the folder goes with it.
  act(end_store{r.meta.slug});
}

void catalog_stepper::forget(const std::string& slug) {
  auto gone = slug;  // it may be the record's own
  s_.granted_names.erase(gone);
  s_.sessions.erase(gone);
  act(forget_session{gone});
}

bool catalog_stepper::flush(operation& o, const std::string& slug) {
  auto r = record(slug);
  if (r && is_unloading(*r)) {
    o.wait = {wait_condition::kind_t::not_unloading, slug};
    return false;
  }
  if (!r || !has_actor(*r)) return true;
  o.awaits = new_ticket();
  act(flush_session{o.awaits, slug});
  return false;
}

}  // namespace fermata::catalog
