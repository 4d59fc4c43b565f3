#pragma once

#include "core/result.hpp"
#include "core/session/event.hpp"
#include "io/store/folder_lock.hpp"
#include "io/store/journal_file.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fermata::io {

/// A session as it came from disk.
struct stored_session {
  session_snapshot state;
  bool fresh = false;                ///< nothing has ever been written
  std::vector<std::string> remarks;  ///< what was damaged and what was done about it
  entry_loader_ptr loader;           ///< reads entries by index from the journal
};

/// The folder of one session and its only writer.
///
///     history.jsonl     the journal: everything that happened. It alone is enough.
///     checkpoint.json   the state after some line of the journal, beside score and environment
///     score.ferm        the score at that line, as Fermata text
///     env.json          the environment at that line
///     meta.json         name, dates, tags; and a summary for lists
///     journal.lock      who writes here
///
/// Loading takes the checkpoint and replays what the journal has after it; without a checkpoint
/// that is sound it replays everything. What is damaged is kept beside, with the reason, and the
/// session opens with what is sound. A checkpoint is three files that are replaced one after the
/// other; each names the line that it belongs to, and only three of the same line count.
class session_directory {
public:
  static constexpr int version = 1;

  /// Makes the folder when it is not there and takes its lock. `meta` is for a new session.
  static result<session_directory> open(const std::filesystem::path& folder,
                                        const session_meta& meta);

  result<stored_session> load();

  /// Written when it answers; on the disk itself after `sync`. After an error nothing of it is
  /// there.
  result<void> append(const std::vector<transition>& transitions);
  result<void> sync();
  bool is_synced() const { return journal_.is_synced(); }

  /// Writes score, environment and the rest of `s`, which must be the state after everything that
  /// was appended.
  result<void> checkpoint(const session_state& s);

private:
  session_directory(std::filesystem::path folder, folder_lock lock, journal_file journal);

  std::filesystem::path folder_;
  folder_lock lock_;
  journal_file journal_;
  std::shared_ptr<entries_on_disk> entries_;
};

/// What a list of sessions needs, without opening the session.
struct stored_summary {
  session_meta meta;
  std::string score;  ///< as of the last checkpoint
  std::int64_t entries = 0;
};
/// Error: there is no session, or its meta.json is damaged.
result<stored_summary> read_summary(const std::filesystem::path& folder);

}  // namespace fermata::io
