#include "io/json/entry_json.hpp"

#include "core/session/touches.hpp"
#include "io/json/time_json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

namespace fermata::io {

namespace json = boost::json;

namespace {

void add_text(json::object& to, std::string_view name, const std::string& text) {
  if (!text.empty()) to[name] = text;
}

void add_change(json::object& to, const score_delta& delta, std::uint64_t before,
                std::uint64_t after) {
  if (!delta.empty()) to["delta"] = to_json(delta);
  if (after != before) to["revision_before"] = before;
  to["revision"] = after;
}

struct add_kind {
  json::object& to;

  void operator()(const eval_entry& x) const {
    to["text"] = x.text;
    add_text(to, "output", x.output_text);
    if (x.failure) to["error"] = to_json(*x.failure);
    if (x.proposal) to["proposal"] = *x.proposal;
    add_change(to, x.delta, x.revision_before, x.revision_after);
  }
  void operator()(const command_entry& x) const {
    to["text"] = x.text;
    add_text(to, "output", x.output);
    to["ok"] = x.ok;
    if (!x.delta.empty()) add_change(to, x.delta, x.revision_before, x.revision_after);
  }
  void operator()(const ai_message_entry& x) const { to["content"] = x.content; }
  void operator()(const user_message_entry& x) const { to["content"] = x.content; }
  void operator()(const system_entry& x) const {
    to["event"] = x.event;
    to["text"] = x.text;
  }
};

}  // namespace

json::object to_json(const score_delta& d) {
  json::array parts;
  for (auto& stretch : touched(d))
    parts.push_back(json::object{{"id", stretch.part_id},
                                 {"name", stretch.part_name},
                                 {"measures", {stretch.first, stretch.last}}});
  return {{"summary", to_string(summarize(d))}, {"parts", std::move(parts)}};
}

json::object to_json(const error& e) {
  json::object to;
  if (e.diagnostics.empty()) return to;
  auto one = [](const diagnostic& d) {
    json::object o{{"code", info(d.code).name}, {"message", d.message}};
    add_text(o, "hint", d.hint);
    if (d.span) o["span"] = {d.span->begin, d.span->end};
    return o;
  };
  to = one(e.first());
  if (e.diagnostics.size() > 1) {
    json::array more;
    for (std::size_t i = 1; i < e.diagnostics.size(); ++i)
      more.push_back(one(e.diagnostics[i]));
    to["more"] = std::move(more);
  }
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
  auto wrong = fail({errc::wrong_type, "the stored error has no code that is known"});
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

json::object to_json(const history_entry& e) {
  json::object to{{"index", e.index},
                  {"time", time_text(e.time)},
                  {"kind", kind_name(e.kind)},
                  {"author", e.source.author},
                  {"door", e.source.door}};
  std::visit(add_kind{to}, e.kind);
  return to;
}

std::string to_json_line(const history_entry& e) { return json::serialize(to_json(e)); }

}  // namespace fermata::io
