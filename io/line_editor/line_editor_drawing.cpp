#include "io/line_editor/line_editor_impl.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/text/safe_text.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace fermata::io {

void line_editor::impl::request_redraw() { self->dirty = true; }

void line_editor::impl::draw() {
  if (plain || !opened) return;
  dirty = false;
  auto size = size_of_terminal();
  edit_view v;
  v.columns = size.columns;
  v.rows = size.rows;
  v.color = color;
  v.text = {rl_line_buffer, static_cast<std::size_t>(rl_end)};
  v.cursor = static_cast<std::size_t>(rl_point);
  v.continuation = continuation;
  // While Readline asks for something (a search), it has a prompt of its own.
  bool asks = rl_display_prompt && rl_display_prompt != rl_prompt;
  if (asks)
    v.prompt = {{rl_display_prompt, style::hint}};
  else
    v.prompt = with_mode(prompt);
  constexpr std::size_t too_long_for_colors = std::size_t{64} * 1024;
  if (color && hooks.highlight && v.text.size() <= too_long_for_colors)
    v.spans = hooks.highlight(v.text, v.cursor);
  if (hint_wanted && hooks.hint && !asks) v.hint = hooks.hint(v.text, v.cursor);
  if (v.hint.empty() && !asks) v.hint = remark;
  show(picture(v));
}

void line_editor::impl::redisplay_plain() {
  // An input of several lines, out of the history, is one here.
  auto as_one_line = [](std::string_view text) {
    auto line = safe_text(text);
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
  };
  auto before = as_one_line(text().substr(0, static_cast<std::size_t>(rl_point)));
  // A search has a prompt of its own.
  write_out(self->line.show(rl_display_prompt ? rl_display_prompt : "", as_one_line(text()),
                            before.size(), size_of_terminal().columns));
}

prompt_text line_editor::impl::with_mode(prompt_text p) {
  auto wanted = rl_variable_value("show-mode-in-prompt");
  if (!wanted || std::strcmp(wanted, "on") != 0) return p;
  auto variable = rl_editing_mode != 0                    ? "emacs-mode-string"
                  : rl_get_keymap() == vi_movement_keymap ? "vi-cmd-mode-string"
                                                          : "vi-ins-mode-string";
  auto value = rl_variable_value(variable);
  // Between \001 and \002 stands what the terminal obeys and does not show, such as the shape of
  // the cursor: the user's own words, written when the mode changes.
  std::string seen, unseen;
  bool hidden = false;
  for (std::string_view text{value ? value : ""}; char c : text) {
    if (c == RL_PROMPT_START_IGNORE || c == RL_PROMPT_END_IGNORE)
      hidden = c == RL_PROMPT_START_IGNORE;
    else
      (hidden ? unseen : seen) += c;
  }
  if (std::exchange(mode_switch, unseen) != unseen) write_out(unseen);
  p.insert(p.begin(), {std::move(seen), style::hint});
  return p;
}

void line_editor::impl::show(edit_picture wanted) {
  write_out(repaint(shown, wanted));
  shown = std::move(wanted);
}

void line_editor::impl::leave_text() {
  if (plain) return;
  hint_wanted = false;
  remark.clear();
  rl_point = rl_end;
  draw();
  write_out(leave(shown));
  shown = {};
}

}  // namespace fermata::io
