#include "apps/fermata/prompt/step_mode.hpp"

#include "core/lang/evaluation/key_inference.hpp"
#include "core/theory/tonality.hpp"

#include <algorithm>

namespace fermata::app {

namespace {

constexpr std::string_view opening = "(phrase \"", closing = "\")";

step_entry entry_for(const session_state& s) {
  return step_entry{tonality_of(key_at(*s.score, *s.env)), s.env->key_inference};
}

}  // namespace

step_mode::line step_mode::empty_phrase() {
  return {std::string{opening} + std::string{closing}, opening.size()};
}

void step_mode::begin(const session_state& s, const recording_status& before) {
  entry_ = entry_for(s);
  shown_.clear();
  heard_ = before.chords.empty() ? 0 : before.chords.back().number;
  keys_heard_ = before.chords.empty() ? 0 : before.chords.back().keys.size();
}

void step_mode::next_line(const session_state& s) {
  if (!entry_) return;
  auto next = entry_for(s);
  next.continue_with_value_of(*entry_);
  entry_ = std::move(next);
  shown_.clear();
}

/// The line with the cursor in its phrase; empty: it is another line, as one of the history.
std::optional<step_mode::line> step_mode::in_phrase(line l) {
  if (!l.text.starts_with(opening) || !l.text.ends_with(closing) ||
      l.text.size() < opening.size() + closing.size() || l.cursor < opening.size())
    return std::nullopt;
  l.cursor = std::min(l.cursor, l.text.size() - closing.size());
  return l;
}

/// What the user has changed is no longer rewritten.
void step_mode::follow_edits(const line& l) {
  auto before = std::string_view{l.text}.substr(0, l.cursor);
  if (before.ends_with(shown_)) return;
  entry_->start_over();
  shown_.clear();
}

step_mode::line step_mode::rewritten(line l) const {
  auto from = l.cursor - shown_.size();
  auto text = entry_->text();
  l.text.replace(from, shown_.size(), text);
  l.cursor = from + text.size();
  return l;
}

std::optional<step_mode::line> step_mode::press(char key, const line& before) {
  auto l = entry_ ? in_phrase(before) : std::nullopt;
  if (!l) return std::nullopt;
  // Its quotes stay.
  if (key == step_entry::backspace && l->text == empty_phrase().text) return l;
  follow_edits(*l);
  if (!entry_->press(key)) return std::nullopt;
  auto after = rewritten(*l);
  shown_ = entry_->text();
  return after;
}

std::optional<step_mode::line> step_mode::play(const recording_status& status, const line& before) {
  if (!entry_) return std::nullopt;
  auto l = in_phrase(before);
  bool is_new = false;
  for (auto& c : status.chords) {
    if (c.number < heard_ || (c.number == heard_ && c.keys.size() <= keys_heard_)) continue;
    heard_ = c.number;
    keys_heard_ = c.keys.size();
    if (!l) continue;
    if (!is_new) follow_edits(*l);
    is_new = true;
    entry_->play(c);
  }
  if (!is_new) return std::nullopt;
  auto after = rewritten(*l);
  shown_ = entry_->text();
  return after;
}

}  // namespace fermata::app
