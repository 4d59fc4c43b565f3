#include "actors/ipc/open_requests.hpp"

#include "actors/ipc/ipc_reply.hpp"
#include "io/protocol/envelope.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace fermata::actors {

using io::protocol::fault;
using io::protocol::fault_code;

open_requests::open_requests(connection_core& core, entry_source client, bool is_admitted,
                             std::function<void(const ipc_request_ptr&)> perform,
                             std::function<void()> answered)
  : core_(core),
    client_(std::move(client)),
    admitted_(is_admitted),
    perform_(std::move(perform)),
    answered_(std::move(answered)) {}

void open_requests::admit(entry_source as) {
  admitted_ = true;
  client_ = std::move(as);
}

// --- from the line to the beginning --------------------------------------------------------------

void open_requests::add(const ipc_request_ptr& r) {
  open_.insert(r);
  bytes_ += r->bytes;
  if (r->what.refused) return refuse(r, *r->what.refused);
  const auto& row = *r->what.row;
  if (!admitted_ && row.name != "system.hello")
    return refuse(r, fault{fault_code::not_permitted,
                           "over TCP, the first request must be system.hello with the token",
                           "send system.hello with the content of $FERMATA_HOME/tcp.token as "
                           "`token`"});
  r->writes = row.access_kind == io::protocol::access::write;
  auto moves = false;
  if (!std::holds_alternative<io::protocol::query_handler>(row.handler)) {
    auto command = io::protocol::command_of(row, r->what.params);
    if (!command) return refuse(r, command.error());
    r->command = std::move(*command);
    // Waiting for what it is about, or for anything before that, would be no use.
    if (std::holds_alternative<io::protocol::cancel_request>(*r->command)) return begin(r);
    moves = std::holds_alternative<io::protocol::create_session>(*r->command) ||
            std::holds_alternative<io::protocol::switch_session>(*r->command);
  }
  // A stream can be ended by the request after the one that begins it.
  auto precedes =
      r->writes ||
      (r->command && std::holds_alternative<io::protocol::subscribe_events>(*r->command));
  order_.add(r, {r->what.unordered, precedes, moves});
  begin_next();
}

void open_requests::begin(const ipc_request_ptr& r) {
  r->who = client_;
  perform_(r);
}

/// Begins what need not wait any more. One that is answered at once may let others begin.
void open_requests::begin_next() {
  if (std::exchange(beginning_, true)) return;
  while (auto r = order_.next())
    begin(*r);
  beginning_ = false;
}

void open_requests::found_state(const ipc_request_ptr& r) {
  order_.found_state(r);
  begin_next();
}

void open_requests::depend_on(const ipc_request_ptr& r, const caf::actor_addr& actor) {
  r->depends_on = actor;
  if (monitored_.insert(actor).second) core_.self->monitor(actor);
}

void open_requests::actor_ended(const caf::actor_addr& actor) {
  monitored_.erase(actor);
  const fault gone{fault_code::unavailable, "the session ended before it answered",
                   "check with get_session whether the request took effect before repeating it"};
  std::vector<ipc_request_ptr> lost;
  for (const auto& r : open_)
    if (r->depends_on == actor) lost.push_back(r);
  for (const auto& r : lost)
    refuse(r, gone);
}

// --- answers -------------------------------------------------------------------------------------

void open_requests::answer(const ipc_request_ptr& r, const boost::json::object& result) {
  finish(r, io::protocol::reply_line(r->what.head, result));
}

void open_requests::refuse(const ipc_request_ptr& r, const fault& why) {
  if (why.code != fault_code::internal)
    return finish(r, io::protocol::fault_line(r->what.head, why));
  auto logged = why;
  const auto id = fmt::format("{:08x}", std::hash<std::string>{}(why.message) & 0xffffffffu);
  logged.data["log_id"] = id;
  core_.settings->log(fmt::format("internal error {}: {}", id, why.message));
  finish(r, io::protocol::fault_line(r->what.head, logged));
}

void open_requests::refuse(const ipc_request_ptr& r, const caf::error& why) {
  refuse(r, to_fault(why));
}

void open_requests::finish_work(const ipc_request_ptr& r, std::string line) {
  if (r->failure.empty()) return finish(r, std::move(line));
  refuse(r, fault{fault_code::internal, "request failed: " + r->failure,
                  "try again, or ask for less; the request only reads, so nothing changed"});
}

void open_requests::finish(const ipc_request_ptr& r, std::string line) {
  if (std::exchange(r->done, true)) return;
  open_.erase(r);
  bytes_ -= r->bytes;
  r->interrupt();
  core_.lines.reply(r->to, std::move(line));
  order_.finished(r);
  begin_next();
  answered_();
}

// --- cancelling ----------------------------------------------------------------------------------

namespace {

/// As values: a number may be written in two ways, 100 and 100.0.
bool is_same_id(const boost::json::value& a, const boost::json::value& b) {
  if (a == b) return true;
  if (!a.is_number() || !b.is_number()) return false;
  return a.to_number<double>() == b.to_number<double>();
}

}  // namespace

bool open_requests::cancel(const ipc_request_ptr& asked_by, const boost::json::value& id) {
  boost::system::error_code ec;
  std::vector<ipc_request_ptr> meant;
  for (const auto& other : open_)
    if (other != asked_by && !other->what.head.id.empty() &&
        is_same_id(boost::json::parse(other->what.head.id, ec), id) && !ec)
      meant.push_back(other);
  for (const auto& other : meant)
    cancel(other);
  return !meant.empty();
}

/// What has not begun is not begun, and what only reads is answered at once. A write that is under
/// way cannot be called back from where it is; an evaluation among them ends, and says so itself,
/// because it may have been done the moment before.
void open_requests::cancel(const ipc_request_ptr& r) {
  if (order_.is_under_way(r) && r->writes) return r->interrupt();
  refuse(r, fault{fault_code::failed, "cancelled by the client",
                  "nothing was done; send it again if needed"});
}

std::shared_ptr<std::atomic<bool>> open_requests::new_interrupt_flag() const {
  return std::make_shared<std::atomic<bool>>(client_gone_);
}

bool open_requests::may_take_long() const {
  return !order_.nothing_waits() ||
         std::any_of(open_.begin(), open_.end(), [](auto& r) { return r->interrupted != nullptr; });
}

void open_requests::interrupt_all() {
  for (const auto& r : open_)
    r->interrupt();
}

void open_requests::client_gone() {
  client_gone_ = true;
  interrupt_all();
}

void open_requests::drop_reads() {
  order_.drop_waiting([](const ipc_request_ptr& r) { return !r->writes; });
  std::erase_if(open_,
                [this](const ipc_request_ptr& r) { return !r->writes && !order_.is_under_way(r); });
  begin_next();
}

bool open_requests::has_writes() const {
  return std::any_of(open_.begin(), open_.end(), [](auto& r) { return r->writes; });
}

}  // namespace fermata::actors
