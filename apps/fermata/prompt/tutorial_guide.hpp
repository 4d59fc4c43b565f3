#pragma once

#include "core/session/commands/tutorial.hpp"
#include "messages/session.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fermata::app {

/// The user's position in the tutorial. It looks at what was entered in its session, and says what
/// comes next; changing sessions is the prompt's.
///
/// The step is kept in the home, and the session to return to: a user who leaves Fermata continues
/// there another day.
class tutorial_guide {
public:
  explicit tutorial_guide(std::filesystem::path home);

  bool is_on() const { return on_; }
  /// The session of the lessons: `tutorial`, or what was made when that name is in the archive.
  const std::string& session() const { return session_; }
  void set_session(std::string slug) { session_ = std::move(slug); }
  /// The session to return to; empty: unknown, or it no longer exists.
  std::string came_from() const;

  /// Begins, or goes on where it was left.
  void begin(std::string from);
  /// To this step, from 1.
  void go_to(std::size_t step) { set_step(step - 1); }
  /// Passes the step. False: it was the last.
  bool skip();
  void end() { on_ = false; }

  std::string text() const { return tutorial_text(step_); }

  enum class progress : std::uint8_t { none, passed, finished };
  /// What the entries of a turn mean for the step; after `passed` the next step is the current one.
  progress look(const turn& t);
  /// Said when the step was not passed.
  std::string_view hint() const { return tutorial_steps()[step_].hint; }

  /// Why the step could not be kept, once.
  std::optional<error> take_error() { return std::exchange(trouble_, std::nullopt); }

private:
  void set_step(std::size_t step);
  void keep_place();

  std::filesystem::path home_;
  std::optional<error> trouble_;
  bool in_trouble_ = false;
  bool on_ = false;
  std::size_t step_ = 0;
  std::string session_{tutorial_session};
  std::string came_from_;
};

}  // namespace fermata::app
