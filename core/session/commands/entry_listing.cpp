#include "core/session/commands/entry_listing.hpp"

#include "core/session/commands/command.hpp"
#include "core/session/commands/suppressed_output.hpp"

#include <algorithm>

namespace fermata {

namespace {

constexpr std::string_view end_of_summary = " of the timeline)";
constexpr std::string_view nothing_found = "no matching entries";

std::string counted(std::size_t n, std::string_view one, std::string_view several) {
  return '(' + std::to_string(n) + ' ' + std::string{n == 1 ? one : several} +
         std::string{end_of_summary};
}

/// What is listed begins with `In[`, `[` or `{`.
bool is_summary(std::string_view output) {
  return output.empty() || output == nothing_found ||
         (output.starts_with('(') && output.ends_with(end_of_summary));
}

}  // namespace

entry_ptr entry_listing::at(std::size_t i) const { return without_list(from.at(indices[i])); }

entry_listing listing_of(const history& h, const history_query& q) {
  return {h, select_indices(h, q)};
}

std::string summary_of(const entry_listing& l) {
  return l.indices.empty() ? std::string{nothing_found} : counted(l.size(), "entry", "entries");
}

bool is_listing(const history_entry& e) {
  auto command = std::get_if<command_entry>(&e.kind);
  if (!command || !command->ok) return false;
  auto spec = command_of(command->text);
  return spec && spec->lists_entries;
}

bool shows_listing(const history_entry& e) {
  return is_listing(e) && !suppresses_command_output(std::get<command_entry>(e.kind).text);
}

entry_ptr without_list(const entry_ptr& entry) {
  if (!is_listing(*entry)) return entry;
  auto& output = std::get<command_entry>(entry->kind).output;
  if (is_summary(output)) return entry;
  auto lines = static_cast<std::size_t>(std::count(output.begin(), output.end(), '\n')) + 1;
  auto shortened = *entry;
  std::get<command_entry>(shortened.kind).output = counted(lines, "line", "lines");
  return std::make_shared<const history_entry>(std::move(shortened));
}

}  // namespace fermata
