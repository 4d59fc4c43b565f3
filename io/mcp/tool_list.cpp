#include "io/mcp/tool_list.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace json = boost::json;

namespace fermata::io::mcp {

namespace {

constexpr std::string_view tool_prefix = "repl_";

/// The first members that are always there, by type: enough for a program to recognise the result,
/// few enough for the budget of tokens. None is required, because some clients check a result with
/// isError against it as well.
constexpr std::size_t members_shown = 6;

json::object output_schema(protocol::fields result) {
  json::object properties;
  for (const auto& row : result)
    if (row.required && properties.size() < members_shown)
      properties[row.name] = {{"type", protocol::to_string(row.type)}};
  return {{"type", "object"}, {"properties", std::move(properties)}};
}

/// A tool whose method is of no one session can still be told which Fermata is meant.
constexpr protocol::field instance_param{.name = "session", .doc = "pid, if several run"};

json::object input_schema(protocol::fields params) {
  std::vector<protocol::field> rows(params.begin(), params.end());
  if (std::none_of(rows.begin(), rows.end(), [](const auto& p) { return p.name == "session"; }))
    rows.push_back(instance_param);
  return protocol::json_schema(rows, protocol::schema_detail::terse, false);
}

json::object tool(const protocol::method& row) {
  const bool reads = row.access_kind == protocol::access::read;
  return {{"name", fmt::format("{}{}", tool_prefix, row.name)},
          {"description", row.doc},
          {"inputSchema", input_schema(row.params)},
          {"outputSchema", output_schema(row.result)},
          {"annotations",
           {{"readOnlyHint", reads},
            {"destructiveHint", row.destructive},
            {"idempotentHint", reads || row.idempotent},
            {"openWorldHint", false}}}};
}

}  // namespace

const std::string& tool_list() {
  static const auto text = [] {
    json::array tools;
    for (const auto* row : protocol::methods())
      if (row->offered == protocol::audience::socket_and_mcp) tools.push_back(tool(*row));
    return json::serialize(tools);
  }();
  return text;
}

const protocol::method* find_tool(std::string_view name) {
  if (name.substr(0, tool_prefix.size()) != tool_prefix) return nullptr;
  const auto* row = protocol::find_method(name.substr(tool_prefix.size()));
  return row && row->offered == protocol::audience::socket_and_mcp ? row : nullptr;
}

std::string_view instructions() {
  return R"(Fermata is a live environment for writing music. A user types expressions of a Lisp-like notation language at a prompt; these tools see the same session.

Start with repl_get_active_session, then repl_get_score (Fermata text, paged by measures) and repl_get_history (what the user typed, saw and asked; messages of kind `user` are addressed to you). Results carry `revision`, the number of committed changes of the score.

Answer the user with repl_send_message: it appears at the next prompt. Try ideas with repl_eval_preview, which keeps nothing: (find-key ...), (roman-numerals ...), (voice-leading-faults ...), (transpose M2 ...) are computed, so cite them instead of guessing. Notation such as (note c4 :q) or (measure ...) enters the score; a name, $Out[1] or a call such as (transpose +2 motif) or (do ...) only shows its value unless wrapped in (add ...). One text may hold several expressions. Change music with repl_eval or repl_propose and pass the `revision` you saw as expect_rev; usually this creates a proposal that the user accepts or rejects, so say in a message what you propose and why. On `conflict`, read again first.

Measures count from 1. A note is (note c4 :q), a chord (chord (c4 e4 g4) :h), a rest (rest :q); pitches are spelled with sharps # and flats b: f#5, bb3. To follow along, call repl_wait_for_change with the revision and entry you saw last. If several instances are running, name one in `session` as pid/slug.)";
}

}  // namespace fermata::io::mcp
