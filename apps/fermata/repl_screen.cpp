#include "apps/fermata/repl_screen.hpp"

#include "apps/fermata/tutorial_guide.hpp"
#include "io/terminal/code_point.hpp"
#include "io/terminal/foreground_program.hpp"
#include "io/terminal/output_limit.hpp"
#include "io/terminal/safe_text.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/terminal/wrap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <variant>

namespace fermata::app {

bool is_news(const history_entry& e, timestamp since) {
  return std::holds_alternative<system_entry>(e.kind) && e.time >= since;
}

repl_screen::repl_screen(const repl_setup& setup, io::line_editor& editor)
  : setup_(setup), editor_(editor), unicode_(io::environment_takes_utf8()) {
  apply_settings();
}

void repl_screen::set_state(session_snapshot s) {
  state_ = std::move(s);
  apply_settings();
}

std::string repl_screen::in_force(std::string_view setting) const {
  static const setting_values none;
  return setting_in_force(setting, state_ ? state_->settings : none, setup_.configured);
}

void repl_screen::apply_settings() {
  auto wanted = in_force("color");
  color_ = !setup_.no_color && wanted != "off" && !editor_.is_plain();
  editor_.set_color(color_);
  auto dark = in_force("dark-mode");
  io::use_light_screen(dark == "off" ||
                       (dark == "auto" && io::screen_is_light(std::getenv("COLORFGBG"))));
  display_ = in_force("display");
}

std::size_t repl_screen::columns() const {
  auto wanted = in_force("width");
  return wanted == "auto" ? io::size_of_terminal().columns : std::stoul(wanted);
}

io::entry_look repl_screen::look() const {
  io::entry_look l;
  l.color = color_;
  l.columns = columns();
  l.display = display_;
  l.unicode = unicode_;
  l.linear = setup_.accessible;
  return l;
}

void repl_screen::greet(timestamp started) {
  constexpr std::string_view name = "Fermata " FERMATA_VERSION;
  auto first =
      prose(std::string{name} + "   :tutorial shows how, :help lists commands, Ctrl-D leaves\n");
  auto text = painted(io::style::prompt, name, color_) + first.substr(name.size());
  if (auto n = state_->history.size(); n > 0 && !is_news(*state_->history.at(1), started))
    text += painted(io::style::system,
                    prose(fmt::format("{}: {}, {} {}", io::safe_text(state_->meta.name),
                                      summary(*state_->score), n, n == 1 ? "entry" : "entries")),
                    color_) +
            '\n';
  // Whoever left in the middle of the lessons opens their session again.
  if (state_->meta.slug == tutorial_session)
    text += painted(io::style::system,
                    prose("This is the session of the tutorial. `:tutorial` shows its lessons, "
                          "`:tutorial 5` the fifth; `:session list` shows your own sessions."),
                    color_) +
            '\n';
  for (auto& problem : setup_.problems)
    text += painted(io::style::error, prose(io::safe_text(problem)), color_) + '\n';
  io::write_out(text);
}

void repl_screen::say(io::style s, std::string_view words) {
  editor_.print_above(painted(s, prose(io::safe_text(words)), color_) + '\n');
}

void repl_screen::teach(const std::string& words) {
  // The empty line before a lesson stays without colour.
  auto begin = std::min(words.find_first_not_of('\n'), words.size());
  editor_.print_above(words.substr(0, begin) +
                      painted(io::style::ai, prose(words.substr(begin)), color_) + '\n');
}

/// Broken at words; a screen reader breaks lines as it likes.
std::string repl_screen::prose(const std::string& text) const {
  return setup_.accessible ? text : io::wrapped_lists(text, columns());
}

void repl_screen::page(const std::string& text) {
  auto size = io::size_of_terminal();
  auto long_text = !editor_.is_plain() && io::rows_of(text, size.columns) >= size.rows;
  if (auto pager = long_text ? io::pager_command(in_force("pager")) : ""; !pager.empty()) {
    auto done = io::show_in_pager(text, pager, &setup_.signals);
    if (done) return;
    say(io::style::error, done.error().first().message);
  }
  print(io::limited(text, std::stoul(in_force("output-lines")), size.columns,
                    "`:set output-lines 0` shows all"));
}

/// Piece by piece, so that Ctrl-C ends it.
void repl_screen::print(std::string_view text) {
  constexpr auto piece = std::size_t{16} * 1024;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    if (is_interrupted()) {
      io::write_out(color_ ? "\x1b[0m\n" : "\n");
      return say(io::style::system, "... the rest is not shown; the timeline has all of it");
    }
    if (!io::write_out(text.substr(0, piece))) return;
  }
}

/// Ctrl-C came; other signals are left for the loop.
bool repl_screen::is_interrupted() {
  while (auto s = setup_.signals.next())
    if (*s == SIGINT)
      return true;
    else
      put_off_.push_back(*s);
  return false;
}

}  // namespace fermata::app
