#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata::io::protocol {

/// The kinds of an event, which it names separated by blanks.
std::vector<std::string_view> kinds_of_event(std::string_view what);

/// How far the client of one subscription has been told what happens in a session, and what it is
/// to be told next; entries are numbers here, and events have no other content.
///
/// Events wait while the client takes nothing. Several become one with the kinds of all, so that it
/// never owes more than one; their entries are sent in portions, without a gap.
class event_stream {
public:
  /// Of these kinds; none: all. `seen`: the last entry that the client knows.
  explicit event_stream(std::set<std::string, std::less<>> kinds = {}, std::int64_t seen = 0)
    : kinds_(std::move(kinds)), seen_(seen) {}

  /// Something happened in the session, which has `entries` now. Answers whether the client is to
  /// be told.
  bool happened(std::string_view what, std::uint64_t sequence, std::int64_t entries);
  /// The same without asking which kinds it wants: it missed entries before.
  void owe(std::string_view what, std::uint64_t sequence);
  /// The list of sessions changed.
  bool list_changed();

  struct event {
    std::string what;
    std::uint64_t sequence = 0;
  };
  const std::optional<event>& due() const { return due_; }
  bool owes_anything() const { return due_ || list_due_; }
  /// Whether the client is to be told that the list of sessions changed; once.
  bool take_list_change() { return std::exchange(list_due_, false); }
  /// The number of the next notification.
  std::int64_t next_number() { return ++sent_; }

  struct portion {
    bool from_disk = false;  ///< these have to be read first: `read`
    std::int64_t up_to = 0;
  };
  /// The entries after `seen` that come next, when the session has so many of them, of which the
  /// first `on_disk` are not in memory.
  portion next(std::int64_t entries, std::int64_t on_disk) const;
  /// Entries up to this one have been read and are at hand.
  void read(std::int64_t up_to) { read_up_to_ = up_to; }
  /// Whether entries that were read have not been sent.
  bool has_read_ahead() const { return seen_ < read_up_to_; }
  /// Whether everything that is not in memory has been sent or is at hand.
  bool has_caught_up(std::int64_t on_disk) const {
    return seen_ >= on_disk || read_up_to_ >= on_disk;
  }
  /// Entries up to this one were sent. Answers whether that was all of `entries`: nothing is due.
  bool sent(std::int64_t up_to, std::int64_t entries);

  std::int64_t seen() const { return seen_; }

private:
  bool wants(std::string_view kind) const { return kinds_.empty() || kinds_.contains(kind); }

  std::set<std::string, std::less<>> kinds_;
  std::int64_t seen_ = 0, read_up_to_ = 0, sent_ = 0;
  std::optional<event> due_;
  bool list_due_ = false;
};

}  // namespace fermata::io::protocol
