#include "core/score/walk.hpp"
#include "core/session/blame.hpp"
#include "core/session/command.hpp"
#include "core/session/command_arguments.hpp"
#include "core/session/decide.hpp"
#include "core/session/entry_text.hpp"
#include "core/session/query.hpp"
#include "core/session/score_text.hpp"

#include <algorithm>

// The timeline: looking back, taking back, making again.

namespace fermata {

namespace {

constexpr std::size_t entries_shown_by_default = 20;

/// An option that only chooses kinds of entries.
struct kind_option {
  std::string_view option;
  std::vector<std::string> kinds;
};
const std::vector<kind_option>& kind_options() {
  static const std::vector<kind_option> rows{{"code", {"eval"}},
                                             {"chat", {"ai", "user"}},
                                             {"commands", {"command"}},
                                             {"ai", {"ai"}},
                                             {"system", {"system"}}};
  return rows;
}

/// The query that options and range mean, or the first thing wrong with them.
result<history_query> query_of(const command_call& c) {
  history_query q;
  auto& given = c.given;
  if (!given.args.empty()) {
    auto range = parse_index_range(given.args.front());
    if (!range) return fail(range.error());
    q.from = range->from;
    q.to = range->to;
  }
  for (auto& row : kind_options())
    if (given.has(row.option)) q.kinds.insert(q.kinds.end(), row.kinds.begin(), row.kinds.end());
  q.errors_only = given.has("errors");
  if (auto words = given.options.find("grep"); words != given.options.end())
    q.words = words->second;
  q.part = given.option("part");
  q.author = given.option("author");
  for (auto [option, when] : {std::pair{"since", &q.since}, std::pair{"until", &q.until}})
    if (auto text = given.option(option)) {
      auto t = parse_time(*text, c.now);
      if (!t) return fail(t.error());
      *when = *t;
    }
  if (auto text = given.option("measures")) {
    auto measures = parse_measures(*text, *c.state.score);
    if (!measures) return fail(measures.error());
    q.measures = *measures;
  }
  if (auto text = given.option("limit")) {
    auto n = parse_number(*text);
    if (!n || *n < 1)
      return fail({errc::out_of_range, "--limit " + *text + " is not a number above 0"});
    q.limit = static_cast<std::size_t>(*n);
  } else if (given.args.empty()) {
    q.limit = entries_shown_by_default;
  }
  return q;
}

/// Lists of the timeline are entries of it. What they printed is not printed again within another:
/// each would hold all before it, and twice as much every time.
entry_ptr without_list(const entry_ptr& entry) {
  auto command = std::get_if<command_entry>(&entry->kind);
  if (!command || command->output.empty() || !command->ok) return entry;
  auto spec = command_of(command->text);
  if (!spec || !spec->lists_entries) return entry;
  auto lines = std::count(command->output.begin(), command->output.end(), '\n') + 1;
  auto shortened = *entry;
  std::get<command_entry>(shortened.kind).output =
      "(" + std::to_string(lines) + (lines == 1 ? " line" : " lines") + " of the timeline)";
  return std::make_shared<const history_entry>(std::move(shortened));
}

command_outcome history_command(const command_call& c) {
  auto q = query_of(c);
  if (!q) return refused(q.error().first().message, q.error().first().hint);
  auto found = select(c.state.history, *q);
  for (auto& entry : found)
    entry = without_list(entry);
  command_outcome outcome;
  if (c.given.has("json")) {
    outcome.wish = json_wish{std::move(found)};
    return outcome;
  }
  for (auto& entry : found)
    outcome.output += (outcome.output.empty() ? "" : "\n") + to_text(*entry);
  if (found.empty()) outcome.output = "no entry matches";
  return outcome;
}

using change_function = result<step_change> (*)(const session_state&, std::int64_t);

command_outcome change_steps(const command_call& c, change_function change, std::string_view what) {
  std::int64_t n = 1;
  if (!c.given.args.empty()) {
    auto given = parse_number(c.given.args.front());
    if (!given) return refused(given.error().first().message, given.error().first().hint);
    n = *given;
  }
  auto changed = change(c.state, n);
  if (!changed) return refused(changed.error().first().message, changed.error().first().hint);
  command_outcome outcome;
  outcome.output = std::string{what};
  for (auto entry : changed->entries)
    outcome.output +=
        (entry == changed->entries.front() ? " In[" : ", In[") + std::to_string(entry) + ']';
  outcome.output += ": " + change_summary(changed->delta, changed->env_change);
  if (static_cast<std::int64_t>(changed->entries.size()) < n)
    outcome.output += "; there were no more";
  outcome.delta = std::move(changed->delta);
  outcome.env_change = std::move(changed->env_change);
  outcome.events = std::move(changed->steps);
  return outcome;
}

command_outcome undo_command(const command_call& c) {
  return change_steps(c, undo_change, "took back");
}

command_outcome redo_command(const command_call& c) {
  return change_steps(c, redo_change, "made again");
}

/// The part that `--part` names, or the only one, or the first.
const part* chosen_part(const command_call& c) {
  auto wanted = c.given.args.size() > 1 ? std::optional{c.given.args[1]} : std::nullopt;
  for (auto& p : c.state.score->parts)
    if (!wanted || p->id == *wanted || p->name == *wanted) return p.get();
  return nullptr;
}

/// "2", "2 1/2": where in the measure, counted in the beats of its metre.
std::string beat_text(measure_position at, const time_signature& t) {
  auto unit = t.fractions.empty() ? 4 : t.fractions.front().beat_type;
  auto beats = at.value * rational{unit, 4};
  auto whole = beats.numerator() / beats.denominator();
  auto rest = beats - rational{whole};
  return std::to_string(whole + 1) + (rest == rational{0} ? "" : ' ' + to_string(rest));
}

/// "In[3]  you  2026-02-01 14:03:07"
std::string origin_text(const history& h, std::int64_t index) {
  auto entry = h.at(index);
  auto eval = std::get_if<eval_entry>(&entry->kind);
  return (eval ? "In[" : "[") + std::to_string(index) + "]  " + to_text(entry->source) +
         (eval && eval->proposal ? " \u0394" + std::to_string(*eval->proposal) : "") + "  " +
         to_text(entry->time);
}

/// Who wrote each note of a measure, and the entries that touched it.
command_outcome blame(const command_call& c) {
  auto n = parse_number(c.given.args.front());
  if (!n) return refused(n.error().first().message, n.error().first().hint);
  auto part = chosen_part(c);
  if (!part)
    return refused(c.given.args.size() > 1 ? "there is no part `" + c.given.args[1] + '`'
                                           : "the score has no part",
                   "`:score` shows the parts.");
  if (*n < 1 || *n > static_cast<std::int64_t>(part->measures.size()))
    return refused("measure " + std::to_string(*n) + " is not there; " +
                   (part->name.empty() ? part->id : part->name) + " has " +
                   std::to_string(part->measures.size()));
  auto index = static_cast<std::size_t>(*n - 1);
  auto origin = origin_of(c.state, *part, index);
  auto time = time_in_force(*part, index).value_or(time_signature{});
  command_outcome outcome;
  for (auto& note : origin.notes) {
    auto head = "beat " + beat_text(note.at, time);
    head.resize(std::max<std::size_t>(head.size(), 10), ' ');
    auto text = note.text;
    text.resize(std::max<std::size_t>(text.size(), 10), ' ');
    outcome.output += (outcome.output.empty() ? "" : "\n") + head + "  " + text + "  " +
                      (note.entry > 0 ? origin_text(c.state.history, note.entry)
                                      : std::string{"from before the timeline"});
  }
  if (origin.notes.empty()) outcome.output = "there are no notes in it";
  if (!origin.entries.empty()) outcome.output += "\n\nentries that changed it, newest first:";
  for (auto i : origin.entries) {
    auto entry = c.state.history.at(i);
    outcome.output +=
        '\n' + to_text(entry->time) + "  " + to_text(entry->source) + '\n' + to_text(*entry);
  }
  return outcome;
}

}  // namespace

std::vector<command_spec> history_commands() {
  constexpr std::string_view topic = "Timeline";
  return {
      {.name = "history",
       .aliases = {"hist"},
       .arguments = "[RANGE]",
       .most_arguments = 1,
       .options = {{"code", "", "evaluations"},
                   {"chat", "", "messages of both sides"},
                   {"commands", "", "commands"},
                   {"ai", "", "messages of clients"},
                   {"system", "", "what happened by itself"},
                   {"all", "", "every kind, which is the rule"},
                   {"errors", "", "what failed"},
                   {"grep", "WORD", "with this word in input or output; several: with all of them"},
                   {"since", "TIME", "not before: 10m, 2h, 3d, 2026-02-01T14:03"},
                   {"until", "TIME", "not after"},
                   {"part", "NAME", "that changed this part"},
                   {"measures", "MEASURES",
                    "that changed these measures: 5, 5-8, a rehearsal mark"},
                   {"author", "NAME", "by this author"},
                   {"limit", "N", "the last N that match; 20 when no range is given"},
                   {"json", "", "as JSON, one entry a line"}},
       .help = "Shows entries of the timeline: 42, 10:20, 5:, :15, -5: (the last five).",
       .example = ":history 1:10 --code",
       .topic = topic,
       .back = looks_back::aside,
       .lists_entries = true,
       .run = history_command},
      {.name = "undo",
       .aliases = {"u"},
       .arguments = "[N]",
       .most_arguments = 1,
       .help = "Takes back the last change, or the last N.",
       .example = ":undo",
       .topic = topic,
       .back = looks_back::in_turn,
       .run = undo_command},
      {.name = "redo",
       .arguments = "[N]",
       .most_arguments = 1,
       .help = "Makes again what was taken back last.",
       .example = ":redo",
       .topic = topic,
       .back = looks_back::in_turn,
       .run = redo_command},
      {.name = "blame",
       .arguments = "MEASURE [PART]",
       .least_arguments = 1,
       .most_arguments = 2,
       .help = "Tells who wrote each note of a measure, and in which entry.",
       .example = ":blame 1",
       .topic = topic,
       .back = looks_back::aside,
       .run = blame},
  };
}

}  // namespace fermata
