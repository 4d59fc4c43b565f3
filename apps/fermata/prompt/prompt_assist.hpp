#pragma once

#include "core/session/timeline/state.hpp"
#include "io/line_editor/line_editor.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::app {

/// What the prompt knows about the text being typed: words that fit, colours, the signature of the
/// form at the cursor. It looks at the session's last snapshot and asks nobody.
class prompt_assist {
public:
  void set_state(session_snapshot s) { state_ = std::move(s); }
  void set_rainbow(bool on) { rainbow_ = on; }
  void set_sessions(std::vector<std::string> slugs) { sessions_ = std::move(slugs); }
  void set_home(std::filesystem::path home) { home_ = std::move(home); }

  io::completions complete(std::string_view text, std::size_t cursor) const;
  std::vector<io::styled_span> highlight(std::string_view text, std::size_t cursor) const;
  /// The usage line of the command, or of the innermost form around the cursor; empty when it has
  /// none.
  std::string hint(std::string_view text, std::size_t cursor) const;

private:
  session_snapshot state_;
  std::vector<std::string> sessions_;
  std::filesystem::path home_;
  bool rainbow_ = true;
};

}  // namespace fermata::app
