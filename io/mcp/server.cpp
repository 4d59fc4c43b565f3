#include "io/mcp/server.hpp"

#include "core/utf8.hpp"
#include "io/mcp/json_text.hpp"
#include "io/protocol/json_members.hpp"
#include "io/text/line_decoder.hpp"

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parser.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace json = boost::json;

namespace fermata::io::mcp {

/// One method of the protocol: in which generation it exists, and who answers.
struct server::route {
  std::string_view method;
  bool legacy, modern;
  void (server::*answer)(const request&);
};

const server::route* server::find_route(std::string_view method) {
  static const route routes[] = {
      {"server/discover", false, true, &server::discover},
      {"initialize", true, false, &server::initialize},
      {"ping", true, false, &server::ping},
      {"logging/setLevel", true, false, &server::set_level},
      {"tools/list", true, true, &server::list_tools},
      {"tools/call", true, true, &server::call_tool},
      {"prompts/list", true, true, &server::list_prompts},
      {"prompts/get", true, true, &server::get_prompt},
      {"resources/list", true, true, &server::list_resources},
      {"resources/templates/list", true, true, &server::list_templates},
      {"resources/read", true, true, &server::read_resource},
      {"resources/subscribe", true, false, &server::subscribe},
      {"resources/unsubscribe", true, false, &server::unsubscribe},
      {"subscriptions/listen", false, true, &server::listen},
      {"completion/complete", true, true, &server::complete},
  };
  for (const auto& r : routes)
    if (r.method == method) return &r;
  return nullptr;
}

server::server(repl_backend& backend, options o) : backend_(backend), options_(std::move(o)) {
  backend_.on_event = [this](const std::string& instance, std::string_view method,
                             std::string_view params) { event_came(instance, method, params); };
  backend_.on_lost = [this](const std::string& instance) { instance_lost(instance); };
}

server::~server() {
  backend_.on_event = nullptr;
  backend_.on_lost = nullptr;
  for (const auto& [instance, number] : silent_)
    backend_.forget(number);
  gatherings_.clear();
  // Nobody is left to hear the answers, and what is said when time runs out holds its own flight.
  for (const auto& [id, f] : flights_) {
    f->ended = true;
    for (auto number : f->calls)
      backend_.forget(number);
    f->too_late = nullptr;
  }
}

// --- lines ---------------------------------------------------------------------------------------

void server::on_line(std::string_view line, instant now) {
  now_ = now;
  unsigned char block[8192];
  json::monotonic_resource memory{block, sizeof block};
  unsigned char scratch[1024];
  json::parse_options limits;
  limits.max_depth = 64;
  json::parser parser{{}, limits, scratch, sizeof scratch};
  parser.reset(&memory);
  boost::system::error_code ec;
  parser.write(line.data(), line.size(), ec);
  if (ec) {
    const auto bad = find_invalid_utf8(line);
    refuse({}, code::parse_error,
           bad != line.npos ? fmt::format("Parse error: invalid UTF-8 at byte {}", bad)
                            : fmt::format("Parse error: {}", ec.message()));
    return;
  }
  const auto root = parser.release();
  const auto* message = root.if_object();
  if (!message) {
    refuse({}, code::invalid_request,
           root.is_array() ? "Invalid request: batches are not part of the protocol"
                           : "Invalid request: a message must be an object");
    return;
  }
  const auto* id = member(*message, "id");
  const auto* method = member(*message, "method");
  request r;
  const auto twice = protocol::doubled_member(line);
  if (id && !(twice && protocol::is_doubled(line, "id")) &&
      (id->is_string() || id->is_int64() || id->is_uint64()))
    r.id = json::serialize(*id);
  if (twice) {
    // The parser keeps the last one; the host may have meant either.
    if (id || !method)
      refuse(r.id, code::invalid_request,
             fmt::format("Invalid request: `{}` appears twice in one object",
                         protocol::clipped(*twice, 60)));
    return;
  }
  if (!method) {
    // A response, or no message at all; whoever gave it an id waits for an answer.
    if (!member(*message, "result") && !member(*message, "error"))
      refuse(r.id, code::invalid_request, "Invalid request: no method");
    else
      response_came(*message);
    return;
  }
  static const json::object no_params;
  const auto* params = member(*message, "params");
  r.params = params ? object_of(params) : &no_params;
  if (id && r.id.empty()) {
    refuse({}, code::invalid_request, "Invalid request: an id must be a string or an integer");
    return;
  }
  if (text_of(member(*message, "jsonrpc")) != "2.0" || !method->is_string() || !r.params) {
    if (id)
      refuse(r.id, code::invalid_request,
             !r.params ? "Invalid request: params must be an object"
                       : "Invalid request: a message needs jsonrpc \"2.0\" and a method");
    return;
  }
  if (!id) {
    notification_came(text_of(method), *r.params);
    return;
  }
  request_came(r, text_of(method));
}

void server::line_too_long(std::size_t limit) {
  refuse({}, code::invalid_request,
         fmt::format("Invalid request: a line may have at most {} bytes; this one was ignored",
                     limit));
}

void server::request_came(const request& asked, std::string_view method) {
  auto r = asked;
  const auto* meta = object_of(member(*r.params, "_meta"));
  const bool names_version = meta && meta->contains(meta_version);
  r.era = names_version ? era::modern : era::legacy;
  // A probe for the modern generation with a broken envelope is told so, not taken for legacy.
  if (names_version || method == "server/discover")
    if (auto why = refuse_envelope(r, names_version)) {
      out += *why;
      return;
    }
  if (flights_.contains(r.id)) {
    refuse(r.id, code::invalid_request,
           fmt::format("Invalid request: a call with the id {} is still in progress", r.id));
    return;
  }
  const auto* row = find_route(method);
  if (!row || !(r.era == era::modern ? row->modern : row->legacy)) {
    refuse(r.id, code::method_not_found, fmt::format("Method not found: {}", method));
    return;
  }
  if (names_version)
    if (const auto* client = object_of(member(*meta, meta_client)))
      backend_.sign_as(std::string{text_of(member(*client, "name"))},
                       std::string{text_of(member(*client, "version"))});
  r.may_ask = names_version ? takes_forms(object_of(member(*meta, meta_capabilities)))
                            : may_ask_ && initialized_;
  (this->*row->answer)(r);
}

std::optional<std::string> server::refuse_envelope(const request& r, bool names_version) {
  auto line = [&](int number, std::string_view message, std::string_view data) {
    std::string kept;
    std::swap(kept, out);
    refuse(r.id, number, message, data);
    std::swap(kept, out);
    return kept;
  };
  if (!names_version)
    return line(code::invalid_params,
                fmt::format("params._meta must hold \"{}\" and \"{}\"; or open a session with "
                            "initialize",
                            meta_version, meta_capabilities),
                {});
  const auto& meta = member(*r.params, "_meta")->get_object();
  const auto& version = meta.at(meta_version);
  if (!version.is_string())
    return line(code::invalid_params, fmt::format("\"{}\" must be a string", meta_version), {});
  if (!object_of(member(meta, meta_capabilities)))
    return line(code::invalid_params, fmt::format("\"{}\" must be an object", meta_capabilities),
                {});
  if (text_of(&version) != modern_version)
    return line(code::unsupported_version, "Unsupported protocol version",
                fmt::format(R"({{"supported":["{}"],"requested":{}}})", modern_version,
                            json::serialize(version)));
  return std::nullopt;
}

void server::notification_came(std::string_view method, const json::object& params) {
  if (method == "notifications/initialized") {
    initialized_ = true;
    rescan(now_);
    return;
  }
  if (method != "notifications/cancelled") return;
  const auto* id = member(params, "requestId");
  if (!id) return;
  const auto text = json::serialize(*id);
  if (auto f = flights_.find(text); f != flights_.end()) {
    auto cancelled = f->second;
    drop_question(cancelled);
    land(cancelled);
  }
  if (listeners_.erase(text) > 0) renew_watches();
}

// --- answers -------------------------------------------------------------------------------------

void server::reply(const std::string& id, mcp::era e, std::string_view members,
                   std::string_view type) {
  out += R"({"jsonrpc":"2.0","id":)";
  out += id;
  out += R"(,"result":{)";
  if (e == era::modern) {
    out += R"("resultType":")";
    out += type;
    out += "\",";
  }
  out += members;
  if (e == era::modern) {
    if (!members.empty()) out += ',';
    out += fmt::format(R"("_meta":{{"{}":{{"name":"fermata","version":{}}}}})", meta_server,
                       json_string(options_.version));
  }
  out += "}}\n";
}

void server::reply_cacheable(const std::string& id, mcp::era e, std::string_view members,
                             int ttl_ms, std::string_view scope) {
  if (e == era::modern)
    reply(id, e, fmt::format(R"({},"ttlMs":{},"cacheScope":"{}")", members, ttl_ms, scope));
  else
    reply(id, e, members);
}

void server::refuse(const std::string& id, int number, std::string_view message,
                    std::string_view data) {
  out += R"({"jsonrpc":"2.0")";
  // Without an id the member is left out: null is no id to the clients.
  if (!id.empty()) {
    out += R"(,"id":)";
    out += id;
  }
  out += fmt::format(R"(,"error":{{"code":{},"message":{})", number, json_string(message));
  if (!data.empty()) {
    out += R"(,"data":)";
    out += data;
  }
  out += "}}\n";
}

void server::notify(std::string_view method, std::string_view params) {
  out += fmt::format(R"({{"jsonrpc":"2.0","method":"{}","params":{}}})", method, params);
  out += '\n';
}

void server::log(std::string_view level, std::string_view text) {
  const auto at = std::find(std::begin(log_levels), std::end(log_levels), level);
  if (log_level_ && at - std::begin(log_levels) >= *log_level_)
    notify("notifications/message", fmt::format(R"({{"level":"{}","logger":"fermata","data":{}}})",
                                                level, json_string(text)));
}

// --- time ----------------------------------------------------------------------------------------

void server::on_time(instant now) {
  now_ = now;
  const auto flights = flights_;
  for (const auto& [id, f] : flights) {
    if (f->ended) continue;
    if (now >= f->deadline) {
      auto too_late = f->too_late;
      if (too_late)
        too_late();
      else if (land(f))
        refuse(f->id, code::internal, "no answer in time");
      continue;
    }
    if (!f->progress_token.empty() && now >= f->next_progress) {
      f->next_progress = now + options_.progress;
      notify("notifications/progress",
             fmt::format(R"({{"progressToken":{},"progress":{},"message":"waiting for Fermata"}})",
                         f->progress_token, ++f->progress));
    }
  }
  give_up_the_silent();
  for (auto& [uri, u] : updates_)
    if (u.due && now >= u.last_sent + std::chrono::milliseconds{250}) send_updated(uri);
  for (auto& [session, w] : watches_)
    if (!w.active && !w.asking && now >= w.retry) start_watch(session);
}

std::optional<server::instant> server::wake_at() const {
  std::optional<instant> first;
  auto at = [&](instant t) {
    if (!first || t < *first) first = t;
  };
  for (const auto& [id, f] : flights_) {
    at(f->deadline);
    if (!f->progress_token.empty()) at(f->next_progress);
  }
  if (const auto silence = next_silence()) at(*silence);
  for (const auto& [uri, u] : updates_)
    if (u.due) at(u.last_sent + std::chrono::milliseconds{250});
  for (const auto& [session, w] : watches_)
    if (!w.active && !w.asking) at(w.retry);
  return first;
}

void server::input_ended(instant now) {
  input_ended_ = true;
  for (const auto& [id, f] : flights_)
    f->deadline = std::min(f->deadline, f->waits_for_others ? now : now + options_.last_answers);
  on_time(now);
}

void server::finish() {
  for (const auto& [id, l] : listeners_) {
    out += R"({"jsonrpc":"2.0","id":)" + id +
           fmt::format(R"(,"result":{{"resultType":"complete","_meta":{{"{}":{}}}}}}})",
                       meta_subscription, id) +
           '\n';
  }
  listeners_.clear();
}

}  // namespace fermata::io::mcp
