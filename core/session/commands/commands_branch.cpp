#include "core/score/edit/edit.hpp"
#include "core/score/merge/alignment.hpp"
#include "core/session/commands/command.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "core/session/timeline/branch_merging.hpp"
#include "core/session/timeline/branches.hpp"
#include "core/session/timeline/cursor_place.hpp"
#include "core/session/timeline/decide.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "core/session/timeline/score_text.hpp"

#include <algorithm>
#include <set>

// Several lines of work in one session.

namespace fermata {

namespace {

std::vector<std::string_view> branch_names(const session_state& s) {
  std::vector<std::string_view> names;
  for (auto& b : s.branches)
    names.push_back(b.name);
  if (names.empty()) names.push_back(s.branch);
  return names;
}

error no_such_branch(const session_state& s, const std::string& name) {
  auto guess = nearest(name, branch_names(s));
  return {errc::no_such_target, "unknown branch `" + name + '`', std::nullopt,
          guess ? "Did you mean `" + *guess + "`?" : "`:branches` lists them."};
}

/// What stands before a line of the list.
std::string current_mark(bool current, const output_options& options) {
  if (options.accessible) return current ? "current: " : "";
  return current ? "* " : "  ";
}

command_outcome list_branches(const command_call& c) {
  auto& s = c.state;
  command_outcome outcome;
  for (auto name : branch_names(s)) {
    auto b = find_branch(s, name);
    auto current = name == s.branch;
    outcome.output +=
        (outcome.output.empty() ? "" : "\n") + current_mark(current, c.options) + std::string{name};
    if (b && !b->parent.empty())
      outcome.output +=
          "  from " + b->parent +
          (b->from > 0 ? " after entry " + std::to_string(b->from) : " at the beginning") + ", " +
          to_text(b->made, c.options.clock);
    outcome.output += "  " + summary(current ? *s.score : *b->score);
  }
  return outcome;
}

command_outcome make_branch(const command_call& c) {
  if (c.given.args.empty()) return list_branches(c);
  auto& s = c.state;
  auto name = c.given.args.front();
  if (!is_branch_name(name))
    return refused(
        "`" + name + "` is not a valid branch name",
        "Use up to 64 letters, digits, hyphens, underscores and dots; not just a number.");
  auto names = branch_names(s);
  if (std::find(names.begin(), names.end(), name) != names.end())
    return refused("branch `" + name + "` already exists",
                   "`:switch-branch " + name + "` goes there.");
  auto from = s.history.size();
  auto past = past_state{s.score, s.env};
  if (c.given.args.size() > 1) {
    if (c.given.args[1] != "from" || c.given.args.size() != 3)
      return refused("`:branch NAME` takes only `from ENTRY`",
                     "For example: :branch " + name + " from 12");
    auto entry = c.given.args[2] == "0" ? result<index_range>{index_range{0, 0}}
                                        : parse_index_range(c.given.args[2]);
    if (!entry || entry->from != entry->to)
      return refused("invalid entry: `" + c.given.args[2] + '`', "Write 12 or In[12].");
    from = *entry->from < 0 ? s.history.size() + 1 + *entry->from : *entry->from;
    auto then = state_after(s, from);
    if (!then) return refused(then.error());
    past = std::move(*then);
  }
  command_outcome outcome;
  outcome.events.push_back(branch_made{name, from, c.now, diff_snapshots(s.score, past.score),
                                       difference(*s.env, *past.env)});
  outcome.output = "branch " + name + " begins " +
                   (c.given.args.size() > 1 ? "after entry " + std::to_string(from) : "here") +
                   ": " + summary(*past.score) + "\n`:switch-branch " + name +
                   "` switches to it. You are still on " + s.branch + '.';
  return outcome;
}

command_outcome switch_branch(const command_call& c) {
  auto& s = c.state;
  auto& name = c.given.args.front();
  if (name == s.branch) return refused("you are already on branch " + name);
  auto b = find_branch(s, name);
  if (!b) return refused(no_such_branch(s, name));
  command_outcome outcome;
  outcome.delta = diff_snapshots(s.score, b->score);
  outcome.env_change = difference(*s.env, *b->env);
  outcome.events.push_back(branch_switched{name});
  outcome.output = "on branch " + name + ": " + summary(*b->score);
  return outcome;
}

/// What `:diff A B` compares: a branch, or the session as it was after an entry.
result<past_state> side_of(const session_state& s, const std::string& text) {
  if (text == s.branch) return past_state{s.score, s.env};
  if (auto b = find_branch(s, text)) return past_state{b->score, b->env};
  auto entry = parse_index_range(text);
  if (!entry || entry->from != entry->to) return fail(no_such_branch(s, text));
  return state_after(s, *entry->from < 0 ? s.history.size() + 1 + *entry->from : *entry->from);
}

/// The entry whose state `text` names, which `side_of` has found; nothing if it is the head of
/// another branch.
std::optional<std::int64_t> entry_at(const session_state& s, const std::string& text) {
  if (text == s.branch) return s.history.size();
  if (find_branch(s, text)) return std::nullopt;
  auto entry = parse_index_range(text);
  if (!entry || !entry->from) return std::nullopt;
  return *entry->from < 0 ? s.history.size() + 1 + *entry->from : *entry->from;
}

/// Which measures came and went from one entry to another. An entry that cannot be read says
/// nothing, and then the moves do not fit the scores.
measure_moves moves_between(const session_state& s, std::int64_t from, std::int64_t to) {
  measure_moves moves;
  auto add = [&](const score_delta& d) {
    auto more = moves_of(d);
    moves.insert(moves.end(), more.begin(), more.end());
  };
  for (auto i = from + 1; i <= to; ++i)
    if (auto delta = delta_of(*s.history.at(i))) add(*delta);
  for (auto i = from; i > to; --i)
    if (auto delta = delta_of(*s.history.at(i))) add(inverted(*delta));
  return moves;
}

command_outcome merge(const command_call& c) {
  auto& s = c.state;
  auto& name = c.given.args.front();
  if (name == s.branch)
    return refused(name + " is the current branch",
                   "Name another branch to merge from; `:branches` lists them.");
  auto b = find_branch(s, name);
  if (!b) return refused(no_such_branch(s, name));
  merge_request request;
  if (c.given.args.size() > 1) {
    auto given = measures_to_merge(c.given.args[1], *b->score, *s.score);
    if (!given) return refused(given.error());
    request = *given;
  }
  request.theirs_wins = c.given.has("theirs");
  auto taken = merged(s, *b, request);
  if (!taken) return refused(taken.error());
  // What went there is no measure of it: when it is gone on both sides they have that in common.
  auto range = taken->range ? std::pair{static_cast<int>(taken->range->first) + 1,
                                        static_cast<int>(taken->range->second)}
                            : std::pair{1, branch_merged::all_measures};
  command_outcome outcome;
  outcome.delta = diff_snapshots(s.score, taken->score);
  auto env = *s.env;
  env.cursor = same_place_in(*taken->score, *s.score, s.env->cursor);
  outcome.env_change = difference(*s.env, env);
  outcome.events.push_back(step_made{});
  outcome.events.push_back(branch_merged{name, range.first, range.second});
  outcome.output = merge_report(*taken, name);
  return outcome;
}

}  // namespace

command_outcome compare_sides(const command_call& c) {
  auto& args = c.given.args;
  auto right = side_of(c.state, args.back());
  auto left = args.size() > 1 ? side_of(c.state, args.front())
                              : result<past_state>{past_state{c.state.score, c.state.env}};
  if (!left) return refused(left.error());
  if (!right) return refused(right.error());
  auto from = entry_at(c.state, args.size() > 1 ? args.front() : c.state.branch),
       to = entry_at(c.state, args.back());
  auto moves = from && to ? moves_between(c.state, *from, *to) : measure_moves{};
  auto delta = diff_snapshots(left->score, right->score, moves);
  auto env_change = difference(*left->env, *right->env);
  command_outcome outcome;
  outcome.output = change_summary(delta, env_change);
  for (auto& changes : {delta_text(delta, *left->score, c.options.accessible),
                        definitions_text(env_change, c.options.accessible)})
    if (!changes.empty()) outcome.output += '\n' + changes;
  return outcome;
}

std::vector<command_spec> branch_commands() {
  constexpr std::string_view topic = "Branches";
  return {
      {.name = "branch",
       .arguments = "[NAME] [from ENTRY]",
       .most_arguments = 3,
       .help = "Creates a branch, from here or from the state after an entry.",
       .example = ":branch brighter from 1",
       .topic = topic,
       .back = searches_history::in_turn,
       .run = make_branch},
      {.name = "branches",
       .help = "Lists branches; a star marks the current one.",
       .example = ":branches",
       .topic = topic,
       .run = list_branches},
      {.name = "switch-branch",
       .arguments = "NAME",
       .least_arguments = 1,
       .most_arguments = 1,
       .help = "Switches to another branch.",
       .example = ":switch-branch sketch",
       .topic = topic,
       .run = switch_branch},
      {.name = "merge",
       .arguments = "BRANCH [MEASURES]",
       .least_arguments = 1,
       .most_arguments = 2,
       .options = {{"theirs", "", "on conflict, use their version", true}},
       .help =
           "Merges another branch, or some of its measures, into the current one as a single "
           "change. Measure numbers are those of the other branch (for measures deleted there, "
           "those of this one): 5, 5-8, 6-, -4, 0 for a pickup, X1 for a later uncounted measure.",
       .example = ":merge sketch 1 --theirs",
       .topic = topic,
       .destructive = true,
       .run = merge},
  };
}

}  // namespace fermata
