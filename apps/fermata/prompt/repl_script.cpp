#include "apps/fermata/commands/commands.hpp"
#include "apps/fermata/prompt/loading_notice.hpp"
#include "apps/fermata/prompt/opened_file.hpp"
#include "apps/fermata/prompt/repl_run.hpp"
#include "core/line_ends.hpp"
#include "core/session/commands/suppressed_output.hpp"
#include "io/display/display.hpp"
#include "io/files/files.hpp"
#include "io/json/listing_text.hpp"
#include "io/terminal/entry_view.hpp"
#include "io/terminal/input_assembler.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/text/code_point.hpp"
#include "io/text/safe_text.hpp"
#include "io/text/wrap.hpp"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace fermata::app {

namespace {

namespace event = actors::front_end_events;

constexpr auto not_run = "the lines after this one were not run";
constexpr auto not_entered =
    "the process that ran this session ended while it evaluated this line, which was not entered";

/// Lines of standard input, read in pieces between other things.
class line_reader {
public:
  enum class answer { more, ended, failed };

  /// Reads what is there. When that fails, errno says why.
  answer read_some() {
    char buffer[1 << 16];
    auto n = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (n < 0) return errno == EINTR || errno == EAGAIN ? answer::more : answer::failed;
    text_.append(buffer, static_cast<std::size_t>(n));
    ended_ = n == 0;
    return ended_ ? answer::ended : answer::more;
  }
  /// The next whole line; at the end of input also one without a line end.
  std::optional<std::string> next() {
    if (after_return_ && begin_ < text_.size()) {
      after_return_ = false;
      if (text_[begin_] == '\n') searched_ = ++begin_;
    }
    auto end = text_.find_first_of("\r\n", searched_);
    if (end == text_.npos) {
      searched_ = text_.size();
      if (!ended_ || begin_ == text_.size()) return std::nullopt;
      end = text_.size();
    }
    auto line = text_.substr(begin_, end - begin_);
    auto length = line_end_length(text_, end);
    after_return_ = length == 1 && text_[end] == '\r' && end + 1 == text_.size();
    begin_ = searched_ = end + length;
    if (begin_ == text_.size() || begin_ > (1U << 20)) {
      text_.erase(0, begin_);
      begin_ = searched_ = 0;
    }
    return line;
  }
  /// How much there is of a line that has no end yet.
  std::size_t unfinished() const { return text_.size() - begin_; }

private:
  std::string text_;
  std::size_t begin_ = 0, searched_ = 0;
  bool ended_ = false;
  bool after_return_ = false;  ///< the LF of a CR LF may be still to come
};

/// The error with its places counted in lines of the whole script: as if the input stood below as
/// many empty lines as there are before it.
std::string in_script(const error& failure, const std::string& text, std::size_t first_line) {
  auto shifted = failure;
  for (auto& d : shifted.diagnostics)
    if (d.span) {
      d.span->begin += first_line - 1;
      d.span->end += first_line - 1;
    }
  auto shown = render(shifted, std::string(first_line - 1, '\n') + text, "line");
  return shown;
}

timestamp current_time() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

class script_repl {
public:
  explicit script_repl(const repl_setup& setup) : setup_(setup) {}

  int run() {
    for (auto& p : setup_.problems)
      io::write_error_out(io::safe_text(p) + '\n');
    setup_.front_end.open(setup_.session);
    wait();
    if (!setup_.file.empty() && !leaving_) open_file();
    while (!leaving_) {
      while (auto line = lines_.next()) {
        if (auto input = assembler_.push(*line)) submit(*input);
        if (leaving_) return exit_code_;
      }
      if (is_too_long()) break;
      if (!wait_for_input()) break;
      auto read = lines_.read_some();
      if (read == line_reader::answer::more) continue;
      if (read == line_reader::answer::ended) {
        at_end();
        wait_for_playback();
      } else
        at_failure();
      break;
    }
    return exit_code_;
  }

private:
  /// The file of the command line comes before the lines.
  void open_file() {
    auto opened = opened_in(*state_, setup_.file);
    if (!opened.command.empty()) return submit_text(opened.command);
    io::write_error_out("fermata: " + io::safe_text(opened.words) + '\n');
    if (!opened.refuses) return;
    exit_code_ = exit_failure;
    leaving_ = true;
  }

  /// Refused as soon as it is known, and not when all of it is there: it may have no end.
  bool is_too_long() {
    constexpr auto limit = reader_limits{}.bytes;
    if (assembler_.size() + lines_.unfinished() <= limit) return false;
    auto why = io::too_large("the input", limit);
    current_ = io::input_assembler::input{{}, assembler_.line()};
    complain(std::string{info(why.first().code).name} + ": " + why.first().message + "; " +
             not_run);
    return true;
  }

  /// What was read of a line is not run: nobody knows how it goes on.
  void at_failure() {
    auto why = io::unreadable_input();
    current_.reset();
    complain(why.first().message);
  }

  void at_end() {
    if (leaving_) return;
    while (auto line = lines_.next())
      if (auto input = assembler_.push(*line)) submit(*input);
    if (assembler_.is_open() && !leaving_) {
      submit(assembler_.rest());
      exit_code_ = exit_failure;
    }
  }

  /// What the lines have started to play is heard to its end; another process plays it to its end
  /// by itself.
  void wait_for_playback() {
    if (leaving_ || setup_.front_end.host()) return;
    current_.reset();
    is_playing_ = true;  // until the answer says that it is not
    setup_.front_end.ask_playback();
    while (is_playing_ && !leaving_) {
      pollfd waits[] = {{setup_.signals.descriptor(), POLLIN, 0},
                        {setup_.events.descriptor(), POLLIN, 0}};
      if (::poll(waits, 2, -1) < 0) continue;
      if (waits[0].revents) end_playback();
      if (waits[1].revents) take_news();
    }
  }

  /// Everything was run; a signal only ends what is heard.
  void end_playback() {
    while (auto s = setup_.signals.next())
      if (*s == SIGINT || *s == SIGTERM || *s == SIGHUP) {
        leaving_ = true;
        exit_code_ = exit_failure;
      }
  }

  /// False: a signal ends it, or no session is left. Meanwhile this process may become the one that
  /// runs the sessions, which others wait for.
  bool wait_for_input() {
    for (;;) {
      pollfd waits[] = {{setup_.signals.descriptor(), POLLIN, 0},
                        {setup_.events.descriptor(), POLLIN, 0},
                        {STDIN_FILENO, POLLIN, 0}};
      if (::poll(waits, 3, -1) < 0) continue;
      if (waits[0].revents) signals();
      if (waits[1].revents) take_news();
      if (taking_over_) wait();
      if (leaving_) return false;
      if (waits[2].revents) return true;
    }
  }

  void take_news() {
    for (auto& n : setup_.events.take())
      std::visit([this](auto& x) { handle(x); }, n);
  }

  void submit(const io::input_assembler::input& input) {
    current_ = input;
    submit_text(input.text);
  }

  void submit_text(const std::string& text) {
    entries_before_ = state_ ? state_->history.size() : 0;
    submitted_text_ = text;
    setup_.front_end.submit(line_of(text));
    wait();
    cancelled_ = nullptr;
    submitted_text_.clear();
  }

  submission line_of(const std::string& text) {
    cancelled_ = std::make_shared<std::atomic<bool>>(false);
    return {text, {"user", "script"}, cancelled_, false, columns(), io::environment_takes_utf8()};
  }

  void wait() {
    answered_ = false;
    while (!answered_ && !leaving_) {
      pollfd waits[] = {{setup_.signals.descriptor(), POLLIN, 0},
                        {setup_.events.descriptor(), POLLIN, 0}};
      auto ready = ::poll(waits, 2, !state_ && !told_to_wait_ ? opening_patience : -1);
      if (ready < 0) continue;
      if (ready == 0) {
        told_to_wait_ = true;
        auto home = std::filesystem::path{setup_.history_file}.parent_path();
        if (auto word = loading_notice(home, setup_.session); !word.empty())
          io::write_error_out("fermata: " + io::safe_text(word) + '\n');
        continue;
      }
      if (waits[0].revents) signals();
      if (waits[1].revents) take_news();
    }
  }

  void signals() {
    while (auto s = setup_.signals.next())
      if (*s == SIGINT || *s == SIGTERM || *s == SIGHUP) {
        if (cancelled_) {
          cancelled_->store(true);
          setup_.front_end.interrupt();
        }
        if (!std::exchange(leaving_, true))
          complain(std::string{"interrupted; "} + (current_ ? not_run : "nothing was run"));
        exit_code_ = exit_failure;
      }
  }

  void handle(event::opened& n) {
    if (std::exchange(taking_over_, false)) return taken_over(n);
    if (!state_ && !setup_.is_scratch) say_which(n.what.after->meta.slug);
    auto before = state_ ? state_->history : history{};
    const bool archive_session =
        state_ && state_->meta.slug != n.what.after->meta.slug && !changing_;
    changing_ = false;
    state_ = n.what.after;
    // A line that was on its way when the session was brought back is answered by itself.
    if (!n.again || submitted_text_.empty()) answered_ = true;
    // What was noted at the start is in no turn of ours.
    auto& all = n.what.after->history;
    auto first = all.size() - numbered_entries(n.what);
    auto& known = known_[state_->meta.slug];
    while (first > known && is_new_entry(*all.at(first), started_, before))
      --first;
    for (auto i = first + 1; i <= all.size(); ++i)
      print_what_waited(*all.at(i));
    known = all.size();
    for (auto& e : n.what.entries)
      if (e->index == 0) print_what_waited(*e);
    if (!archive_session) return;
    // What follows was written for the session that is gone.
    complain(not_run);
    leaving_ = true;
  }
  void handle(event::answered& n) {
    state_ = n.what.after;
    known_[state_->meta.slug] = state_->history.size();
    for (auto& e : n.what.entries)
      if (n.what.listing && n.what.listing->size() > 0 && shows_listing(*e))
        print(*n.what.listing);
      else
        print(*e);
    auto& effect = n.what.effect;
    // These want a terminal.
    if (effect.kind == turn_effect::kind_t::edit || effect.kind == turn_effect::kind_t::insert ||
        effect.kind == turn_effect::kind_t::tutorial || effect.kind == turn_effect::kind_t::step ||
        effect.kind == turn_effect::kind_t::tap)
      complain("this only works at a terminal prompt");
    if (effect.kind == turn_effect::kind_t::quit) leaving_ = true;
    if (effect.kind == turn_effect::kind_t::switch_session && setup_.is_scratch &&
        !std::exchange(told_of_scratch_, true))
      io::write_error_out("fermata: nothing in this session is saved; use --session NAME to "
                          "keep it\n");
    if (effect.kind == turn_effect::kind_t::switch_session) {
      changing_ = true;
      setup_.front_end.change_to(effect.argument);  // the next event is `opened`
    } else
      answered_ = true;
  }
  void handle(event::refused& n) {
    // Nobody is at the prompt that the message speaks of.
    complain(n.line.empty() ? n.message : not_entered);
    answered_ = true;
  }
  /// This process runs the sessions from now on. A line that was not entered is entered now, unless
  /// the other process may have died of it.
  void handle(event::host_ended& n) {
    taking_over_ = true;
    over_line_ = n.over_line;
    setup_.front_end.take_over();
    setup_.front_end.open(n.session);
  }
  void taken_over(event::opened& n) {
    state_ = n.what.after;
    known_[state_->meta.slug] = state_->history.size();
    if (submitted_text_.empty()) {
      answered_ = true;
    } else if (auto e = entry_of_line(*state_, entries_before_, submitted_text_)) {
      print(*e);
      answered_ = true;
    } else if (over_line_) {
      complain(not_entered);
      answered_ = true;
    } else {
      setup_.front_end.submit(line_of(submitted_text_));
    }
  }
  void handle(event::lost& n) {
    complain(n.message);
    leaving_ = true;
  }
  void handle(event::changed&) {}
  void handle(event::session_list&) {}
  void handle(event::played& n) {
    // What is paused stays so: nobody continues it.
    is_playing_ = n.status.is_active() && n.status.state != playback_status::state_t::paused;
    if (!n.status.notice.empty())
      io::write_error_out("fermata: " + io::safe_text(n.status.notice) + '\n');
  }
  void handle(event::recorded& n) {
    if (!n.status.notice.empty())
      io::write_error_out("fermata: " + io::safe_text(n.status.notice) + '\n');
  }

  /// Lines that name a session change it: it is said which one that is.
  void say_which(const std::string& slug) {
    auto host = setup_.front_end.host();
    io::write_error_out("fermata: session " + slug +
                        (host ? ", open in process " + std::to_string(*host) : std::string{}) +
                        '\n');
  }

  /// What happened by itself when the session was opened is no output of the script.
  void print_what_waited(const history_entry& e) {
    if (auto system = std::get_if<system_entry>(&e.kind))
      io::write_error_out("fermata: " + io::safe_text(system->text) + '\n');
    else
      print(e);
  }

  void complain(const std::string& message) {
    exit_code_ = exit_failure;
    remark(message);
  }

  /// What is said beside the output, with the line that it is about.
  void remark(const std::string& message) {
    // As the place of a fault in an expression is said, which has a column as well.
    auto line = current_ ? "line:" + std::to_string(current_->first_line) + ": " : std::string{};
    // After a signal nobody may read standard error either.
    constexpr std::chrono::milliseconds at_the_end{300};
    io::write_error_out(line + io::safe_text(message) + '\n',
                        leaving_ ? at_the_end : std::chrono::milliseconds{});
  }

  void print(const history_entry& e) {
    if (auto eval = std::get_if<eval_entry>(&e.kind)) {
      if (eval->failure) {
        exit_code_ = exit_failure;
        auto at = current_ ? current_->first_line : 1;
        auto text = io::clipped(io::safe_text(in_script(*eval->failure, eval->text, at)), 1'000);
        io::write_error_out(text);
      } else if (!suppresses_output(eval->text)) {
        auto display = effective_setting("display", state_->settings, setup_.configured);
        auto text = io::shown_value(*eval, {display, columns(), io::environment_takes_utf8()});
        text.erase(text.find_last_not_of('\n') + 1);
        if (!text.empty()) out(io::safe_text(text) + '\n');
      }
      for (const auto& dropped : eval->remarks)
        remark(dropped);
    } else if (auto command = std::get_if<command_entry>(&e.kind)) {
      if (!command->ok)
        complain(command->output);
      else if (!command->output.empty() && !suppresses_command_output(command->text))
        out(io::safe_text(command->output) + '\n');
    } else if (std::holds_alternative<system_entry>(e.kind) && e.index == 0) {
      print_what_waited(e);
    } else if (!std::holds_alternative<user_message_entry>(e.kind)) {
      out(io::entry_view(e, {}));
    }
  }

  /// Each entry is read when it is its turn, and let go then.
  void print(const entry_listing& listing) {
    constexpr auto piece = std::size_t{64} * 1024;
    std::string text;
    for (std::size_t i = 0; i < listing.size() && !leaving_; ++i) {
      text += io::safe_text(io::listed_text(listing, i)) + '\n';
      if (text.size() < piece) continue;
      signals();
      out(std::exchange(text, {}));
    }
    if (!text.empty() && !leaving_) out(text);
  }

  std::size_t columns() const {
    auto wanted =
        effective_setting("width", state_ ? state_->settings : setting_values{}, setup_.configured);
    return wanted == "auto" ? 80 : std::stoul(wanted);
  }

  /// A closed output ends the program; that is no error.
  void out(const std::string& text) {
    if (io::write_out(text)) return;
    auto reason = errno;
    if (reason == EINTR) return signals();  // nobody reads, and a signal came meanwhile
    leaving_ = true;
    if (reason != EPIPE)
      complain("cannot write to standard output: " + std::generic_category().message(reason) +
               "; " + not_run);
  }

  const repl_setup& setup_;
  timestamp started_ = current_time();
  std::map<std::string, std::int64_t> known_;  ///< how many entries of each session were seen
  line_reader lines_;
  io::input_assembler assembler_;
  std::optional<io::input_assembler::input> current_;
  std::shared_ptr<std::atomic<bool>> cancelled_;
  session_snapshot state_;
  bool told_to_wait_ = false, told_of_scratch_ = false;
  bool taking_over_ = false;         ///< the process that ran the sessions has ended
  bool over_line_ = false;           ///< maybe over the line that it was evaluating
  bool changing_ = false;            ///< a line of the script goes to another session
  std::string submitted_text_;       ///< the line that is being answered, or was last
  std::int64_t entries_before_ = 0;  ///< length of the timeline before the line it did not answer
  bool answered_ = false, leaving_ = false;
  bool is_playing_ = false;
  int exit_code_ = exit_ok;
};

}  // namespace

int run_script(const repl_setup& setup) { return script_repl{setup}.run(); }

}  // namespace fermata::app
