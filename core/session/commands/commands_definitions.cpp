#include "core/session/commands/commands_definitions.hpp"

#include "core/lang/evaluation/bind.hpp"
#include "core/lang/value/code.hpp"
#include "core/lang/value/music.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <array>
#include <map>

// `:whos`.

namespace fermata {

namespace {

constexpr std::size_t widest_value = 40, widest_name = 24, most_printed = 10'000;

/// The entries that defined these names last.
std::map<std::string_view, entry_ptr> defining_entries(const session_state& s,
                                                       const std::vector<std::string_view>& names) {
  std::map<std::string_view, entry_ptr> found;
  for (auto i = s.history.size(); i > 0 && found.size() < names.size(); --i) {
    auto entry = s.history.at(i);
    auto change = entry ? env_change_of(*entry) : nullptr;
    if (!change) continue;
    for (auto& b : change->bindings)
      if (auto name = std::find(names.begin(), names.end(), b.name); b.after && name != names.end())
        found.try_emplace(*name, entry);
  }
  return found;
}

/// "In[3]" where it can be referred to so, else "[3]": a merge, a step that was redone.
std::string place_of(const history_entry& e, bool accessible) {
  auto number = std::to_string(e.index);
  auto is_expression = std::holds_alternative<eval_entry>(e.kind);
  if (accessible) return (is_expression ? "In " : "Command ") + number;
  return (is_expression ? "In[" : "[") + number + ']';
}

/// At most so many bytes, without a torn character.
std::string cut_to(std::size_t most, std::string text) {
  if (text.size() <= most) return text;
  auto end = most - 3;
  while (end > 0 && is_utf8_continuation(text[end]))
    --end;
  return text.substr(0, end) + "...";
}

std::string with_noun(std::size_t n, std::string_view noun) {
  return std::to_string(n) + ' ' + std::string{noun} + (n == 1 ? "" : "s");
}

/// How large it is, or what it is when that is short.
std::string short_value(const value& v) {
  if (auto f = v.get_if<callable_ptr>(); f && (*f)->code) return "";
  if (auto m = v.as_music()) {
    auto quarters_long = duration_of(*m);
    auto size = with_noun(m->weight, "item");
    return quarters_long == quarters{}
               ? size
               : size + ", " + to_string(quarters_long.value) +
                     (quarters_long == quarters{1} ? " quarter" : " quarters");
  }
  auto list = v.as_list();
  if (auto text = print_within(v, list ? widest_value : most_printed))
    return cut_to(widest_value, *text);
  return list ? with_noun(list->items.size(), "item") : std::string{};
}

using definition_row = std::array<std::string, 4>;

std::string as_table(const std::vector<definition_row>& rows) {
  std::array<std::size_t, 4> widths{};
  for (auto& r : rows)
    for (std::size_t i = 0; i < r.size(); ++i)
      widths[i] = std::max(widths[i], r[i].size());
  std::string text;
  for (auto& r : rows) {
    std::string line;
    for (std::size_t i = 0; i < r.size(); ++i) {
      line += r[i];
      if (i + 1 < r.size()) line.append(widths[i] - r[i].size() + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

}  // namespace

command_outcome list_definitions(const command_call& c) {
  auto& all = c.state.env->bindings;
  std::vector<std::string_view> names;
  auto word = c.given.args.empty() ? std::string{} : c.given.args.front();
  for (auto& [name, unused] : all)
    if (name.find(word) != name.npos) names.push_back(name);
  command_outcome outcome;
  if (all.empty()) {
    outcome.output = "no definitions; (def NAME VALUE) adds one";
    return outcome;
  }
  if (names.empty())
    return refused("no definition has `" + word + "` in its name", "`:whos` lists all of them.");
  auto entries = defining_entries(c.state, names);
  std::vector<definition_row> rows;
  for (auto& name : names) {
    auto& b = all.find(name)->second;
    auto entry = entries.find(name);
    rows.push_back({cut_to(widest_name, std::string{name}), std::string{type_name(b.bound)},
                    short_value(b.bound),
                    entry == entries.end() ? "" : place_of(*entry->second, c.options.accessible)});
  }
  if (c.options.accessible) {
    for (auto& [name, kind, what, place] : rows)
      outcome.output += (outcome.output.empty() ? "" : "\n") + name + ": " + kind +
                        (what.empty() ? "" : ", " + what) + (place.empty() ? "" : ", " + place);
    return outcome;
  }
  outcome.output = as_table(rows);
  return outcome;
}

}  // namespace fermata
