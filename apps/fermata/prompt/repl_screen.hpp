#pragma once

#include "apps/fermata/prompt/repl_run.hpp"
#include "core/session/commands/entry_listing.hpp"
#include "core/session/timeline/state.hpp"
#include "io/terminal/entry_view.hpp"
#include "io/line_editor/line_editor.hpp"
#include "io/terminal/style.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata::app {

/// What the prompt shows above the line that is typed, and the settings that say how: colours,
/// widths, paging, limits. It writes through the line editor, which it does not own.
class repl_screen {
public:
  repl_screen(const repl_setup& setup, io::line_editor& editor);

  /// The settings of the session are asked again.
  void set_state(session_snapshot s);
  std::string in_force(std::string_view setting) const;

  std::size_t columns() const;
  bool unicode() const { return unicode_; }
  io::entry_look look() const;

  /// What stands above the first prompt.
  void greet(timestamp started);
  /// A remark of the prompt itself, which is no entry; whatever it names is made safe.
  void say(io::style s, std::string_view words);
  /// Words of the tutorial.
  void teach(const std::string& words);
  /// Finished output: what is longer than the screen goes through the pager; without one it has a
  /// limit.
  void page(const std::string& text);
  /// The same of this text and what a command lists. What is not shown is not read either.
  void page(std::string text, const history_entry& command, const entry_listing& listing);
  /// What is shown of an entry above the prompt, where nothing is paged: its first lines when it is
  /// longer than the limit.
  std::string limited(const std::string& text, std::int64_t index) const;

  /// All of it, without a pager. False: it was interrupted, or nobody reads any more.
  bool print(std::string_view text);

  /// Whether signals arrived during printing that the caller has to handle.
  bool has_put_off() const { return !put_off_.empty(); }
  std::vector<int> put_off() { return std::exchange(put_off_, {}); }

private:
  void apply_settings();
  std::string prose(const std::string& text) const;
  std::string pager();
  void cannot_start(const std::string& command);
  bool show_in_pager(const std::string& text, const std::string& command);
  void print_list(std::string text, std::vector<std::size_t> ends, const history_entry& command,
                  const entry_listing& listing);
  bool is_interrupted();

  const repl_setup& setup_;
  io::line_editor& editor_;
  session_snapshot state_;
  bool color_ = false;
  bool unicode_ = false;
  std::string display_ = "fermata";
  std::vector<int> put_off_;
  std::string no_pager_;  ///< the command that was said not to start
};

}  // namespace fermata::app
