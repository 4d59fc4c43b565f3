#include "actors/session/other_sessions.hpp"

#include "io/store/entries_on_disk.hpp"
#include "io/store/home.hpp"

namespace fermata::actors {

namespace {

std::int64_t counted(std::int64_t index, std::int64_t next_index) {
  return index < 0 ? next_index + index : index;
}

std::optional<history_value> value_of(const entry_ptr& entry) {
  if (!entry) return std::nullopt;
  auto eval = std::get_if<eval_entry>(&entry->kind);
  return eval ? history_value{eval->input, eval->output} : history_value{};
}

}  // namespace

std::optional<history_value> value_at(const history& timeline, std::int64_t index) {
  return value_of(timeline.at(counted(index, timeline.next_index())));
}

history_lookup lookup_on(std::shared_ptr<snapshot_board> board, std::filesystem::path home) {
  return [=](std::string_view slug, std::int64_t index) -> std::optional<history_value> {
    if (auto state = board->find(slug)) return value_at(state->history, index);
    auto folder = io::session_folder(home, slug);
    if (home.empty() || !folder) return std::nullopt;
    auto entries = io::entries_on_disk::of_file(*folder / "history.jsonl");
    auto entry =
        entries ? (*entries)->load(counted(index, (*entries)->size() + 1)) : fail(entries.error());
    return entry ? value_of(*entry) : std::nullopt;
  };
}

}  // namespace fermata::actors
