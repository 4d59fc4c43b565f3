#include "core/session/timeline/branches.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace fermata {

namespace {

/// The last entry up to `last` that belongs to a branch; nothing: it had not been entered.
std::optional<std::int64_t> last_entry_on(const session_state& s, std::string_view name,
                                          std::int64_t last) {
  if (branch_at(s, last) == name) return last;
  for (auto move = s.branch_moves.rbegin(); move != s.branch_moves.rend(); ++move)
    if (move->entry <= last && branch_at(s, move->entry - 1) == name) return move->entry - 1;
  return std::nullopt;
}

}  // namespace

std::string branch_at(const session_state& s, std::int64_t entry) {
  std::string name = s.branches.empty() ? s.branch : s.branches.front().name;
  for (auto& move : s.branch_moves) {
    if (move.entry > entry) break;
    name = move.to;
  }
  return name;
}

result<past_state> state_after(const session_state& s, std::int64_t entry) {
  if (entry < 0 || entry > s.history.size())
    return fail({errc::no_such_entry,
                 "no such entry: " + std::to_string(entry) + "; the last one is " +
                     std::to_string(s.history.size()),
                 std::nullopt, "`:history` shows them."});
  past_state past{s.score, s.env};
  for (auto i = s.history.size(); i > entry; --i) {
    auto e = s.history.at(i);
    if (auto system = std::get_if<system_entry>(&e->kind); system && system->event == "unreadable")
      return fail({errc::no_such_entry, system->text, std::nullopt,
                   "Nothing before it can be reconstructed."});
    if (auto delta = delta_of(*e); delta && !delta->empty()) {
      auto before = applied(inverted(*delta), past.score);
      if (!before) return fail(before.error());
      past.score = std::move(*before);
    }
    if (auto change = env_change_of(*e); change && !change->empty())
      past.env = applied(inverted(*change), past.env);
  }
  return past;
}

std::vector<entry_stretch> lineage(const session_state& s, std::string name, std::int64_t last) {
  std::vector<entry_stretch> line;
  while (last >= 1) {
    auto end = last_entry_on(s, name, last);
    if (!end) {
      // It has no entries yet here: what it began with is its parent's.
      auto b = find_branch(s, name);
      if (!b || b->parent.empty()) break;
      last = std::min(last, b->from);
      name = b->parent;
      continue;
    }
    // Back to where it was entered for this stretch.
    std::int64_t entered = 0;
    for (auto& move : s.branch_moves)
      if (move.entry <= *end) entered = move.entry;
    if (entered < *end) line.push_back({entered + 1, *end, name});
    if (entered == 0) break;
    last = entered - 1;
  }
  return line;
}

std::vector<entry_stretch> lineage(const session_state& s) {
  return lineage(s, s.branch, s.history.size());
}

bool is_branch_name(std::string_view text) {
  constexpr std::size_t longest = 64;
  auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
  };
  return !text.empty() && text.size() <= longest && text.front() != '-' &&
         std::all_of(text.begin(), text.end(), good) &&
         text.find_first_not_of("0123456789") != text.npos;
}

}  // namespace fermata
