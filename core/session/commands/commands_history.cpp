#include "core/score/model/measure_names.hpp"
#include "core/score/model/part_names.hpp"
#include "core/score/model/walk.hpp"
#include "core/score/model/wording.hpp"
#include "core/session/commands/blame.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "core/session/commands/entry_listing.hpp"
#include "core/session/commands/measure_history.hpp"
#include "core/session/commands/query.hpp"
#include "core/session/timeline/decide.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "core/session/timeline/score_text.hpp"
#include "core/session/timeline/step_report.hpp"
#include "core/utf8.hpp"

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
    if (given.has(row.option) && !given.has("all"))
      q.kinds.insert(q.kinds.end(), row.kinds.begin(), row.kinds.end());
  q.errors_only = given.has("errors");
  if (auto words = given.options.find("grep"); words != given.options.end())
    q.words = words->second;
  if (auto name = given.option("part")) q.part = wanted_part::of(*name, *c.state.score);
  q.author = given.option("author");
  if (auto text = given.option("since")) {
    auto t = parse_time(*text, c.now, c.options.clock);
    if (!t) return fail(t.error());
    q.since = *t;
  }
  if (auto text = given.option("until")) {
    auto t = parse_end_time(*text, c.now, c.options.clock);
    if (!t) return fail(t.error());
    q.until = *t;
  }
  if (auto text = given.option("measures")) {
    auto name = given.option("part");
    auto parts = name ? parts_called(*c.state.score, *name) : std::vector<std::size_t>{};
    auto measures = parse_measures(*text, *c.state.score, parts);
    if (!measures) return fail(measures.error());
    q.measures = *measures;
  }
  if (auto text = given.option("limit")) {
    auto digits = !text->empty() && text->find_first_not_of("0123456789") == text->npos;
    auto n = parse_number(*text);
    if (!digits || (n && *n < 1))
      return fail({errc::out_of_range, "--limit " + *text + " is not a positive number"});
    // More than can be counted is no limit.
    if (n) q.limit = static_cast<std::size_t>(*n);
  } else if (given.args.empty() && !has_conditions(q)) {
    // Without conditions, only the last ones are shown; otherwise all matches.
    q.limit = entries_shown_by_default;
  }
  return q;
}

command_outcome history_command(const command_call& c) {
  auto q = query_of(c);
  if (!q) return refused(q.error().first().message, q.error().first().hint);
  auto found = listing_of(c.state.history, with_measures_followed(*q, c.state));
  if (found.size() == 0 && q->part && !was_ever_there(c.state, *q->part))
    return refused(unknown_part_error(c.state, q->part->name));
  found.as_json = c.given.has("json");
  found.accessible = c.options.accessible;
  if (c.given.has("time")) found.clock = c.options.clock;
  command_outcome outcome;
  // Nothing is no JSON.
  if (!found.as_json || found.size() > 0) outcome.output = summary_of(found);
  outcome.listing = std::make_shared<const entry_listing>(std::move(found));
  return outcome;
}

using change_function = result<step_change> (*)(const session_state&, std::int64_t);

command_outcome change_steps(const command_call& c, change_function change, step_way way) {
  std::int64_t n = 1;
  if (!c.given.args.empty()) {
    auto given = parse_number(c.given.args.front());
    if (!given) return refused(given.error().first().message, given.error().first().hint);
    n = *given;
  }
  auto changed = change(c.state, n);
  if (!changed) return refused(changed.error().first().message, changed.error().first().hint);
  command_outcome outcome;
  outcome.output = to_text(moved_steps{way, changed->entries}, c.options.accessible) + ": " +
                   change_summary(changed->delta, changed->env_change);
  if (static_cast<std::int64_t>(changed->entries.size()) < n) outcome.output += "; no more changes";
  outcome.delta = std::move(changed->delta);
  outcome.env_change = std::move(changed->env_change);
  outcome.events = std::move(changed->steps);
  return outcome;
}

command_outcome undo_command(const command_call& c) {
  return change_steps(c, undo_change, step_way::back);
}

command_outcome redo_command(const command_call& c) {
  return change_steps(c, redo_change, step_way::forth);
}

/// The part that is named, else all of them.
result<std::vector<std::size_t>> chosen_parts(const command_call& c) {
  auto& s = *c.state.score;
  std::vector<std::size_t> chosen;
  if (c.given.args.size() > 1) {
    auto one = the_part_called(s, c.given.args[1]);
    if (!one) return fail(one.error());
    chosen.push_back(*one);
  } else {
    for (std::size_t i = 0; i < s.parts.size(); ++i)
      chosen.push_back(i);
  }
  if (chosen.empty()) return fail({errc::no_such_target, "the score has no parts"});
  return chosen;
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
std::string origin_text(const history& h, std::int64_t index, const output_options& options) {
  auto entry = h.at(index);
  auto eval = std::get_if<eval_entry>(&entry->kind);
  auto number = std::to_string(index);
  return (options.accessible ? (eval ? "In " : "entry ") + number + ": "
                             : (eval ? "In[" : "[") + number + "]  ") +
         to_text(entry->source) +
         (eval && eval->proposal
              ? (options.accessible ? " proposal " : " \u0394") + std::to_string(*eval->proposal)
              : "") +
         "  " + to_text(entry->time, options.clock);
}

/// "In[3]: (note c4 :q)": what was entered, its first line and as far as it has room beside others.
std::string beginning_of(const history_entry& e, bool accessible) {
  constexpr std::size_t most = 60;
  std::string text;
  auto number = std::to_string(e.index);
  auto label = accessible ? "entry " + number : '[' + number + ']';
  if (auto eval = std::get_if<eval_entry>(&e.kind)) {
    text = eval->text;
    label = accessible ? "In " + number : "In" + label;
  } else if (auto command = std::get_if<command_entry>(&e.kind)) {
    text = command->text;
  }
  if (auto end = std::min(text.find('\n'), most); end < text.size()) {
    // Not within a character.
    while (end > 0 && is_utf8_continuation(text[end]))
      --end;
    text = text.substr(0, end) + " ...";
  }
  return label + ": " + text;
}

/// "staff 2, voice 5"
std::string place_in_staves(const note_origin& note) {
  return "staff " + std::to_string(note.staff) + ", voice " +
         (note.voice.empty() ? "1" : note.voice);
}

/// Who wrote each note of a measure, and the entries that touched it.
std::string blame_of(const command_call& c, const part& p, std::size_t index) {
  auto origin = origin_of(c.state, p, index);
  auto time = time_in_force(p, index).value_or(time_signature{});
  std::string said;
  for (auto& note : origin.notes) {
    auto head = "beat " + beat_text(note.at, time);
    head.resize(std::max<std::size_t>(head.size(), 10), ' ');
    auto text = note.text;
    text.resize(std::max<std::size_t>(text.size(), 10), ' ');
    auto place = place_in_staves(note);
    place.resize(std::max<std::size_t>(place.size(), 16), ' ');
    said += (said.empty() ? "" : "\n") + head + "  " + text + "  " + place + "  " +
            (note.entry > 0 ? origin_text(c.state.history, note.entry, c.options)
                            : std::string{"from before the first entry"});
  }
  if (origin.notes.empty()) said = "no notes in this measure";
  // Its own entry holds what it prints: not what others say already (decision 9).
  constexpr std::size_t most_entries = 10;
  if (!origin.entries.empty()) said += "\n\nEntries that changed it, newest first:";
  for (std::size_t i = 0; i < std::min(origin.entries.size(), most_entries); ++i) {
    auto entry = c.state.history.at(origin.entries[i]);
    said += '\n' + to_text(entry->time, c.options.clock) + "  " + to_text(entry->source) + "  " +
            beginning_of(*entry, c.options.accessible);
  }
  if (origin.entries.size() > most_entries)
    said += "\n... " + std::to_string(origin.entries.size() - most_entries) +
            " more; `:history --measures " + printed_number(p, index) + "` shows them all";
  return said;
}

command_outcome blame(const command_call& c) {
  auto& s = *c.state.score;
  auto chosen = chosen_parts(c);
  if (!chosen) return refused(chosen.error());
  auto range = parse_measures(c.given.args.front(), s, *chosen);
  if (!range) return refused(range.error());
  auto [first, last] = *range;
  score meant;
  for (auto p : *chosen)
    meant.parts.push_back(s.parts[p]);
  auto& longest = *longest_part(meant);
  auto size = static_cast<int>(longest.measures.size());
  auto number = [&](int place) {
    return printed_number(meant, static_cast<std::size_t>(place - 1));
  };
  if (first > size || (last > size && last != to_the_end))
    return refused("measure " + number(first > size ? first : last) + " does not exist; " +
                   (longest.name.empty() ? longest.id : longest.name) + " has " +
                   measures_there(longest));
  last = std::min(last, size);
  // Each is followed back through the timeline.
  constexpr int most_in_all = 64;
  auto parts = static_cast<int>(chosen->size());
  auto most = std::max(most_in_all / parts, 1);
  if (last - first >= most)
    return refused("this range covers " + std::to_string(last - first + 1) + " measures" +
                       (parts > 1 ? " of " + std::to_string(parts) + " parts" : "") +
                       "; `:blame` takes at most " + std::to_string(most) + " at a time",
                   "`:blame " + number(first) + (most > 1 ? '-' + number(first + most - 1) : "") +
                       (most > 1 ? "` shows the first ones." : "` shows the first one."));
  command_outcome outcome;
  for (auto p : *chosen) {
    auto& part = *s.parts[p];
    auto end = std::min(static_cast<std::size_t>(last), part.measures.size());
    for (auto m = static_cast<std::size_t>(first - 1); m < end; ++m) {
      if (!outcome.output.empty()) outcome.output += "\n\n";
      if (parts > 1)
        outcome.output += place_name(s, p, m) + '\n';
      else if (last > first)
        outcome.output += measure_name(*part.measures[m], m) + '\n';
      outcome.output += blame_of(c, part, m);
    }
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
                   {"chat", "", "messages in both directions"},
                   {"commands", "", "commands"},
                   {"ai", "", "messages from clients"},
                   {"system", "", "system events"},
                   {"all", "", "every kind (the default)"},
                   {"errors", "", "only failures"},
                   {"grep", "WORD",
                    "containing this word in input or output; repeat to require several"},
                   {"since", "TIME",
                    "no earlier than: 10m, 2h, 3d, 2026-02-01T14:03 (local time unless Z or +01:00 "
                    "follows)"},
                   {"until", "TIME",
                    "no later than; a given day, minute or second is included as a whole"},
                   {"part", "NAME", "changes to this part"},
                   {"measures", "MEASURES",
                    "changes to these measures, by their current numbers: 5, 5-8, 6-, -4, -2: for "
                    "the last two, 0 for a pickup, or a rehearsal mark"},
                   {"author", "NAME", "by this author"},
                   {"limit", "N", "the last N matches (default: 20 without filters, else all)"},
                   {"time", "", "with the date and time of each entry"},
                   {"json", "", "as JSON, one entry per line"}},
       .help = "Shows entries of the timeline: 42, 10:20, 5:, :15, -5: (the last five).",
       .example = ":history 1:10 --code",
       .topic = topic,
       .back = searches_history::aside,
       .lists_entries = true,
       .run = history_command},
      {.name = "undo",
       .aliases = {"u"},
       .arguments = "[N]",
       .most_arguments = 1,
       .help = "Undoes the last change, or the last N.",
       .example = ":undo",
       .topic = topic,
       .back = searches_history::in_turn,
       .run = undo_command},
      {.name = "redo",
       .arguments = "[N]",
       .most_arguments = 1,
       .help = "Redoes the last undone change, or the last N.",
       .example = ":redo",
       .topic = topic,
       .back = searches_history::in_turn,
       .run = redo_command},
      {.name = "blame",
       .arguments = "MEASURES [PART]",
       .least_arguments = 1,
       .most_arguments = 2,
       .help = "Shows who wrote each note of some measures, with its staff and voice, and in which "
               "entry.",
       .example = ":blame 1",
       .topic = topic,
       .back = searches_history::aside,
       .run = blame},
  };
}

}  // namespace fermata
