#pragma once

#include "apps/fermata/prompt/repl_screen.hpp"
#include "core/session/timeline/state.hpp"
#include "messages/session.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace fermata::app {

/// How far the timeline of the current session stands on the screen: what others bring about while
/// a line is typed is shown in its order, and nothing twice.
class shown_timeline {
public:
  /// The screen outlives it.
  explicit shown_timeline(repl_screen& screen) : screen_(screen) {}

  /// What is to be shown of a session that was opened. What happened before is in `:history`; what
  /// waited there, or was noted since `started` while it was opened, is new. `again`: it was on
  /// the screen before.
  std::string opened(const turn& t, bool again, timestamp started);
  /// What is in the history and was not shown.
  std::string rest_of(const session_state& s);
  /// All of it counts as shown.
  void passes(const session_state& s) {
    shown_ = s.history.size();
    stands(s);
  }
  /// The prompt on the screen says this index, so an entry that gets it needs no echo.
  void prompts_for(std::int64_t index) { typed_index_ = index; }
  /// Shows the answer to a line, behind what came in between.
  void show(const turn& t);

private:
  void add_until(std::string& text, const session_state& s, std::int64_t last);
  void stands(const session_state& s);
  bool stood(const session_state& s, const history_entry& e) const;

  repl_screen& screen_;
  std::int64_t shown_ = 0;  ///< the last index on the screen
  history on_screen_;       ///< what it is an index in
  /// The last entry of each session that was on the screen, by slug: who comes back to a session is
  /// not shown again what was noted when it was opened.
  std::map<std::string, entry_ptr> last_shown_;
  std::int64_t typed_index_ = 0;  ///< the index in the prompt that is on the screen
};

}  // namespace fermata::app
