#include "io/json/entry_json.hpp"

#include "core/session/timeline/affected_ranges.hpp"
#include "io/json/time_json.hpp"
#include "io/text/line_decoder.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

namespace fermata::io {

namespace json = boost::json;

namespace {

struct add_kind {
  json::object& to;
  const entry_view& view;

  void operator()(const eval_entry& x) const {
    words("text", x.text);
    if (!x.output_text.empty()) words("output", x.output_text);
    if (!x.remarks.empty()) to["remarks"] = json::array(x.remarks.begin(), x.remarks.end());
    to["ok"] = !x.failure;
    if (x.failure) to["error"] = to_json(*x.failure, x.text, view);
    if (x.proposal) to["proposal"] = *x.proposal;
    change(x.delta, x.revision_before, x.revision_after);
  }
  void operator()(const command_entry& x) const {
    words("text", x.text);
    if (!x.output.empty()) words("output", x.output);
    to["ok"] = x.ok;
    if (!x.delta.empty()) change(x.delta, x.revision_before, x.revision_after);
  }
  void operator()(const ai_message_entry& x) const { words("text", x.content); }
  void operator()(const user_message_entry& x) const { words("text", x.content); }
  void operator()(const system_entry& x) const {
    to["event"] = x.event;
    words("text", x.text);
  }

  void words(std::string_view name, std::string_view text) const {
    const auto part = protocol::clipped(text, view.text_limit);
    to[name] = part;
    if (part.size() < text.size()) to["truncated"] = true;
  }
  void change(const score_delta& delta, std::uint64_t before, std::uint64_t after) const {
    if (!delta.empty()) {
      to["delta"] = to_string(summarize(delta));
      json::array places;
      for (auto& stretch : touched(delta))
        places.push_back(
            json::object{{"id", stretch.part_id},
                         {"name", stretch.part_name},
                         {"measures", {stretch.first, stretch.last}},
                         {"numbers", json::array{stretch.first_number, stretch.last_number}}});
      if (!places.empty()) to["touched"] = std::move(places);
    }
    if (after != before) to["revision_before"] = before;
    to["revision"] = after;
  }
};

}  // namespace

json::object to_json(const error& e, std::string_view source, const entry_view& view) {
  json::object to;
  if (e.diagnostics.empty()) return to;
  auto one = [&](const diagnostic& d) {
    json::object o{{"code", info(d.code).name}, {"message", d.message}};
    if (!d.hint.empty()) o["hint"] = d.hint;
    if (d.span) {
      o["span"] = {d.span->begin, d.span->end};
      if (!source.empty()) {
        const auto at = locate(source, d.span->begin);
        o["line"] = at.line;
        o["column"] = at.column;
      }
    }
    return o;
  };
  to = one(e.first());
  if (e.diagnostics.size() > 1) {
    json::array more;
    for (std::size_t i = 1; i < e.diagnostics.size() && i < view.max_faults; ++i)
      more.push_back(one(e.diagnostics[i]));
    to["more"] = std::move(more);
  }
  if (view.carets) to["text"] = protocol::clipped(render(e, source), view.text_limit);
  return to;
}

result<error> parse_error(const json::object& o) {
  auto one = [](const json::object& from) -> std::optional<diagnostic> {
    auto text = [&](std::string_view name) {
      auto member = from.if_contains(name);
      return member && member->is_string() ? std::string{member->get_string()} : std::string{};
    };
    auto row = find_error(text("code"));
    if (!row) return std::nullopt;
    diagnostic d{row->code, text("message"), std::nullopt, text("hint")};
    auto is_place = [](const json::value& v) {
      return v.is_uint64() || (v.is_int64() && v.get_int64() >= 0);
    };
    if (auto span = from.if_contains("span");
        span && span->is_array() && span->get_array().size() == 2 &&
        is_place(span->get_array()[0]) && is_place(span->get_array()[1]))
      d.span = source_span{span->get_array()[0].to_number<std::size_t>(),
                           span->get_array()[1].to_number<std::size_t>()};
    return d;
  };
  auto wrong = fail({errc::wrong_type, "the stored error has an unknown code"});
  auto first = one(o);
  if (!first) return wrong;
  error e{std::move(*first)};
  if (auto more = o.if_contains("more"); more && more->is_array())
    for (auto& v : more->get_array()) {
      auto next = v.is_object() ? one(v.get_object()) : std::nullopt;
      if (!next) return wrong;
      e.diagnostics.push_back(std::move(*next));
    }
  return e;
}

json::object to_json(const history_entry& e, const entry_view& view) {
  json::object to{{"index", e.index},
                  {"time", time_text(e.time)},
                  {"kind", kind_name(e.kind)},
                  {"author", e.source.author},
                  {"door", e.source.channel}};
  std::visit(add_kind{to, view}, e.kind);
  return to;
}

client_entry to_client_json(const history_entry& e) {
  client_entry out;
  out.row = to_json(e, client_view);
  out.bytes = json::serialize(out.row).size();
  if (out.bytes <= client_entry_limit) return out;
  auto cut = [](json::object& in, std::string_view name) {
    if (auto* v = in.if_contains(name); v && v->is_string())
      *v = protocol::clipped(std::string{v->get_string()}, client_view.text_limit);
  };
  out.row.erase("touched");
  cut(out.row, "delta");
  if (auto* whole = out.row.if_contains("error"); whole && whole->is_object()) {
    json::object beginning;
    for (std::string_view name : {"code", "message", "hint"})
      if (const auto* v = whole->get_object().if_contains(name)) beginning[name] = *v;
    cut(beginning, "message");
    cut(beginning, "hint");
    *whole = std::move(beginning);
  }
  out.row["truncated"] = true;
  out.bytes = json::serialize(out.row).size();
  return out;
}

std::string to_json_line(const history_entry& e) { return json::serialize(to_json(e)); }

}  // namespace fermata::io
