#include "apps/fermata/commands/commands.hpp"
#include "apps/fermata/prompt/loading_notice.hpp"
#include "apps/fermata/prompt/opened_file.hpp"
#include "apps/fermata/prompt/prompt_assist.hpp"
#include "apps/fermata/prompt/prompt_line.hpp"
#include "apps/fermata/prompt/repl_run.hpp"
#include "apps/fermata/prompt/repl_screen.hpp"
#include "apps/fermata/prompt/shown_timeline.hpp"
#include "apps/fermata/prompt/startup_file.hpp"
#include "apps/fermata/prompt/step_mode.hpp"
#include "apps/fermata/prompt/tutorial_guide.hpp"
#include "core/session/commands/tap_tempo.hpp"
#include "io/line_editor/line_editor.hpp"
#include "io/store/home.hpp"
#include "io/terminal/foreground_program.hpp"
#include "io/terminal/history_file.hpp"
#include "io/terminal/input_assembler.hpp"
#include "io/terminal/nesting.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/text/safe_text.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <deque>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fermata::app {

namespace {

namespace event = actors::front_end_events;

/// At Ctrl-D where an expression is not closed.
constexpr auto stays = "the expression is incomplete; Ctrl-C cancels it, then Ctrl-D quits";

/// The prompt's life:
///
///     opening --opened--> starting --the start-up file is done--> editing
///     editing --line--> waiting --answered, refused--> editing
///                  \--Ctrl-D, SIGTERM, SIGHUP, :quit--> leaving
///
/// While an answer is waited for, the terminal is the user's own: what is typed ahead stays there
/// for the next line, Ctrl-C sets the cancel flag of the evaluation.
class terminal_repl {
public:
  explicit terminal_repl(const repl_setup& setup)
    : setup_(setup),
      history_(setup.history_file),
      editor_(hooks(), false, setup.accessible),
      screen_(setup, editor_),
      startup_(setup.startup_file) {
    assist_.set_home(std::filesystem::path{setup.history_file}.parent_path());
    follow_settings();
  }

  int run() {
    if (auto inputs = history_.open()) {
      editor_.set_history(*inputs);
    } else {
      history_failed_ = true;  // to say it once is enough
      screen_.say(io::style::error, inputs.error().first().message);
    }
    setup_.front_end.open(setup_.session);
    while (phase_ != phase::leaving)
      step();
    editor_.close();
    return exit_code_;
  }

private:
  enum class phase { opening, starting, editing, waiting, leaving };

  // --- the loop
  // ------------------------------------------------------------------------------------

  void step() {
    pollfd waits[] = {{setup_.signals.descriptor(), POLLIN, 0},
                      {setup_.events.descriptor(), POLLIN, 0},
                      {STDIN_FILENO, POLLIN, 0}};
    // Keys typed while something runs are left in the terminal.
    nfds_t count = phase_ == phase::editing ? 3 : 2;
    bool at_once = screen_.has_put_off() || (phase_ == phase::editing && editor_.has_keys());
    auto patience = state_ ? -1 : opening_patience;
    auto ready = ::poll(waits, count, at_once ? 0 : patience);
    if (ready < 0) return;  // interrupted; asked again
    if (ready == 0 && !at_once) return tell_to_wait();
    if (waits[0].revents)
      while (auto s = setup_.signals.next())
        signalled(*s);
    for (auto s : screen_.put_off())
      signalled(s);
    if (waits[1].revents)
      for (auto& n : setup_.events.take())
        std::visit([this](auto& x) { handle(x); }, n);
    if (count == 3 && (waits[2].revents || editor_.has_keys()) && phase_ == phase::editing)
      if (auto result = editor_.key()) typed(*result);
  }

  /// It takes long to open the session: says so, then how far it is, at every tenth.
  void tell_to_wait() {
    if (!std::exchange(told_to_wait_, true)) {
      auto home = std::filesystem::path{setup_.history_file}.parent_path();
      if (auto word = loading_notice(home, setup_.session); !word.empty())
        screen_.say(io::style::hint, word + " Press Ctrl-C to cancel.");
    }
    constexpr int step = 10;
    auto percent = setup_.front_end.percent_loaded().value_or(0);
    if (percent < told_percent_ + step) return;
    told_percent_ = percent - percent % step;
    screen_.say(io::style::hint, fmt::format("{}% read", percent));
  }

  void signalled(int signal) {
    switch (signal) {
      case SIGINT:
        if (!state_) {
          screen_.say(io::style::hint, "Interrupted; no session was opened.");
          exit_code_ = exit_failure;
          phase_ = phase::leaving;
        } else if (!io::output_is_ready()) {
          // Nobody sees a prompt any more: the terminal takes nothing, and the signal did not
          // restart it as Ctrl-C does.
          if (cancelled_) cancelled_->store(true);
          exit_code_ = exit_failure;
          phase_ = phase::leaving;
        } else if (cancelled_) {
          // The terminal has shown ^C; what comes of it begins on a line of its own.
          if (!cancelled_->exchange(true)) io::write_out("\n");
          setup_.front_end.interrupt();
        } else if (phase_ == phase::editing && taps_) {
          end_taps();
          interrupt();
        } else if (phase_ == phase::editing && playing_.is_active() && unfinished().empty()) {
          setup_.front_end.stop_playback();
        } else if (phase_ == phase::editing && records_here() && unfinished().empty()) {
          editor_.print_above("`:stop` ends the recording.\n");
        } else if (phase_ == phase::editing) {
          end_steps();
          interrupt();
        }
        break;
      case SIGWINCH: editor_.resized(); break;
      case SIGTSTP:
        pause_playback();
        editor_.suspend();
        ::kill(::getpid(), SIGSTOP);
        editor_.resume();
        break;
      case SIGTERM:
      case SIGHUP:
        (void)io::output_is_ready();  // else what is said from now on is dropped
        if (cancelled_) cancelled_->store(true);
        // What is half typed can be had back with the arrow key next time.
        if (phase_ == phase::editing) remember(unfinished());
        phase_ = phase::leaving;
        break;
      default: break;
    }
  }

  /// A stopped process cannot end its notes.
  void pause_playback() {
    if (setup_.front_end.host() || playing_.state != playback_status::state_t::playing) return;
    constexpr std::chrono::milliseconds patience{500};
    const auto until = std::chrono::steady_clock::now() + patience;
    setup_.front_end.toggle_pause();
    while (playing_.state == playback_status::state_t::playing &&
           std::chrono::steady_clock::now() < until) {
      constexpr int wait_ms = 50;
      pollfd wait{setup_.events.descriptor(), POLLIN, 0};
      if (::poll(&wait, 1, wait_ms) <= 0) continue;
      for (auto& n : setup_.events.take())
        std::visit([this](auto& x) { handle(x); }, n);
    }
  }

  void interrupt() {
    // On a plain terminal the prompt on the screen is that of a further line.
    if (assembler_.is_open()) {
      assembler_ = {};
      editor_.set_prompt(prompt(), continuation());
    }
    editor_.interrupt();
  }

  void typed(io::edit_result& result) {
    using kind_t = io::edit_result::kind_t;
    if (result.kind == kind_t::end_of_input && assembler_.is_open()) {
      screen_.say(io::style::hint, stays);
      return open_editor();
    }
    if (result.kind == kind_t::end_of_input || result.kind == kind_t::gone) {
      remember(unfinished());
      phase_ = phase::leaving;
      return;
    }
    if (result.kind == kind_t::edit_externally) return edit(edited(result.text));
    auto text = std::move(result.text);
    // Where Readline draws, it gives lines; an input may take several.
    if (editor_.is_plain()) {
      auto first = !assembler_.is_open();
      auto input = assembler_.push(text);
      if (assembler_.is_open()) {
        remarked_ = remarked_ && !first;
        // The line alone is enough: what comes before it is no command.
        if (auto words = first || remarked_ ? std::string{} : way_out('\n' + text);
            !words.empty()) {
          remarked_ = true;
          screen_.say(io::style::hint, words);
        }
        return open_editor();
      }
      text = input ? input->text : std::string{};
    }
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
      text.pop_back();
    if (taps_ && text.empty()) {
      auto tempo = taps_->tempo();
      end_taps();
      return edit(tempo ? fmt::format("(tempo :q {:.0f})", *tempo) : std::string{});
    }
    if (steps_.is_on() && text == step_mode::empty_phrase().text) {
      end_steps();
      return edit();
    }
    remember(text);
    auto inputs = io::inputs_in(text);
    further_.assign(std::make_move_iterator(inputs.begin() + 1),
                    std::make_move_iterator(inputs.end()));
    submit(std::move(inputs.front()));
  }

  /// What has been typed and not entered.
  std::string unfinished() {
    auto text = assembler_.is_open() ? assembler_.rest().text + '\n' : std::string{};
    text += editor_.text();
    return text.find_first_not_of(" \n") == text.npos ? std::string{} : text;
  }

  void remember(const std::string& text) {
    if (text.empty()) return;
    editor_.add_to_history(text);
    if (auto done = history_.append(text); !done && !history_failed_) {
      history_failed_ = true;  // once is enough
      screen_.say(io::style::error, done.error().first().message);
    }
  }

  void submit(std::string text) {
    cancelled_ = std::make_shared<std::atomic<bool>>(false);
    submitted_text_ = text;
    entries_before_ = state_->history.size();
    submission line;
    line.text = std::move(text);
    line.source = {"user", "terminal"};
    line.cancelled = cancelled_;
    line.columns = screen_.columns();
    line.unicode = screen_.unicode();
    line.accessible = setup_.accessible;
    phase_ = phase::waiting;
    submitted_ = std::chrono::steady_clock::now();
    setup_.front_end.submit(std::move(line));
  }

  // --- events
  // ----------------------------------------------------------------------------------------

  void handle(event::opened& n) {
    if (tutorial_.is_on() && !n.what.after->written_by.empty())
      return turn_back(n.what.after->written_by);
    bool first = !state_;
    auto before = std::exchange(open_slug_, n.what.after->meta.slug);
    bool elsewhere = !before.empty() && before != open_slug_;
    auto took_over = std::exchange(taking_over_, false);
    if (took_over) n.again = !first;
    take(n.what.after);
    if (first) screen_.greet(started_);
    auto text = shown_.opened(n.what, n.again, started_);
    if (!text.empty()) editor_.print_above(text);
    if (phase_ == phase::opening) {
      if (tutorial_.is_on()) {
        tutorial_.set_session(state_->meta.slug);
        show_lesson();
      }
      startup_.rewind();
      go_on_starting();
    } else if (auto begun = phase_ == phase::editing && elsewhere ? unfinished() : std::string{};
               !begun.empty()) {
      // It was begun for another session.
      remember(begun);
      editor_.print_above("The line you were typing was not entered; the Up key brings it back.\n");
      editor_.close();
      edit();
    } else if (phase_ == phase::editing) {
      editor_.set_prompt(prompt(), continuation());
    } else if (took_over) {
      after_unanswered();
    }
  }

  /// The process that ran the sessions has ended, and this window runs them from now on.
  void handle(event::host_ended& n) {
    cancelled_ = nullptr;
    end_steps();
    end_taps();
    playing_ = {};
    recording_ = {};
    taking_over_ = true;
    over_line_ = n.over_line;
    setup_.front_end.take_over();
    setup_.front_end.open(n.session);
    if (state_)
      screen_.say(io::style::system,
                  "The process that ran this session has ended; this window has taken over.");
  }

  /// What became of the line that was on its way then.
  void after_unanswered() {
    if (phase_ == phase::starting) return go_on_starting();
    // Its entry was shown when the session was opened here.
    if (auto e = entry_of_line(*state_, entries_before_, submitted_text_)) {
      went_wrong_ = is_failure(*e);
      return edit();
    }
    if (!over_line_) return submit(submitted_text_);
    went_wrong_ = true;
    screen_.say(io::style::error, "The line was not entered; press Enter to enter it now.");
    edit(submitted_text_);
  }

  /// The next input of the start-up file; the prompt when there is none.
  void go_on_starting() {
    auto line = startup_.next(*state_);
    for (auto& complaint : startup_.complaints())
      screen_.say(io::style::error, complaint);
    if (!line) return open_file();
    phase_ = phase::starting;
    cancelled_ = line->cancelled;
    setup_.front_end.submit(std::move(*line));
  }

  /// The file of the command line, once the start-up file is done.
  void open_file() {
    auto file = std::exchange(file_, {});
    if (file.empty()) return edit();
    auto opened = opened_in(*state_, file);
    if (!opened.command.empty()) return submit(opened.command);
    screen_.say(opened.refuses ? io::style::error : io::style::hint, opened.words);
    if (!opened.refuses) return edit();
    exit_code_ = exit_failure;
    phase_ = phase::leaving;
  }

  void handle(event::answered& n) {
    cancelled_ = nullptr;
    if (phase_ == phase::starting) {
      take(n.what.after);
      shown_.passes(*state_);
      startup_.answered(n.what);
      return go_on_starting();
    }
    auto took = std::chrono::steady_clock::now() - submitted_;
    went_wrong_ = went_wrong(n.what);
    show(n.what);
    if (screen_.in_force("timing") == "on") show_time(n.what, took);
    auto& effect = n.what.effect;
    switch (effect.kind) {
      case turn_effect::kind_t::quit: phase_ = phase::leaving; return;
      case turn_effect::kind_t::switch_session:
        tutorial_.end();
        end_steps();
        end_taps();
        phase_ = phase::opening;
        setup_.front_end.change_to(effect.argument);
        return;
      case turn_effect::kind_t::clear_screen:
        if (!editor_.is_plain()) io::write_out("\x1b[H\x1b[2J");
        break;
      case turn_effect::kind_t::edit: return edit(edited(effect.argument));
      case turn_effect::kind_t::insert: return edit(effect.argument);
      case turn_effect::kind_t::tutorial: return teach(effect.argument);
      case turn_effect::kind_t::step:
        if (!went_wrong_) begin_steps();
        break;
      case turn_effect::kind_t::tap:
        end_steps();
        taps_.emplace();
        editor_.set_taken_keys(" ");
        break;
      case turn_effect::kind_t::none: break;
    }
    if (tutorial_.is_on() && state_->meta.slug == tutorial_.session() && look_at_lesson(n.what))
      return;
    edit();
  }

  void handle(event::refused& n) {
    cancelled_ = nullptr;
    // Entered too early; `opened` enters it.
    if (taking_over_ && phase_ == phase::waiting) return;
    if (phase_ == phase::starting) {
      startup_.refused(n.message);
      return go_on_starting();
    }
    went_wrong_ = true;
    if (phase_ == phase::opening) tutorial_.end();  // its session could not be opened
    screen_.say(io::style::error, n.message);
    if (phase_ != phase::editing && state_) edit(n.line);
  }

  void handle(event::changed& n) {
    if (phase_ == phase::opening) return;  // `opened` knows more
    take(n.after);
    if (phase_ != phase::editing) return;
    // It stands above what is being typed. Where that cannot be drawn again, as for a screen
    // reader, nothing is printed into it: what happened is shown at the next Enter.
    if (!editor_.is_plain() || (editor_.text().empty() && !assembler_.is_open())) {
      auto text = shown_.rest_of(*state_);
      if (!text.empty()) editor_.print_above(text);
    }
    editor_.set_prompt(prompt(), continuation());
  }

  void handle(event::lost& n) {
    screen_.say(io::style::error, n.message);
    exit_code_ = exit_failure;
    phase_ = phase::leaving;
  }

  void handle(event::session_list& n) { assist_.set_sessions(std::move(n.slugs)); }

  /// The prompt shows the measure. It is not drawn again where that would print another line.
  void handle(event::played& n) {
    auto before = std::exchange(playing_, std::move(n.status));
    tell_notice(std::exchange(playing_.notice, {}));
    if (!state_) return;
    // A screen reader is not told of each measure.
    if (phase_ == phase::editing && editor_.is_plain() && before.state != playing_.state &&
        playing_.state != playback_status::state_t::playing && unfinished().empty())
      editor_.print_above(playing_.is_active() ? "Playback is paused at measure " +
                                                     io::safe_text(playing_.measure) + ".\n"
                                               : "Playback has ended.\n");
    auto looks_the_same = before.state == playing_.state && before.measure == playing_.measure &&
                          before.session == playing_.session;
    if (phase_ == phase::editing && !editor_.is_plain() && !looks_the_same)
      editor_.set_prompt(prompt(), continuation());
  }

  /// The prompt shows the notes, but a screen reader is not told of each.
  void handle(event::recorded& n) {
    auto before = std::exchange(recording_, std::move(n.status));
    tell_notice(std::exchange(recording_.notice, {}));
    if (!state_ || phase_ != phase::editing) return;
    write_steps();
    if (!editor_.is_plain() && before != recording_) editor_.set_prompt(prompt(), continuation());
    if (editor_.is_plain() && before.is_recording() && !recording_.is_recording() &&
        unfinished().empty())
      editor_.print_above("The recording has ended.\n");
  }

  // --- step entry and tapping
  // -----------------------------------------------------------------------------------------------

  /// What the prompt says of them.
  std::string entry_badge() const {
    if (steps_.is_on()) return "step :" + steps_.value();
    if (!taps_) return {};
    auto tempo = taps_->tempo();
    return tempo ? fmt::format("tap :q {:.0f}", *tempo) : "tap";
  }

  void begin_steps() {
    end_taps();
    steps_.begin(*state_, recording_);
    editor_.set_taken_keys(step_entry::keys);
  }

  void end_steps() {
    if (!steps_.is_on()) return;
    steps_.end();
    editor_.set_taken_keys({});
    if (editor_.is_open()) editor_.set_prompt(prompt(), continuation());
  }

  /// What was played since goes into the line.
  void write_steps() {
    if (!editor_.is_open()) return;
    if (auto l = steps_.play(recording_, {editor_.text(), editor_.cursor()}))
      editor_.set_text(l->text, l->cursor);
  }

  void end_taps() {
    if (!taps_) return;
    taps_.reset();
    editor_.set_taken_keys({});
    if (editor_.is_open()) editor_.set_prompt(prompt(), continuation());
  }

  /// A key of step entry, or of a tempo that is tapped. False: it means what it always does.
  bool taken_key(char key) {
    if (taps_ && key == ' ' && editor_.text().empty()) {
      taps_->tap(std::chrono::steady_clock::now());
      if (!editor_.is_plain()) editor_.set_prompt(prompt(), continuation());
      return true;
    }
    auto l = steps_.press(key, {editor_.text(), editor_.cursor()});
    if (!l) return false;
    editor_.set_text(l->text, l->cursor);
    if (!editor_.is_plain()) editor_.set_prompt(prompt(), continuation());
    return true;
  }

  bool records_here() const { return state_ && recording_.session == state_->meta.slug; }

  /// Of a device that was lost, or is back.
  void tell_notice(const std::string& notice) {
    if (notice.empty() || !state_) return;
    if (phase_ == phase::editing && !editor_.is_plain())
      editor_.print_above(io::safe_text(notice) + '\n');
    else
      screen_.say(io::style::system, notice);
  }

  void take(session_snapshot s) {
    state_ = std::move(s);
    assist_.set_state(state_);
    screen_.set_state(state_);
    follow_settings();
  }

  void follow_settings() { assist_.set_rainbow(screen_.in_force("brackets") == "rainbow"); }

  // --- the tutorial
  // --------------------------------------------------------------------------------

  void teach(const std::string& argument) {
    if (argument == "off" || (argument == "skip" && !tutorial_.is_on())) {
      if (!tutorial_.is_on()) {
        screen_.say(io::style::error, "the tutorial is not running; `:tutorial` starts it");
        return edit();
      }
      return leave_tutorial();
    }
    if (argument == "skip") {
      if (!tutorial_.skip()) return finish_tutorial();
    } else if (!argument.empty()) {
      tutorial_.go_to(argument == "restart" ? 1 : std::stoul(argument));
    }
    tutorial_.begin(state_->meta.slug);
    if (state_->meta.slug == tutorial_.session()) {
      show_lesson();
      return edit();
    }
    phase_ = phase::opening;
    setup_.front_end.open(std::string{tutorial_session});
  }

  /// Lessons cannot be done in a session that is only looked at.
  void turn_back(const std::string& writer) {
    screen_.say(io::style::error, "the tutorial session is open in another process (" + writer +
                                      "); close it there, then `:tutorial` resumes here");
    leave_tutorial();
  }

  void show_lesson() {
    screen_.teach('\n' + tutorial_.text());
    if (auto trouble = tutorial_.take_error())
      screen_.say(io::style::error,
                  "your tutorial step cannot be saved: " + trouble->first().message);
  }

  /// True: the prompt is seen to.
  bool look_at_lesson(const turn& t) {
    if (t.entries.empty()) return false;
    switch (tutorial_.look(t)) {
      case tutorial_guide::progress::none:
        screen_.teach("Not yet: " + std::string{tutorial_.hint()} +
                      " (`:tutorial skip` moves on, `:tutorial off` leaves.)");
        return false;
      case tutorial_guide::progress::passed: show_lesson(); return false;
      case tutorial_guide::progress::finished: finish_tutorial(); return true;
    }
    return false;
  }

  void finish_tutorial() {
    screen_.teach('\n' + tutorial_farewell());
    leave_tutorial();
  }

  void leave_tutorial() {
    tutorial_.end();
    phase_ = phase::opening;
    // Without another session there is nowhere to go: a first one is made.
    auto back = tutorial_.came_from();
    setup_.front_end.open(back.empty() ? "session-1" : std::move(back));
  }

  // --- the screen
  // ----------------------------------------------------------------------------------

  void show_time(const turn& t, std::chrono::steady_clock::duration took) {
    for (auto& e : t.entries)
      if (std::holds_alternative<eval_entry>(e->kind) && e->source.channel == "terminal")
        screen_.say(
            io::style::system,
            fmt::format("took {:.1f} ms", std::chrono::duration<double, std::milli>(took).count()));
  }

  void show(const turn& t) {
    take(t.after);
    shown_.show(t);
  }

  std::string edited(const std::string& text) {
    editor_.keep_typed_ahead();
    auto saved = io::edit_in_editor(text, &setup_.signals);
    if (saved) return *saved;
    screen_.say(io::style::error, saved.error().first().message);
    return text;
  }

  // --- editing
  // -------------------------------------------------------------------------------------

  void edit(std::string text = {}) {
    if (phase_ == phase::leaving) return;
    if (!further_.empty()) {
      if (text.empty() && !went_wrong_) return submit_next();
      // The user has to check it first; nothing is lost.
      for (auto& input : std::exchange(further_, {}))
        text += (text.empty() ? "" : "\n") + input;
    }
    phase_ = phase::editing;
    assembler_ = {};
    steps_.next_line(*state_);
    open_editor(text);
    if (!steps_.is_on() || !text.empty()) return;
    auto line = step_mode::empty_phrase();
    editor_.set_text(line.text, line.cursor);
    write_steps();
  }

  void submit_next() {
    auto next = std::move(further_.front());
    further_.pop_front();
    submit(std::move(next));
  }

  static bool went_wrong(const turn& t) {
    return std::any_of(t.entries.begin(), t.entries.end(),
                       [](auto& e) { return e->source.channel == "terminal" && is_failure(*e); });
  }

  void open_editor(std::string_view text = {}) {
    if (assembler_.is_open())
      editor_.open({{continuation(), io::style::continuation}}, continuation(), text);
    else
      editor_.open(prompt(), continuation(), text);
  }

  io::prompt_text prompt() {
    auto now = current_time();
    shown_.prompts_for(next_index(*state_, now));
    return prompt_of(*state_, {playing_, recording_, entry_badge()}, now, setup_.accessible);
  }
  std::string continuation() {
    return continuation_of(prompt(), io::size_of_terminal().columns, setup_.accessible);
  }

  /// For a user who types `:quit` into an expression that is not closed.
  static std::string way_out(std::string_view unfinished) {
    auto command = io::command_within(unfinished);
    if (command.empty()) return {};
    return fmt::format("{} is part of the unfinished expression; Ctrl-C cancels it", command);
  }

  io::line_editor_hooks hooks() {
    return {
        .is_incomplete = [](std::string_view text) { return io::is_incomplete(text); },
        .indentation = [](std::string_view before) { return io::nesting{before}.indentation(); },
        .complete = [this](std::string_view text,
                           std::size_t at) { return assist_.complete(text, at); },
        .highlight = [this](std::string_view text,
                            std::size_t at) { return assist_.highlight(text, at); },
        .hint = [this](std::string_view text, std::size_t at) { return assist_.hint(text, at); },
        .remark = way_out,
        .stays = stays,
        .space_on_empty =
            [this] {
              if (!playing_.is_active()) return false;
              setup_.front_end.toggle_pause();
              return true;
            },
        .taken_key = [this](char key) { return taken_key(key); },
    };
  }

  const repl_setup& setup_;
  phase phase_ = phase::opening;
  bool told_to_wait_ = false;
  int told_percent_ = 0;
  int exit_code_ = exit_ok;

  prompt_assist assist_;
  io::history_file history_;
  io::line_editor editor_;
  repl_screen screen_;
  shown_timeline shown_{screen_};
  startup_file startup_;
  std::filesystem::path file_{setup_.file};  ///< to open; empty: done
  tutorial_guide tutorial_{io::fermata_home()};
  io::input_assembler assembler_;  ///< of a plain terminal
  bool remarked_ = false;          ///< that what is in it is no command
  bool history_failed_ = false;
  std::deque<std::string> further_;  ///< inputs that were entered together and have yet to run
  bool went_wrong_ = false;          ///< what ran last

  timestamp started_ = current_time();
  session_snapshot state_;
  playback_status playing_;
  recording_status recording_;
  step_mode steps_;
  std::optional<tap_tempo> taps_;
  std::string open_slug_;            ///< the session that was opened last; `state_` may be ahead
  bool taking_over_ = false;         ///< until the session is open here
  bool over_line_ = false;           ///< the line before may have ended the process that ran it
  std::string submitted_text_;       ///< the last line
  std::int64_t entries_before_ = 0;  ///< length of the timeline when it was submitted
  std::shared_ptr<std::atomic<bool>> cancelled_;
  std::chrono::steady_clock::time_point submitted_;
};

}  // namespace

int run_on_terminal(const repl_setup& setup) { return terminal_repl{setup}.run(); }

}  // namespace fermata::app
