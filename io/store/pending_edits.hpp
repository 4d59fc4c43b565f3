#pragma once

#include "core/result.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// Scores that are pending in the folder of a session until `:reload` loads them: external edits of
/// score.ferm, and scores recovered from a damaged journal.
///
///     score.edited.ferm      the newest one
///     score.edited.branch    its branch; missing: any
///     score.edited-N.ferm    older ones, the higher N the newer, each with its
///     score.edited-N.branch  branch
///
/// None is ever overwritten, to avoid losing work: a newer one moves the previous one aside.

inline constexpr std::string_view newest_score_name = "score.edited.ferm";

struct pending_edit {
  std::string name;    ///< of the file
  std::string branch;  ///< empty: any
};
/// Newest first.
std::vector<pending_edit> pending_edits(const std::filesystem::path& folder);

/// Adds a score as the newest. `follows`: the hash of the previous text of its file; if that is the
/// newest one, it was edited further, and is replaced. The same score for the same branch is stored
/// once.
struct kept_score {
  std::string name;
  std::string moved;  ///< what happened to the previous newest one, a sentence; or empty
};
result<kept_score> keep_score(const std::filesystem::path& folder, std::string_view text,
                              const std::string& branch, std::string_view follows = {});

/// The score that `:reload` loads.
struct offered_score {
  std::string text;
  pending_edit file;
  std::vector<pending_edit> others;  ///< also pending, the next one first
};
/// The newest one for the branch `current`, or for a branch that is not in `branches` any more.
/// Errors: nothing is pending; what is pending belongs to other branches, on whose scores it is
/// based.
result<offered_score> offered_score_of(const std::filesystem::path& folder,
                                       const std::string& current,
                                       const std::set<std::string>& branches);

/// It has been loaded: removes it, even if it was renamed. New ones stay.
void forget_score(const std::filesystem::path& folder, const offered_score& taken);

}  // namespace fermata::io
