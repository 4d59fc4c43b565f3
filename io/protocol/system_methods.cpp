// Who is there, in which version, and what can be called.

#include "io/protocol/common_fields.hpp"
#include "io/protocol/method.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <charconv>

namespace json = boost::json;

namespace fermata::io::protocol {

namespace {

constexpr std::string_view client_channels[] = {"ipc", "mcp"};

constexpr field hello_params[] = {
    {.name = "client",
     .doc = "name of the calling program, used as author; not user, you, system or fermata",
     .required = true,
     .min = 1,
     .max = 64},
    {.name = "version", .doc = "its version", .required = true, .max = 64},
    {.name = "protocol_version", .doc = "the protocol it speaks, MAJOR.MINOR.PATCH", .max = 32},
    {.name = "door", .doc = "channel of the caller; default: ipc", .choices = client_channels},
    {.name = "token",
     .doc = "required over TCP: the content of $FERMATA_HOME/tcp.token",
     .max = 128},
};

constexpr field hello_result[] = {
    {.name = "server", .doc = "\"fermata\"", .required = true},
    {.name = "version", .doc = "of the program", .required = true},
    {.name = "protocol_version", .doc = "of the protocol", .required = true},
    {.name = "instance",
     .doc = "changes at every start; discard cached state when it does",
     .required = true},
    {.name = "pid", .type = json_type::integer, .doc = "process", .required = true},
    {.name = "cwd", .doc = "folder in which it was started", .required = true},
    {.name = "capabilities",
     .type = json_type::object,
     .doc = "capabilities of this instance",
     .required = true},
};

int major_of(std::string_view version) {
  int major = -1;
  auto [end, ec] = std::from_chars(version.data(), version.data() + version.size(), major);
  const bool whole = end == version.data() + version.size();
  return ec == std::errc{} && (whole || *end == '.') ? major : -1;
}

answer<command> hello(const arguments& args) {
  auto wanted = args.text("protocol_version");
  if (!wanted.empty() && major_of(wanted) != major_of(protocol_version))
    return refuse(
        {fault_code::invalid_params,
         fmt::format("protocol {} is not supported; this is protocol {}", wanted, protocol_version),
         "update the older side; the major versions must match",
         {{"param", "protocol_version"}, {"expected", protocol_version}, {"got", wanted}}});
  return say_hello{std::string{args.text("client")}, std::string{args.text("version")},
                   std::string{wanted},
                   std::string{args.has("door") ? args.text("door") : client_channels[0]},
                   std::string{args.text("token")}};
}

constexpr field ping_result[] = {
    {.name = "pong", .type = json_type::boolean, .doc = "true", .required = true},
};

answer<json::object> ping(const query&, const arguments&) { return json::object{{"pong", true}}; }

constexpr field cancel_params[] = {
    {.name = "request",
     .type = json_type::any,
     .doc = "the id of that request, a string or a number",
     .required = true},
};
constexpr field cancel_result[] = {
    {.name = "changed",
     .type = json_type::boolean,
     .doc = "false: no pending request has that id",
     .required = true},
};
answer<command> cancel(const arguments& args) {
  const auto* id = args.find("request");
  if (!id || !(id->is_string() || id->is_number()))
    return refuse({fault_code::invalid_params,
                   "`request` must be the id of a request: a string or a number",
                   "give the id of a request on this connection",
                   {{"param", "request"}, {"expected", "a string or a number"}}});
  // Its memory belongs to the line that it came in.
  return cancel_request{json::value(*id, json::storage_ptr{})};
}

constexpr field discover_result[] = {
    {.name = "openrpc", .doc = "version of the OpenRPC format", .required = true},
    {.name = "info", .type = json_type::object, .doc = "title and version", .required = true},
    {.name = "methods",
     .type = json_type::array,
     .doc = "every method with its schemas",
     .required = true,
     .items = json_type::object},
};

json::object describe(const method& row) {
  json::array params;
  for (const auto& p : row.params)
    params.push_back(json::object{{"name", p.name},
                                  {"description", p.doc},
                                  {"required", p.required},
                                  {"schema", json_schema(p, schema_detail::documented)}});
  return {
      {"name", row.name},
      {"summary", row.title},
      {"description", row.doc},
      {"paramStructure", "either"},
      {"params", std::move(params)},
      {"result",
       {{"name", "result"}, {"schema", json_schema(row.result, schema_detail::documented, false)}}},
      {"x-access", row.access_kind == access::read ? "read" : "write"},
      {"x-mcp-tool", row.offered == audience::socket_and_mcp
                         ? json::value(fmt::format("repl_{}", row.name))
                         : json::value(nullptr)}};
}

answer<json::object> discover(const query&, const arguments&) {
  json::array rows;
  for (const auto* row : methods())
    rows.push_back(describe(*row));
  return json::object{{"openrpc", "1.3.2"},
                      {"info", {{"title", "Fermata"}, {"version", protocol_version}}},
                      {"methods", std::move(rows)}};
}

constexpr method system_rows[] = {
    {.name = "system.hello",
     .title = "Say hello",
     .doc = "Exchanges names and versions. Optional over the socket, required first over TCP.",
     .params = hello_params,
     .result = hello_result,
     .handler = command_handler{hello}},
    {.name = "system.ping",
     .title = "Ping",
     .doc = "Returns immediately.",
     .result = ping_result,
     .handler = query_handler{ping}},
    {.name = "system.cancel",
     .title = "Cancel a request",
     .doc = "Cancels an earlier request on this connection, ahead of anything queued. Requests "
            "that have not started, reads and waits end at once with `failed`; a running "
            "evaluation ends with `eval_error` unless it has already finished. Other writes in "
            "progress are completed.",
     .params = cancel_params,
     .result = cancel_result,
     .handler = command_handler{cancel}},
    {.name = "rpc.discover",
     .title = "List the methods",
     .doc = "Every method with the schemas of its parameters and result, in the OpenRPC format.",
     .result = discover_result,
     .handler = query_handler{discover}},
};

}  // namespace

std::span<const method> system_methods() { return system_rows; }

}  // namespace fermata::io::protocol
