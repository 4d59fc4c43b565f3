#include "io/protocol/entry_json.hpp"

#include "core/score/delta.hpp"
#include "io/protocol/line_decoder.hpp"
#include "io/protocol/time_text.hpp"

#include <boost/json/array.hpp>

namespace json = boost::json;

namespace fermata::io::protocol {

namespace {

constexpr field rows[] = {
    {.name = "index", .type = json_type::integer, .doc = "from 1, gapless", .required = true},
    {.name = "time", .doc = "ISO 8601, UTC", .required = true},
    {.name = "kind", .doc = "eval, command, ai, user or system", .required = true},
    {.name = "author", .doc = "who", .required = true},
    {.name = "door", .doc = "through what: terminal, ipc, mcp, ...", .required = true},
    {.name = "text", .doc = "what was typed or said", .required = true},
    {.name = "output", .doc = "value or output, as printed"},
    {.name = "ok", .type = json_type::boolean, .doc = "false: it failed"},
    {.name = "error", .type = json_type::object, .doc = "why it failed"},
    {.name = "delta", .doc = "what changed in the score, in words"},
    {.name = "revision_before", .type = json_type::integer, .doc = "revision before it"},
    {.name = "revision_after", .type = json_type::integer, .doc = "revision after it"},
    {.name = "proposal", .type = json_type::integer, .doc = "the proposal that was accepted"},
    {.name = "event", .doc = "of a system entry: short stable name"},
    {.name = "truncated", .type = json_type::boolean, .doc = "a long text was cut"},
};

class entry_writer {
public:
  entry_writer(json::object& out, std::size_t limit) : out_(out), limit_(limit) {}

  void operator()(const eval_entry& e) {
    put("text", e.text);
    if (!e.output_text.empty()) put("output", e.output_text);
    out_["ok"] = !e.failure;
    if (e.failure) out_["error"] = error_json(*e.failure, e.text);
    if (!e.delta.empty()) out_["delta"] = to_string(summarize(e.delta));
    if (e.revision_after != e.revision_before) {
      out_["revision_before"] = e.revision_before;
      out_["revision_after"] = e.revision_after;
    }
    if (e.proposal) out_["proposal"] = *e.proposal;
  }
  void operator()(const command_entry& e) {
    put("text", e.text);
    put("output", e.output);
    out_["ok"] = e.ok;
  }
  void operator()(const ai_message_entry& e) { put("text", e.content); }
  void operator()(const user_message_entry& e) { put("text", e.content); }
  void operator()(const system_entry& e) {
    put("text", e.text);
    out_["event"] = e.event;
  }

private:
  void put(std::string_view name, std::string_view text) {
    const auto part = clipped(text, limit_);
    out_[name] = part;
    if (part.size() < text.size()) out_["truncated"] = true;
  }

  json::object& out_;
  std::size_t limit_;
};

}  // namespace

fields entry_fields() { return rows; }

json::object entry_json(const history_entry& e, std::size_t text_limit) {
  json::object out{{"index", e.index},
                   {"time", to_text(e.time)},
                   {"kind", kind_name(e.kind)},
                   {"author", e.source.author},
                   {"door", e.source.door}};
  std::visit(entry_writer{out, text_limit}, e.kind);
  return out;
}

json::object error_json(const error& e, std::string_view source) {
  json::array all;
  for (const auto& d : e.diagnostics) {
    json::object row{{"code", info(d.code).name}, {"message", d.message}};
    if (d.span) {
      const auto at = locate(source, d.span->begin);
      row["span"] = {
          {"begin", d.span->begin}, {"end", d.span->end}, {"line", at.line}, {"column", at.column}};
    }
    if (!d.hint.empty()) row["hint"] = d.hint;
    all.push_back(std::move(row));
    // A text with a thousand faults is answered with the first ones.
    if (all.size() == 20) break;
  }
  json::object out;
  if (!all.empty()) {
    out["code"] = all.front().as_object().at("code");
    out["message"] = all.front().as_object().at("message");
  }
  out["diagnostics"] = std::move(all);
  out["text"] = clipped(render(e, source), 8'000);
  return out;
}

}  // namespace fermata::io::protocol
