#include "apps/fermata/prompt/repl_screen.hpp"

#include "apps/fermata/prompt/tutorial_guide.hpp"
#include "io/terminal/foreground_program.hpp"
#include "io/terminal/listing_view.hpp"
#include "io/terminal/output_limit.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/terminal/typed_ahead.hpp"
#include "io/text/code_point.hpp"
#include "io/text/safe_text.hpp"
#include "io/text/wrap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <utility>
#include <variant>

namespace fermata::app {

std::int64_t numbered_entries(const turn& t) {
  return std::count_if(t.entries.begin(), t.entries.end(), [](auto& e) { return e->index > 0; });
}

bool is_new_entry(const history_entry& e, timestamp since, const history& before) {
  auto said = std::get_if<system_entry>(&e.kind);
  if (!said || e.time < since) return false;
  auto known = before.at(e.index);
  auto same = known && known->time == e.time ? std::get_if<system_entry>(&known->kind) : nullptr;
  return !same || same->text != said->text;
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
  return effective_setting(setting, state_ ? state_->settings : none, setup_.configured);
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
      prose(std::string{name} + "   :tutorial to learn, :help for commands, Ctrl-D to quit\n");
  auto text = painted(io::style::prompt, name, color_) + first.substr(name.size());
  if (auto n = state_->history.size(); n > 0 && !is_new_entry(*state_->history.at(1), started))
    text += painted(io::style::system,
                    prose(fmt::format("{}: {}, {} {}", io::safe_text(state_->meta.name),
                                      summary(*state_->score), n, n == 1 ? "entry" : "entries")),
                    color_) +
            '\n';
  // A user who left in the middle of the lessons opens their session again.
  if (state_->meta.slug == tutorial_session)
    text += painted(io::style::system,
                    prose("This is the tutorial session. `:tutorial` shows the current step, "
                          "`:tutorial 5` the fifth; `:session list` lists your own sessions."),
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
  auto long_text = io::rows_of(text, size.columns) >= size.rows;
  if (auto command = long_text ? pager() : ""; !command.empty() && show_in_pager(text, command))
    return;
  print(io::limited(text, std::stoul(in_force("output-lines")), size.columns,
                    "`:set output-lines 0` shows all"));
}

std::string repl_screen::limited(const std::string& text, std::int64_t index) const {
  auto advice = index > 0 ? fmt::format("`:history {}` shows all", index)
                          : std::string{"`:set output-lines 0` shows all"};
  return io::limited(text, std::stoul(in_force("output-lines")), io::size_of_terminal().columns,
                     advice);
}

/// The command; empty: there is none, or none that starts, which is said once.
std::string repl_screen::pager() {
  // What was typed ahead is for the prompt: a pager would take it for its own keys.
  auto reads_keys = !editor_.is_plain() && !editor_.has_keys() && !io::is_typed_ahead();
  auto command = reads_keys ? io::pager_command(in_force("pager")) : std::string{};
  auto missing = io::missing_program(command);
  if (missing.empty()) return command == no_pager_ ? std::string{} : command;
  cannot_start(command);
  return {};
}

void repl_screen::cannot_start(const std::string& command) {
  if (std::exchange(no_pager_, command) == command) return;
  say(io::style::error, fmt::format("cannot run the pager `{}`; long output is shown here (`:set "
                                    "pager off` to make this permanent)",
                                    command));
}

/// False: it does not start.
bool repl_screen::show_in_pager(const std::string& text, const std::string& command) {
  if (io::show_in_pager(text, command, &setup_.signals)) return true;
  cannot_start(command);
  return false;
}

void repl_screen::page(std::string text, const history_entry& command,
                       const entry_listing& listing) {
  /// Nobody pages through more, and it is held in memory.
  constexpr auto most_for_pager = std::size_t{4} << 20;
  auto size = io::size_of_terminal();
  auto rows = io::rows_of(text, size.columns);
  std::vector<std::size_t> ends;  // in rows, of each that was taken
  std::size_t next = 0;
  auto take = [&] {
    auto piece = io::listed_view(command, listing, next++, look());
    rows += io::rows_of(piece, size.columns);
    ends.push_back(rows);
    text += piece;
  };
  while (next < listing.size() && rows < size.rows)
    take();
  if (rows < size.rows) return page(text);
  if (auto program = pager(); !program.empty()) {
    while (next < listing.size() && text.size() < most_for_pager)
      take();
    auto more = listing.size() - next;
    auto rest = more == 0
                    ? std::string{}
                    : fmt::format("... {} more {}; `:history {}:` continues from there\n", more,
                                  more == 1 ? "entry" : "entries", listing.indices[next]);
    if (show_in_pager(text + rest, program)) return;
  }
  print_list(std::move(text), std::move(ends), command, listing);
}

/// Without a pager: up to the limit, or all of it piece by piece. `text` has the first entries,
/// which end at these rows of it.
void repl_screen::print_list(std::string text, std::vector<std::size_t> ends,
                             const history_entry& command, const entry_listing& listing) {
  constexpr auto piece = std::size_t{16} * 1024;
  auto columns = io::size_of_terminal().columns;
  auto most = std::stoul(in_force("output-lines"));
  auto rows = io::rows_of(text, columns);
  auto next = ends.size();
  while (next < listing.size() && (most == 0 || rows <= most)) {
    auto more = io::listed_view(command, listing, next++, look());
    rows += io::rows_of(more, columns);
    ends.push_back(rows);
    text += more;
    if (most > 0 || text.size() < piece) continue;
    if (!print(std::exchange(text, {}))) return;
  }
  if (most == 0 || rows <= most) return void(print(text));
  // One that is not shown whole is one of them.
  auto shown = std::upper_bound(ends.begin(), ends.end(), most) - ends.begin();
  auto left = listing.size() - static_cast<std::size_t>(shown);
  auto remark = fmt::format("... {} more {}; `:set output-lines 0` shows all", left,
                            left == 1 ? "entry" : "entries");
  print(io::first_rows(text, most, columns) + io::wrapped(remark, columns) + '\n');
}

/// Piece by piece, so that Ctrl-C ends it.
bool repl_screen::print(std::string_view text) {
  constexpr auto piece = std::size_t{16} * 1024;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    if (is_interrupted()) {
      io::write_out(color_ ? "\x1b[0m\n" : "\n");
      say(io::style::system, "... the rest is hidden; see `:history` for the full value");
      return false;
    }
    if (!io::write_out(text.substr(0, piece))) return false;
  }
  return true;
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
