#include "io/terminal/line_editor.hpp"

#include "io/terminal/key_input.hpp"
#include "io/terminal/safe_text.hpp"
#include "io/terminal/word_columns.hpp"
#include "io/terminal/wrap.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
// Readline's header wants stdio before it.
#include <readline/history.h>
#include <readline/readline.h>

namespace fermata::io {

terminal_size size_of_terminal() {
  winsize w{};
  terminal_size size;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && w.ws_row > 0)
    size = {w.ws_col, w.ws_row};
  return size;
}

bool write_out(std::string_view text) {
  while (!text.empty()) {
    auto n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n > 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
    } else if (n < 0 && errno == EAGAIN) {
      pollfd ready{STDOUT_FILENO, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (n < 0 && errno != EINTR) {
      return false;
    }
  }
  return true;
}

struct line_editor::impl {
  line_editor_hooks hooks;
  key_input keys;
  bool color = false, plain = false, opened = false;
  prompt_text prompt;
  std::string continuation;
  std::string initial;
  std::string readline_prompt;  ///< Readline keeps a pointer, by which we know its own messages
  std::string current;          ///< for `text()`
  std::string mode_switch;      ///< what was last written for the mode
  std::string remark;           ///< below the text, until the next Enter
  bool remarked = false;        ///< of this text
  edit_picture shown;
  bool dirty = false, hint_wanted = false, editor_wanted = false;
  std::optional<edit_result> done;

  static inline impl* self = nullptr;

  // --- drawing -----------------------------------------------------------------------------------

  /// Readline asks for this after every key; the picture is made once all keys are read.
  static void request_redraw() { self->dirty = true; }

  void draw() {
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

  /// The prompt behind the mode indicator, where `.inputrc` wants one.
  prompt_text with_mode(prompt_text p) {
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

  void show(edit_picture wanted) {
    write_out(repaint(shown, wanted));
    shown = std::move(wanted);
  }

  /// The finished text stays on the screen, without a hint and without marks at the cursor.
  void leave_text() {
    if (plain) return;
    hint_wanted = false;
    remark.clear();
    rl_point = rl_end;
    draw();
    write_out(leave(shown));
    shown = {};
  }

  // --- keys --------------------------------------------------------------------------------------

  static int on_byte_wanted(FILE*) { return self->keys.next(); }
  /// Readline waits a moment for the rest of a key, as long as its keyboard timeout says.
  static int on_byte_expected() {
    auto microseconds = rl_set_keyboard_input_timeout(0);
    rl_set_keyboard_input_timeout(microseconds);
    return self->keys.comes_within((microseconds + 999) / 1000) ? 1 : 0;
  }

  static std::string_view text() { return {rl_line_buffer, static_cast<std::size_t>(rl_end)}; }

  void new_line() {
    std::string inserted = "\n";
    if (hooks.indentation)
      inserted.append(hooks.indentation(text().substr(0, static_cast<std::size_t>(rl_point))), ' ');
    rl_insert_text(inserted.c_str());
  }

  void make_remark() {
    remark.clear();
    if (remarked || !hooks.remark) return;
    remark = hooks.remark(text());
    remarked = !remark.empty();
  }

  static int on_enter(int count, int key) {
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

  static int on_alt_enter(int, int) {
    self->new_line();
    return 0;
  }

  static int on_hint(int, int) {
    if (self->plain) {
      // Below the line, once; then the line again.
      auto hint =
          self->hooks.hint ? self->hooks.hint(text(), static_cast<std::size_t>(rl_point)) : "";
      if (hint.empty()) return 0;
      write_out("\r\n" + safe_text(hint) + "\r\n");
      rl_on_new_line();
      rl_redisplay();
      return 0;
    }
    self->hint_wanted = !self->hint_wanted;
    request_redraw();
    return 0;
  }

  static int on_edit_elsewhere(int, int) {
    self->editor_wanted = true;  // seen to when Readline is not in the middle of a key
    return 0;
  }

  /// The same column in the line above or below; false when there is none.
  static bool move_line(int direction) {
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
    while (to > target && (static_cast<unsigned char>(t[to]) & 0xC0U) == 0x80U)
      --to;
    rl_point = static_cast<int>(to);
    return true;
  }

  /// Start and end of the line that the cursor is in, not of the whole text.
  static int on_home(int, int) {
    auto before = text().substr(0, static_cast<std::size_t>(rl_point));
    auto newline = before.rfind('\n');
    rl_point = newline == before.npos ? 0 : static_cast<int>(newline + 1);
    return 0;
  }
  static int on_end(int, int) {
    auto newline = text().find('\n', static_cast<std::size_t>(rl_point));
    rl_point = newline == std::string_view::npos ? rl_end : static_cast<int>(newline);
    return 0;
  }

  /// Cut to the end or the start of the line that the cursor is in; the newline itself when there
  /// is nothing before it.
  static int on_kill_line(int, int) {
    auto from = rl_point;
    on_end(0, 0);
    auto to = rl_point;
    if (to == from && to < rl_end) ++to;
    rl_point = from;
    return rl_kill_text(from, to);
  }
  static int on_kill_to_start(int, int) {
    auto from = rl_point;
    on_home(0, 0);
    if (rl_point == from && from > 0) --rl_point;
    auto to = rl_point;
    rl_point = from;
    rl_kill_text(from, to);
    rl_point = to;
    return 0;
  }

  static int on_up(int count, int key) {
    return move_line(-1) ? 0 : rl_get_previous_history(count, key);
  }
  static int on_down(int count, int key) {
    return move_line(1) ? 0 : rl_get_next_history(count, key);
  }

  /// Puts a function of ours where one of Readline's was, on whatever keys the user has it.
  static void replace(Keymap map, rl_command_func_t* theirs, rl_command_func_t* ours) {
    auto keys = rl_invoking_keyseqs_in_map(theirs, map);
    for (auto key = keys; key && *key; ++key) {
      rl_bind_keyseq_in_map(*key, ours, map);
      std::free(*key);
    }
    std::free(keys);
  }

  void bind_keys() {
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
    rl_bind_keyseq_in_map("\x1b\r", on_alt_enter, emacs_standard_keymap);
    rl_bind_keyseq_in_map("\x1b\n", on_alt_enter, emacs_standard_keymap);
    rl_bind_keyseq_in_map("\x1bh", on_hint, emacs_standard_keymap);
  }

  /// What serves on a plain terminal too.
  void bind_plain_keys() {
    for (auto map : {emacs_standard_keymap, vi_insertion_keymap, vi_movement_keymap})
      rl_bind_keyseq_in_map("\x18\x05", on_edit_elsewhere, map);
    rl_bind_keyseq_in_map("\x1bh", on_hint, emacs_standard_keymap);
  }

  /// Whenever Readline takes the terminal it gives the key that kills a line there (Ctrl-U) its own
  /// meaning again.
  void rebind_kill_key() {
    if (plain) return;
    for (auto map : {emacs_standard_keymap, vi_insertion_keymap, vi_movement_keymap})
      replace(map, rl_unix_line_discard, on_kill_to_start);
  }

  // --- completion --------------------------------------------------------------------------------

  static char** on_complete(const char*, int start, int) {
    rl_attempted_completion_over = 1;  // no file names
    if (!self->hooks.complete) return nullptr;
    auto found = self->hooks.complete(text(), static_cast<std::size_t>(rl_point));
    // Readline has decided where the word begins; a word of ours that begins earlier loses what
    // stands before that, one that begins later gets it.
    auto readline_begin = static_cast<std::size_t>(start);
    std::string more;
    std::size_t less = 0;
    if (found.begin > readline_begin)
      more = text().substr(readline_begin, found.begin - readline_begin);
    else
      less = readline_begin - found.begin;
    std::vector<std::string> words;
    for (auto& w : found.words)
      if (w.size() >= less) words.push_back(more + w.substr(less));
    if (words.empty()) return nullptr;
    auto common = common_beginning(words);
    rl_completion_suppress_append = 1;  // what follows is ours to say
    if (words.size() == 1) common += found.after;
    // Words that differ from what was typed (in capitals) shall not make it shorter.
    auto typed = text().substr(readline_begin, static_cast<std::size_t>(rl_point) - readline_begin);
    if (words.size() > 1 && common.size() < typed.size()) common = typed;
    // Readline frees what it gets: an array of C strings, the common beginning first.
    auto list = static_cast<char**>(std::calloc(words.size() + 2, sizeof(char*)));
    if (!list) return nullptr;
    list[0] = ::strdup(common.c_str());
    if (words.size() > 1)
      for (std::size_t i = 0; i < words.size(); ++i)
        list[i + 1] = ::strdup(words[i].c_str());
    return list;
  }

  static void on_show_matches(char** matches, int count, int) {
    std::vector<std::string> words;
    for (int i = 1; i <= count; ++i)
      words.push_back(safe_text(matches[i]));
    // Of paths only what differs: the folder stands in the line already.
    if (auto slash = std::string_view{matches[0]}.rfind('/'); slash != std::string_view::npos)
      for (auto& w : words)
        w.erase(0, std::min(slash + 1, w.size()));
    auto size = size_of_terminal();
    auto list = in_columns(words, size.columns, size.rows > 4 ? size.rows - 4 : 1, "\r\n");
    if (self->plain)
      write_out("\r\n");
    else
      self->draw();  // what was typed may not have been drawn yet
    write_out(leave(self->shown) + list);
    self->shown = {};
    if (self->plain) rl_forced_update_display();
    request_redraw();
  }

  // --- life --------------------------------------------------------------------------------------

  static void on_line(char* line) {
    // Without this Readline would at once draw the prompt for a next line.
    rl_callback_handler_remove();
    self->opened = false;
    if (line)
      self->done = edit_result{edit_result::kind_t::line, line};
    else
      self->done = edit_result{edit_result::kind_t::end_of_input, {}};
    std::free(line);
  }

  static int on_startup() {
    if (!self->initial.empty()) {
      rl_insert_text(self->initial.c_str());
      self->initial.clear();
    }
    return 0;
  }

  void install() {
    readline_prompt = plain_text(prompt);
    shown = {};
    remark.clear();
    remarked = false;
    done.reset();
    opened = true;
    rl_callback_handler_install(readline_prompt.c_str(), on_line);
    rebind_kill_key();
    draw();
  }
};

line_editor::line_editor(line_editor_hooks hooks, bool color, bool linear)
  : impl_(std::make_unique<impl>()) {
  impl::self = impl_.get();
  impl_->hooks = std::move(hooks);
  impl_->color = color;
  rl_readline_name = "Fermata";
  rl_catch_signals = 0;  // they come through a signal_source
  rl_catch_sigwinch = 0;
  rl_change_environment = 0;
  rl_startup_hook = impl::on_startup;
  rl_attempted_completion_function = impl::on_complete;
  rl_completion_display_matches_hook = impl::on_show_matches;
  rl_basic_word_break_characters = " \t\n()[]\"'`,;";
  rl_completer_word_break_characters = " \t\n()[]\"'`,;";
  rl_completer_quote_characters = "";
  rl_basic_quote_characters = "";  // it would close strings by itself
  rl_sort_completion_matches = 0;
  using_history();
  // A terminal that can do nothing makes Readline write from left to right only.
  if (linear) rl_terminal_name = "dumb";
  rl_getc_function = impl::on_byte_wanted;
  rl_input_available_hook = impl::on_byte_expected;
  rl_initialize();
  auto up = rl_get_termcap("up");
  auto term = std::getenv("TERM");
  impl_->plain = !up || !*up || !term || std::strcmp(term, "dumb") == 0;
  if (!impl_->plain) {
    rl_redisplay_function = impl::request_redraw;
    impl_->bind_keys();
  } else {
    impl_->color = false;
    impl_->bind_plain_keys();
  }
}

line_editor::~line_editor() {
  close();
  rl_redisplay_function = rl_redisplay;
  rl_startup_hook = nullptr;
  rl_attempted_completion_function = nullptr;
  rl_completion_display_matches_hook = nullptr;
  rl_getc_function = rl_getc;
  rl_input_available_hook = nullptr;
  impl::self = nullptr;
}

bool line_editor::is_plain() const { return impl_->plain; }

bool line_editor::has_keys() const { return impl_->keys.is_waiting(); }

bool line_editor::is_open() const { return impl_->opened; }

void line_editor::set_color(bool color) { impl_->color = color && !impl_->plain; }

void line_editor::open(prompt_text prompt, std::string continuation, std::string_view text) {
  impl_->prompt = std::move(prompt);
  impl_->continuation = std::move(continuation);
  impl_->initial = text;
  impl_->hint_wanted = false;
  impl_->install();
}

void line_editor::set_prompt(prompt_text prompt, std::string continuation) {
  impl_->prompt = std::move(prompt);
  impl_->continuation = std::move(continuation);
  impl_->draw();
}

void line_editor::close() {
  if (!impl_->opened) return;
  if (impl_->plain)
    write_out("\n");
  else
    impl_->leave_text();
  impl_->opened = false;
  rl_callback_handler_remove();
}

std::optional<edit_result> line_editor::key() {
  // A bound, so that somebody who pastes a book still sees signs of life.
  for (int keys = 0; keys < 4096 && impl_->opened; ++keys) {
    rl_callback_read_char();
    if (std::exchange(impl_->editor_wanted, false)) {
      edit_result wish{edit_result::kind_t::elsewhere, text()};
      close();
      return wish;
    }
    if (!impl_->keys.comes_within(0)) break;
  }
  if (!impl_->done) {
    if (impl_->dirty) impl_->draw();
    return std::nullopt;
  }
  auto result = std::exchange(impl_->done, std::nullopt);
  if (result->kind == edit_result::kind_t::end_of_input) {
    // Where it has switched bracketed paste off again, Readline has ended the line as well.
    auto paste = rl_variable_value("enable-bracketed-paste");
    if (impl_->plain || !paste || std::strcmp(paste, "on") != 0) write_out("\n");
    impl_->shown = {};
  }
  return result;
}

void line_editor::interrupt() {
  impl_->keys.forget();
  if (!impl_->opened) return;
  if (impl_->plain) {
    write_out("^C\n");
  } else {
    impl_->hint_wanted = false;
    impl_->remark.clear();
    rl_point = rl_end;
    impl_->draw();
    write_out("^C" + leave(impl_->shown));
  }
  rl_callback_sigcleanup();
  rl_free_line_state();
  rl_callback_handler_remove();
  impl_->install();
}

void line_editor::resized() {
  if (!impl_->opened) {
    rl_resize_terminal();
    return;
  }
  if (impl_->plain) {
    rl_resize_terminal();
    return;
  }
  // The terminal may have broken the rows anew; where the cursor is now only the terminal knows.
  // Going up by the rows that our picture has at the new width comes nearest.
  auto size = size_of_terminal();
  std::size_t above = 0;
  for (std::size_t i = 0; i < impl_->shown.cursor_row && i < impl_->shown.rows.size(); ++i) {
    std::size_t width = 0;
    auto& row = impl_->shown.rows[i];
    width = display_width(safe_text(row));
    above += std::max<std::size_t>((width + size.columns - 1) / size.columns, 1);
  }
  above += impl_->shown.cursor_column / size.columns;
  impl_->shown.cursor_row = above;
  write_out(erase(impl_->shown));
  impl_->shown = {};
  rl_resize_terminal();
  impl_->draw();
}

void line_editor::suspend() {
  if (!impl_->opened) return;
  write_out(leave(impl_->shown));
  impl_->shown = {};
  (*rl_deprep_term_function)();
}

void line_editor::resume() {
  if (!impl_->opened) return;
  (*rl_prep_term_function)(1);
  impl_->rebind_kill_key();
  if (impl_->plain)
    rl_forced_update_display();
  else
    impl_->draw();
}

void line_editor::print_above(std::string_view text) {
  if (impl_->opened && !impl_->plain) {
    write_out(erase(impl_->shown));
    impl_->shown = {};
  }
  write_out(text);
  if (impl_->opened && !impl_->plain) impl_->draw();
}

const std::string& line_editor::text() const {
  impl_->current = impl_->opened ? std::string{impl::text()} : std::string{};
  return impl_->current;
}

void line_editor::set_history(const std::vector<std::string>& inputs) {
  clear_history();
  for (auto& i : inputs)
    ::add_history(i.c_str());
}

void line_editor::add_to_history(const std::string& input) {
  if (input.empty() || input.find('\0') != input.npos) return;
  if (history_length > 0) {
    auto last = history_get(history_base + history_length - 1);
    if (last && input == last->line) return;
  }
  ::add_history(input.c_str());
}

}  // namespace fermata::io
