#pragma once

#include "core/session/timeline/event.hpp"
#include "messages/session.hpp"
#include "messages/store.hpp"

#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <functional>
#include <list>
#include <string>
#include <vector>

namespace fermata::actors {

/// The way from a decision to a changed session: write first, show afterwards.
///
/// A session has two states. `planned` has everything that was decided; the next decision is made
/// on it. `shown` has what the store has acknowledged; every answer and every query gets that one.
/// So nothing is ever shown that a crash could revert, and decisions need not wait for the disk.
/// Batches are written in order; those that come while the store is busy are written together, so
/// that many small ones do not wait for each other.
///
/// When a batch cannot be written, it and those that wait behind it are dropped, their owners are
/// told, and `planned` goes back to `shown`: nothing is half-applied.
class journal_writer {
public:
  /// The session after the batch, or why it was not written.
  using done = std::function<void(caf::expected<session_snapshot>)>;
  /// Told of each batch when it has become visible.
  using on_shown = std::function<void(const journal_batch&)>;

  /// Without a store everything is shown at once and nothing is kept.
  journal_writer(session_actor::pointer self, session_snapshot start, store_actor store,
                 on_shown shown);
  /// From now on only about the last `entries` stay in memory; older ones are read from disk.
  void keep_in_memory(std::int64_t entries, entry_loader_ptr loader);

  const session_snapshot& planned() const { return planned_; }
  const session_snapshot& shown() const { return shown_; }

  /// Nothing can be written: what is shown is kept, for whoever wants to save it elsewhere.
  void keep_unwritten() { keeps_unwritten_ = true; }
  const std::vector<transition>& unwritten() const { return unwritten_; }

  /// The lines of transitions, if they have been made beforehand.
  using lines = std::vector<std::shared_ptr<const std::string>>;
  /// Plans the transitions and writes them. `then` is called once; without a store, before this
  /// returns.
  void write(std::vector<transition> transitions, done then, lines made = {});
  /// Whether there is a store.
  bool has_store() const { return bool(store_); }

  /// Asks the store for everything to be on the disk; an answer at once when there is none.
  void flush(std::function<void(caf::error)> then);
  /// Gives the store what is shown as a new starting point, as soon as that is all it has.
  void checkpoint(std::function<void(caf::error)> then);
  /// The same on explicit request: a folder that was removed is recreated.
  void save(std::function<void(caf::error)> then);
  /// The same when the journal has grown enough since the last one.
  void checkpoint_when_due(std::function<void(caf::error)> then);

  /// The external edit of score.ferm.
  void edited_score(std::function<void(caf::expected<io::offered_score>)> then);
  /// It has become the score.
  void score_taken(io::offered_score taken);

  bool is_idle() const { return waiting_.empty(); }

private:
  enum class checkpoint_is : std::uint8_t { wanted, asked_for, wanted_when_due };
  struct write_in_line {
    journal_batch batch;
    done then;
  };
  void send_next();
  void line_up_checkpoint(checkpoint_is how, std::function<void(caf::error)> then);
  void send_checkpoints();
  void written();
  void failed(const caf::error& reason);
  void show(write_in_line next);

  session_actor::pointer self_;
  session_snapshot planned_, shown_;
  store_actor store_;
  on_shown on_shown_;
  std::int64_t entries_in_memory_ = 0;
  entry_loader_ptr loader_;  ///< null: all entries stay in memory
  std::list<write_in_line> waiting_;
  std::size_t in_flight_ = 0;  ///< so many of the first ones are with the store
  bool keeps_unwritten_ = false;
  std::vector<transition> unwritten_;
  struct wanted_checkpoint {
    checkpoint_is how;
    std::function<void(caf::error)> then;
  };
  std::vector<wanted_checkpoint> checkpoints_;  ///< asked for while something was in flight
};

}  // namespace fermata::actors
