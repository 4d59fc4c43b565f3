#include "actors/other_sessions.hpp"

#include "io/store/entries_on_disk.hpp"
#include "io/store/home.hpp"

namespace fermata::actors {

std::optional<history_value> value_of(const entry_ptr& entry) {
  auto eval = entry ? std::get_if<eval_entry>(&entry->kind) : nullptr;
  if (!eval) return std::nullopt;
  return history_value{eval->input, eval->output};
}

history_lookup lookup_on(std::shared_ptr<snapshot_board> board, std::filesystem::path home) {
  return [=](std::string_view slug, std::int64_t index) -> std::optional<history_value> {
    if (auto state = board->find(slug)) return value_of(state->history.at(index));
    auto folder = io::session_folder(home, slug);
    if (home.empty() || !folder) return std::nullopt;
    auto entries = io::entries_on_disk::of_file(*folder / "history.jsonl");
    auto entry = entries ? (*entries)->load(index) : fail(entries.error());
    return entry ? value_of(*entry) : std::nullopt;
  };
}

}  // namespace fermata::actors
