#include "io/json/journal_json.hpp"
#include "io/store/score_file.hpp"
#include "io/store/session_directory.hpp"

#include <algorithm>

// Lines that are missing in a journal, as when an editor or a disk has lost them: what does not
// stand on them is kept.

namespace fermata::io {

namespace {

/// More than any file ever lost; a greater number is a wrong one.
constexpr std::int64_t largest_gap = 1'000'000;

std::string entries_text(std::int64_t first, std::int64_t count) {
  auto text = (count == 1 ? "entry " : "entries ") + std::to_string(first);
  if (count > 1) text += " to " + std::to_string(first + count - 1);
  return text;
}

struct revisions {
  std::uint64_t before = 0, after = 0;
};
std::optional<revisions> revisions_of(const history_entry& e) {
  if (auto eval = std::get_if<eval_entry>(&e.kind))
    return revisions{eval->revision_before, eval->revision_after};
  if (auto command = std::get_if<command_entry>(&e.kind))
    return revisions{command->revision_before, command->revision_after};
  return std::nullopt;
}

/// Whether an event speaks of something that may be missing, and is nothing without it.
struct may_be_left_out {
  bool operator()(const entry_committed&) const { return false; }
  bool operator()(const message_queued&) const { return false; }
  bool operator()(const message_shown&) const { return true; }
  bool operator()(const proposal_made&) const { return false; }
  bool operator()(const proposal_announced&) const { return true; }
  bool operator()(const proposal_resolved&) const { return true; }
  bool operator()(const undone&) const { return true; }
  bool operator()(const redone&) const { return true; }
  bool operator()(const policy_changed&) const { return false; }
  bool operator()(const setting_changed&) const { return false; }
  bool operator()(const meta_changed&) const { return false; }
  bool operator()(const step_made&) const { return false; }
  bool operator()(const branch_made&) const { return false; }
  bool operator()(const branch_switched&) const { return false; }
  bool operator()(const branch_merged&) const { return false; }
  bool operator()(const answer_given&) const { return false; }
};

/// The transition without the events that speak of what the state does not have. Error: it does not
/// hold without them either.
struct what_holds {
  transition events;
  std::string left_out;  ///< why; empty: nothing was
};
result<what_holds> what_holds_of(const transition& t, session_state state) {
  what_holds found;
  for (auto& e : t.events) {
    auto next = apply(state, e);
    if (!next && !std::visit(may_be_left_out{}, e)) return fail(next.error());
    if (next) {
      state = std::move(*next);
      found.events.events.push_back(e);
    } else if (found.left_out.empty()) {
      found.left_out = next.error().first().message;
    }
  }
  return found;
}

}  // namespace

/// The checkpoint may know lines that are missing in the journal now, so that it ends elsewhere
/// there. It holds all the same where the entries after it are those that it does not know.
void session_directory::fit_checkpoint(stored_session& loaded) {
  if (!saved_ || !*saved_ || !(*saved_)->state.score || journal_.cut_off() > 0) return;
  auto& c = **saved_;
  if (journal_.begins_at() == c.place) return;
  std::vector<std::pair<std::int64_t, std::int64_t>> gaps;  // first, how many
  std::int64_t last = 0, missing = 0;
  auto look_at = [&](std::int64_t index) {
    if (index > last + 1) gaps.emplace_back(last + 1, index - last - 1);
    if (index > last + 1) missing += index - last - 1;
    last = index;
  };
  auto& lines = journal_.lines();
  for (auto& line : lines) {
    if (line.index == 0) continue;
    if (line.index <= last) return;
    if (line.index > c.entries) break;
    look_at(line.index);
  }
  // A journal that ends too early has lost its end; who knows what else stood there.
  auto is_after = [&](const journal_line& line) { return line.index > c.entries; };
  if (last < c.entries && std::none_of(lines.begin(), lines.end(), is_after)) return;
  look_at(c.entries + 1);
  // Each entry has a line, and the lines without one are all there, or it is not known which.
  auto end = static_cast<std::int64_t>(c.place.lines) - missing;
  if (missing == 0 || end < 1 || end > static_cast<std::int64_t>(lines.size())) return;
  auto place = lines.begin() + end;
  if (std::any_of(lines.begin(), place, is_after)) return;
  if (std::any_of(place, lines.end(),
                  [&](auto& line) { return line.index > 0 && !is_after(line); }))
    return;
  // And the score is the one that they go on from.
  for (auto line = place; line != lines.end(); ++line) {
    auto text = journal_.read(*line);
    auto entry = text ? read_entry(*text) : fail(text.error());
    auto r = entry ? revisions_of(**entry) : std::nullopt;
    if (r && r->before != c.state.revision) return;
    if (r) break;
  }
  auto& before = *(place - 1);
  journal_place here{static_cast<std::uint64_t>(end), before.offset + before.length + 1};
  auto how = read_only_ ? journal_file::access::read_only : journal_file::access::write;
  auto journal = journal_file::open(journal_.path(), journal_.meta(), here, how);
  if (!journal || journal->begins_at() != here) return;
  journal_ = std::move(*journal);
  c.place = here;
  std::error_code failed;
  if (!read_only_) std::filesystem::remove(folder_ / "history.index", failed);
  std::string lost;
  for (auto [first, count] : gaps)
    lost += (lost.empty() ? "" : ", ") + entries_text(first, count);
  loaded.remarks.push_back("Lines of history.jsonl are missing: " + lost +
                           (missing == 1 ? " is" : " are") +
                           " lost. The score and definitions are as last saved.");
}

/// A sound line does not follow from the state: what stands between is missing. It is followed all
/// the same where it says that the score was the same before that, or where it only speaks of a
/// message or proposal that was among it. Error: it cannot be.
result<session_state> session_directory::follow_after_gap(std::size_t next, const transition& t,
                                                          const session_state& state,
                                                          stored_session& loaded) {
  auto& lines = journal_.lines();
  auto line = "Line " + std::to_string(journal_.begins_at().lines + next + 2) + " of history.jsonl";
  auto reached = state;
  auto entry = entry_of(t);
  auto missing = entry ? entry->index - state.history.next_index() : 0;
  if (missing > 0) {
    if (missing > largest_gap) return fail({errc::wrong_type, "its number is too high"});
    // What was the same before and after the gap, the next entry that says so tells.
    for (auto i = next; i < lines.size(); ++i) {
      auto text = journal_.read(lines[i]);
      auto other = text ? read_entry(*text) : fail(text.error());
      auto r = other ? revisions_of(**other) : std::nullopt;
      if (r && r->before != state.revision)
        return fail({errc::invalid_score,
                     entries_text(state.history.next_index(), missing) +
                         (missing == 1 ? " is missing and has" : " are missing and have") +
                         " changed the score"});
      if (r) break;
    }
    auto reason = entries_text(state.history.next_index(), missing) +
                  (missing == 1 ? " is" : " are") + " missing before line " +
                  std::to_string(journal_.begins_at().lines + next + 2) + " of history.jsonl";
    for (auto i = state.history.next_index(); i < entry->index; ++i) {
      auto gap = apply(std::move(reached),
                       {{entry_committed{unreadable_entry(i, reason, state.meta.modified)}}});
      if (!gap) return fail(gap.error());
      reached = std::move(*gap);
      if (reached.history.resident() > 11'000) reached.history.leave_on_disk(10'000, entries_);
    }
  }
  auto holds = what_holds_of(t, reached);
  if (!holds) return fail(holds.error());
  auto after = apply(std::move(reached), holds->events);
  if (!after) return after;
  if (missing > 0)
    loaded.remarks.push_back(
        line + " follows a gap: " + entries_text(state.history.next_index(), missing) +
        (missing == 1 ? " is" : " are") + " lost; later entries are intact.");
  else
    loaded.remarks.push_back(line + " refers to something missing from the journal (" +
                             holds->left_out +
                             "): an earlier line is missing. The rest is intact.");
  return after;
}

/// The score that comes of the lines from `next` on, as far as they still have the measures that
/// they changed. Nothing: none of them has.
std::optional<std::string> session_directory::score_of_the_rest(std::size_t next,
                                                                const session_state& state) const {
  auto score = state.score;
  auto& lines = journal_.lines();
  for (auto i = next; i < lines.size(); ++i) {
    auto text = journal_.read(lines[i]);
    auto entry = text ? read_entry(*text) : fail(text.error());
    auto delta = entry ? delta_of(**entry) : nullptr;
    if (!delta || delta->empty()) continue;
    if (auto changed = applied(*delta, score)) score = std::move(*changed);
  }
  if (score == state.score) return std::nullopt;
  return text_of_score(*score);
}

}  // namespace fermata::io
