#pragma once

#include "core/result.hpp"
#include "core/session/timeline/entry.hpp"
#include "core/session/timeline/shared_vector.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace fermata {

struct history_query;  // core/session/commands/query.hpp

/// Source of entries that are not in memory. The store reads them from the session's file by
/// offset; it may be called from any thread.
class entry_source_on_disk {
public:
  virtual ~entry_source_on_disk() = default;
  /// The entry with this index, or why it cannot be read.
  virtual result<entry_ptr> load(std::int64_t index) const = 0;
  /// The same, or null if it certainly does not match, which can be cheaper to find out.
  virtual result<entry_ptr> load_if(std::int64_t index, const history_query&) const {
    return load(index);
  }
};
using entry_loader_ptr = std::shared_ptr<const entry_source_on_disk>;

/// Placeholder in the timeline for an entry that cannot be read.
entry_ptr unreadable_entry(std::int64_t index, const std::string& reason, timestamp time = {});

/// The timeline of a session: entries with the indices 1, 2, 3 ... without a gap. A value: a copy
/// costs a few pointers and does not change while the session continues. Old entries may be left on
/// disk and are then read on demand.
class history {
public:
  history() = default;
  /// The first `count` entries are on disk.
  static history on_disk(std::int64_t count, entry_loader_ptr loader);

  std::int64_t size() const { return static_cast<std::int64_t>(entries_.size()); }
  bool empty() const { return entries_.empty(); }
  /// The index that the next entry gets.
  std::int64_t next_index() const { return size() + 1; }

  /// The entry with this index; null if there is none. An entry that cannot be read from disk is
  /// not skipped: a system entry "unreadable" with the reason is returned for it.
  entry_ptr at(std::int64_t index) const;
  /// The same; null also for one on disk that certainly does not match.
  entry_ptr at_if(std::int64_t index, const history_query& q) const;
  /// Source of entries on disk; null: all are in memory.
  const entry_loader_ptr& loader() const { return loader_; }
  /// The same timeline with another source for the entries on disk.
  history read_through(entry_loader_ptr loader) const;
  /// Whether `at(index)` reads from disk, which takes time.
  bool is_on_disk(std::int64_t index) const;
  /// The last entry; null when there is none.
  entry_ptr last() const { return at(size()); }

  /// Precondition: `entry->index == next_index()`; checked by `apply`.
  void append(entry_ptr entry);

  /// How many entries are in memory.
  std::int64_t resident() const { return size() - on_disk_; }
  /// Releases all but about the last `keep` entries; they must be on disk, where `loader` finds
  /// them.
  void leave_on_disk(std::int64_t keep, entry_loader_ptr loader);

private:
  shared_vector<entry_ptr> entries_;  ///< null: on disk
  std::int64_t on_disk_ = 0;          ///< how many at the start are null
  entry_loader_ptr loader_;
};

}  // namespace fermata
