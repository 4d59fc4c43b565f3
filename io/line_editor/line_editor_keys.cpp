#include "core/utf8.hpp"
#include "io/line_editor/line_editor_impl.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/text/safe_text.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace fermata::io {

int line_editor::impl::on_byte_wanted(FILE*) { return self->keys.next(); }

int line_editor::impl::on_byte_expected() {
  auto microseconds = rl_set_keyboard_input_timeout(0);
  rl_set_keyboard_input_timeout(microseconds);
  return self->keys.comes_within((microseconds + 999) / 1000) ? 1 : 0;
}

std::string_view line_editor::impl::text() {
  return {rl_line_buffer, static_cast<std::size_t>(rl_end)};
}

void line_editor::impl::new_line() {
  std::string inserted = "\n";
  if (hooks.indentation)
    inserted.append(hooks.indentation(text().substr(0, static_cast<std::size_t>(rl_point))), ' ');
  rl_insert_text(inserted.c_str());
}

void line_editor::impl::make_remark() {
  remark.clear();
  if (remarked || !hooks.remark) return;
  remark = hooks.remark(text());
  remarked = !remark.empty();
}

int line_editor::impl::on_enter(int count, int key) {
  // With the cursor inside, Enter still ends the whole input; breaking a line there is
  // Alt-Enter's.
  if (self->hooks.is_incomplete && self->hooks.is_incomplete(text())) {
    rl_point = rl_end;
    self->make_remark();
    self->new_line();
    return 0;
  }
  self->leave_text();
  return rl_newline(count, key);
}

int line_editor::impl::on_plain_enter(int count, int key) {
  rl_point = rl_end;
  redisplay_plain();
  write_out("\r\n");
  return rl_newline(count, key);
}

int line_editor::impl::on_alt_enter(int, int) {
  self->new_line();
  return 0;
}

/// Ctrl-D behind an input that goes on: it leaves on an empty line only.
int line_editor::impl::on_end_of_input(int count, int key) {
  if (rl_point < rl_end || !self->hooks.is_incomplete || !self->hooks.is_incomplete(text()))
    return rl_delete(count, key);
  self->remark = self->hooks.stays;
  request_redraw();
  return 0;
}

int line_editor::impl::on_hint(int, int) {
  if (self->plain) {
    // Below the line, once; then the line again.
    auto hint =
        self->hooks.hint ? self->hooks.hint(text(), static_cast<std::size_t>(rl_point)) : "";
    if (hint.empty()) return 0;
    write_out("\r\n" + safe_text(hint) + "\r\n");
    self->line.begin();
    redisplay_plain();
    return 0;
  }
  self->hint_wanted = !self->hint_wanted;
  request_redraw();
  return 0;
}

int line_editor::impl::on_space(int count, int key) {
  if (rl_end == 0 && self->hooks.space_on_empty && self->hooks.space_on_empty()) return 0;
  return rl_insert(count, key);
}

int line_editor::impl::on_taken_key(int count, int key) {
  const bool removes = key == RUBOUT || key == CTRL('H');
  if (self->hooks.taken_key && self->hooks.taken_key(removes ? '\b' : static_cast<char>(key)))
    return 0;
  return removes ? rl_rubout(count, key) : rl_insert(count, key);
}

void line_editor::impl::take_keys(std::string keys) {
  for (auto& t : taken)
    rl_bind_key_in_map(t.key, t.before, t.map);
  taken.clear();
  taken_characters = std::move(keys);
  if (taken_characters.empty()) return;
  auto take = [&](Keymap map, int key) {
    if (map[key].type != ISFUNC) return;  // a macro of the user
    taken.push_back({map, key, map[key].function});
    rl_bind_key_in_map(key, on_taken_key, map);
  };
  for (auto map : {emacs_standard_keymap, vi_insertion_keymap}) {
    for (auto key : taken_characters)
      take(map, static_cast<unsigned char>(key));
    take(map, RUBOUT);
    take(map, CTRL('H'));
  }
}

int line_editor::impl::on_edit_elsewhere(int, int) {
  self->editor_wanted = true;  // seen to when Readline is not in the middle of a key
  return 0;
}

bool line_editor::impl::move_line(int direction) {
  auto t = text();
  auto at = static_cast<std::size_t>(rl_point);
  auto start_of = [&](std::size_t i) {
    auto newline = i == 0 ? t.npos : t.rfind('\n', i - 1);
    return newline == t.npos ? 0 : newline + 1;
  };
  auto begin = start_of(at);
  std::size_t target;
  if (direction < 0) {
    if (begin == 0) return false;
    target = start_of(begin - 1);
  } else {
    auto newline = t.find('\n', at);
    if (newline == t.npos) return false;
    target = newline + 1;
  }
  auto end = std::min(t.find('\n', target), t.size());
  auto to = std::min(target + (at - begin), end);
  while (to > target && is_utf8_continuation(t[to]))
    --to;
  rl_point = static_cast<int>(to);
  return true;
}

int line_editor::impl::on_home(int, int) {
  auto before = text().substr(0, static_cast<std::size_t>(rl_point));
  auto newline = before.rfind('\n');
  rl_point = newline == before.npos ? 0 : static_cast<int>(newline + 1);
  return 0;
}

int line_editor::impl::on_end(int, int) {
  auto newline = text().find('\n', static_cast<std::size_t>(rl_point));
  rl_point = newline == std::string_view::npos ? rl_end : static_cast<int>(newline);
  return 0;
}

int line_editor::impl::on_kill_line(int, int) {
  auto from = rl_point;
  on_end(0, 0);
  auto to = rl_point;
  if (to == from && to < rl_end) ++to;
  rl_point = from;
  return rl_kill_text(from, to);
}

int line_editor::impl::on_kill_to_start(int, int) {
  auto from = rl_point;
  on_home(0, 0);
  if (rl_point == from && from > 0) --rl_point;
  auto to = rl_point;
  rl_point = from;
  rl_kill_text(from, to);
  rl_point = to;
  return 0;
}

int line_editor::impl::on_up(int count, int key) {
  return move_line(-1) ? 0 : rl_get_previous_history(count, key);
}

int line_editor::impl::on_down(int count, int key) {
  return move_line(1) ? 0 : rl_get_next_history(count, key);
}

void line_editor::impl::replace(Keymap map, rl_command_func_t* theirs, rl_command_func_t* ours) {
  auto keys = rl_invoking_keyseqs_in_map(theirs, map);
  for (auto key = keys; key && *key; ++key) {
    rl_bind_keyseq_in_map(*key, ours, map);
    std::free(*key);
  }
  std::free(keys);
}

void line_editor::impl::bind_keys() {
  for (auto map : {emacs_standard_keymap, vi_insertion_keymap, vi_movement_keymap}) {
    replace(map, rl_newline, on_enter);
    replace(map, rl_get_previous_history, on_up);
    replace(map, rl_get_next_history, on_down);
    replace(map, rl_beg_of_line, on_home);
    replace(map, rl_end_of_line, on_end);
    replace(map, rl_kill_line, on_kill_line);
    replace(map, rl_unix_line_discard, on_kill_to_start);
    replace(map, rl_backward_kill_line, on_kill_to_start);
    rl_bind_keyseq_in_map("\x18\x05", on_edit_elsewhere, map);
  }
  for (auto map : {emacs_standard_keymap, vi_insertion_keymap})
    rl_bind_key_in_map(' ', on_space, map);
  rl_bind_keyseq_in_map("\x1b\r", on_alt_enter, emacs_standard_keymap);
  rl_bind_keyseq_in_map("\x1b\n", on_alt_enter, emacs_standard_keymap);
  rl_bind_keyseq_in_map("\x1bh", on_hint, emacs_standard_keymap);
  rl_bind_keyseq_in_map("\x04", on_end_of_input, emacs_standard_keymap);
}

void line_editor::impl::bind_plain_keys() {
  for (auto map : {emacs_standard_keymap, vi_insertion_keymap, vi_movement_keymap}) {
    replace(map, rl_newline, on_plain_enter);
    rl_bind_keyseq_in_map("\x18\x05", on_edit_elsewhere, map);
  }
  rl_bind_keyseq_in_map("\x1bh", on_hint, emacs_standard_keymap);
}

void line_editor::impl::rebind_terminal_keys() {
  if (!taken.empty()) take_keys(taken_characters);
  if (plain) return;
  for (auto map : {emacs_standard_keymap, vi_insertion_keymap, vi_movement_keymap})
    replace(map, rl_unix_line_discard, on_kill_to_start);
}

}  // namespace fermata::io
