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

/// Following measures back through the timeline, for `:blame` and `:history --measures`.

/// Identity of a note: a slur or an accent added later does not change it.
struct note_identity {
  measure_position at;
  std::string voice;
  quarters length;
  fermata::tone tone;
  bool operator==(const note_identity&) const = default;
};
std::vector<note_identity> notes_in(const measure& m);
bool contains(const std::vector<note_identity>& notes, const note_identity& n);

/// Whether the measures differ only in their number.
bool same_music_in(const measure& a, const measure& b);

/// For each measure inserted by a replacement, the index of its predecessor: the measure at the
/// same position, otherwise the one that has most of its notes. Empty: the measure is new.
std::vector<std::optional<std::size_t>> predecessors(const measure_replacement& r);

/// The entry whose score this `:undo` or `:redo` restored: undoing 7 and 5 restores the score
/// before 5, redoing 5 and 7 the score after 7. Empty for other entries, and if no step was moved.
std::optional<std::int64_t> same_state_as(const history_entry& e);

/// Entries that changed the score or moved undo steps: the entries on disk that are needed to
/// follow measures back.
const history_query& score_change_query();

/// The entries that changed a current measure, ascending, without those that were undone: on the
/// current branch, its parents, and the branches merged into it.
std::vector<std::int64_t> entries_of(const session_state& s, const part& p, std::size_t measure);

/// `q` with its measures followed back: the measures that are now at these positions (or were, when
/// their part was removed), across insertions and deletions before them, on the branches given by
/// `entries_of`. It finds each entry that changed them, including undone ones; switching branches
/// changes nothing. If no current part is meant, positions are not followed.
history_query with_measures_followed(history_query q, const session_state& s);

}  // namespace fermata
