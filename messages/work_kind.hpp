#pragma once

#include <cstddef>
#include <cstdint>

namespace fermata {

/// Kinds of blocking work and long computations. Each kind has its own threads
/// (actors/work/worker_pool.hpp), so that none waits for another: a search does not delay a save,
/// nor a client's evaluation the user's.
enum class work_kind : std::uint8_t {
  disk,            ///< reading and writing the folders of sessions
  checkpoint,      ///< printing the score for a checkpoint
  turn,            ///< evaluations of the user
  client_turn,     ///< evaluations of clients that are committed at once
  first_preview,   ///< previews and proposals of clients, for their first short time slice
  second_preview,  ///< those that took longer, for half a second
  whole_preview,   ///< those that took even longer
  search,          ///< commands and queries that read old entries
  query,           ///< queries with long computations
  user_file,       ///< score files anywhere, perhaps on a slow disk or a pipe
  sound,           ///< calls of sound and MIDI systems, which may block
  performance,     ///< preparing scores for playback
};
inline constexpr std::size_t work_kinds = 12;

}  // namespace fermata
