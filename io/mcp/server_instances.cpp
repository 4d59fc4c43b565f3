// Requests that need a running Fermata: their flights, and which one is meant.

#include "io/mcp/json_text.hpp"
#include "io/mcp/server.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace json = boost::json;

namespace fermata::io::mcp {

server::flight_ptr server::take_off(const request& r) {
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

void server::ask_all(const flight_ptr& f, std::string_view method, std::string_view params,
                     std::function<void(answers)> then) {
  struct gathering {
    answers all;
    std::size_t missing = 0;
    std::function<void(answers)> then;
  };
  auto g = std::make_shared<gathering>();
  const auto instances = backend_.instances();
  g->missing = instances.size();
  g->then = std::move(then);
  for (const auto& i : instances)
    g->all.emplace_back(i, call_outcome{});
  if (instances.empty()) {
    g->then({});
    return;
  }
  for (std::size_t n = 0; n < instances.size(); ++n)
    ask(f, instances[n].id, method, params, [g, n](call_outcome what) {
      g->all[n].second = std::move(what);
      if (--g->missing == 0) g->then(std::move(g->all));
    });
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
  return {"no_session", "no Fermata is running",
          "ask the musician to start `fermata` in a terminal, then call again", true,
          R"("sessions":[])"};
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
  // pid/slug, or a pid that is one of theirs.
  const auto slash = session.find('/');
  const auto head = session.substr(0, slash);
  const bool digits = !head.empty() && head.find_first_not_of("0123456789") == std::string::npos;
  if (digits && (slash != std::string::npos || by_handle(head))) {
    if (const auto* i = by_handle(head)) {
      then(
          place{i->id, slash == std::string::npos ? std::string{} : session.substr(slash + 1), {}});
      return;
    }
    auto why = instances.empty() ? nobody() : ambiguous("that Fermata is gone");
    why.error = "stale_handle";
    why.message = fmt::format("no Fermata with the process id {} is running any more", head);
    then(tl::unexpected<nowhere>(std::move(why)));
    return;
  }
  if (instances.empty()) {
    then(tl::unexpected<nowhere>(nobody()));
    return;
  }
  if (instances.size() == 1) {
    then(place{instances.front().id, std::move(session), {}});
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
      then(place{
          match->id, {}, fmt::format("chosen among several because it runs in {}", match->cwd)});
    else
      then(tl::unexpected<nowhere>(ambiguous("several Fermatas are running")));
    return;
  }
  ask_all(f, "list_sessions", "{}", [this, session, then](const answers& all) {
    const repl_instance* match = nullptr;
    std::size_t matches = 0;
    for (const auto& [instance, what] : all) {
      if (what.kind != call_outcome::kind_t::result) continue;
      for (const auto& s : sessions_in({{instance, what}}))
        if (s.loaded && (s.handle == instance.handle() + '/' + session || s.name == session)) {
          match = &instance;
          ++matches;
          break;
        }
    }
    if (matches == 1)
      then(place{match->id, session, "the only Fermata that has it open"});
    else
      then(tl::unexpected<nowhere>(ambiguous(
          matches == 0 ? fmt::format("no running Fermata has the session `{}` open", session)
                       : fmt::format("several Fermatas have a session `{}` open", session))));
  });
}

}  // namespace fermata::io::mcp
