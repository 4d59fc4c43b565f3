#pragma once

#include "midi/sound/output_port.hpp"

#include <sys/types.h>

#include <memory>
#include <string>

namespace fermata::midi {

class port_system;

/// A process that silences a device when the program that plays on it is killed. Nothing that runs
/// in the program itself can: after SIGKILL, the synthesizer or the instrument at the other end
/// would sound until it is switched off.
///
/// It is the program's own file, run as `PROGRAM midi-guard ID`: a fork of a process with threads
/// and JACK clients could not use JACK. It is in a session of its own, which signals of the
/// terminal do not reach, and has no descriptor of the program but one end of a socket, whose other
/// end only the program has. So the end of that socket is the end of the program.
class guard_process {
public:
  /// Null: it could not be started. `program`: a file that calls `run_guard`.
  static std::unique_ptr<guard_process> start(const std::string& program, const std::string& id);
  /// Waits until it is connected to the device, a second at most, and tells it that something will
  /// sound from now on. Before anything is sent to the device, as a client that connects later can
  /// make JACK lose messages. False: it has ended, as the device is not there.
  bool wait_until_connected() const;
  /// Tells it to go, without sending anything, and waits for its end.
  ~guard_process();
  guard_process(const guard_process&) = delete;
  guard_process& operator=(const guard_process&) = delete;

private:
  guard_process(int socket, ::pid_t process) : socket_(socket), process_(process) {}

  int socket_;
  ::pid_t process_;
};

/// A port with its guard, which goes after the port has sent its last messages.
std::shared_ptr<output_port> with_guard(std::shared_ptr<output_port> port,
                                        std::unique_ptr<guard_process> guard);

/// What the guard process does: it opens a port of its own to the same device and waits on
/// `descriptor`, a socket. It writes "r" when its port is open; the program writes "p" before it
/// plays, and any other byte to dismiss the guard. If the socket closes after "p", the guard ends
/// all sound on all 16 channels, three times and 60 ms apart, because JACK rebuilds its graph when
/// a client dies and loses messages meanwhile. Opening the port, and later silencing and closing
/// it, may take ten seconds each; then SIGALRM ends the process. The answer is the exit status: 1
/// if the port could not be opened.
int run_guard(port_system& ports, const std::string& id, int descriptor);

}  // namespace fermata::midi
