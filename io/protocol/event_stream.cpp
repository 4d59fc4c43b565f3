#include "io/protocol/event_stream.hpp"

#include <algorithm>

namespace fermata::io::protocol {

namespace {

constexpr std::int64_t entries_of_event = 50;       ///< at most
constexpr std::int64_t entries_read_ahead = 1'000;  ///< at once

}  // namespace

std::vector<std::string_view> kinds_of_event(std::string_view what) {
  std::vector<std::string_view> out;
  while (!what.empty()) {
    const auto word = what.substr(0, what.find(' '));
    if (!word.empty()) out.push_back(word);
    what.remove_prefix(std::min(what.size(), word.size() + 1));
  }
  return out;
}

void event_stream::owe(std::string_view what, std::uint64_t sequence) {
  if (!due_) {
    due_ = event{std::string{what}, sequence};
    return;
  }
  for (auto kind : kinds_of_event(what)) {
    const auto known = kinds_of_event(due_->what);
    if (std::find(known.begin(), known.end(), kind) == known.end())
      due_->what.append(" ").append(kind);
  }
  due_->sequence = sequence;
}

bool event_stream::happened(std::string_view what, std::uint64_t sequence, std::int64_t entries) {
  const auto kinds = kinds_of_event(what);
  if (kinds_.empty() || std::any_of(kinds.begin(), kinds.end(), [&](auto k) { return wants(k); })) {
    owe(what, sequence);
    return true;
  }
  // With something due these entries come after it, wanted or not: there is never a gap.
  if (!due_) seen_ = entries;
  return false;
}

bool event_stream::list_changed() {
  const bool is_wanted = wants("sessions");
  list_due_ |= is_wanted;
  return is_wanted;
}

event_stream::portion event_stream::next(std::int64_t entries, std::int64_t on_disk) const {
  if (seen_ < on_disk) {
    if (!has_read_ahead()) return {true, std::min(on_disk, seen_ + entries_read_ahead)};
    return {false, std::min(read_up_to_, seen_ + entries_of_event)};
  }
  return {false, std::min(entries, seen_ + entries_of_event)};
}

bool event_stream::sent(std::int64_t up_to, std::int64_t entries) {
  seen_ = up_to;
  if (seen_ < entries) return false;
  due_.reset();
  return true;
}

}  // namespace fermata::io::protocol
