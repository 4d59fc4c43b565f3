// Tool calls: finding the instance, passing the call on, and saying what came of it.

#include "io/mcp/json_text.hpp"
#include "io/mcp/tool_call.hpp"
#include "io/mcp/tool_list.hpp"
#include "io/protocol/envelope.hpp"
#include "io/protocol/page_cursor.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace json = boost::json;

namespace fermata::io::mcp {

namespace {

/// Rows of one page of a list: with the rest of the result it stays below the 20,000 characters
/// that clients of language models take gladly.
constexpr std::size_t most_text = 16'000;

/// `session` of a tool that takes none behind the socket: it only says which Fermata is meant.
bool only_names_instance(const protocol::method& row) {
  return std::none_of(row.params.begin(), row.params.end(),
                      [](const auto& p) { return p.name == "session"; });
}

}  // namespace

void server::call_tool(const request& r) {
  const auto* name = r.params->if_contains("name");
  const auto* row = name && name->is_string() ? find_tool(name->get_string()) : nullptr;
  if (!row) {
    refuse(r.id, code::invalid_params,
           fmt::format("Unknown tool: {}", name && name->is_string()
                                               ? std::string_view{name->get_string()}
                                               : "(none)"));
    return;
  }
  const auto* given = r.params->if_contains("arguments");
  if (given && !given->is_object() && !given->is_null()) {
    refuse(r.id, code::invalid_params, "arguments must be an object");
    return;
  }
  auto c = std::make_shared<tool_call>();
  c->row = row;
  c->may_ask = r.may_ask && row->access_kind == protocol::access::write;
  c->arguments = "{}";
  if (given && given->is_object()) {
    const auto& arguments = given->get_object();
    const auto* session = arguments.if_contains("session");
    if (session && session->is_string()) {
      auto others = arguments;
      others.erase("session");
      c->session = session->get_string();
      c->arguments = json::serialize(others);
    } else {
      c->arguments = json::serialize(arguments);
    }
  }
  if (answer_came(r, c)) return;
  c->f = start_call(r);
  c->f->waits_for_others = row->name == "wait_for_change";
  c->f->too_late = [this, c] {
    if (!land(c->f)) return;
    // Waiting changes nothing, and it was not Fermata that was slow.
    if (input_ended_ && c->row->name == "wait_for_change") {
      tool_error(*c, {"timed_out",
                      "the input ended before anything changed",
                      "keep the input open while you wait",
                      true,
                      {}});
      return;
    }
    const bool reads = c->row->access_kind == protocol::access::read;
    tool_error(*c, {"timed_out", "Fermata did not respond in time",
                    reads ? "call again" : "check with repl_get_session whether it took effect",
                    reads, reads ? "" : R"("outcome":"unknown")"});
  };
  start_tool(c);
}

void server::start_tool(const std::shared_ptr<tool_call>& c) {
  if (c->row->name == "list_sessions" && c->session.empty() && backend_.instances().size() > 1) {
    list_everywhere(c);
    return;
  }
  locate(c->f, c->session, [this, c](found where) { tool_located(c, std::move(where)); });
}

void server::tool_located(const std::shared_ptr<tool_call>& c, found where) {
  if (!where) {
    if (!land(c->f)) return;
    if (where.error().error == "no_session" && !c->reason.empty())
      where.error().message = c->reason;
    if (where.error().error == "several_instances" && only_names_instance(*c->row))
      where.error().hint = "name one in `session`, by its `instance`";
    tool_error(*c, where.error());
    return;
  }
  c->where = std::move(*where);
  if (!c->where.session.empty() && only_names_instance(*c->row)) {
    if (land(c->f))
      tool_error(*c, refusal({protocol::fault_code::invalid_params,
                              fmt::format("`session` of repl_{} is the process id of a Fermata, "
                                          "not a session",
                                          c->row->name),
                              "leave it out, or give the `instance` of one when several run",
                              {{"param", "session"}, {"got", c->session}}}));
    return;
  }
  auto params = std::string{};
  if (!c->where.session.empty()) {
    params = R"("session":)";
    append_string(params, c->where.session);
    params = with_member(c->arguments, params);
  }
  ask(c->f, c->where.instance, c->row->name, params.empty() ? c->arguments : params,
      [this, c](call_outcome what) { tool_answered(c, std::move(what)); });
}

void server::tool_answered(const std::shared_ptr<tool_call>& c, call_outcome what) {
  const bool reads = c->row->access_kind == protocol::access::read;
  switch (what.kind) {
    case call_outcome::kind_t::result:
      if (c->may_ask && ask_person(c, what.body)) return;
      if (!land(c->f)) return;
      tool_done(*c, std::move(what.body));
      return;
    case call_outcome::kind_t::refused: {
      if (!land(c->f)) return;
      auto why = refusal(what.body);
      // It was no session's name after all.
      if (why.error == "not_found" && !c->where.handle.empty())
        why = stale(c->where.handle, c->session);
      tool_error(*c, why);
      return;
    }
    case call_outcome::kind_t::lost:
      if (reads && !std::exchange(c->repeated, true)) {
        start_tool(c);
        return;
      }
      if (land(c->f))
        tool_error(
            *c, {"session_lost", "Fermata exited during the call",
                 reads ? "call again" : "read again before repeating it; it may have taken effect",
                 reads, R"("outcome":"unknown")"});
      return;
    case call_outcome::kind_t::unreachable:
      // It certainly did not arrive, so a write may be repeated as well.
      if (!std::exchange(c->repeated, true)) {
        c->reason = what.body;
        start_tool(c);
        return;
      }
      if (land(c->f)) {
        auto why = nobody();
        if (!what.body.empty()) why.message = what.body;
        tool_error(*c, why);
      }
      return;
  }
}

/// A result with the instance that it is from, where that is not clear.
void server::tool_done(const tool_call& c, std::string body) {
  std::string more;
  if (backend_.instances().size() > 1 || !c.where.note.empty()) {
    for (const auto& i : backend_.instances())
      if (i.id == c.where.instance) more = fmt::format(R"("instance":"{}")", i.handle());
    if (!c.where.note.empty()) {
      more += more.empty() ? R"("note":)" : R"(,"note":)";
      append_string(more, c.where.note);
    }
  }
  tool_result(c, more.empty() ? body : with_member(body, more));
}

server::nowhere server::refusal(const protocol::fault& why) {
  return refusal(json::serialize(protocol::fault_json(protocol::envelope::json_rpc, why)));
}

/// An error object of the socket. Rare enough for a tree:
/// {"code":..,"message":..,"data":{"name":..,"hint":..}}
server::nowhere server::refusal(const std::string& body) {
  boost::system::error_code ec;
  const auto parsed = json::parse(body, ec);
  const auto* e = ec ? nullptr : parsed.if_object();
  nowhere why{"internal", "Fermata sent an unreadable error", "call again", false, {}};
  if (!e) return why;
  if (const auto* message = e->if_contains("message"); message && message->is_string())
    why.message = message->get_string();
  // Who is not let in is told so in the short form, where the code is the name.
  if (const auto name = text_of(member(*e, "code")); !name.empty()) why.error = name;
  const auto* data = e->if_contains("data");
  json::object details = data && data->is_object() ? data->get_object() : json::object{};
  auto take = [&](std::string_view name, std::string& into) {
    if (const auto* v = details.if_contains(name); v && v->is_string()) {
      into = v->get_string();
      details.erase(name);
    }
  };
  take("name", why.error);
  take("hint", why.hint);
  why.retryable = why.error == "busy" || why.error == "conflict" || why.error == "unavailable";
  if (!details.empty()) why.members = R"("data":)" + json::serialize(details);
  return why;
}

void server::list_everywhere(const std::shared_ptr<tool_call>& c) {
  boost::system::error_code ec;
  const auto given = json::parse(c->arguments, ec);
  const auto& arguments = given.get_object();
  auto fault = protocol::check(c->row->params, arguments);
  const auto cursor = std::string{text_of(member(arguments, "cursor"))};
  if (!fault && member(arguments, "cursor") && !protocol::read_cursor(cursor))
    fault = protocol::bad_cursor(cursor);
  if (fault) {
    land(c->f);
    tool_error(*c, refusal(*fault));
    return;
  }
  list_all_sessions(c->f, [this, c, cursor](const session_lists& all) {
    if (!land(c->f)) return;
    std::string missing;
    bool some = false;
    for (const auto& list : all) {
      some |= list.missing.empty();
      if (!list.missing.empty())
        missing += fmt::format(R"({}{{"instance":"{}","reason":{}}})", missing.empty() ? "" : ",",
                               list.of.handle(), json_string(list.missing));
    }
    if (!some) {
      tool_error(
          *c, all.empty()
                  ? nobody()
                  : nowhere{"unavailable",
                            fmt::format("no running instance responds ({})", who_is_missing(all)),
                            "ask the user to check them, then call again", true, instance_list()});
      return;
    }
    // A session that nobody has open is on every list; it is shown once.
    json::array rows;
    std::set<std::string, std::less<>> on_disk;
    for (const bool loaded : {true, false})
      for (const auto& list : all)
        for (const auto& v : list.rows) {
          auto row = v.is_object() ? v.get_object() : json::object{};
          const auto* open = row.if_contains("loaded");
          const auto* slug = row.if_contains("session");
          if (!open || !open->is_bool() || open->get_bool() != loaded || !slug ||
              !slug->is_string())
            continue;
          if (!on_disk.emplace(std::string_view{slug->get_string()}).second && !loaded) continue;
          if (loaded) row["instance"] = list.of.handle();
          rows.push_back(std::move(row));
        }
    const auto from = protocol::read_cursor(cursor).value_or(protocol::page_cursor{0, rows.size()});
    if (from.mark != rows.size() || from.position > rows.size()) {
      tool_error(*c, refusal(protocol::bad_cursor(cursor)));
      return;
    }
    std::string page;
    auto at = from.position;
    for (; at < rows.size() && page.size() < most_text; ++at)
      page += (page.empty() ? "" : ",") + json::serialize(rows[at]);
    auto body = fmt::format(R"({{"sessions":[{}],"total":{})", page, rows.size());
    if (at < rows.size())
      body += fmt::format(R"(,"next_cursor":"{}")", protocol::write_cursor({at, rows.size()}));
    body += ',' + instance_list();
    if (!missing.empty()) body += fmt::format(R"(,"not_answering":[{}])", missing);
    tool_result(*c, body + '}');
  });
}

void server::tool_result(const tool_call& c, std::string_view body) {
  std::string members;
  members.reserve(body.size() * 2 + body.size() / 4 + 80);
  members += R"("content":[{"type":"text","text":)";
  append_string(members, body);
  members += R"(}],"structuredContent":)";
  members += body;
  reply(c.f->id, c.f->era, members);
}

void server::tool_error(const tool_call& c, const nowhere& why) {
  std::string body = R"({"error":)";
  append_string(body, why.error);
  body += R"(,"message":)";
  append_string(body, why.message);
  if (!why.hint.empty()) {
    body += R"(,"hint":)";
    append_string(body, why.hint);
  }
  body += fmt::format(R"(,"retryable":{})", why.retryable);
  if (!why.members.empty()) body += ',' + why.members;
  body += '}';
  auto text = fmt::format("{}: {}", why.error, why.message);
  if (!why.hint.empty()) text += fmt::format("\n{}", why.hint);
  std::string members = R"("content":[{"type":"text","text":)";
  append_string(members, text);
  members += R"(}],"structuredContent":)";
  members += body;
  members += R"(,"isError":true)";
  reply(c.f->id, c.f->era, members);
}

}  // namespace fermata::io::mcp
