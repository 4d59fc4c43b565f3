#include "midi/smf/read.hpp"

#include "midi/smf/track_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace fermata::midi::smf {

namespace {

error not_midi(const std::string& why) {
  return {errc::unsupported_format, "not a usable MIDI file: " + why};
}

/// An unsigned number of `count` bytes, the most significant first.
std::uint32_t number_at(std::string_view bytes, std::size_t offset, std::size_t count) {
  std::uint32_t n = 0;
  for (std::size_t i = 0; i < count; ++i)
    n = n << 8 | static_cast<std::uint8_t>(bytes[offset + i]);
  return n;
}

class file_reader {
public:
  file_reader(std::string_view bytes, const read_limits& limits)
    : bytes_(bytes), limits_(limits), remarks_(limits.remarks), events_left_(limits.events) {}

  result<reading> read() {
    if (auto e = read_header()) return fail(std::move(*e));
    read_chunks();
    if (found_.file.format == 0 && found_.file.tracks.size() > 1)
      remarks_.add(remark_kind::format_0_tracks, 0, header_ + 8);
    if (!tracks_left_out_ && found_.file.tracks.size() != given_tracks_)
      remarks_.add(remark_kind::track_count, 0, header_ + 10);
    found_.remarks = remarks_.take();
    found_.remarks_left_out = remarks_.left_out();
    return std::move(found_);
  }

private:
  /// The error, if the file cannot be read.
  std::optional<error> read_header();
  std::optional<error> read_division();
  void unwrap();
  void read_chunks();
  void read_track();
  void skip_to_next_track();

  std::string_view bytes_;  ///< all; without what follows the data chunk of RIFF
  read_limits limits_;
  remark_list remarks_;
  std::size_t events_left_;
  reading found_;
  std::size_t header_ = 0;  ///< where "MThd" stands
  std::size_t at_ = 0;
  std::size_t given_tracks_ = 0;
  bool tracks_left_out_ = false;
};

void file_reader::unwrap() {
  if (header_ == 0) return;
  if (!bytes_.starts_with("RIFF")) {
    remarks_.add(remark_kind::bytes_before_header, 0, 0);
    return;
  }
  remarks_.add(remark_kind::riff_wrapper, 0, 0);
  found_.file.riff = true;
  if (header_ < 8 || bytes_.substr(header_ - 8, 4) != "data") return;
  // RIFF writes the least significant byte first.
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i)
    length |= std::size_t{static_cast<std::uint8_t>(bytes_[header_ - 4 + i])} << (8 * i);
  bytes_ = bytes_.substr(0, std::max(header_ + 14, std::min(bytes_.size(), header_ + length)));
}

std::optional<error> file_reader::read_header() {
  header_ = bytes_.substr(0, 64 + 4).find("MThd");
  if (header_ == std::string_view::npos) return not_midi("no header (MThd)");
  if (bytes_.size() - header_ < 14) return not_midi("half a header");
  unwrap();
  std::size_t length = number_at(bytes_, header_ + 4, 4);
  if (length < 6) return not_midi("half a header");
  if (length != 6) remarks_.add(remark_kind::header_length, 0, header_ + 4);
  if (length > bytes_.size() - header_ - 8) length = 6;
  // A header that would hide a track is not as long as it says.
  at_ = std::min(header_ + 8 + length, bytes_.find("MTrk", header_ + 14));
  auto format = number_at(bytes_, header_ + 8, 2);
  if (format > 2) return not_midi("format " + std::to_string(format));
  found_.file.format = static_cast<int>(format);
  given_tracks_ = number_at(bytes_, header_ + 10, 2);
  return read_division();
}

std::optional<error> file_reader::read_division() {
  auto division = static_cast<int>(number_at(bytes_, header_ + 12, 2));
  if (division < 0x8000) {
    if (division == 0) return not_midi("a division of 0");
    found_.file.division = ticks_per_quarter{division};
    return std::nullopt;
  }
  ticks_per_frame frames{0x100 - (division >> 8), division & 0xFF};
  if (frames.ticks == 0) return not_midi("a division of 0");
  if (frames.frames != 24 && frames.frames != 25 && frames.frames != 29 && frames.frames != 30)
    remarks_.add(remark_kind::frame_rate, 0, header_ + 12);
  found_.file.division = frames;
  return std::nullopt;
}

void file_reader::read_chunks() {
  while (at_ < bytes_.size()) {
    if (begins_track(bytes_, at_) && bytes_.size() - at_ >= 8) {
      if (found_.file.tracks.size() == limits_.tracks || events_left_ == 0) {
        if (events_left_ > 0) remarks_.add(remark_kind::too_many_tracks, 0, at_);
        tracks_left_out_ = true;
        return;
      }
      read_track();
    } else if (begins_chunk(bytes_, at_)) {
      auto is_header = bytes_.substr(at_, 4) == "MThd";
      remarks_.add(is_header ? remark_kind::second_header : remark_kind::unknown_chunk, 0, at_);
      at_ += 8 + number_at(bytes_, at_ + 4, 4);
    } else {
      skip_to_next_track();
    }
  }
}

void file_reader::skip_to_next_track() {
  remarks_.add(remark_kind::no_chunk, 0, at_);
  // From the next byte on: a beginning of a track may be cut short here.
  at_ = std::min(bytes_.find("MTrk", at_ + 1), bytes_.size());
}

void file_reader::read_track() {
  auto number = found_.file.tracks.size() + 1;
  std::size_t length = number_at(bytes_, at_ + 4, 4);
  auto begin = at_ + 8;
  auto is_doubtful = length > bytes_.size() - begin;
  if (is_doubtful) {
    remarks_.add(remark_kind::track_length_beyond_file, number, at_ + 4);
    length = bytes_.size() - begin;
  }
  auto end = begin + length;
  if (end < bytes_.size()) is_doubtful = !begins_track(bytes_, end) && !begins_chunk(bytes_, end);
  track_reader reader{bytes_, begin, end, is_doubtful, number, remarks_};
  found_.file.tracks.push_back(reader.read(events_left_));
  at_ = reader.next_chunk();
}

}  // namespace

result<reading> read(std::string_view bytes, const read_limits& limits) {
  if (bytes.size() > limits.bytes)
    return fail({errc::input_too_large,
                 "a MIDI file of more than " + std::to_string(limits.bytes) + " bytes"});
  return file_reader{bytes, limits}.read();
}

}  // namespace fermata::midi::smf
