// What needs no running Fermata: who we are, the lists, the prompts.

#include "io/mcp/json_text.hpp"
#include "io/mcp/prompt_list.hpp"
#include "io/mcp/server.hpp"
#include "io/mcp/tool_list.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace json = boost::json;

namespace fermata::io::mcp {

namespace {

constexpr int an_hour = 3'600'000;

}  // namespace

void server::discover(const request& r) {
  reply_cacheable(
      r.id, r.era,
      fmt::format(R"("supportedVersions":["{}"],"capabilities":{{"tools":{{}},"prompts":{{}},)"
                  R"("resources":{{"subscribe":true,"listChanged":true}},"completions":{{}}}},)"
                  R"("instructions":{})",
                  modern_version, json_string(instructions())),
      an_hour, "public");
}

void server::initialize(const request& r) {
  const auto wanted = text_of(member(*r.params, "protocolVersion"));
  if (wanted.empty()) {
    refuse(r.id, code::invalid_params, "initialize needs protocolVersion");
    return;
  }
  may_ask_ = takes_forms(object_of(member(*r.params, "capabilities")));
  const bool known =
      std::find(legacy_versions.begin(), legacy_versions.end(), wanted) != legacy_versions.end();
  if (const auto* client = object_of(member(*r.params, "clientInfo")))
    backend_.sign_as(std::string{text_of(member(*client, "name"))},
                     std::string{text_of(member(*client, "version"))});
  reply(r.id, r.era,
        fmt::format(R"("protocolVersion":"{}","capabilities":{{"tools":{{}},"prompts":{{}},)"
                    R"("resources":{{"subscribe":true,"listChanged":true}},"completions":{{}},)"
                    R"("logging":{{}}}},"serverInfo":{{"name":"fermata","title":"Fermata",)"
                    R"("version":{}}},"instructions":{})",
                    known ? wanted : legacy_versions.front(), json_string(options_.version),
                    json_string(instructions())));
}

void server::ping(const request& r) { reply(r.id, r.era, {}); }

void server::set_level(const request& r) {
  const auto level = text_of(member(*r.params, "level"));
  const auto at = std::find(std::begin(log_levels), std::end(log_levels), level);
  if (at == std::end(log_levels)) {
    refuse(r.id, code::invalid_params, fmt::format("unknown log level \"{}\"", level));
    return;
  }
  log_level_ = static_cast<int>(at - std::begin(log_levels));
  reply(r.id, r.era, {});
}

bool server::refuse_cursor(const request& r) {
  // Every list is one page, so no cursor was ever given out; an empty one asks for the first page.
  const auto* cursor = member(*r.params, "cursor");
  if (!cursor || (cursor->is_string() && cursor->get_string().empty())) return false;
  refuse(r.id, code::invalid_params, "Invalid cursor");
  return true;
}

void server::list_tools(const request& r) {
  if (!refuse_cursor(r))
    reply_cacheable(r.id, r.era, R"("tools":)" + tool_list(), an_hour, "public");
}

void server::list_prompts(const request& r) {
  if (!refuse_cursor(r))
    reply_cacheable(r.id, r.era, R"("prompts":)" + prompt_list(), an_hour, "public");
}

void server::get_prompt(const request& r) {
  const auto name = text_of(member(*r.params, "name"));
  const auto* row = find_prompt(name);
  if (!row) {
    refuse(r.id, code::invalid_params, fmt::format("Unknown prompt: {}", name));
    return;
  }
  const auto* given = member(*r.params, "arguments");
  const auto* arguments = given ? object_of(given) : nullptr;
  if (given && !arguments) {
    refuse(r.id, code::invalid_params, "arguments must be an object of strings");
    return;
  }
  static const json::object none;
  if (auto fault = protocol::check(row->arguments, arguments ? *arguments : none)) {
    refuse(r.id, code::invalid_params, fault->message);
    return;
  }
  const auto text = row->text(protocol::arguments{arguments ? *arguments : none});
  reply(r.id, r.era,
        fmt::format(R"("description":{},"messages":[{{"role":"user","content":)"
                    R"({{"type":"text","text":{}}}}}])",
                    json_string(row->doc), json_string(text)));
}

}  // namespace fermata::io::mcp
