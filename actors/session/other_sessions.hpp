#pragma once

#include "actors/session/snapshot_board.hpp"
#include "core/lang/evaluation/evaluate.hpp"

#include <filesystem>
#include <memory>

namespace fermata::actors {

/// What `$In[slug:n]` and `$Out[slug:n]` are in other sessions: from those on the board, else from
/// the journal on disk. Numbers below zero count back from the end of that session. It reads, so it
/// is for evaluators only.
history_lookup lookup_on(std::shared_ptr<snapshot_board> board, std::filesystem::path home);

/// What the two are of one entry of a timeline; neither, when it is no evaluation. Nothing: there
/// is no such entry.
std::optional<history_value> value_at(const history& timeline, std::int64_t index);

}  // namespace fermata::actors
