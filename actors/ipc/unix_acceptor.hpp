#pragma once

#include <caf/io/abstract_broker.hpp>
#include <caf/io/accept_handle.hpp>

namespace fermata::actors {

/// CAF's brokers on Unix sockets. CAF speaks TCP only in two places: it asks a socket for its
/// address, which aborts the process on AF_UNIX, and it takes the end of what a peer sends for the
/// end of the connection, so that `printf '...' | socat - UNIX:repl.sock` would lose its replies.
/// These servants do neither.

/// Stands at the end of the last portion that a peer sent: no more will come, but replies are still
/// wanted. The byte never occurs raw in JSON, so nobody loses a request when a client sends it.
inline constexpr char end_of_input = '\x04';

/// Takes over a listening descriptor, of a Unix or of a TCP socket. Every accepted connection
/// reports its end of input as `end_of_input`; whoever sees it must `halt` the handle at once, or
/// the loop spins.
caf::io::accept_handle add_unix_acceptor(caf::io::abstract_broker& self, int listening);

}  // namespace fermata::actors
