#pragma once

#include "core/result.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// Scores that wait in the folder of a session until `:reload` takes them: what somebody else made
/// of score.ferm, and what was rescued from a damaged journal.
///
///     score.edited.ferm      the newest one
///     score.edited.branch    the branch that it goes to; not there: any
///     score.edited-N.ferm    the older ones, the higher N the newer, with a
///     score.edited-N.branch  beside them likewise
///
/// Each is somebody's work: what comes later moves the one before it aside and never replaces it.

inline constexpr std::string_view newest_score_name = "score.edited.ferm";

struct waiting_score {
  std::string name;    ///< of the file
  std::string branch;  ///< empty: any
};
/// The newest first.
std::vector<waiting_score> waiting_scores(const std::filesystem::path& folder);

/// Keeps a score as the newest. `follows`: the hash of what the file had before that it was found
/// in; when the newest one is that, somebody went on with it, and it is replaced. The same score
/// for the same branch waits once.
struct kept_score {
  std::string name;
  std::string moved;  ///< what became of the one that was the newest, a sentence; or empty
};
result<kept_score> keep_score(const std::filesystem::path& folder, std::string_view text,
                              const std::string& branch, std::string_view follows = {});

/// What `:reload` takes.
struct offered_score {
  std::string text;
  waiting_score file;
  std::vector<waiting_score> others;  ///< that wait as well, the next one to be taken first
};
/// The newest one that goes to the branch `current`, or to none of `branches` any more. Errors:
/// nothing waits; what waits belongs to other branches, in whose place it would be other music.
result<offered_score> offered_score_of(const std::filesystem::path& folder,
                                       const std::string& current,
                                       const std::set<std::string>& branches);

/// It has been taken: it waits no longer, whatever it is called by now. What came meanwhile does.
void forget_score(const std::filesystem::path& folder, const offered_score& taken);

}  // namespace fermata::io
