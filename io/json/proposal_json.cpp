#include "io/json/proposal_json.hpp"

#include "io/json/environment_json.hpp"
#include "io/json/object_reader.hpp"

#include <array>

namespace fermata::io {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 3> state_names{"open", "accepted", "rejected"};

void write_source(json::object& o, const entry_source& s) {
  o["author"] = s.author;
  o["door"] = s.channel;
}

entry_source read_source(object_reader& r) {
  return {r.need<std::string>("author"), r.need<std::string>("door")};
}

}  // namespace

json::object write_message(const queued_message& m) {
  json::object o{{"ticket", m.ticket}, {"arrived", time_text(m.arrived)}};
  write_source(o, m.source);
  o["content"] = m.content;
  return o;
}

result<queued_message> read_message(const json::object& o) {
  object_reader r{o};
  queued_message m{r.need<std::int64_t>("ticket"), r.time("arrived"), read_source(r),
                   r.need<std::string>("content")};
  if (!r.good()) return fail(r.fault());
  return m;
}

json::object write_proposal(const proposal& p) {
  json::object o{{"number", p.number}, {"made", time_text(p.made)}};
  write_source(o, p.source);
  o["text"] = p.text;
  o["output"] = p.output_text;
  o["seen_revision"] = p.seen_revision;
  o["base_revision"] = p.base_revision;
  o["change"] = write_json(p.delta);
  o["env"] = write_change(p.env_change);
  o["state"] = json::string{state_names[static_cast<std::size_t>(p.state)]};
  o["reason"] = p.reason;
  o["announced"] = p.announced;
  return o;
}

result<proposal> read_proposal(const json::object& o) {
  object_reader r{o};
  proposal p;
  p.number = r.need<std::int64_t>("number");
  p.made = r.time("made");
  p.source = read_source(r);
  p.text = r.need<std::string>("text");
  p.output_text = r.need<std::string>("output");
  p.seen_revision = r.need<std::uint64_t>("seen_revision");
  p.base_revision = r.need<std::uint64_t>("base_revision");
  p.delta = r.need<score_delta>("change");
  p.reason = r.need<std::string>("reason");
  p.announced = r.need<bool>("announced");
  auto state = r.need<std::string>("state");
  for (std::size_t i = 0; i < state_names.size(); ++i)
    if (state_names[i] == state) p.state = static_cast<proposal::state_t>(i);
  auto change = r.inner("env");
  if (!r.good()) return fail(r.fault());
  if (change) {
    auto read = read_change(*change);
    if (!read) return fail(read.error());
    p.env_change = std::move(*read);
  }
  return p;
}

json::object write_answer(const kept_answer& a) {
  json::object o{{"author", a.author},         {"key", a.key},           {"output", a.output_text},
                 {"summary", a.delta_summary}, {"revision", a.revision}, {"changed", a.changed}};
  if (a.proposal) o["proposal"] = *a.proposal;
  if (a.entry) o["entry"] = *a.entry;
  if (!a.text.empty()) o["text"] = a.text;
  if (!a.method.empty()) o["method"] = a.method;
  if (a.expected_revision) o["expect_rev"] = *a.expected_revision;
  if (a.ticket) {
    o["ticket"] = *a.ticket;
    o["waiting"] = a.waiting;
  }
  return o;
}

result<kept_answer> read_answer(const json::object& o) {
  object_reader r{o};
  kept_answer a;
  a.author = r.need<std::string>("author");
  a.key = r.need<std::string>("key");
  a.output_text = r.or_else<std::string>("output");
  a.delta_summary = r.or_else<std::string>("summary");
  a.revision = r.or_else<std::uint64_t>("revision");
  a.changed = r.or_else<bool>("changed");
  a.text = r.or_else<std::string>("text");
  a.proposal = r.maybe<std::int64_t>("proposal");
  a.entry = r.maybe<std::int64_t>("entry");
  a.method = r.or_else<std::string>("method");
  a.expected_revision = r.maybe<std::uint64_t>("expect_rev");
  a.ticket = r.maybe<std::int64_t>("ticket");
  a.waiting = r.or_else<std::uint64_t>("waiting");
  if (!r.good()) return fail(r.fault());
  return a;
}

}  // namespace fermata::io
