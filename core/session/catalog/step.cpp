#include "core/session/catalog/catalog_step.hpp"
#include "core/session/catalog/catalog_stepper.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace fermata::catalog {

namespace {

struct failed_results {
  using result_t = std::optional<input>;
  const failure& why;
  result_t operator()(const look_at_disk& a) const { return disk_seen{a.id, {}, why}; }
  result_t operator()(const start_job& a) const { return job_finished{a.id, why}; }
  result_t operator()(const load_session& a) const { return load_failed{a.meta.slug, a.load, why}; }
  result_t operator()(const start_session& a) const { return load_failed{a.slug, a.load, why}; }
  result_t operator()(const reload_session& a) const { return load_failed{a.slug, a.load, why}; }
  result_t operator()(const ask_to_unload& a) const { return unload_answered{a.slug, false}; }
  result_t operator()(const stop_session& a) const { return session_stopped{a.slug, why}; }
  result_t operator()(const end_store& a) const { return store_down{a.slug}; }
  result_t operator()(const flush_session& a) const { return session_answered{a.id, why}; }
  result_t operator()(const read_unwritten& a) const { return session_answered{a.id, why}; }
  result_t operator()(const rename_in_session& a) const { return session_answered{a.id, why}; }
  result_t operator()(const restart_later& a) const { return restart_due{a.slug}; }
  result_t operator()(const auto&) const { return std::nullopt; }
};

failure unexpected(const std::exception& e) {
  return {failure::kind_t::internal, std::string{"unexpected error: "} + e.what()};
}

/// Which loading an input is about; none: it is about something else.
std::optional<std::pair<std::string, ticket>> loading_of(const input& in) {
  if (auto l = std::get_if<session_loaded>(&in)) return std::pair{l->slug, l->load};
  if (auto l = std::get_if<session_started>(&in)) return std::pair{l->slug, l->load};
  return std::nullopt;
}

/// What went wrong inside, and whether an operation was refused for it.
struct interruption {
  failure why;
  bool refused = false;
};

}  // namespace

catalog_step step(catalog_state state, input in, const catalog_context& context) {
  std::vector<action> actions;
  auto run = [&](auto body) -> std::optional<interruption> {
    catalog_stepper one{state, context, actions};
    try {
      body(one);
    } catch (const std::exception& e) {
      auto why = unexpected(e);
      auto refused = one.fail_current(why);
      return interruption{std::move(why), refused};
    }
    return std::nullopt;
  };
  // Nobody may wait for a session whose loading went wrong here.
  if (auto wrong = run([&](catalog_stepper& one) { one.take(in); }))
    if (auto loading = loading_of(in))
      run([&](catalog_stepper& one) {
        one.end_loading(loading->first, loading->second, wrong->why);
      });
  // What is refused is over, and the others go on.
  for (bool more = true; more;)
    if (auto wrong = run([&](catalog_stepper& one) { more = one.continue_waiting(); }))
      more = wrong->refused;
  run([](catalog_stepper& one) { one.finish_stop(); });
  return {std::move(state), std::move(actions)};
}

failure program_ends() { return {failure::kind_t::invalid_state, "the program is shutting down"}; }

std::optional<input> result_of_failed(const action& a, const failure& why) {
  return std::visit(failed_results{why}, a);
}

void catalog_stepper::take(input& in) {
  std::visit([this](auto& one) { on(one); }, in);
}

bool catalog_stepper::fail_current(const failure& why) {
  auto o = find(current_);
  if (o) fail(*o, why);
  return o != nullptr;
}

// --- inputs --------------------------------------------------------------------------------------

void catalog_stepper::on(started&) {
  if (c_.keeps_sessions) start(remove_drafts{});
}

void catalog_stepper::on(requested& in) {
  auto only_lists = std::holds_alternative<list_sessions>(in.what);
  if (s_.stopped || (s_.stopping && !only_lists)) return act(refuse{in.id, program_ends()});
  if (auto create = std::get_if<create_session>(&in.what); create && create->client)
    if (auto wait = s_.may_create.take(*create->client, c_.now)) {
      failure busy{failure::kind_t::busy, "too many sessions created by clients",
                   "Use an existing session, or try again later."};
      busy.retry_after = *wait;
      return act(refuse{in.id, std::move(busy)});
    }
  auto id = s_.next_operation++;
  current_ = id;
  auto& o = s_.operations[id];
  o.id = id;
  o.askers = {in.id};
  o.kind = std::move(in.what);
  std::visit([&](auto& kind) { begin(o, kind); }, o.kind);
}

void catalog_stepper::on(stop_requested& in) {
  s_.stop_requests.push_back(in.id);
  if (std::exchange(s_.stopping, true)) return;
  std::vector<std::string> slugs;
  for (auto& [slug, r] : s_.sessions)
    slugs.push_back(slug);
  for (auto& slug : slugs) {
    auto& r = s_.sessions.at(slug);
    if (!is_ending(r)) end(r);
    loaded(slug, program_ends());
  }
}

void catalog_stepper::on(disk_seen& in) {
  s_.jobs.erase(in.id);
  auto o = awaiting(in.id);
  if (!o) return;
  if (!in.failed && s_.stopping) in.failed = program_ends();
  if (in.failed) return fail(*o, std::move(*in.failed));
  auto is_loaded = [this](auto& slug) { return s_.sessions.contains(slug); };
  auto& left_out = o->look.left_out;
  // A folder may have been moved since, and then it may have been seen twice or not at all.
  if (o->look.moves != s_.moves || !std::all_of(left_out.begin(), left_out.end(), is_loaded))
    return look(*o, o->look.detail);
  for (auto there : {&in.disk->sessions, &in.disk->archived})
    for (auto& s : *there)
      s_.taken_elsewhere.erase(s.meta.slug);
  if (o->name_to_find) return name_seen(*o, in.disk);
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { seen(*o, kind, in.disk); }) seen(*o, kind, in.disk);
      },
      o->kind);
}

void catalog_stepper::on(job_finished& in) {
  s_.jobs.erase(in.id);
  auto o = awaiting(in.id);
  if (!o) return;
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { done(*o, kind, in); }) done(*o, kind, in);
      },
      o->kind);
}

void catalog_stepper::on(session_answered& in) {
  auto o = awaiting(in.id);
  if (!o) return;
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { answered(*o, kind, in); }) answered(*o, kind, in);
      },
      o->kind);
}

// --- operations ----------------------------------------------------------------------------------

operation* catalog_stepper::find(std::uint64_t id) {
  auto it = s_.operations.find(id);
  return it == s_.operations.end() ? nullptr : &it->second;
}

operation* catalog_stepper::awaiting(ticket id) {
  for (auto& [number, o] : s_.operations)
    if (o.awaits == id) {
      o.awaits = 0;
      current_ = number;
      return &o;
    }
  return nullptr;
}

bool catalog_stepper::is_fulfilled(const wait_condition& w) const {
  using kind_t = wait_condition::kind_t;
  auto r = record(w.slug);
  switch (w.kind) {
    case kind_t::nothing:
    case kind_t::loaded: return false;
    case kind_t::not_unloading: return !r || !is_unloading(*r);
    case kind_t::closed: return !r;
    case kind_t::unread: return !is_read(w.slug);
    case kind_t::settled: return !archiving(w.slug);
    case kind_t::told: return s_.stopping || !is_to_be_told(w.slug);
  }
  return false;
}

bool catalog_stepper::continue_waiting() {
  for (auto& [id, o] : s_.operations) {
    if (!is_fulfilled(o.wait)) continue;
    current_ = id;
    o.wait = {};
    if (o.name_to_find)
      find_name(o, *o.name_to_find);
    else if (o.opening)
      try_open(o);
    else
      std::visit(
          [&, &o = o](auto& kind) {
            if constexpr (requires { proceed(o, kind); }) proceed(o, kind);
          },
          o.kind);
    return true;
  }
  return false;
}

void catalog_stepper::start(folder_job job) {
  auto id = new_ticket();
  s_.jobs.insert(id);
  act(start_job{id, std::move(job)});
}

void catalog_stepper::start(operation& o, folder_job job) {
  o.awaits = s_.next_ticket;
  start(std::move(job));
}

bool catalog_stepper::refused(operation& o) {
  if (s_.stopping) {
    fail(o, program_ends());
    return true;
  }
  if (c_.keeps_sessions) return false;
  fail(o, {failure::kind_t::failed, "sessions are not kept on disk here"});
  return true;
}

void catalog_stepper::fail(operation& o, failure why) {
  for (; !o.askers.empty(); o.askers.erase(o.askers.begin()))
    act(refuse{o.askers.front(), why});
  end(o);
}

void catalog_stepper::end(operation& o) { s_.operations.erase(o.id); }

void catalog_stepper::answer_opened(operation& o, std::string instead_of) {
  answer_and_end(o, opened_session{o.opening->meta.slug, std::move(instead_of), o.remarks});
}

void catalog_stepper::answer_activated(operation& o) {
  auto create = std::get_if<create_session>(&o.kind);
  auto activate = std::get_if<activate_session>(&o.kind);
  auto by_client = (create && create->client) || (activate && activate->by_client);
  // One that takes long to load does not come before what was requested after it.
  if (o.activation > s_.activation_done) {
    make_active(o.opening->meta.slug, !by_client);
    s_.activation_done = o.activation;
  }
  answer_opened(o);
}

/// Nothing is moved any more; whoever waits for it is refused.
void catalog_stepper::finish_stop() {
  if (!s_.stopping || s_.stopped || !s_.sessions.empty() || !s_.jobs.empty()) return;
  while (!s_.operations.empty())
    fail(s_.operations.begin()->second, program_ends());
  for (auto id : std::exchange(s_.stop_requests, {}))
    if (s_.unsaved.empty())
      act(answer{id, all_stopped{}});
    else
      act(refuse{id, {failure::kind_t::failed, s_.unsaved}});
  s_.stopped = true;
  act(quit{});
}

}  // namespace fermata::catalog
