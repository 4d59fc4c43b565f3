#include "midi/smf/track_reader.hpp"

#include "midi/smf/meta.hpp"

#include <algorithm>
#include <utility>

namespace fermata::midi::smf {

bool begins_track(std::string_view bytes, std::size_t offset) {
  return bytes.substr(std::min(offset, bytes.size()), 4) == "MTrk";
}

bool begins_chunk(std::string_view bytes, std::size_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < 8) return false;
  std::uint32_t length = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    auto c = static_cast<std::uint8_t>(bytes[offset + i]);
    if (i < 4 && (c < 0x20 || c > 0x7E)) return false;
    if (i >= 4) length = length << 8 | c;
  }
  return length <= bytes.size() - offset - 8;
}

bool track_reader::has(std::size_t count) {
  return count <= end_ - at_ || read_beyond_length(count);
}

bool track_reader::read_beyond_length(std::size_t count) {
  // Only inside an event: between events the length is believed.
  if (!is_doubtful_ || beyond_length_ || at_ == event_ || end_ >= bytes_.size()) return false;
  auto next_track = std::min(bytes_.find("MTrk", end_), bytes_.size());
  if (count > next_track - at_) return false;
  note(remark_kind::track_length_too_short, end_);
  end_ = next_track;
  beyond_length_ = true;
  return true;
}

std::optional<std::uint32_t> track_reader::quantity() {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    if (!has(1)) {
      note(remark_kind::event_cut_short, event_);
      return std::nullopt;
    }
    auto b = byte();
    ++at_;
    value = value << 7 | (b & 0x7F);
    if (b < 0x80) return value;
  }
  note(remark_kind::long_quantity, event_);
  return std::nullopt;
}

track track_reader::read(std::size_t& events_left) {
  track t;
  auto is_empty = at_ == end_;
  auto last = step::next;
  while (last == step::next && at_ < end_ && !meets_next_track()) {
    if (events_left == 0) {
      last = stop(remark_kind::too_many_events, at_);
      break;
    }
    event_ = at_;
    auto before = t.events.size();
    auto delta = quantity();
    if (!delta) {
      last = step::stop;
    } else if (now_ + *delta > last_tick) {
      last = stop(remark_kind::time_too_large, event_);
    } else {
      now_ += *delta;
      last = read_event(t);
    }
    events_left -= t.events.size() - before;
  }
  t.end = last == step::end_of_track || t.events.empty() ? now_ : t.events.back().at;
  if (last == step::end_of_track)
    finish();
  else if (last == step::stop && is_doubtful_)
    end_ = std::min(bytes_.find("MTrk", at_), end_);
  else if (last == step::next)
    note(is_empty ? remark_kind::empty_track : remark_kind::no_end_of_track, at_);
  return t;
}

bool track_reader::meets_next_track() {
  // In a track whose length is right, these bytes are a running status.
  if (!is_doubtful_ || !begins_track(bytes_, at_) || !begins_chunk(bytes_, at_)) return false;
  note(remark_kind::track_length_too_long, at_);
  end_ = at_;
  return true;
}

void track_reader::finish() {
  if (beyond_length_) {
    end_ = at_;
    return;
  }
  if (at_ == end_) return;
  // A length that is too long hides the next track, unless that is looked for.
  if (begins_track(bytes_, at_)) {
    note(remark_kind::track_length_too_long, at_);
    end_ = at_;
  } else {
    note(remark_kind::after_end_of_track, at_);
  }
}

track_reader::step track_reader::read_event(track& t) {
  if (!has(1)) return stop(remark_kind::event_cut_short, event_);
  auto s = step::status;
  if (byte() < 0x80) {
    if (running_status_ == 0) return stop(remark_kind::data_without_status, at_);
    if (interrupted_) note(remark_kind::running_status_kept, at_);
    interrupted_ = false;
    s = read_channel_message(t, running_status_);
  }
  while (s == step::status) {
    auto status = byte();
    ++at_;
    s = read_status(t, status);
  }
  return s;
}

track_reader::step track_reader::read_status(track& t, std::uint8_t status) {
  if (status < 0xF0) {
    running_status_ = status;
    interrupted_ = false;
    return read_channel_message(t, status);
  }
  if (status == 0xFF) return read_meta(t);
  if (status == 0xF0 || status == 0xF7) return read_sysex(t, status == 0xF7);
  return skip_system_message(status);
}

track_reader::step track_reader::read_channel_message(track& t, std::uint8_t status) {
  if (open_sysex_) note(remark_kind::unfinished_sysex, event_);
  open_sysex_ = false;
  channel_message m{status, 0, 0};
  for (auto* data : {&m.data1, &m.data2}) {
    if (data == &m.data2 && data_bytes(status) == 1) break;
    if (!has(1)) return stop(remark_kind::event_cut_short, event_);
    if (byte() > 0x7F) {
      note(remark_kind::status_in_data, at_);
      return step::status;
    }
    *data = byte();
    ++at_;
  }
  t.events.push_back({now_, m});
  return step::next;
}

track_reader::step track_reader::read_meta(track& t) {
  if (!has(1)) return stop(remark_kind::event_cut_short, event_);
  meta_event m{byte(), {}};
  auto offset = at_ - 1;
  ++at_;
  auto length = quantity();
  if (!length) return step::stop;
  if (!has(*length)) return stop(remark_kind::event_cut_short, event_);
  m.data = bytes_.substr(at_, *length);
  at_ += *length;
  interrupted_ = running_status_ != 0;
  check_meta(m, offset);
  if (is(m, meta_type::end_of_track)) return step::end_of_track;
  t.events.push_back({now_, std::move(m)});
  return step::next;
}

void track_reader::check_meta(const meta_event& m, std::size_t offset) {
  if (m.type > 0x7F) note(remark_kind::meta_type_unknown, offset);
  auto wanted = fixed_length(m.type);
  // A sequence number without bytes stands for the place of the sequence in the file.
  auto may_be_empty = is(m, meta_type::sequence_number) && m.data.empty();
  if (wanted && m.data.size() != *wanted && !may_be_empty)
    note(remark_kind::meta_length, offset);
  else if (is(m, meta_type::tempo) && !tempo_of(m))
    note(remark_kind::tempo_zero, offset);
}

track_reader::step track_reader::read_sysex(track& t, bool escape) {
  if (!escape && open_sysex_) note(remark_kind::unfinished_sysex, event_);
  auto length = quantity();
  if (!length) return step::stop;
  if (!has(*length)) return stop(remark_kind::event_cut_short, event_);
  sysex_event s{escape, std::string{bytes_.substr(at_, *length)}};
  at_ += *length;
  interrupted_ = running_status_ != 0;
  auto ends = !s.data.empty() && static_cast<std::uint8_t>(s.data.back()) == 0xF7;
  open_sysex_ = (!escape || open_sysex_) && !ends;
  t.events.push_back({now_, std::move(s)});
  return step::next;
}

track_reader::step track_reader::skip_system_message(std::uint8_t status) {
  note(remark_kind::system_message, at_ - 1);
  auto count = status == 0xF2 ? 2 : status == 0xF1 || status == 0xF3 ? 1 : 0;
  for (; count > 0 && has(1) && byte() < 0x80; --count)
    ++at_;
  return step::next;
}

}  // namespace fermata::midi::smf
