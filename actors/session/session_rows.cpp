#include "actors/session/session_rows.hpp"

#include "core/session/timeline/entry_text.hpp"

#include <fmt/format.h>

namespace fermata::actors {

namespace {

/// ", 2 unread messages"; nothing when there are none.
std::string waiting_in_words(std::size_t n, std::string_view what) {
  return n == 0 ? std::string{} : fmt::format(", {} {}{}", n, what, n == 1 ? "" : "s");
}

/// "312 B", "4.5 KB", "2.1 MB".
std::string size_in_words(std::uint64_t bytes) {
  if (bytes < 1'000) return fmt::format("{} B", bytes);
  auto amount = static_cast<double>(bytes) / 1'000;
  for (auto unit : {"KB", "MB"}) {
    if (amount < 1'000) return fmt::format("{:.1f} {}", amount, unit);
    amount /= 1'000;
  }
  return fmt::format("{:.1f} GB", amount);
}

}  // namespace

session_summary summary_of(const io::session_on_disk& stored) {
  session_summary s;
  s.meta = stored.summary.meta;
  s.score = stored.summary.score;
  if (!stored.is_readable) s.score = "meta.json is unreadable; opening the session rewrites it";
  // It was killed in its first second, or another process began it just now.
  else if (stored.summary.score_entries == 0 && stored.summary.entries > 0)
    s.score = "score unknown until opened";
  else if (!s.score.empty() && stored.summary.score_entries != stored.summary.entries)
    s.score += ", at entry " + std::to_string(stored.summary.score_entries);
  s.entries = static_cast<std::size_t>(stored.summary.entries);
  s.bytes = stored.bytes;
  return s;
}

std::string session_row(const session_summary& s, wall_clock clock) {
  std::string tags;
  for (auto& tag : s.meta.tags)
    tags += " #" + tag;
  auto row = fmt::format("{:<20} {}{}  {} {}, {}, changed {}  {}", s.meta.slug, s.meta.name, tags,
                         s.entries, s.entries == 1 ? "entry" : "entries", size_in_words(s.bytes),
                         to_text(s.meta.modified, clock), s.score);
  row += waiting_in_words(s.messages, "unread message");
  row += waiting_in_words(s.proposals, "open proposal");
  return row;
}

}  // namespace fermata::actors
