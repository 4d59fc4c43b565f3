#pragma once

#include "actors/snapshot_board.hpp"
#include "core/lang/evaluate.hpp"

#include <filesystem>
#include <memory>

namespace fermata::actors {

/// What `$In[slug:n]` and `$Out[slug:n]` are in other sessions: from those on the board, else from
/// the journal on disk. It reads, so it is for evaluators only.
history_lookup lookup_on(std::shared_ptr<snapshot_board> board, std::filesystem::path home);

/// What the two are of one entry; nothing: it is no evaluation.
std::optional<history_value> value_of(const entry_ptr& entry);

}  // namespace fermata::actors
