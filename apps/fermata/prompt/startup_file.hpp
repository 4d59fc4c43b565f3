#pragma once

#include "core/session/timeline/state.hpp"
#include "messages/session.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fermata::app {

/// The start-up file, input by input. Each expression is tried first; only what changes something
/// in the session is entered for good, so that the same file read again leaves no trace in the
/// timeline. It defines and sets; what would write into the score is refused.
///
///     next() -> a submission to be made, whose answer goes to answered(), until there is none
class startup_file {
public:
  /// Reads it; one that is not there has no inputs. `complaints` afterwards says what is wrong.
  explicit startup_file(std::filesystem::path path);

  /// What is to be submitted now, for a session in this state; nothing at the end.
  std::optional<submission> next(const session_state& state);
  /// The answer to what `next` gave last.
  void answered(const turn& t);
  void refused(const std::string& message);

  /// Begins again, for another session.
  void rewind() {
    at_ = 0;
    trying_ = true;
  }
  bool empty() const { return inputs_.empty(); }
  /// Faults since the last call, with file, line and column.
  std::vector<std::string> complaints() { return std::exchange(complaints_, {}); }

private:
  struct input {
    std::string text;
    std::size_t line;
  };
  void complain(const error& e);
  void complain(const std::string& message);

  std::string name_;
  std::vector<input> inputs_;
  std::size_t at_ = 0;
  bool trying_ = true;  ///< the expression is only evaluated, to see what it changes
  std::vector<std::string> complaints_;
};

}  // namespace fermata::app
