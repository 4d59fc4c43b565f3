#include "io/store/checkpoint.hpp"

#include "core/score/model/content_hash.hpp"
#include "io/json/checksum.hpp"
#include "io/json/environment_json.hpp"
#include "io/json/object_reader.hpp"
#include "io/json/proposal_json.hpp"
#include "io/store/score_file.hpp"
#include "io/store/text_file.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

namespace fermata::io {

namespace json = boost::json;

namespace {

constexpr int checkpoint_version = 1;
constexpr std::string_view checkpoint_format = "fermata-checkpoint";
constexpr std::string_view environment_format = "fermata-environment";

std::string hash_text(const score& s) { return fmt::format("{:016x}", content_hash(s)); }

json::object head(std::string_view format, journal_place place) {
  return {{"format", format},
          {"version", checkpoint_version},
          {"lines", place.lines},
          {"offset", place.offset}};
}

json::array write_steps(const undo_steps& steps) {
  json::array a;
  for (std::size_t i = 0; i < steps.size(); ++i)
    a.push_back(steps[i]);
  return a;
}

undo_steps steps_of(const std::vector<std::int64_t>& entries) {
  undo_steps steps;
  for (auto e : entries)
    steps.push_back(e);
  return steps;
}

using client_policies = decltype(session_state::client_policies);

json::object write_policies(const client_policies& policies) {
  json::object o;
  for (auto& [client, policy] : policies)
    o[client] = json::string{to_string(policy)};
  return o;
}

/// What cannot be read bars: it may have been a bar.
client_policies read_policies(object_reader& r, std::string_view name) {
  client_policies policies;
  if (auto written = r.inner(name))
    for (auto& pair : *written)
      if (pair.value().is_string())
        policies.insert_or_assign(std::string{pair.key()},
                                  parse_remote_policy(std::string_view{pair.value().get_string()})
                                      .value_or(remote_policy::deny));
  return policies;
}

json::object write_env_change(const environment& from, const environment& to) {
  return write_change(difference(from, to));
}

/// A branch beside the current one, as what has to be done to that one: most of the two is the
/// same.
json::object write_branch(const session_state& s, const branch& b) {
  json::object o{{"name", b.name},
                 {"parent", b.parent},
                 {"from", b.from},
                 {"made_by", b.made_by},
                 {"made", time_text(b.made)}};
  o["base"] = write_json(diff_snapshots(s.score, b.base));
  if (b.name == s.branch) return o;
  o["change"] = write_json(diff_snapshots(s.score, b.score));
  o["env"] = write_env_change(*s.env, *b.env);
  o["undo"] = write_steps(b.undo);
  o["redo"] = write_steps(b.redo);
  return o;
}

result<branch> read_branch(const session_state& s, std::string_view current,
                           const json::object& o) {
  object_reader r{o};
  branch b;
  b.name = r.need<std::string>("name");
  b.parent = r.need<std::string>("parent");
  b.from = r.need<std::int64_t>("from");
  b.made_by = r.need<std::int64_t>("made_by");
  b.made = r.time("made");
  auto base = applied(r.need<score_delta>("base"), s.score);
  if (!base) return fail(base.error());
  b.base = std::move(*base);
  if (r.good() && b.name != current) {
    auto head = applied(r.need<score_delta>("change"), s.score);
    if (!head) return fail(head.error());
    b.score = std::move(*head);
    auto inner = r.inner("env");
    auto env =
        inner ? read_change(*inner) : fail({errc::wrong_type, "its definitions are missing"});
    if (!env) return fail(env.error());
    b.env = applied(*env, s.env);
    b.undo = steps_of(r.need<std::vector<std::int64_t>>("undo"));
    b.redo = steps_of(r.need<std::vector<std::int64_t>>("redo"));
  }
  if (!r.good()) return fail(r.fault());
  return b;
}

json::object write_merge(const session_state& s, const branch_merge& m) {
  json::object o{
      {"entry", m.entry}, {"into", m.into}, {"from", m.from}, {"taken_back", m.taken_back}};
  o["head"] = write_json(diff_snapshots(s.score, m.head));
  if (m.common != m.head) o["common"] = write_json(diff_snapshots(s.score, m.common));
  return o;
}

result<branch_merge> read_merge(const session_state& s, const json::object& o) {
  object_reader r{o};
  branch_merge m;
  m.entry = r.need<std::int64_t>("entry");
  m.into = r.need<std::string>("into");
  m.from = r.need<std::string>("from");
  m.taken_back = r.need<bool>("taken_back");
  auto head = applied(r.need<score_delta>("head"), s.score);
  if (!head) return fail(head.error());
  m.head = m.common = *head;
  if (o.contains("common")) {
    auto common = applied(r.need<score_delta>("common"), s.score);
    if (!common) return fail(common.error());
    m.common = *common;
  }
  if (!r.good()) return fail(r.fault());
  return m;
}

error damaged(const std::filesystem::path& path, std::string_view what) {
  return {errc::wrong_type, path.filename().string() + ": " + std::string{what}};
}

result<json::object> read_object(const std::filesystem::path& path, std::string_view format) {
  auto text = read_file(path);
  if (!text) return fail(text.error());
  if (text->ends_with('\n')) text->pop_back();
  if (!checksum_is_right(*text)) return fail(damaged(path, "checksum mismatch"));
  json::error_code failed;
  json::parse_options limits;
  limits.max_depth = 5'000;
  auto v = json::parse({text->data(), text->size()}, failed, {}, limits);
  if (failed || !v.is_object()) return fail(damaged(path, "it is not a JSON object"));
  object_reader r{v.get_object()};
  if (r.or_else<std::string>("format") != format)
    return fail(damaged(path, "it does not say that it is a " + std::string{format}));
  if (r.or_else<int>("version") > checkpoint_version)
    return fail(damaged(path, "it was written by a newer version of Fermata"));
  return std::move(v.get_object());
}

journal_place place_of(object_reader& r) {
  return {r.need<std::uint64_t>("lines"), r.need<std::uint64_t>("offset")};
}

template <class T, class F>
std::vector<T> read_list(object_reader& r, const json::object& o, std::string_view name, F read) {
  std::vector<T> all;
  auto member = o.if_contains(name);
  if (!member || !member->is_array()) return r.wrong(name, "no array"), all;
  for (auto& v : member->get_array()) {
    auto one = v.is_object() ? read(v.get_object()) : fail({errc::wrong_type, "no object"});
    if (!one) return r.wrong(name, one.error().first().message), all;
    all.push_back(std::move(*one));
  }
  return all;
}

}  // namespace

std::string score_text_hash(std::string_view text) {
  // FNV-1a, 64 bits.
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

checkpoint_files make_checkpoint(const session_state& s, journal_place place) {
  checkpoint_files files{place, s.branch, text_of_score(*s.score), {}, {}};

  auto env = head(environment_format, place);
  env["environment"] = write_environment(*s.env);
  files.environment = with_checksum(json::serialize(env)) + '\n';

  auto rest = head(checkpoint_format, place);
  rest["entries"] = s.history.size();
  rest["revision"] = s.revision;
  rest["score_hash"] = hash_text(*s.score);
  rest["score_text"] = score_text_hash(files.score);
  if (!is_exact(files.score, *s.score)) rest["score"] = write_json(*s.score);
  rest["undo"] = write_steps(s.undo);
  rest["redo"] = write_steps(s.redo);
  json::array queue, proposals;
  for (auto& m : s.queue)
    queue.push_back(write_message(m));
  for (auto& p : s.proposals)
    proposals.push_back(write_proposal(p));
  if (!s.branches.empty()) {
    json::array branches, moves;
    for (auto& b : s.branches)
      branches.push_back(write_branch(s, b));
    for (auto& m : s.branch_moves)
      moves.push_back(json::object{{"entry", m.entry}, {"to", m.to}});
    rest["branch"] = s.branch;
    rest["branches"] = std::move(branches);
    rest["branch_moves"] = std::move(moves);
    json::array merges;
    for (auto& m : s.merges)
      merges.push_back(write_merge(s, m));
    if (!merges.empty()) rest["merges"] = std::move(merges);
  }
  if (!s.answers.empty()) {
    json::array answers;
    for (auto& a : s.answers)
      answers.push_back(write_answer(a));
    rest["answers"] = std::move(answers);
  }
  rest["queue"] = std::move(queue);
  rest["next_ticket"] = s.next_ticket;
  rest["proposals"] = std::move(proposals);
  rest["next_proposal"] = s.next_proposal;
  rest["policy"] = json::string{to_string(s.policy)};
  json::object settings;
  for (auto& [name, value] : s.settings)
    settings[name] = value;
  rest["client_policies"] = write_policies(s.client_policies);
  if (!s.policies_before_off.empty())
    rest["policies_before_off"] = write_policies(s.policies_before_off);
  rest["settings"] = std::move(settings);
  files.rest = with_checksum(json::serialize(rest)) + '\n';
  return files;
}

result<void> write_checkpoint(const std::filesystem::path& folder, const checkpoint_files& files) {
  auto done = replace_text(folder / score_name, files.score);
  if (done) done = replace_text(folder / "env.json", files.environment);
  if (done) done = replace_text(folder / "checkpoint.json", files.rest);
  return done;
}

namespace {

/// Branches and merges; earlier versions had none.
void read_branches(object_reader& r, const json::object& rest, session_state& s) {
  if (!rest.contains("branches")) return;
  s.branches =
      read_list<branch>(r, rest, "branches", [&](auto& o) { return read_branch(s, s.branch, o); });
  s.branch_moves = read_list<branch_move>(
      r, rest, "branch_moves", [](const json::object& o) -> result<branch_move> {
        object_reader m{o};
        branch_move move{m.need<std::int64_t>("entry"), m.need<std::string>("to")};
        if (!m.good()) return fail(m.fault());
        return move;
      });
  if (rest.contains("merges"))
    s.merges =
        read_list<branch_merge>(r, rest, "merges", [&](auto& o) { return read_merge(s, o); });
}

/// What a checkpoint has besides score and environment.
void read_session(object_reader& r, const json::object& rest, checkpoint& c) {
  auto& s = c.state;
  c.entries = r.need<std::int64_t>("entries");
  s.revision = r.need<std::uint64_t>("revision");
  s.undo = steps_of(r.need<std::vector<std::int64_t>>("undo"));
  s.redo = steps_of(r.need<std::vector<std::int64_t>>("redo"));
  read_branches(r, rest, s);
  if (rest.contains("answers"))
    s.answers = persistent_list{read_list<kept_answer>(r, rest, "answers", read_answer)};
  s.queue = persistent_list{read_list<queued_message>(r, rest, "queue", read_message)};
  s.next_ticket = r.need<std::int64_t>("next_ticket");
  s.proposals = persistent_list{read_list<proposal>(r, rest, "proposals", read_proposal)};
  s.next_proposal = r.need<std::int64_t>("next_proposal");
  auto policy = parse_remote_policy(r.need<std::string>("policy"));
  s.policy = policy.value_or(remote_policy::deny);
  s.client_policies = read_policies(r, "client_policies");
  s.policies_before_off = read_policies(r, "policies_before_off");
  if (auto settings = r.inner("settings"))
    for (auto& pair : *settings)
      if (pair.value().is_string())
        s.settings.insert_or_assign(std::string{pair.key()},
                                    std::string{pair.value().get_string()});
}

}  // namespace

result<std::optional<checkpoint>> read_checkpoint(const std::filesystem::path& folder) {
  auto path = folder / "checkpoint.json";
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return std::optional<checkpoint>{};
  auto rest = read_object(path, checkpoint_format);
  if (!rest) return fail(rest.error());
  object_reader r{*rest};
  checkpoint c;
  c.place = place_of(r);
  auto& s = c.state;

  auto env = read_object(folder / "env.json", environment_format);
  if (!env) return fail(env.error());
  object_reader env_reader{*env};
  auto inner = env_reader.inner("environment");
  auto env_place = place_of(env_reader);
  if (!env_reader.good() || !inner)
    return fail(damaged(folder / "env.json", "it does not say what it holds"));
  // The writing of the next checkpoint was interrupted: what came of it is no harm.
  if (env_place != c.place) return c;
  auto environment = read_environment(*inner);
  if (!environment) return fail(environment.error());
  s.env = std::make_shared<const fermata::environment>(std::move(*environment));

  // Both also of a checkpoint whose score cannot be used any more: an edit belongs to the branch.
  if (rest->contains("branches")) s.branch = r.need<std::string>("branch");
  c.score_text = r.or_else<std::string>("score_text");
  auto text = read_file(folder / "score.ferm");
  c.score_text_differs = text && !c.score_text.empty() && score_text_hash(*text) != c.score_text;
  if (rest->contains("score")) {
    s.score = std::make_shared<const score>(r.need<score>("score"));
  } else if (!text) {
    return fail(text.error());
  } else if (c.score_text_differs) {
    return c;
  } else {
    auto from_text = score_of_text(std::move(*text));
    if (!from_text) return fail(from_text.error());
    s.score = std::move(*from_text);
  }
  if (hash_text(*s.score) != r.need<std::string>("score_hash"))
    return fail(damaged(folder / "score.ferm", "it is not the saved score"));

  read_session(r, *rest, c);
  // Earlier versions kept `:scratch` with the environment.
  if (auto scratch = inner->if_contains("scratch"); scratch && *scratch == json::value(true))
    s.settings.emplace("commit", "nothing");
  if (!r.good()) return fail(damaged(path, r.fault().first().message));
  return c;
}

}  // namespace fermata::io
