#pragma once

#include "core/result.hpp"
#include "core/session/commands/entry_listing.hpp"
#include "core/session/timeline/event.hpp"
#include "core/session/timeline/turn_effect.hpp"
#include "core/session/timeline/wall_clock.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fermata {

/// `:commands` of the prompt. One table says everything of them: parsing, argument checks, `:help`,
/// completion, hints and the reference page are made from its rows.

/// An option: `--grep WORD`, `--json`.
struct command_option {
  std::string_view name;   ///< without the dashes
  std::string_view value;  ///< what follows, as shown; empty: a flag
  std::string_view help;
  bool destructive = false;  ///< skips a question: a mistyped name never suggests it
};

/// The option as it is typed: `--grep`; of one letter: `-o`.
std::string typed(const command_option& o);

struct command_spec;

/// How whoever entered a line is told.
struct output_options {
  wall_clock clock{};     ///< by which times are shown and read
  bool in_words = false;  ///< words instead of signs, for who hears or feels the text
};

/// A command line taken apart and checked against its row.
struct parsed_command {
  const command_spec* spec = nullptr;
  std::string text;               ///< as typed, with the colon
  std::vector<std::string> args;  ///< quotes removed
  std::string rest;               ///< everything after the name, as typed
  std::map<std::string, std::vector<std::string>, std::less<>> options;  ///< values in order given

  bool has(std::string_view option) const { return options.contains(option); }
  /// The last value given.
  std::optional<std::string> option(std::string_view name) const;
};

/// The sessions that are open beside this one, as they were shown last: asked for when they are
/// needed, as there may be many.
using other_open_sessions = std::function<std::vector<session_snapshot>()>;

/// What a command knows. It changes nothing: what it wants is in its outcome.
struct command_call {
  const session_state& state;
  timestamp now;
  entry_source source;
  const parsed_command& given;
  output_options telling{};
  other_open_sessions others{};  ///< null: there are none
};

/// An expression is to be evaluated in this turn, after which the command is complete.
struct evaluation_effect {
  std::string text;
  entry_source source;
  std::optional<std::int64_t> proposal;  ///< accepted by it
  std::string remark;                    ///< printed when it went well
  bool timed = false;                    ///< say how long it took
  std::optional<commit_rule> rule{};     ///< what enters the score; else as the session has it
  /// What comes of it: an entry; of a proposal also one unless it writes over what its diff did not
  /// show; or, for `:diff`, words behind the remark.
  enum class use_t : std::uint8_t { commit, commit_unless_lost, show } use = use_t::commit;
};
/// Something that only the one who knows all sessions can do.
struct manager_effect {
  enum class what_t : std::uint8_t {
    create,
    list,
    change_to,
    rename,   ///< this session; `argument`: what it is to be called
    clone,    ///< of this session; `argument`: the name of the copy
    archive,  ///< put aside, to be brought back
    unarchive,
    remove,       ///< into the trash, when it is `confirmed`; else that is asked
    export_to,    ///< `file`, or as the session is called; `argument`: a session, else this one
    import_from,  ///< `file`; `argument`: the name, else the one it had
  } what = what_t::list;
  std::string argument;
  std::string file;
  std::string perhaps;    ///< `export_to`: when a session is called so, that one, and no `file`
  bool archived = false;  ///< list those that were put aside
  bool confirmed =
      false;  ///< `remove`: was asked; `export_to`: also when something is there already
};
/// A score file is to be written or read: the user's own request, never a client's.
struct score_file_effect {
  enum class what_t : std::uint8_t {
    export_to,    ///< the score as it is now, in the format of the file's extension
    import_from,  ///< the score of the file replaces the current one, as one step of undo
    run,          ///< the program of the file is evaluated in this session, as one step of undo
  } what = what_t::export_to;
  std::string file;
  bool replaces = false;  ///< `export_to`: also where another file is already
};
/// Everything is to be on the disk before the answer.
struct save_effect {};
/// The text of score.ferm as somebody else edited it is to become the score, as one change.
struct reload_effect {};
/// A score is to be shown in one of the ways of the setting `display`.
struct view_effect {
  std::string display;
  score_ptr score;
  std::optional<std::size_t> part;                ///< index; all without one
  std::optional<std::pair<int, int>> measures{};  ///< from 1, inclusive
};
using command_effect = std::variant<std::monostate, evaluation_effect, manager_effect,
                                    score_file_effect, save_effect, reload_effect, view_effect>;

/// An entry that a command makes beside its own, such as the change of an accepted proposal.
struct further_entry {
  entry_kind kind;
  entry_source source;
  score_ptr score;  ///< what it makes of them
  environment_ptr env;
};

/// What a command says and wants.
struct command_outcome {
  std::string output;
  bool ok = true;
  std::vector<journal_event> events;  ///< together with the command's entry
  score_delta delta;                  ///< carried by the command's entry
  environment_delta env_change;
  std::optional<further_entry> further;  ///< after the command's entry
  turn_effect effect;
  command_effect wish;
  /// For the one who asked, in place of `output`, which is all that the timeline keeps; or null.
  entry_listing_ptr listing;
  bool recorded = true;  ///< false: no entry, as for `:quit`
};

/// Who does the work.
enum class command_scope : std::uint8_t {
  session,    ///< a function of the session's state
  manager,    ///< the one who knows all sessions
  front_end,  ///< the terminal, told by the turn's effect
};

/// Whether a command looks at entries that may lie on disk, so that a long session is not held up
/// by it.
enum class searches_history : std::uint8_t {
  no,
  in_turn,  ///< what it decides belongs where it was entered: lines after it wait
  aside,    ///< it only tells: what is entered meanwhile goes before it
};

/// One row.
struct command_spec {
  std::string_view name;  ///< one or two words: "session new"
  std::vector<std::string_view> aliases;
  std::string_view arguments;                   ///< as shown: "[PART] [MEASURES]"
  int least_arguments = 0, most_arguments = 0;  ///< most -1: any number
  std::vector<command_option> options;
  std::string_view help;  ///< one sentence
  std::string_view
      example;             ///< a whole line that works in a session with music, or says why not yet
  std::string_view topic;  ///< heading in `:help`
  command_scope scope = command_scope::session;
  searches_history back = searches_history::no;
  bool lists_entries = false;  ///< what it prints are entries of the timeline, commands too
  bool destructive = false;    ///< replaces or removes work: a mistyped name never suggests it
  command_outcome (*run)(const command_call&) = nullptr;
};

/// All rows, topic by topic.
const std::vector<command_spec>& command_table();
/// By name or alias; null when there is none.
const command_spec* find_command(std::string_view name);
/// The command that a line begins with (with or without its colon), whatever follows; null: none.
const command_spec* command_of(std::string_view line);
/// The commands of two words that begin with this one, which may also be short: `session`, `s`.
std::vector<const command_spec*> command_family(std::string_view word);
/// `:history [RANGE] [--code] ...`
std::string usage(const command_spec& c);

/// Takes a line apart; `text` is without the colon. Errors: unknown command or option with the
/// nearest name, missing or surplus arguments with the usage line, an open quote.
result<parsed_command> parse_command(std::string_view text);

/// A command line, parsed once.
struct command_line {
  std::string text;               ///< without the colon
  result<parsed_command> parsed;  ///< or what is wrong with it
};
command_line read_command(std::string text);

/// Runs it. What went wrong becomes an outcome that is not ok and says so. `telling` is how whoever
/// entered the line is told; `others` may be null.
command_outcome run_command(const command_line& line, const session_state& s,
                            const entry_source& source, timestamp now, output_options telling = {},
                            const other_open_sessions& others = {});
/// Parses and runs.
command_outcome run_command(std::string_view text, const session_state& s,
                            const entry_source& source, timestamp now, output_options telling = {},
                            const other_open_sessions& others = {});

/// The reference page in Markdown.
std::string command_reference();

// Rows are contributed topic by topic, beside their functions.
std::vector<command_spec> help_commands();
std::vector<command_spec> history_commands();
std::vector<command_spec> score_commands();
std::vector<command_spec> proposal_commands();
std::vector<command_spec> branch_commands();
std::vector<command_spec> session_commands();
std::vector<command_spec> session_folder_commands();
std::vector<command_spec> setting_commands();
std::vector<command_spec> editing_commands();
std::vector<command_spec> learning_commands();
std::vector<command_spec> file_commands();

/// `:diff A B`: two branches or entries, or one of them and what is there now.
command_outcome compare_sides(const command_call& c);
/// `:ai`: what clients may do in this session.
command_outcome client_rules(const command_call& c);

/// An outcome that says what is wrong and what to do.
command_outcome refused(std::string message, std::string_view advice = {});
command_outcome refused(const error& e);

}  // namespace fermata
