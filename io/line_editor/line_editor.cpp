#include "io/line_editor/line_editor.hpp"

#include "io/line_editor/line_editor_impl.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/text/safe_text.hpp"
#include "io/text/wrap.hpp"

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

namespace fermata::io {

namespace {

/// How the terminal was before Readline switched it; nothing: there is none.
std::optional<termios>& mode_at_start() {
  static std::optional<termios> mode;
  return mode;
}

void remember_mode() {
  termios mode{};
  if (::tcgetattr(STDIN_FILENO, &mode) == 0) mode_at_start() = mode;
}

/// What Readline prints itself goes the way of everything else, which never waits for a terminal
/// that was stopped.
void print_through_write_out() {
  static const cookie_io_functions_t functions{
      .read = nullptr,
      .write = [](void*, const char* text, std::size_t size) -> ssize_t {
        write_out({text, size});
        return static_cast<ssize_t>(size);
      },
      .seek = nullptr,
      .close = nullptr};
  static FILE* out = ::fopencookie(nullptr, "w", functions);
  if (!out) return;
  std::setvbuf(out, nullptr, _IOLBF, BUFSIZ);  // as it is for a terminal
  rl_outstream = out;
}

}  // namespace

void line_editor::impl::on_line(char* line) {
  // Without this Readline would at once draw the prompt for a next line.
  rl_callback_handler_remove();
  self->opened = false;
  if (line)
    self->done = edit_result{edit_result::kind_t::line, line};
  else
    self->done = edit_result{
        self->keys.has_ended() ? edit_result::kind_t::gone : edit_result::kind_t::end_of_input, {}};
  std::free(line);
}

int line_editor::impl::on_startup() {
  if (!self->initial.empty()) {
    rl_insert_text(self->initial.c_str());
    self->initial.clear();
  }
  return 0;
}

void line_editor::impl::install() {
  readline_prompt = plain_text(prompt);
  shown = {};
  line.begin();
  remark.clear();
  remarked = false;
  done.reset();
  opened = true;
  rl_callback_handler_install(readline_prompt.c_str(), on_line);
  rebind_terminal_keys();
  draw();
}

line_editor::line_editor(line_editor_hooks hooks, bool color, bool linear)
  : impl_(std::make_unique<impl>()) {
  impl::self = impl_.get();
  impl_->hooks = std::move(hooks);
  impl_->color = color;
  rl_readline_name = "Fermata";
  remember_mode();
  print_through_write_out();
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
    rl_redisplay_function = impl::redisplay_plain;
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

void line_editor::keep_typed_ahead() { impl_->keys.take_typed_ahead(); }

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
  if (output_has_stalled()) {
    // Readline would wait until all that was printed has been taken.
    impl_->opened = false;
    if (mode_at_start()) ::tcsetattr(STDIN_FILENO, TCSANOW, &*mode_at_start());
    return;
  }
  if (impl_->plain)
    write_out("\n");
  else
    impl_->leave_text();
  impl_->opened = false;
  rl_callback_handler_remove();
}

std::optional<edit_result> line_editor::key() {
  // Half a character: the caller goes on meanwhile.
  if (!impl_->keys.comes_within(0)) return std::nullopt;
  // A bound, so that the screen is updated while a long text is pasted.
  for (int keys = 0; keys < 4096 && impl_->opened; ++keys) {
    rl_callback_read_char();
    if (std::exchange(impl_->editor_wanted, false)) {
      edit_result result{edit_result::kind_t::edit_externally, text()};
      close();
      return result;
    }
    if (!impl_->keys.comes_within(0)) break;
  }
  if (!impl_->done) {
    if (impl_->dirty) impl_->draw();
    return std::nullopt;
  }
  auto result = std::exchange(impl_->done, std::nullopt);
  if (result->kind == edit_result::kind_t::end_of_input ||
      result->kind == edit_result::kind_t::gone) {
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
  // Readline would draw what a search that is given up has found once more, below the ^C.
  auto drawing = std::exchange(rl_redisplay_function, [] {});
  rl_callback_sigcleanup();
  rl_free_line_state();
  rl_redisplay_function = drawing;
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
  impl_->rebind_terminal_keys();
  if (impl_->plain) {
    impl_->line.begin();
    impl::redisplay_plain();
  } else {
    impl_->draw();
  }
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

std::size_t line_editor::cursor() const {
  return impl_->opened ? static_cast<std::size_t>(rl_point) : 0;
}

void line_editor::set_text(const std::string& text, std::size_t cursor) {
  rl_begin_undo_group();
  rl_delete_text(0, rl_end);
  rl_point = 0;
  rl_insert_text(text.c_str());
  rl_end_undo_group();
  rl_point = static_cast<int>(std::min(cursor, text.size()));
  if (impl_->plain)
    impl::redisplay_plain();
  else
    impl_->draw();
}

void line_editor::set_taken_keys(std::string_view keys) { impl_->take_keys(std::string{keys}); }

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
