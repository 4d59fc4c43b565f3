#include "io/json/journal_json.hpp"

#include "core/lang/syntax/reader.hpp"
#include "core/session/timeline/decide.hpp"
#include "io/json/checksum.hpp"
#include "io/json/entry_json.hpp"
#include "io/json/environment_json.hpp"
#include "io/json/object_reader.hpp"
#include "io/json/proposal_json.hpp"
#include "io/json/value_json.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace fermata::io {

namespace json = boost::json;

namespace {

/// In place of a policy: what was said of this client holds no more.
constexpr std::string_view no_rule = "default";

// --- writing -------------------------------------------------------------------------------------

struct write_kind {
  json::object& to;

  void operator()(const eval_entry& x) const {
    if (x.output) {
      // Of music the printed form is the value; lists of it are no expressions.
      if (x.output->as_music() && print(*x.output) == x.output_text)
        to["value"] = "printed";
      else
        to["value"] = write_value(*x.output);
    }
    change(x.delta, x.env_change);
  }
  void operator()(const command_entry& x) const { change(x.delta, x.env_change); }
  void operator()(const ai_message_entry&) const {}
  void operator()(const user_message_entry&) const {}
  void operator()(const system_entry&) const {}

  void change(const score_delta& delta, const environment_delta& env) const {
    if (!delta.empty()) to["change"] = write_json(delta);
    if (!env.empty()) to["env"] = write_change(env);
  }
};

json::object named(std::string_view name) { return {{"event", name}}; }

struct write_event {
  json::object operator()(const entry_committed&) const { return {}; }
  json::object operator()(const message_queued& e) const {
    auto o = named("message-queued");
    o["message"] = write_message(e.message);
    return o;
  }
  json::object operator()(const message_shown& e) const {
    auto o = named("message-shown");
    o["ticket"] = e.ticket;
    return o;
  }
  json::object operator()(const proposal_made& e) const {
    auto o = named("proposal-made");
    o["proposal"] = write_proposal(e.made);
    return o;
  }
  json::object operator()(const proposal_announced& e) const {
    auto o = named("proposal-announced");
    o["number"] = e.number;
    return o;
  }
  json::object operator()(const proposal_resolved& e) const {
    auto o = named("proposal-resolved");
    o["number"] = e.number;
    o["accepted"] = e.accepted;
    o["reason"] = e.reason;
    return o;
  }
  json::object operator()(const undone& e) const {
    auto o = named("undone");
    o["entry"] = e.entry;
    return o;
  }
  json::object operator()(const redone& e) const {
    auto o = named("redone");
    o["entry"] = e.entry;
    return o;
  }
  json::object operator()(const policy_changed& e) const {
    auto o = named("policy-changed");
    o["client"] = e.client;
    o["policy"] = json::string{e.policy ? to_string(*e.policy) : no_rule};
    o["for_everybody"] = e.for_everybody;
    return o;
  }
  json::object operator()(const setting_changed& e) const {
    auto o = named("setting-changed");
    o["name"] = e.name;
    o["value"] = write_json(e.value);
    return o;
  }
  json::object operator()(const meta_changed& e) const {
    auto o = named("meta-changed");
    o["name"] = write_json(e.name);
    o["tags"] = write_json(e.tags);
    return o;
  }
  json::object operator()(const step_made&) const { return named("step-made"); }
  json::object operator()(const branch_made& e) const {
    auto o = named("branch-made");
    o["name"] = e.name;
    o["from"] = e.from;
    o["made"] = time_text(e.made);
    if (!e.delta.empty()) o["change"] = write_json(e.delta);
    if (!e.env_change.empty()) o["env"] = write_change(e.env_change);
    return o;
  }
  json::object operator()(const branch_switched& e) const {
    auto o = named("branch-switched");
    o["name"] = e.name;
    return o;
  }
  json::object operator()(const branch_merged& e) const {
    auto o = named("branch-merged");
    o["name"] = e.name;
    o["first"] = e.first;
    o["last"] = e.last;
    return o;
  }
  json::object operator()(const answer_given& e) const {
    auto o = named("answer-given");
    o["answer"] = write_answer(e.answer);
    return o;
  }
};

// --- reading events ------------------------------------------------------------------------------

result<journal_event> read_message_queued(object_reader& r) {
  auto inner = r.inner("message");
  auto m = inner ? read_message(*inner) : fail({errc::wrong_type, "the message is missing"});
  if (!m) return fail(m.error());
  return message_queued{std::move(*m)};
}

result<journal_event> read_message_shown(object_reader& r) {
  return message_shown{r.need<std::int64_t>("ticket")};
}

result<journal_event> read_proposal_made(object_reader& r) {
  auto inner = r.inner("proposal");
  auto p = inner ? read_proposal(*inner) : fail({errc::wrong_type, "the proposal is missing"});
  if (!p) return fail(p.error());
  return proposal_made{std::move(*p)};
}

result<journal_event> read_proposal_announced(object_reader& r) {
  return proposal_announced{r.need<std::int64_t>("number")};
}

result<journal_event> read_proposal_resolved(object_reader& r) {
  return proposal_resolved{r.need<std::int64_t>("number"), r.need<bool>("accepted"),
                           r.need<std::string>("reason")};
}

result<journal_event> read_undone(object_reader& r) {
  return undone{r.need<std::int64_t>("entry")};
}

result<journal_event> read_redone(object_reader& r) {
  return redone{r.need<std::int64_t>("entry")};
}

result<journal_event> read_policy_changed(object_reader& r) {
  auto word = r.need<std::string>("policy");
  auto policy = parse_remote_policy(word);
  if (!policy && word != no_rule) r.wrong("policy", "not a policy");
  return policy_changed{r.need<std::string>("client"), policy, r.need<bool>("for_everybody")};
}

result<journal_event> read_setting_changed(object_reader& r) {
  return setting_changed{r.need<std::string>("name"), r.need<std::optional<std::string>>("value")};
}

result<journal_event> read_meta_changed(object_reader& r) {
  return meta_changed{r.need<std::optional<std::string>>("name"),
                      r.need<std::optional<std::vector<std::string>>>("tags")};
}

result<journal_event> read_step_made(object_reader&) { return step_made{}; }

result<journal_event> read_branch_made(object_reader& r) {
  branch_made e;
  e.name = r.need<std::string>("name");
  e.from = r.need<std::int64_t>("from");
  e.made = r.time("made");
  e.delta = r.or_else<score_delta>("change");
  if (auto inner = r.inner("env")) {
    auto change = read_change(*inner);
    if (!change) return fail(change.error());
    e.env_change = std::move(*change);
  }
  return e;
}

result<journal_event> read_branch_switched(object_reader& r) {
  return branch_switched{r.need<std::string>("name")};
}

result<journal_event> read_branch_merged(object_reader& r) {
  return branch_merged{r.need<std::string>("name"), r.need<int>("first"), r.need<int>("last")};
}

result<journal_event> read_answer_given(object_reader& r) {
  auto inner = r.inner("answer");
  auto a = inner ? read_answer(*inner) : fail({errc::wrong_type, "the answer is missing"});
  if (!a) return fail(a.error());
  return answer_given{std::move(*a)};
}

/// One row per event that can stand in `also`.
struct event_row {
  std::string_view name;
  result<journal_event> (*read)(object_reader& r);
};

constexpr event_row event_rows[] = {
    {"message-queued", read_message_queued},
    {"message-shown", read_message_shown},
    {"proposal-made", read_proposal_made},
    {"proposal-announced", read_proposal_announced},
    {"proposal-resolved", read_proposal_resolved},
    {"undone", read_undone},
    {"redone", read_redone},
    {"policy-changed", read_policy_changed},
    {"setting-changed", read_setting_changed},
    {"meta-changed", read_meta_changed},
    {"step-made", read_step_made},
    {"branch-made", read_branch_made},
    {"branch-switched", read_branch_switched},
    {"branch-merged", read_branch_merged},
    {"answer-given", read_answer_given},
};

result<journal_event> read_event(const json::value& v) {
  if (!v.is_object()) return fail({errc::wrong_type, "an event is not an object"});
  object_reader r{v.get_object()};
  auto name = r.need<std::string>("event");
  for (auto& row : event_rows)
    if (row.name == name) {
      auto e = row.read(r);
      if (e && !r.good()) return fail(r.fault());
      return e;
    }
  return fail({errc::wrong_type, "unknown event `" + name + '`'});
}

// --- reading entries -----------------------------------------------------------------------------

struct read_entry_as {
  const json::object& o;
  object_reader r;
  bool missing = false;  ///< the line does not say all of what the entry changed

  result<entry_kind> kind(std::string_view name) {
    if (name == "eval") return eval();
    if (name == "command") return command();
    if (name == "ai") return entry_kind{ai_message_entry{words()}};
    if (name == "user") return entry_kind{user_message_entry{words()}};
    if (name == "system")
      return entry_kind{system_entry{r.need<std::string>("event"), r.need<std::string>("text")}};
    return fail({errc::wrong_type, "unknown entry kind `" + std::string{name} + '`'});
  }

  /// What was said; the first journals have it as `content`.
  std::string words() { return r.need<std::string>(o.contains("text") ? "text" : "content"); }

  result<entry_kind> eval() {
    eval_entry x;
    x.text = r.need<std::string>("text");
    x.output_text = r.or_else<std::string>("output");
    x.remarks = r.or_else<std::vector<std::string>>("remarks");
    x.proposal = r.maybe<std::int64_t>("proposal");
    if (auto failure = r.inner("error")) {
      auto e = parse_error(*failure);
      if (!e) return fail(e.error());
      x.failure = std::move(*e);
    }
    auto forms = read(x.text);
    if (forms.complete() && !forms.forms.empty()) x.input = forms.forms.back().datum;
    if (auto stored = o.if_contains("value")) {
      auto is_printed = stored->is_string() && stored->get_string() == "printed";
      auto v = is_printed ? value_of_text(x.output_text) : read_value(*stored);
      if (v) x.output = std::move(*v);
    }
    auto done = change(x);
    if (!done) return fail(done.error());
    return entry_kind{std::move(x)};
  }

  result<entry_kind> command() {
    command_entry x;
    x.text = r.need<std::string>("text");
    x.output = r.or_else<std::string>("output");
    x.ok = r.need<bool>("ok");
    auto done = change(x);
    if (!done) return fail(done.error());
    return entry_kind{std::move(x)};
  }

  template <class Entry>
  result<void> change(Entry& x) {
    x.revision_after = r.or_else<std::uint64_t>("revision");
    x.revision_before = r.or_else<std::uint64_t>("revision_before", x.revision_after);
    if (o.contains("change")) x.delta = r.need<score_delta>("change");
    if (auto stored = r.inner("env")) {
      if (auto env_change = read_change(*stored))
        x.env_change = std::move(*env_change);
      else
        missing = true;  // a value too large to be written down, for one
    }
    return {};
  }
};

struct found_entry {
  entry_ptr entry;
  bool missing = false;
};

result<found_entry> entry_from(const json::object& o) {
  auto entry = std::make_shared<history_entry>();
  read_entry_as read{o, object_reader{o}};
  entry->index = read.r.need<std::int64_t>("index");
  entry->time = read.r.time("time");
  entry->source = {read.r.need<std::string>("author"), read.r.need<std::string>("door")};
  auto kind = read.kind(read.r.need<std::string>("kind"));
  if (!kind) return fail(kind.error());
  if (!read.r.good()) return fail(read.r.fault());
  entry->kind = std::move(*kind);
  return found_entry{std::move(entry), read.missing};
}

/// An entry that changed the score, without the change itself: its expression is evaluated again.
result<entry_ptr> evaluated_again(const history_entry& stored, const session_state& before) {
  auto of_kind = std::get_if<eval_entry>(&stored.kind);
  if (!of_kind)
    return fail({errc::wrong_type,
                 "entry " + std::to_string(stored.index) + " does not say what it changed"});
  auto& eval = *of_kind;
  evaluation_request request;
  request.text = eval.text;
  request.env = before.env;
  request.score = before.score;
  request.next_index = stored.index;
  auto& timeline = before.history;
  request.history = [&](std::string_view session,
                        std::int64_t index) -> std::optional<history_value> {
    auto entry = session.empty() ? timeline.at(index) : nullptr;
    auto found = entry ? std::get_if<eval_entry>(&entry->kind) : nullptr;
    if (!found) return std::nullopt;
    return history_value{found->input, found->output};
  };
  // The entry does not say under which rule it was evaluated: that of the session, if it was the
  // user's own and nothing in config.toml said otherwise.
  for (auto rule : {commit_rule_of(before), commit_rule::notation, commit_rule::everything,
                    commit_rule::nothing}) {
    request.rule = rule;
    auto again = entry_of(evaluated(before, {eval.text, stored.source, eval.proposal},
                                    evaluate(request), stored.time));
    auto& now = std::get<eval_entry>(again->kind);
    if (now.failure.has_value() == eval.failure.has_value() &&
        now.revision_after == eval.revision_after)
      return again;
  }
  return fail({errc::wrong_type,
               "entry " + std::to_string(stored.index) + " no longer evaluates to the same value"});
}

/// Journals of earlier versions keep `:scratch` with the environment: [before, after].
std::optional<journal_event> scratch_setting(const json::object& transition) {
  auto env = transition.if_contains("env");
  auto change = env && env->is_object() ? env->get_object().if_contains("scratch") : nullptr;
  if (!change || !change->is_array() || change->get_array().size() != 2) return std::nullopt;
  auto& after = change->get_array()[1];
  if (!after.is_bool()) return std::nullopt;
  return setting_changed{"commit",
                         after.get_bool() ? std::optional<std::string>{"nothing"} : std::nullopt};
}

bool says_how_it_changed(const history_entry& e) {
  auto eval = std::get_if<eval_entry>(&e.kind);
  return !eval || eval->revision_after == eval->revision_before || !eval->delta.empty();
}

result<json::object> parse_line(std::string_view line) {
  if (!checksum_is_right(line)) return fail({errc::wrong_type, "checksum mismatch"});
  json::error_code failed;
  json::parse_options limits;
  limits.max_depth = 5'000;
  auto v = json::parse({line.data(), line.size()}, failed, {}, limits);
  if (failed || !v.is_object())
    return fail({errc::wrong_type, "the line is not a JSON object" +
                                       (failed ? ": " + failed.message() : std::string{})});
  return std::move(v.get_object());
}

}  // namespace

json::object write_transition(const transition& t) {
  json::object o;
  if (auto entry = entry_of(t)) {
    o = to_json(*entry);
    std::visit(write_kind{o}, entry->kind);
  }
  json::array also;
  for (auto& e : t.events)
    if (!std::holds_alternative<entry_committed>(e)) also.push_back(std::visit(write_event{}, e));
  if (!also.empty()) o["also"] = std::move(also);
  return o;
}

std::string transition_line(const transition& t) {
  return with_checksum(json::serialize(write_transition(t)));
}

bool is_sound_line(std::string_view line) { return parse_line(line).has_value(); }

result<transition> read_transition(std::string_view line, const session_state& before) {
  auto o = parse_line(line);
  if (!o) return fail(o.error());
  transition t;
  if (o->contains("index")) {
    auto found = entry_from(*o);
    if (!found) return fail(found.error());
    auto entry = result<entry_ptr>{found->entry};
    if (found->missing || !says_how_it_changed(*found->entry))
      entry = evaluated_again(*found->entry, before);
    if (!entry) return fail(entry.error());
    t.events.push_back(entry_committed{std::move(*entry)});
    if (auto setting = scratch_setting(*o)) t.events.push_back(std::move(*setting));
  }
  if (auto also = o->if_contains("also")) {
    if (!also->is_array()) return fail({errc::wrong_type, "\"also\" is not an array"});
    for (auto& v : also->get_array()) {
      auto e = read_event(v);
      if (!e) return fail(e.error());
      t.events.push_back(std::move(*e));
    }
  }
  if (t.events.empty()) return fail({errc::wrong_type, "the line is empty"});
  return t;
}

meta_changed names_in(std::string_view line) {
  meta_changed names;
  // In the text of an entry, the quotes would have a backslash before them.
  if (line.find("\"meta-changed\"") == line.npos) return names;
  auto o = parse_line(line);
  auto also = o ? o->if_contains("also") : nullptr;
  if (!also || !also->is_array()) return names;
  for (auto& v : also->get_array()) {
    auto e = read_event(v);
    auto changed = e ? std::get_if<meta_changed>(&*e) : nullptr;
    if (changed && changed->name) names.name = std::move(changed->name);
    if (changed && changed->tags) names.tags = std::move(changed->tags);
  }
  return names;
}

result<entry_ptr> read_entry(std::string_view line) {
  auto o = parse_line(line);
  if (!o) return fail(o.error());
  auto found = entry_from(*o);
  if (!found) return fail(found.error());
  return found->entry;
}

}  // namespace fermata::io
