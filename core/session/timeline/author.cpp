#include "core/session/timeline/author.hpp"

#include "core/music/name_match.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "core/session/timeline/state.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace fermata {

namespace {

constexpr std::string_view user_author = "user";
constexpr std::array<std::string_view, 3> client_channels{"ipc", "tcp", "mcp"};

bool is_client(const entry_source& source) {
  return std::find(client_channels.begin(), client_channels.end(), source.channel) !=
         client_channels.end();
}

void add_clients(const session_state& s, std::set<std::string>& names) {
  for (auto& [client, policy] : s.client_policies)
    names.insert(client);
  for (auto& [client, policy] : s.policies_before_off)
    names.insert(client);
  for (auto& p : s.proposals)
    names.insert(p.source.author);
  for (auto& message : s.queue)
    names.insert(message.source.author);
}

/// Entries on disk are not read for this.
template <class Add>
void each_source_in_memory(const session_state& s, Add add) {
  auto& h = s.history;
  for (auto i = h.size() - h.resident() + 1; i <= h.size(); ++i)
    add(h.at(i)->source);
}

}  // namespace

bool is_user(const entry_source& source) {
  return source.channel == "terminal" || source.channel == "script" || source.channel == "system";
}

bool is_by(const entry_source& source, std::string_view name) {
  return same_name(source.author, name) || same_name(to_text(source), name) ||
         (source.author == user_author && same_name("you", name));
}

std::string client_named(std::string_view typed) {
  for (auto channel : client_channels) {
    auto end = " (" + std::string{channel} + ')';
    if (typed.size() > end.size() && typed.ends_with(end))
      return std::string{typed.substr(0, typed.size() - end.size())};
  }
  return std::string{typed};
}

std::vector<std::string> known_clients(const session_state& s) {
  std::set<std::string> names;
  add_clients(s, names);
  each_source_in_memory(s, [&](const entry_source& source) {
    if (is_client(source)) names.insert(source.author);
  });
  return {names.begin(), names.end()};
}

std::vector<std::string> known_authors(const session_state& s) {
  std::set<std::string> names{"you"};
  add_clients(s, names);
  each_source_in_memory(s, [&](const entry_source& source) {
    if (source.author != user_author) names.insert(source.author);
  });
  return {names.begin(), names.end()};
}

}  // namespace fermata
