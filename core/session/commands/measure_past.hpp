#pragma once

#include "core/score/model/delta.hpp"
#include "core/session/commands/query.hpp"
#include "core/session/timeline/entry.hpp"
#include "core/session/timeline/state.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// Following measures back through the timeline: what `:blame` and `:history --measures` share.

/// What makes a note this one: a slur or an accent added later does not make it another.
struct note_identity {
  measure_position at;
  std::string voice;
  quarters length;
  fermata::tone tone;
  bool operator==(const note_identity&) const = default;
};
std::vector<note_identity> notes_in(const measure& m);
bool contains(const std::vector<note_identity>& notes, const note_identity& n);

/// Nothing is different but the number.
bool same_music_in(const measure& a, const measure& b);

/// For each measure that a replacement puts there, the one that it was before: the one in the same
/// place, else the one that has most of its notes. Nothing: it is new.
std::vector<std::optional<std::size_t>> formers(const measure_replacement& r);

/// The entry after which the score was as it is after this `:undo` or `:redo`: taking back 7 and 5
/// goes back to what was before 5, making again 5 and 7 to what was after 7. Nothing for other
/// entries, and where no step was moved.
std::optional<std::int64_t> same_state_as(const history_entry& e);

/// Entries that did something to the score, or moved steps: what following measures back needs of
/// those on disk.
const history_query& what_changed_the_score();

/// The entries that touched a measure of today, ascending, without those that were taken back: in
/// the current branch, those it came from, and those that it was merged from.
std::vector<std::int64_t> entries_of(const session_state& s, const part& p, std::size_t measure);

/// `q` with its measures followed: those that stand in these places today, through insertions and
/// deletions in front of them, on the branches that `entries_of` says (of a part that is gone: that
/// stood there when it went). Each entry that touched them is found, also one that was taken back
/// since; going to another branch touches nothing. The places stay those of the time where no part
/// of today is meant.
history_query with_measures_followed(history_query q, const session_state& s);

}  // namespace fermata
