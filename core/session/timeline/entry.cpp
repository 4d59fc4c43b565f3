#include "core/session/timeline/entry.hpp"

namespace fermata {

namespace {

struct kind_namer {
  std::string_view operator()(const eval_entry&) const { return "eval"; }
  std::string_view operator()(const command_entry&) const { return "command"; }
  std::string_view operator()(const ai_message_entry&) const { return "ai"; }
  std::string_view operator()(const user_message_entry&) const { return "user"; }
  std::string_view operator()(const system_entry&) const { return "system"; }
};

}  // namespace

std::string_view kind_name(const entry_kind& k) { return std::visit(kind_namer{}, k); }

const std::vector<std::string_view>& kind_names() {
  static const std::vector<std::string_view> names{
      kind_namer{}(eval_entry{}), kind_namer{}(command_entry{}), kind_namer{}(ai_message_entry{}),
      kind_namer{}(user_message_entry{}), kind_namer{}(system_entry{})};
  return names;
}

const score_delta* delta_of(const history_entry& e) {
  if (auto x = std::get_if<eval_entry>(&e.kind)) return &x->delta;
  if (auto x = std::get_if<command_entry>(&e.kind)) return &x->delta;
  return nullptr;
}

const environment_delta* env_change_of(const history_entry& e) {
  if (auto x = std::get_if<eval_entry>(&e.kind)) return &x->env_change;
  if (auto x = std::get_if<command_entry>(&e.kind)) return &x->env_change;
  return nullptr;
}

std::optional<std::uint64_t> revision_after(const history_entry& e) {
  if (auto x = std::get_if<eval_entry>(&e.kind)) return x->revision_after;
  if (auto x = std::get_if<command_entry>(&e.kind)) return x->revision_after;
  return std::nullopt;
}

bool is_failure(const history_entry& e) {
  if (auto x = std::get_if<eval_entry>(&e.kind)) return x->failure.has_value();
  if (auto x = std::get_if<command_entry>(&e.kind)) return !x->ok;
  return false;
}

}  // namespace fermata
