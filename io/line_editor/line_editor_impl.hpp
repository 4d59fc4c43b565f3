#pragma once

#include "io/line_editor/line_editor.hpp"
#include "io/terminal/key_input.hpp"
#include "io/terminal/plain_line.hpp"

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
// Readline's header wants stdio before it.
#include <readline/history.h>
#include <readline/readline.h>

namespace fermata::io {

/// What the files line_editor*.cpp share: the editor's state and the functions that Readline calls.
/// Readline knows no objects, so these are static and find theirs in `self`. Nobody else includes
/// this.
struct line_editor::impl {
  line_editor_hooks hooks;
  key_input keys;
  bool color = false, plain = false, opened = false;
  prompt_text prompt;
  std::string continuation;
  std::string initial;
  std::string readline_prompt;  ///< Readline keeps a pointer, by which we know its own messages
  std::string current;          ///< for `text()`
  std::string mode_switch;      ///< what was last written for the mode
  std::string remark;           ///< below the text, until the next Enter
  bool remarked = false;        ///< of this text
  edit_picture shown;
  plain_line line;  ///< instead of it on a plain terminal
  bool dirty = false, hint_wanted = false, editor_wanted = false;
  std::optional<edit_result> done;
  /// A key that `on_taken_key` has, and what it did before.
  struct taken_key {
    Keymap map;
    int key;
    rl_command_func_t* before;
  };
  std::vector<taken_key> taken;
  std::string taken_characters;

  static inline impl* self = nullptr;

  // --- drawing: line_editor_drawing.cpp ----------------------------------------------------------

  /// Readline asks for this after every key; the picture is made once all keys are read.
  static void request_redraw();
  void draw();
  /// On a plain terminal, after every key.
  static void redisplay_plain();
  /// The prompt behind the mode indicator, where `.inputrc` wants one.
  prompt_text with_mode(prompt_text p);
  void show(edit_picture wanted);
  /// The finished text stays on the screen, without a hint and without marks at the cursor.
  void leave_text();

  // --- keys: line_editor_keys.cpp ----------------------------------------------------------------

  static int on_byte_wanted(FILE*);
  /// Readline waits a moment for the rest of a key, as long as its keyboard timeout says.
  static int on_byte_expected();
  static std::string_view text();
  void new_line();
  void make_remark();
  static int on_enter(int count, int key);
  static int on_plain_enter(int count, int key);
  static int on_alt_enter(int, int);
  static int on_hint(int, int);
  static int on_end_of_input(int, int);
  static int on_space(int count, int key);
  static int on_taken_key(int count, int key);
  static int on_edit_elsewhere(int, int);
  /// The same column in the line above or below; false when there is none.
  static bool move_line(int direction);
  /// Start and end of the line that the cursor is in, not of the whole text.
  static int on_home(int, int);
  static int on_end(int, int);
  /// Cut to the end or the start of the line that the cursor is in; the newline itself when there
  /// is nothing before it.
  static int on_kill_line(int, int);
  static int on_kill_to_start(int, int);
  static int on_up(int count, int key);
  static int on_down(int count, int key);
  /// Puts a function of ours where one of Readline's was, on whatever keys the user has it.
  static void replace(Keymap map, rl_command_func_t* theirs, rl_command_func_t* ours);
  void bind_keys();
  /// Gives `on_taken_key` these characters and backspace, and back what it had.
  void take_keys(std::string keys);
  /// What serves on a plain terminal too.
  void bind_plain_keys();
  /// Whenever Readline takes the terminal it gives the keys that kill a line (Ctrl-U) and erase a
  /// character there their own meaning again.
  void rebind_terminal_keys();

  // --- completion: line_editor_completion.cpp ----------------------------------------------------

  static char** on_complete(const char*, int start, int);
  static void on_show_matches(char** matches, int count, int);

  // --- life: line_editor.cpp ---------------------------------------------------------------------

  static void on_line(char* line);
  static int on_startup();
  void install();
};

}  // namespace fermata::io
