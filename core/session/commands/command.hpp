#pragma once

#include "core/result.hpp"
#include "core/session/commands/entry_listing.hpp"
#include "core/session/commands/playback_effect.hpp"
#include "core/session/commands/recording_effect.hpp"
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

/// The `:commands` of the prompt. One table defines them: parsing, argument checks, `:help`,
/// completion, hints and the reference page are derived from its rows.

/// An option: `--grep WORD`, `--json`.
struct command_option {
  std::string_view name;   ///< without the dashes
  std::string_view value;  ///< its value, as shown in help; empty: a flag
  std::string_view help;
  bool destructive = false;  ///< skips a confirmation: never suggested for a mistyped name
};

/// The option as typed: `--grep`, or `-o` if it has one letter.
std::string typed(const command_option& o);

struct command_spec;

/// How output is presented to the author of a line.
struct output_options {
  wall_clock clock{};       ///< for showing and reading times
  bool accessible = false;  ///< words instead of signs, for screen readers
};

/// A command line, parsed and checked against its row.
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

/// The other open sessions, as last listed: requested only when needed, since there may be many.
using other_open_sessions = std::function<std::vector<session_snapshot>()>;

/// Input of a command. A command changes nothing itself: its outcome says what is to be done.
struct command_call {
  const session_state& state;
  timestamp now;
  entry_source source;
  const parsed_command& given;
  output_options options{};
  other_open_sessions others{};  ///< null: there are none
};

/// An expression to be evaluated in this turn; the command is complete after it.
struct evaluation_effect {
  std::string text;
  entry_source source;
  std::optional<std::int64_t> proposal;  ///< accepted by it
  std::string remark;                    ///< printed on success
  bool timed = false;                    ///< also report the elapsed time
  std::optional<commit_rule> rule{};     ///< what enters the score; empty: the session's rule
  /// What becomes of the result: an entry; for a proposal, an entry unless it overwrites something
  /// that its diff did not show; for `:diff`, text after the remark.
  enum class use_t : std::uint8_t { commit, commit_unless_lost, show } use = use_t::commit;
};
/// An operation that only the session manager can do.
struct manager_effect {
  enum class what_t : std::uint8_t {
    create,
    list,
    change_to,
    rename,   ///< this session; `argument`: its new name
    clone,    ///< of this session; `argument`: the name of the copy
    archive,  ///< moved to the archive
    unarchive,
    remove,       ///< to the trash if `confirmed`; otherwise the user is asked
    export_to,    ///< `file`, or named after the session; `argument`: a session, default this one
    import_from,  ///< `file`; `argument`: the name, default the one in the file
  } what = what_t::list;
  std::string argument;
  std::string file;
  std::string perhaps;     ///< `export_to`: a session to export instead, if there is one, no `file`
  bool archived = false;   ///< list archived sessions
  bool confirmed = false;  ///< `remove`: confirmed; `export_to`: overwrite an existing file
};
/// A score file to be read or written: only at the user's own request, never a client's.
struct score_file_effect {
  enum class what_t : std::uint8_t {
    export_to,    ///< the score as it is now, in the format of the file's extension
    import_from,  ///< the score of the file replaces the current one, as one step of undo
    run,          ///< the program of the file is evaluated in this session, as one step of undo
  } what = what_t::export_to;
  std::string file;
  bool replaces = false;  ///< `export_to`: overwrite an existing file
};
/// Everything must be on disk before the reply.
struct save_effect {};
/// An external edit of score.ferm replaces the score, as one change.
struct reload_effect {};
/// Shows a score in one of the ways of the setting `display`.
struct view_effect {
  std::string display;
  score_ptr score;
  std::optional<std::size_t> part;                ///< index; empty: all parts
  std::optional<std::pair<int, int>> measures{};  ///< from 1, inclusive
};
/// Something to be heard, or a MIDI device to be used.
struct playback_effect {
  playback::request what;
};
/// Something to be recorded, or to be made of what was.
struct recording_effect {
  recording::request what;
};
using command_effect =
    std::variant<std::monostate, evaluation_effect, manager_effect, score_file_effect, save_effect,
                 reload_effect, view_effect, playback_effect, recording_effect>;

/// A second entry made by a command, such as the change of an accepted proposal.
struct further_entry {
  entry_kind kind;
  entry_source source;
  score_ptr score;  ///< the score after them
  environment_ptr env;
};

/// Output and effects of a command.
struct command_outcome {
  std::string output;
  bool ok = true;
  std::vector<journal_event> events;  ///< together with the command's entry
  score_delta delta;                  ///< carried by the command's entry
  environment_delta env_change;
  std::optional<further_entry> further;  ///< after the command's entry
  turn_effect effect;
  command_effect requested_effect;
  /// Shown to the author of the line instead of `output`, which is all that the timeline keeps; or
  /// null.
  entry_listing_ptr listing;
  bool recorded = true;  ///< false: no entry, as for `:quit`
};

/// Which component runs a command.
enum class command_scope : std::uint8_t {
  session,    ///< a function of the session's state
  manager,    ///< the session manager
  front_end,  ///< the front end, through the effect of the turn
};

/// Whether a command reads entries that may be on disk, so that a long session is not held up by
/// it.
enum class searches_history : std::uint8_t {
  no,
  in_turn,  ///< its decision belongs to its turn: later lines wait
  aside,    ///< it only reports: later lines may run before it is done
};

/// One row.
struct command_spec {
  std::string_view name;  ///< one or two words: "session new"
  std::vector<std::string_view> aliases;
  std::string_view arguments;                   ///< as shown: "[PART] [MEASURES]"
  int least_arguments = 0, most_arguments = 0;  ///< most -1: any number
  std::vector<command_option> options;
  std::string_view help;     ///< one sentence
  std::string_view example;  ///< a line that works in a session with music, or says why it does not
  std::string_view topic;    ///< heading in `:help`
  command_scope scope = command_scope::session;
  searches_history back = searches_history::no;
  bool lists_entries = false;  ///< its output is a list of entries
  bool destructive = false;    ///< replaces or removes work: never suggested for a mistyped name
  command_outcome (*run)(const command_call&) = nullptr;
};

/// All rows, grouped by topic.
const std::vector<command_spec>& command_table();
/// By name or alias; null if there is none.
const command_spec* find_command(std::string_view name);
/// The command at the start of a line (with or without its colon), ignoring the rest; or null.
const command_spec* command_of(std::string_view line);
/// The two-word commands with this first word, which may be abbreviated: `session`, `s`.
std::vector<const command_spec*> command_family(std::string_view word);
/// `:history [RANGE] [--code] ...`
std::string usage(const command_spec& c);

/// Parses a line; `text` is without the colon. Errors: unknown command or option, with the nearest
/// name; missing or extra arguments, with the usage line; an unclosed quote.
result<parsed_command> parse_command(std::string_view text);

/// A command line, parsed once.
struct command_line {
  std::string text;               ///< without the colon
  result<parsed_command> parsed;  ///< or the error
};
command_line read_command(std::string text);

/// Runs it. An error becomes an outcome that is not ok, with its message. `options`: how output is
/// presented to the author of the line; `others` may be null.
command_outcome run_command(const command_line& line, const session_state& s,
                            const entry_source& source, timestamp now, output_options options = {},
                            const other_open_sessions& others = {});
/// Parses and runs.
command_outcome run_command(std::string_view text, const session_state& s,
                            const entry_source& source, timestamp now, output_options options = {},
                            const other_open_sessions& others = {});

/// The reference page in Markdown.
std::string command_reference();

// Rows are contributed by topic, next to their functions.
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
std::vector<command_spec> playback_commands();
std::vector<command_spec> recording_commands();

/// `:diff A B`: two branches or entries, or one of them and the current score.
command_outcome compare_sides(const command_call& c);
/// `:ai`: what clients may do in this session.
command_outcome client_rules(const command_call& c);

/// The proposal that the first argument denotes, `3` or `Δ3`; without one, the only open one.
/// Errors: there is none, there are several; `must_be_open`: it is already decided.
result<const proposal*> chosen_proposal(const command_call& c, bool must_be_open);

/// An outcome with an error message and advice.
command_outcome refused(std::string message, std::string_view advice = {});
command_outcome refused(const error& e);

}  // namespace fermata
