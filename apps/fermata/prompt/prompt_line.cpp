#include "apps/fermata/prompt/prompt_line.hpp"

#include "core/session/timeline/decide.hpp"
#include "io/terminal/symbols_as_words.hpp"
#include "io/text/safe_text.hpp"
#include "io/text/wrap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace fermata::app {

timestamp current_time() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

std::int64_t next_index(const session_state& s, timestamp now) {
  // Nothing is written to one that is only looked at, and what waits there is shown elsewhere.
  if (!s.written_by.empty()) return s.history.next_index();
  return s.history.next_index() + static_cast<std::int64_t>(all_pending(s, now).size());
}

namespace {

/// "▶3"; "▶etude 3" for another session; "‖3" while it is paused.
std::string playing_badge(const playback_status& p, const std::string& here) {
  if (!p.is_active()) return {};
  auto sign = p.state == playback_status::state_t::paused ? "\u2016" : "\u25b6";
  return sign + (p.session == here ? std::string{} : p.session + ' ') + p.measure;
}

std::string playing_in_words(const playback_status& p) {
  if (!p.is_active()) return {};
  auto state = p.state == playback_status::state_t::paused ? "paused at" : "playing";
  return fmt::format(", {} measure {}", state, p.measure);
}

/// "●17 c4 e4": how many notes, and the keys that are down; those beyond a hand or two are left
/// out.
std::string recording_badge(const recording_status& r, const std::string& here) {
  if (!r.is_recording()) return {};
  constexpr std::string_view names[] = {"c",  "c#", "d",  "d#", "e",  "f",
                                        "f#", "g",  "g#", "a",  "a#", "b"};
  constexpr std::size_t most_keys = 10;
  auto badge =
      fmt::format("\u25cf{}{}", r.session == here ? std::string{} : r.session + ' ', r.notes);
  for (std::size_t i = 0; i < std::min(r.keys.size(), most_keys); ++i)
    badge += fmt::format(" {}{}", names[r.keys[i] % 12], r.keys[i] / 12 - 1);
  return badge;
}

}  // namespace

io::prompt_text prompt_of(const session_state& s, const prompt_activity& activity, timestamp now,
                          bool accessible) {
  auto& [playing, recording, entry] = activity;
  auto index = next_index(s, now);
  auto messages = s.queue.size();
  auto proposals = std::count_if(s.proposals.begin(), s.proposals.end(),
                                 [](auto& p) { return p.state == proposal::state_t::open; });
  auto slug = io::safe_text(s.meta.slug);
  if (accessible) {
    auto waits = io::badges_in_words(messages, static_cast<std::size_t>(proposals));
    auto only_read = s.written_by.empty() ? "" : ", read-only";
    return {{fmt::format("{}{}{}{}{}{}, In {}: ", slug, only_read, waits,
                         io::safe_text(playing_in_words(playing)),
                         recording.session == s.meta.slug ? ", recording" : "",
                         entry.empty() ? std::string{} : ", " + entry, index),
             io::style::plain}};
  }
  io::prompt_text p{{"[" + slug, io::style::prompt}};
  if (!s.written_by.empty()) p.push_back({" read-only", io::style::badge});
  if (messages > 0) p.push_back({fmt::format(" \u2709{}", messages), io::style::badge});
  if (proposals > 0) p.push_back({fmt::format(" \u0394{}", proposals), io::style::badge});
  if (auto badge = playing_badge(playing, s.meta.slug); !badge.empty())
    p.push_back({' ' + io::safe_text(badge), io::style::badge});
  if (auto badge = recording_badge(recording, s.meta.slug); !badge.empty())
    p.push_back({' ' + io::safe_text(badge), io::style::recording});
  if (!entry.empty()) p.push_back({' ' + entry, io::style::badge});
  p.push_back({fmt::format("] In[{}]: ", index), io::style::prompt});
  return p;
}

std::string continuation_of(const io::prompt_text& prompt, std::size_t columns, bool accessible) {
  if (accessible) return "continued: ";
  auto width = io::display_width(plain_text(prompt));
  if (width + 30 > columns) return ".. ";
  return std::string(width - 3, ' ') + ".. ";
}

}  // namespace fermata::app
