#pragma once

#include "io/terminal/edit_view.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// Words that can stand where the cursor is.
struct completions {
  std::size_t begin = 0;           ///< where the word begins that they replace
  std::vector<std::string> words;  ///< whole words, sorted
  /// What follows a word when it is the only one: a blank, unless there is more to come or the word
  /// ends something of its own.
  std::string after = " ";
};

/// What the line editor asks about the text it edits. Every function is called on the editor's
/// thread between two keys, so it has to be quick; each may be left empty.
struct line_editor_hooks {
  std::function<bool(std::string_view text)> is_incomplete;  ///< Enter goes on to a new line
  std::function<std::size_t(std::string_view before)>
      indentation;  ///< of a new line after this text
  std::function<completions(std::string_view text, std::size_t cursor)> complete;
  std::function<std::vector<styled_span>(std::string_view text, std::size_t cursor)> highlight;
  std::function<std::string(std::string_view text, std::size_t cursor)> hint;  ///< one line
  /// A line to be shown below the text when Enter goes on; once for each input. Empty: none.
  std::function<std::string(std::string_view text)> remark;
  std::string stays = {};  ///< the same where Ctrl-D leaves an unfinished input as it is
  std::function<bool()> space_on_empty = {};  ///< true: the key is used for something else
  /// One of `set_taken_keys`; true: the key is used for something else.
  std::function<bool(char key)> taken_key = {};
};

/// What came of a key.
struct edit_result {
  enum class kind_t : std::uint8_t {
    line,             ///< an input is complete: `text`
    edit_externally,  ///< Ctrl-X Ctrl-E: `text`, as far as it is, wants to be edited in an editor
    end_of_input,     ///< Ctrl-D on an empty line
    gone,             ///< the terminal went away
  } kind = kind_t::line;
  std::string text;
};

/// Edits one input at a time on standard input and output, for a thread that polls: `open`, then
/// `key` whenever standard input is readable, until it gives a result; then it is closed. It never
/// waits by itself (but for the rest of a key's bytes, Readline's keyseq-timeout).
///
/// Keys, histories, undo, vi and emacs modes and `.inputrc` (application name `Fermata`) are GNU
/// Readline's. What is drawn is ours (`edit_view`), since Readline shows neither continuation
/// prompts nor colours: inputs of several lines are one text, edited as a whole and recalled as a
/// whole. Enter ends an input that is complete and otherwise begins a new line; Alt-Enter always
/// begins one. A paste of several lines is one text (bracketed paste). Tab completes, Alt-h shows
/// and hides the hint, Ctrl-X Ctrl-E asks for an editor, up and down move between lines before they
/// move in the history.
///
/// On a terminal that cannot move its cursor (TERM=dumb), and where the user wants it so
/// (`linear`), Readline draws, without ever moving the cursor up, and each line is a result of its
/// own; `is_plain` tells. There are no colours then.
///
/// Ctrl-K and Ctrl-U cut to the end and the start of the line that the cursor is in, not of the
/// whole text. Where `.inputrc` says `show-mode-in-prompt`, the mode stands before the prompt.
///
/// Readline is global: one editor per process, on one thread.
class line_editor {
public:
  line_editor(line_editor_hooks hooks, bool color, bool linear = false);
  ~line_editor();
  line_editor(const line_editor&) = delete;
  line_editor& operator=(const line_editor&) = delete;

  bool is_plain() const;
  bool is_open() const;
  void set_color(bool color);

  /// Shows the prompt with this text behind it, and takes the terminal. `continuation` stands
  /// before the further lines of the text.
  void open(prompt_text prompt, std::string continuation, std::string_view text = {});
  /// Shows another prompt with the text and cursor as they are.
  void set_prompt(prompt_text prompt, std::string continuation);
  /// Gives the terminal back with what was typed left standing; the text is lost.
  void close();

  /// Whether keys wait that were read already and that standard input therefore does not have any
  /// more: what came together with the end of the line before.
  bool has_keys() const;

  /// Keeps what was typed ahead for the next `open`, so that a program that is about to take the
  /// terminal does not get it as its own keys. Precondition: closed.
  void keep_typed_ahead();

  /// Standard input is readable, or `has_keys`: takes all keys that are there. Precondition: open.
  std::optional<edit_result> key();

  /// Ctrl-C: the text is given up and the line shows it; the editor stays open with an empty text.
  void interrupt();
  /// The size of the terminal changed.
  void resized();
  /// Gives the terminal back for a while (Ctrl-Z) and takes it again.
  void suspend();
  void resume();

  /// Prints text, complete lines, above the prompt.
  void print_above(std::string_view text);

  const std::string& text() const;
  std::size_t cursor() const;  ///< in bytes
  /// Another text, and the position of the cursor in it. Precondition: open.
  void set_text(const std::string& text, std::size_t cursor);
  /// The hook `taken_key` is asked about these characters and about backspace ('\b') before they
  /// have their usual meaning. Empty: about none.
  void set_taken_keys(std::string_view keys);

  /// What the arrow keys recall, oldest first.
  void set_history(const std::vector<std::string>& inputs);
  void add_to_history(const std::string& input);

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

}  // namespace fermata::io
