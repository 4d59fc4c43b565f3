// Which sessions there are, and one in detail; making, switching, saving.

#include "core/score/model/measure_names.hpp"
#include "core/session/timeline/slug.hpp"
#include "io/protocol/common_fields.hpp"
#include "io/protocol/excerpt.hpp"
#include "io/protocol/method.hpp"
#include "io/protocol/page_cursor.hpp"
#include "io/protocol/time_text.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <functional>

namespace json = boost::json;

namespace fermata::io::protocol {

namespace {

constexpr field session_rows[] = {
    {.name = "session", .doc = "slug", .required = true},
    {.name = "name", .doc = "its display name", .required = true},
    {.name = "created", .doc = "ISO 8601, UTC", .required = true},
    {.name = "modified", .doc = "ISO 8601, UTC", .required = true},
    {.name = "tags", .type = json_type::array, .doc = "words", .items = json_type::string},
    {.name = "score", .doc = "one line: parts, measures, time, key", .required = true},
    {.name = "entries",
     .type = json_type::integer,
     .doc = "length of the timeline",
     .required = true},
    {.name = "active",
     .type = json_type::boolean,
     .doc = "the default for clients",
     .required = true},
    {.name = "loaded",
     .type = json_type::boolean,
     .doc = "whether it is open; otherwise only on disk",
     .required = true},
};

constexpr field list_params[] = {cursor_param};

constexpr field list_result[] = {
    {.name = "sessions",
     .type = json_type::array,
     .doc = "the active one first, then the latest",
     .required = true,
     .items = json_type::object,
     .members = session_rows},
    {.name = "total", .type = json_type::integer, .doc = "how many there are", .required = true},
    next_cursor_result,
};

constexpr std::size_t sessions_per_page = 50;
constexpr std::size_t definitions_shown = 300;

json::object row_json(const session_row& row) {
  json::object out{{"session", row.meta.slug},
                   {"name", row.meta.name},
                   {"created", to_text(row.meta.created)},
                   {"modified", to_text(row.meta.modified)},
                   {"score", row.score},
                   {"entries", row.entries},
                   {"active", row.active},
                   {"loaded", row.loaded}};
  if (!row.meta.tags.empty()) {
    json::array tags;
    for (const auto& tag : row.meta.tags)
      tags.emplace_back(tag);
    out["tags"] = std::move(tags);
  }
  return out;
}

answer<json::object> list_sessions(const query& q, const arguments& args) {
  std::vector<const session_row*> order;
  for (const auto& row : *q.sessions)
    order.push_back(&row);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return std::pair{a->active, a->meta.modified} > std::pair{b->active, b->meta.modified};
  });
  // Whatever changes the order would leave sessions out of the pages, or put them on two.
  std::string slugs;
  for (const auto* row : order)
    slugs.append(row->meta.slug).append("\n");
  const auto mark = std::hash<std::string>{}(slugs);
  std::size_t at = 0;
  if (args.has("cursor")) {
    auto cursor = read_cursor(args.text("cursor"));
    if (!cursor || cursor->position >= order.size() || cursor->mark != mark)
      return refuse(bad_cursor(args.text("cursor")));
    at = cursor->position;
  }
  json::array out;
  for (; at < order.size() && out.size() < sessions_per_page; ++at)
    out.push_back(row_json(*order[at]));
  json::object result{{"sessions", std::move(out)}, {"total", order.size()}};
  if (at < order.size()) result["next_cursor"] = write_cursor({at, mark});
  return result;
}

constexpr field session_params[] = {session_param};

constexpr field cursor_members[] = {
    {.name = "part", .type = json_type::integer, .doc = "part, from 1", .required = true},
    {.name = "staff", .type = json_type::integer, .doc = "staff, from 1", .required = true},
    {.name = "voice", .doc = "voice", .required = true},
    {.name = "measure",
     .type = json_type::integer,
     .doc = "its position, from 1",
     .required = true},
    {.name = "number", .doc = "its number, as printed", .required = true},
    {.name = "quarters", .doc = "quarters offset from the barline, a fraction", .required = true},
};

constexpr field part_members[] = {
    {.name = "id", .doc = "id", .required = true},
    {.name = "name", .doc = "name", .required = true},
    {.name = "measures", .type = json_type::integer, .doc = "how many", .required = true},
};

constexpr field detail_result[] = {
    session_result,
    revision_result,
    {.name = "name", .doc = "its display name", .required = true},
    {.name = "created", .doc = "ISO 8601, UTC", .required = true},
    {.name = "modified", .doc = "ISO 8601, UTC", .required = true},
    {.name = "tags", .type = json_type::array, .doc = "words", .items = json_type::string},
    {.name = "active",
     .type = json_type::boolean,
     .doc = "the default for clients",
     .required = true},
    {.name = "score", .doc = "one line: parts, measures, time, key", .required = true},
    {.name = "parts",
     .type = json_type::array,
     .doc = "the parts",
     .required = true,
     .items = json_type::object,
     .members = part_members},
    {.name = "measures",
     .type = json_type::integer,
     .doc = "of the longest part",
     .required = true},
    {.name = "cursor",
     .type = json_type::object,
     .doc = "where new music is added",
     .required = true,
     .members = cursor_members},
    {.name = "definitions",
     .type = json_type::array,
     .doc = "names defined by the user",
     .required = true,
     .items = json_type::string},
    {.name = "definitions_total",
     .type = json_type::integer,
     .doc = "all of them; 300 are listed",
     .required = true},
    {.name = "entries",
     .type = json_type::integer,
     .doc = "length of the timeline",
     .required = true},
    {.name = "queued",
     .type = json_type::integer,
     .doc = "messages waiting to be shown",
     .required = true},
    {.name = "proposals",
     .type = json_type::array,
     .doc = "numbers of the open ones",
     .required = true,
     .items = json_type::integer},
    {.name = "policy",
     .doc = "policy for client evaluations: ask, preview, allow, deny",
     .required = true},
    {.name = "scratch",
     .type = json_type::boolean,
     .doc = "true: evaluations do not change the score; proposals still work"},
    {.name = "commit",
     .doc = "which music enters the score: notation, everything, nothing",
     .required = true},
    {.name = "branch", .doc = "the current one, when there are several"},
    {.name = "branches", .type = json_type::array, .doc = "all", .items = json_type::string},
};

json::object detail(const session_state& s, bool active) {
  json::object out{{"session", s.meta.slug},
                   {"revision", s.revision},
                   {"name", s.meta.name},
                   {"created", to_text(s.meta.created)},
                   {"modified", to_text(s.meta.modified)}};
  if (!s.meta.tags.empty()) {
    json::array tags;
    for (const auto& tag : s.meta.tags)
      tags.emplace_back(tag);
    out["tags"] = std::move(tags);
  }
  out["active"] = active;
  out["score"] = summary(*s.score);
  json::array parts;
  for (const auto& p : s.score->parts)
    parts.push_back(
        json::object{{"id", p->id}, {"name", p->name}, {"measures", p->measures.size()}});
  out["parts"] = std::move(parts);
  out["measures"] = measure_count(*s.score);
  const auto& c = s.env->cursor;
  out["cursor"] = {{"part", c.part + 1},
                   {"staff", c.staff},
                   {"voice", c.voice},
                   {"measure", c.measure + 1},
                   {"number", c.part < s.score->parts.size()
                                  ? printed_number(*s.score->parts[c.part], c.measure)
                                  : std::to_string(c.measure + 1)},
                   {"quarters", to_string(c.position.value)}};
  json::array names;
  for (const auto& [name, bound] : s.env->bindings) {
    if (names.size() == definitions_shown) break;
    names.emplace_back(name);
  }
  out["definitions"] = std::move(names);
  out["definitions_total"] = s.env->bindings.size();
  out["entries"] = s.history.size();
  out["queued"] = s.queue.size();
  json::array open;
  for (const auto& p : s.proposals)
    if (p.state == proposal::state_t::open) open.emplace_back(p.number);
  out["proposals"] = std::move(open);
  out["policy"] = to_string(s.policy);
  if (commit_rule_of(s) == commit_rule::nothing) out["scratch"] = true;
  out["commit"] = to_string(commit_rule_of(s));
  if (!s.branches.empty()) {
    out["branch"] = s.branch;
    json::array branches;
    for (const auto& b : s.branches)
      branches.emplace_back(b.name);
    out["branches"] = std::move(branches);
  }
  return out;
}

answer<json::object> get_session(const query& q, const arguments&) {
  return detail(*q.session, q.active == q.session->meta.slug);
}

answer<json::object> get_active_session(const query& q, const arguments&) {
  return detail(*q.session, true);
}

constexpr field create_params[] = {
    {.name = "name", .doc = "name; default: session-N", .max = longest_name, .plain = true},
};
constexpr field create_result[] = {
    session_result,
    changed_result,
};
answer<command> create(const arguments& args) {
  return create_session{std::string{args.text("name")}};
}

constexpr field switch_params[] = {
    {.name = "session",
     .doc = "slug or name",
     .required = true,
     .min = 1,
     .max = 200,
     .plain = true},
};
constexpr field switch_result[] = {
    session_result,
    changed_result,
    {.name = "before", .doc = "slug of the session that was active", .required = true},
};
answer<command> switch_to(const arguments& args) {
  return switch_session{std::string{args.text("session")}};
}

constexpr field save_result[] = {
    session_result,
    revision_result,
    {.name = "saved", .type = json_type::boolean, .doc = "true: all is on disk", .required = true},
};
answer<command> save(const arguments& args) {
  return save_session{std::string{args.text("session")}};
}

constexpr method session_method_rows[] = {
    {.name = "list_sessions",
     .title = "List sessions",
     .doc = "All sessions, with dates, a summary of the score, and which one is active.",
     .offered = audience::socket_and_mcp,
     .wants = needs::sessions,
     .params = list_params,
     .result = list_result,
     .handler = query_handler{list_sessions}},
    {.name = "get_session",
     .title = "Read a session",
     .doc = "Details of a session: parts, cursor, definitions, timeline length, queue, proposals.",
     .offered = audience::socket_and_mcp,
     .wants = needs::session_and_active,
     .params = session_params,
     .result = detail_result,
     .handler = query_handler{get_session}},
    {.name = "get_active_session",
     .title = "Read the active session",
     .doc = "Details of the active session, as in get_session.",
     .offered = audience::socket_and_mcp,
     .wants = needs::session,
     .result = detail_result,
     .handler = query_handler{get_active_session}},
    {.name = "session_create",
     .title = "Create a session",
     .doc = "Creates an empty session and makes it active.",
     .access_kind = access::write,
     .offered = audience::socket_and_mcp,
     .params = create_params,
     .result = create_result,
     .handler = command_handler{create}},
    {.name = "session_switch",
     .title = "Switch session",
     .doc = "Makes a session active; the user's prompt does not change.",
     .access_kind = access::write,
     .offered = audience::socket_and_mcp,
     .idempotent = true,
     .params = switch_params,
     .result = switch_result,
     .handler = command_handler{switch_to}},
    {.name = "session_save",
     .title = "Save a session",
     .doc = "Writes everything to disk now. (Saving is automatic.)",
     .access_kind = access::write,
     .offered = audience::socket_and_mcp,
     .idempotent = true,
     .params = session_params,
     .result = save_result,
     .handler = command_handler{save}},
};

}  // namespace

std::span<const method> session_methods() { return session_method_rows; }

}  // namespace fermata::io::protocol
