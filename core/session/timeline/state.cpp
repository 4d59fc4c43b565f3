#include "core/session/timeline/state.hpp"

#include <algorithm>
#include <array>

namespace fermata {

namespace {

struct policy_name {
  remote_policy policy;
  std::string_view name;
};
constexpr std::array policy_names{
    policy_name{remote_policy::ask, "ask"}, policy_name{remote_policy::preview, "preview"},
    policy_name{remote_policy::allow, "allow"}, policy_name{remote_policy::deny, "deny"}};

}  // namespace

std::string_view to_string(remote_policy p) {
  return policy_names[static_cast<std::size_t>(p)].name;
}

std::optional<remote_policy> parse_remote_policy(std::string_view text) {
  if (text == "off") return remote_policy::deny;
  for (auto& row : policy_names)
    if (row.name == text) return row.policy;
  return std::nullopt;
}

session_state empty_session(session_meta meta) {
  session_state s;
  s.meta = std::move(meta);
  s.score = empty_score();
  s.env = std::make_shared<const environment>();
  return s;
}

remote_policy policy_for(const session_state& s, std::string_view client) {
  auto own = s.client_policies.find(client);
  return own == s.client_policies.end() ? s.policy : own->second;
}

std::size_t text_bytes(const kept_answer& a) {
  return a.author.size() + a.key.size() + a.output_text.size() + a.delta_summary.size() +
         a.text.size() + a.method.size();
}

commit_rule commit_rule_of(const session_state& s) {
  auto own = s.settings.find("commit");
  auto rule = own == s.settings.end() ? std::nullopt : parse_commit_rule(own->second);
  return rule.value_or(s.commit_by_default);
}

const proposal* find_proposal(const session_state& s, std::int64_t number) {
  auto it = std::find_if(s.proposals.begin(), s.proposals.end(),
                         [number](const proposal& p) { return p.number == number; });
  return it == s.proposals.end() ? nullptr : &*it;
}

const branch* find_branch(const session_state& s, std::string_view name) {
  auto it = std::find_if(s.branches.begin(), s.branches.end(),
                         [name](const branch& b) { return b.name == name; });
  return it == s.branches.end() ? nullptr : &*it;
}

}  // namespace fermata
