#include "io/protocol/envelope.hpp"

#include "core/error.hpp"
#include "core/utf8.hpp"
#include "io/protocol/json_members.hpp"
#include "io/text/line_decoder.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parser.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace json = boost::json;

namespace fermata::io::protocol {

namespace {

constexpr std::size_t max_depth = 64;
constexpr std::size_t max_id = 1024;

fault unreadable(std::string_view line, const boost::system::error_code& ec, std::size_t at) {
  if (auto bad = find_invalid_utf8(line); bad != line.npos)
    return {fault_code::parse_error,
            fmt::format("invalid UTF-8 at byte {}", bad),
            "send UTF-8; escape other bytes as \\u00XX",
            {{"at", bad}}};
  if (ec == json::error::too_deep)
    return {fault_code::parse_error,
            fmt::format("nested deeper than {} levels", max_depth),
            "send less deeply nested values",
            {{"at", at}}};
  return {fault_code::parse_error,
          fmt::format("not JSON: {} at byte {}", ec ? ec.message() : "more after the value", at),
          "send one JSON object per line",
          {{"at", at}}};
}

constexpr std::string_view known_members[] = {"jsonrpc", "id", "method", "params", "unordered"};

std::optional<std::string_view> unknown_member(const json::object& members) {
  for (const auto& m : members)
    if (std::find(std::begin(known_members), std::end(known_members), std::string_view{m.key()}) ==
        std::end(known_members))
      return std::string_view{m.key()};
  return std::nullopt;
}

}  // namespace

envelope envelope_of_unreadable(std::string_view beginning, envelope otherwise) {
  return beginning.find("\"jsonrpc\"") == std::string_view::npos ? otherwise : envelope::json_rpc;
}

std::shared_ptr<incoming> incoming::read(std::string_view line, envelope otherwise) {
  std::shared_ptr<incoming> out{new incoming};
  json::parse_options options;
  options.max_depth = max_depth;
  unsigned char scratch[1024];
  json::parser parser{{}, options, scratch, sizeof scratch};
  parser.reset(&out->memory_);
  boost::system::error_code ec;
  auto used = parser.write_some(line.data(), line.size(), ec);
  const auto tail = line.find_first_not_of(" \t\r\n", std::min(used, line.size()));
  if (ec || tail != std::string_view::npos) {
    // Whoever sent this did not get as far as naming an id; both envelopes answer with null.
    request bad;
    bad.head = {envelope_of_unreadable(line, otherwise), "null", true};
    bad.bad = unreadable(line, ec, ec ? used : tail);
    out->requests_.push_back(std::move(bad));
    return out;
  }
  out->root_ = parser.release();
  auto* batch = out->root_.if_array();
  if (!batch) {
    out->take(out->root_, line, false, otherwise);
    return out;
  }
  if (batch->empty() || batch->size() > max_batch) {
    request bad;
    bad.head.id = "null";
    bad.bad = fault{fault_code::invalid_request,
                    batch->empty() ? std::string{"an empty batch"}
                                   : fmt::format("a batch of {} requests", batch->size()),
                    fmt::format("send 1 to {} requests per batch", max_batch)};
    out->requests_.push_back(std::move(bad));
    return out;
  }
  out->batch_ = true;
  out->requests_.reserve(batch->size());
  const auto texts = items_in(line);
  for (std::size_t i = 0; i < batch->size(); ++i)
    out->take((*batch)[i], texts.at(i), true, envelope::json_rpc);
  return out;
}

void incoming::take(json::value& v, std::string_view text, bool in_batch, envelope otherwise) {
  auto& r = requests_.emplace_back();
  auto refuse = [&](std::string words, std::string_view hint) {
    if (!r.bad) r.bad = fault{fault_code::invalid_request, std::move(words), hint};
  };
  // Not recognizable as a notification, so it is answered (JSON-RPC 2.0, section 5).
  auto answer_anyway = [&] {
    if (r.head.style == envelope::json_rpc && r.head.id.empty()) r.head.id = "null";
    r.head.wanted = true;
  };
  auto* members = v.if_object();
  if (!members) {
    r.head.id = "null";
    r.head.style = otherwise;
    refuse("a request must be an object", R"(send {"id":1,"method":"system.ping"})");
    return;
  }
  const auto* version = members->if_contains("jsonrpc");
  r.head.style = version || in_batch ? envelope::json_rpc : envelope::short_form;
  if ((version || in_batch) &&
      (!version || !version->is_string() || version->get_string() != "2.0"))
    refuse("`jsonrpc` must be \"2.0\"",
           R"(write "jsonrpc":"2.0", or leave it out outside batches)");
  if (const auto* id = members->if_contains("id")) {
    const auto written = member_in(text, "id").value_or(std::string_view{});
    if (is_doubled(text, "id")) {
      r.head.id = "null";
      refuse("`id` appears twice", "give each request one id");
    } else if (written.size() > max_id) {
      r.head.id = "null";
      refuse(fmt::format("`id` has {} bytes; the limit is {}", written.size(), max_id),
             "number the requests 1, 2, 3, or use short strings");
    } else if (id->is_double() && !std::isfinite(id->get_double())) {
      // Beyond what a number of 64 bits holds: it could not be repeated as JSON.
      r.head.id = "null";
      refuse("`id` is too large", "number the requests 1, 2, 3, or use strings");
    } else if (id->is_string() || id->is_number() || id->is_null()) {
      // A number as it is written: its value may not have survived.
      r.head.id = id->is_number() ? std::string{written} : json::serialize(*id);
    } else {
      r.head.id = "null";
      refuse("`id` must be a string, a number or null", "use a plain id");
    }
  } else if (r.head.style == envelope::json_rpc) {
    r.head.wanted = false;
  }
  const auto* method = members->if_contains("method");
  if (method && method->is_string()) {
    r.method = method->get_string();
  } else {
    answer_anyway();
    refuse(method ? "`method` must be a string" : "`method` is missing",
           "rpc.discover lists the methods");
  }
  if (const auto* u = members->if_contains("unordered")) {
    r.unordered = u->is_bool() && u->get_bool();
    if (!u->is_bool())
      refuse("`unordered` must be true or false", "leave it out to be answered in order");
  }
  if (auto unknown = unknown_member(*members)) {
    if (!r.bad) answer_anyway();  // it may be a mistyped `id`
    auto near = nearest(*unknown, {std::begin(known_members), std::end(known_members)});
    refuse(fmt::format("unknown member `{}` next to `method`", clipped(*unknown, 60)),
           near ? fmt::format("did you mean `{}`?", *near)
                : std::string{"put the method's parameters in `params`"});
  }
  if (auto twice = doubled_member(text)) {
    if (!r.bad) answer_anyway();
    refuse(fmt::format("`{}` appears twice in one object", clipped(*twice, 60)),
           "remove one of them");
  }
  if (auto* params = members->if_contains("params"); params && !params->is_null()) {
    if (!params->is_structured())
      refuse("`params` must be an object", "give parameters by name");
    else
      r.params = std::move(*params);
  }
  if (!r.params.is_structured()) r.params = json::object{&memory_};
}

json::object fault_json(envelope style, const fault& why) {
  json::object out;
  const auto& row = info(why.code);
  if (style == envelope::json_rpc)
    out["code"] = row.number;
  else
    out["code"] = row.name;
  out["message"] = why.message;
  if (!why.data.empty() || style == envelope::json_rpc) {
    out["data"] = why.data;
    // Numbers alone are hard to read in a log.
    if (style == envelope::json_rpc) out["data"].get_object()["name"] = row.name;
  }
  return out;
}

namespace {

std::string wrapped(const reply_head& head, std::string_view member, const std::string& body) {
  std::string out;
  out.reserve(body.size() + head.id.size() + 40);
  out += head.style == envelope::json_rpc ? R"({"jsonrpc":"2.0")" : "{";
  if (!head.id.empty()) {
    out += head.style == envelope::json_rpc ? R"(,"id":)" : R"("id":)";
    out += head.id;
  }
  if (out.size() > 1) out += ',';
  out += '"';
  out += member;
  out += "\":";
  out += body;
  out += '}';
  return out;
}

}  // namespace

std::string reply_line(const reply_head& head, const json::object& result) {
  if (!head.wanted) return {};
  auto out = wrapped(head, "result", json::serialize(result));
  if (out.size() <= max_line) return out;
  return fault_line(head, {fault_code::out_of_range,
                           fmt::format("the result has {} bytes; a line may have at most {}",
                                       out.size(), max_line),
                           "ask for less: a range, a smaller `limit`, or page with `cursor`",
                           {{"max", max_line}, {"got", out.size()}}});
}

std::string fault_line(const reply_head& head, const fault& why) {
  if (!head.wanted) return {};
  auto out = wrapped(head, "error", json::serialize(fault_json(head.style, why)));
  if (out.size() <= max_line) return out;
  // Its words quote what the client sent.
  constexpr std::size_t beginning = 2'000;
  const auto* hint = why.data.if_contains("hint");
  return wrapped(head, "error",
                 json::serialize(fault_json(
                     head.style, {why.code,
                                  std::string{clipped(why.message, beginning)},
                                  hint && hint->is_string() ? clipped(hint->get_string(), beginning)
                                                            : std::string_view{},
                                  {{"truncated", true}}})));
}

std::string no_room_line(const reply_head& head, std::size_t bytes) {
  return fault_line(
      head,
      {fault_code::out_of_range,
       fmt::format("the reply has {} bytes; together with the others, the batch would exceed {}",
                   bytes, max_line),
       "ask for less, or use several batches; for a write, first check whether it took effect",
       {{"max", max_line}, {"got", bytes}}});
}

std::string notification_line(envelope style, std::string_view method, const json::object& params) {
  return fmt::format(R"({{{}"method":"{}","params":{}}})",
                     style == envelope::json_rpc ? R"("jsonrpc":"2.0",)" : "", method,
                     json::serialize(params));
}

std::string batch_line(const std::vector<std::string>& replies) {
  std::string out;
  for (const auto& reply : replies)
    if (!reply.empty()) {
      out += out.empty() ? '[' : ',';
      out += reply;
    }
  if (!out.empty()) out += ']';
  return out;
}

}  // namespace fermata::io::protocol
