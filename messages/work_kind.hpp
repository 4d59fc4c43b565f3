#pragma once

#include <cstddef>
#include <cstdint>

namespace fermata {

/// What blocks, or computes for long. Each kind has threads of its own
/// (actors/work/worker_pool.hpp), so that none waits for another: a search does not hold up a save,
/// nor a client's evaluation the user's.
enum class work_kind : std::uint8_t {
  disk,            ///< reading and writing the folders of sessions
  checkpoint,      ///< printing the score of a session that is about to be written
  turn,            ///< evaluations of the user
  client_turn,     ///< evaluations of clients that are committed at once
  first_preview,   ///< previews and proposals of clients, for their first, short time
  second_preview,  ///< those that took longer, for half a second
  whole_preview,   ///< those that took longer than that
  search,          ///< commands and queries that read old entries
  query,           ///< queries that compute for long
  user_file,       ///< score files anywhere, which may be on a slow disk or be a pipe
};
inline constexpr std::size_t work_kinds = 10;

}  // namespace fermata
