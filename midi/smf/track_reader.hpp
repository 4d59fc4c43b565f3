#pragma once

#include "midi/smf/file.hpp"
#include "midi/smf/read.hpp"
#include "midi/smf/remark.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fermata::midi::smf {

/// Internal to the reader: the remarks so far, no more of them than the limit.
class remark_list {
public:
  explicit remark_list(std::size_t limit) : limit_(limit) {}
  void add(remark_kind kind, std::size_t track, std::size_t offset) {
    if (all_.size() < limit_)
      all_.push_back({kind, track, offset});
    else
      ++left_out_;
  }
  std::vector<remark> take() { return std::move(all_); }
  std::size_t left_out() const { return left_out_; }

private:
  std::size_t limit_;
  std::vector<remark> all_;
  std::size_t left_out_ = 0;
};

/// Whether the bytes at `offset` begin a track.
bool begins_track(std::string_view bytes, std::size_t offset);
/// Whether a chunk of any type may begin there: four printable characters and a length that the
/// bytes hold.
bool begins_chunk(std::string_view bytes, std::size_t offset);

/// Internal to the reader: reads the events of one track.
class track_reader {
public:
  /// The track with the number `number` (from 1) has the bytes [begin, end) of `bytes`, if its
  /// length is right. `is_doubtful`: something else than a chunk or the end of the file follows.
  track_reader(std::string_view bytes, std::size_t begin, std::size_t end, bool is_doubtful,
               std::size_t number, remark_list& remarks)
    : bytes_(bytes),
      at_(begin),
      end_(end),
      is_doubtful_(is_doubtful),
      number_(number),
      remarks_(remarks) {}

  /// At most `events_left` events, which it counts down.
  track read(std::size_t& events_left);
  /// Where the next chunk begins.
  std::size_t next_chunk() const { return end_; }

private:
  /// What comes next: an event, a status without a delta, or nothing.
  enum class step { next, status, end_of_track, stop };

  step read_event(track& t);
  step read_status(track& t, std::uint8_t status);
  step read_channel_message(track& t, std::uint8_t status);
  step read_meta(track& t);
  step read_sysex(track& t, bool escape);
  step skip_system_message(std::uint8_t status);
  void check_meta(const meta_event& m, std::size_t offset);
  /// Whether the next track begins here, before the end that the length gives.
  bool meets_next_track();
  /// Looks at what follows the end of the track.
  void finish();

  /// A variable-length quantity; nothing after a remark.
  std::optional<std::uint32_t> quantity();
  /// Whether `count` more bytes belong to the track, reading on beyond its length where that is
  /// wrong.
  bool has(std::size_t count);
  bool read_beyond_length(std::size_t count);
  std::uint8_t byte() const { return static_cast<std::uint8_t>(bytes_[at_]); }
  step stop(remark_kind kind, std::size_t offset) {
    note(kind, offset);
    return step::stop;
  }
  void note(remark_kind kind, std::size_t offset) { remarks_.add(kind, number_, offset); }

  std::string_view bytes_;
  std::size_t at_;   ///< the byte to be read next
  std::size_t end_;  ///< one behind the last byte of the track
  bool is_doubtful_;
  std::size_t number_;
  remark_list& remarks_;
  ticks now_ = 0;
  std::size_t event_ = 0;  ///< where the event being read begins, its delta included
  std::uint8_t running_status_ = 0;
  bool interrupted_ = false;  ///< a meta or sysex event came after the running status
  bool open_sysex_ = false;   ///< a sysex message has begun and not ended
  bool beyond_length_ = false;
};

}  // namespace fermata::midi::smf
