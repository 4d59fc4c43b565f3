// A session that another process writes to, followed by what that adds to the journal.

#include "io/json/journal_json.hpp"
#include "io/store/session_directory.hpp"

#include <utility>

namespace fermata::io {

result<session_snapshot> session_directory::read_on(const session_snapshot& before) {
  constexpr std::int64_t most_in_memory = 11'000, kept_in_memory = 10'000;
  if (journal_.is_where() != journal_file::whereabouts::here) return loaded_again(before);
  auto lines = journal_.read_on();
  if (!lines) return loaded_again(before);
  if (lines->empty()) return before;
  auto state = *before;
  for (const auto& line : *lines) {
    auto text = journal_.read(line);
    auto t = text ? read_transition(*text, state) : fail(text.error());
    auto after = t ? apply(std::move(state), *t) : fail(t.error());
    if (!after) return loaded_again(before);
    state = std::move(*after);
    if (line.index > 0) entries_->add(line);
    if (state.history.resident() > most_in_memory)
      state.history.leave_on_disk(kept_in_memory, entries_);
  }
  return std::make_shared<const session_state>(std::move(state));
}

result<session_snapshot> session_directory::loaded_again(const session_snapshot& before) {
  // It may have been moved and put back: then the file at its place is another one.
  auto journal =
      journal_file::open(journal_.path(), journal_.meta(), {}, journal_file::access::read_only);
  if (!journal) return fail(journal.error());
  journal_ = std::move(*journal);
  auto loaded = load();
  if (!loaded) return fail(loaded.error());
  auto state = *loaded->state;
  state.written_by = before->written_by;
  return std::make_shared<const session_state>(std::move(state));
}

}  // namespace fermata::io
