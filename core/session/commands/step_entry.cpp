#include "core/session/commands/step_entry.hpp"

#include "core/theory/transposition.hpp"

#include <algorithm>
#include <utility>

namespace fermata {

bool step_entry::press(char key) {
  using enum step::what_t;
  if (key >= '1' && key <= '8') {
    next_ = {key - '0', false};
    return true;
  }
  switch (key) {
    case '.': next_.dotted = !next_.dotted; return true;
    case '0': steps_.push_back({rest, {}, next_}); break;
    case '|': steps_.push_back({barline}); break;
    case 't': {
      auto last =
          std::find_if(steps_.rbegin(), steps_.rend(), [](auto& s) { return s.what != barline; });
      if (last != steps_.rend() && last->what == notes) {
        auto keys_of_last = last->keys;
        steps_.push_back({notes, std::move(keys_of_last), next_, true});
      }
      break;
    }
    case backspace:
      if (steps_.empty()) return false;
      steps_.pop_back();
      break;
    default: return false;
  }
  last_chord_.reset();
  return true;
}

void step_entry::play(const struck_chord& chord) {
  if (chord.keys.empty()) return;
  if (last_chord_ != chord.number) steps_.push_back({step::what_t::notes, {}, next_});
  last_chord_ = chord.number;
  auto& keys = steps_.back().keys;
  keys = chord.keys;
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

void step_entry::start_over() {
  steps_.clear();
  last_chord_.reset();
}

std::string step_entry::word(note_value v) {
  constexpr std::string_view words[] = {"64", "32", "16", "8", "q", "h", "w", "breve"};
  return std::string{words[v.power - 1]} + (v.dotted ? "." : "");
}

std::string step_entry::value() const { return word(next_); }

std::string step_entry::pitch_text(std::uint8_t key) const {
  auto p = spelled_in_key(key * 100, key_);
  auto text = to_string(p);
  if (naturals_ && p.cents == 0) text.insert(1, "n");
  return text;
}

std::string step_entry::text() const {
  std::string text;
  std::optional<note_value> written;  // it carries over
  for (auto& s : steps_) {
    if (s.what == step::what_t::barline) {
      text += "| ";
      continue;
    }
    if (s.what == step::what_t::rest) {
      text += 'r';
    } else if (s.keys.size() == 1) {
      text += pitch_text(s.keys.front());
    } else {
      for (std::size_t i = 0; i < s.keys.size(); ++i)
        text += (i == 0 ? "<" : " ") + pitch_text(s.keys[i]);
      text += '>';
    }
    if (written != s.value) text += ':' + word(s.value);
    written = s.value;
    text += ' ';
    // A tie is written before the barline.
    auto next = std::find_if(steps_.begin() + (&s - steps_.data()) + 1, steps_.end(),
                             [](auto& n) { return n.what != step::what_t::barline; });
    if (next != steps_.end() && next->tied) text += "~ ";
  }
  return text;
}

}  // namespace fermata
