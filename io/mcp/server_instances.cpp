// Requests that need a running Fermata: their flights, and which one is meant.

#include "io/mcp/json_text.hpp"
#include "io/mcp/server.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace json = boost::json;

namespace fermata::io::mcp {

server::flight_ptr server::start_call(const request& r) {
  auto f = std::make_shared<flight>();
  f->id = r.id;
  f->era = r.era;
  f->deadline = now_ + options_.deadline;
  f->next_progress = now_ + options_.progress;
  if (const auto* meta = object_of(member(*r.params, "_meta")))
    if (const auto* token = member(*meta, "progressToken"))
      if (token->is_string() || token->is_int64() || token->is_uint64())
        f->progress_token = json::serialize(*token);
  flights_[f->id] = f;
  return f;
}

bool server::land(const flight_ptr& f) {
  if (std::exchange(f->ended, true)) return false;
  for (auto number : f->calls)
    backend_.forget(number);
  // It holds what holds the flight.
  f->too_late = nullptr;
  if (auto it = flights_.find(f->id); it != flights_.end() && it->second == f) flights_.erase(it);
  return true;
}

void server::ask(const flight_ptr& f, const std::string& instance, std::string_view method,
                 std::string_view params, std::function<void(call_outcome)> then) {
  f->calls.push_back(
      backend_.call(instance, method, params, [f, then = std::move(then)](call_outcome what) {
        if (!f->ended) then(std::move(what));
      }));
}

const repl_instance* server::by_handle(std::string_view handle) const {
  for (const auto& i : backend_.instances())
    if (i.handle() == handle) return &i;
  return nullptr;
}

std::string server::instance_list() const {
  std::string list;
  for (const auto& i : backend_.instances())
    list += fmt::format(R"({}{{"instance":"{}","cwd":{}}})", list.empty() ? "" : ",", i.handle(),
                        json_string(i.cwd));
  return fmt::format(R"("instances":[{}])", list);
}

server::nowhere server::nobody() const {
  nowhere why{"no_session", "no Fermata is running",
              "ask the user to start `fermata` in a terminal, then call again", true,
              R"("sessions":[])"};
  if (const auto words = backend_.out_of_reach(); !words.empty()) {
    why.message = fmt::format("a Fermata is running, but {}", words);
    why.hint = "ask the user to check it (`fermata doctor`) or restart it, then call again";
  }
  return why;
}

/// `name`: a session of which there is none either.
server::nowhere server::stale(std::string_view handle, std::string_view name) const {
  auto why = backend_.instances().empty() ? nobody() : ambiguous("that instance has exited");
  why.error = "stale_handle";
  why.message = fmt::format("no Fermata with process id {} is running", handle);
  if (!name.empty()) why.message += fmt::format(", and there is no session `{}`", name);
  return why;
}

server::nowhere server::ambiguous(std::string_view why) const {
  std::string handles;
  for (const auto& i : backend_.instances())
    handles += fmt::format("{}{} ({})", handles.empty() ? "" : ", ", i.handle(), i.cwd);
  return {"several_instances", fmt::format("{}; running: {}", why, handles),
          "name one in `session` as pid/slug, or as the pid alone for its active session", true,
          instance_list()};
}

void server::locate(const flight_ptr& f, std::string session, std::function<void(found)> then) {
  const auto& instances = backend_.instances();
  for (const auto& i : instances)
    handles_.insert(i.handle());
  // pid/slug, or a pid; but a session may be called `6/8 jig`.
  const auto slash = session.find('/');
  const auto head = session.substr(0, slash);
  if (const auto* i = by_handle(head)) {
    then(place{
        i->id, slash == std::string::npos ? std::string{} : session.substr(slash + 1), {}, {}});
    return;
  }
  if (handles_.contains(head)) {
    then(tl::unexpected<nowhere>(stale(head)));
    return;
  }
  if (instances.empty()) {
    then(tl::unexpected<nowhere>(nobody()));
    return;
  }
  const bool digits = !head.empty() && head.find_first_not_of("0123456789") == std::string::npos;
  const auto handle = digits && slash != std::string::npos ? head : std::string{};
  if (instances.size() == 1) {
    then(place{instances.front().id, std::move(session), {}, handle});
    return;
  }
  if (session.empty()) {
    const repl_instance* match = nullptr;
    std::size_t matches = 0;
    for (const auto& i : instances)
      if (std::find(options_.folders.begin(), options_.folders.end(), i.cwd) !=
          options_.folders.end()) {
        match = &i;
        ++matches;
      }
    if (matches == 1)
      then(place{match->id, {}, fmt::format("chosen because it runs in {}", match->cwd), {}});
    else
      then(tl::unexpected<nowhere>(ambiguous("several Fermata instances are running")));
    return;
  }
  list_all_sessions(f, [this, session, handle, then](const session_lists& all) {
    const repl_instance* match = nullptr;
    std::size_t matches = 0;
    for (const auto& list : all)
      for (const auto& s : sessions_in({list}))
        if (s.loaded && (s.handle == list.of.handle() + '/' + session || s.name == session)) {
          match = &list.of;
          ++matches;
          break;
        }
    const auto missing = who_is_missing(all);
    if (matches == 1) {
      then(place{match->id,
                 session,
                 missing.empty()
                     ? "the only instance that has it open"
                     : fmt::format("the only responding instance that has it open ({})", missing),
                 {}});
      return;
    }
    if (matches == 0 && !handle.empty()) {
      then(tl::unexpected<nowhere>(stale(handle, session)));
      return;
    }
    auto why = matches == 0 ? fmt::format("no running instance has the session `{}` open", session)
                            : fmt::format("several instances have a session `{}` open", session);
    if (!missing.empty()) why += fmt::format(" ({})", missing);
    then(tl::unexpected<nowhere>(ambiguous(why)));
  });
}

}  // namespace fermata::io::mcp
