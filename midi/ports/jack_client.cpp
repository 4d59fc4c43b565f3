#include "midi/ports/jack_client.hpp"

#include <cstdlib>
#include <mutex>

namespace fermata::midi {

namespace {

void silence_jack() {
  static std::once_flag once;
  std::call_once(once, [] {
    jack_set_error_function([](const char*) {});
    jack_set_info_function([](const char*) {});
  });
}

std::string server_name() {
  // Read once a client is opened; the program never sets it.
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  auto set = std::getenv("JACK_DEFAULT_SERVER");
  return set && *set ? set : "default";
}

}  // namespace

sound_result<jack_client_ptr> open_jack_client(const std::string& name) {
  silence_jack();
  auto free_name = name == server_name() ? name + "-client" : name;
  jack_status_t status{};
  jack_client_ptr client{jack_client_open(free_name.c_str(), JackNoStartServer, &status)};
  if (client) return client;
  auto refused = (status & JackServerFailed) == 0;
  return tl::unexpected(sound_failure{
      refused ? sound_failure::kind_t::refused : sound_failure::kind_t::no_server,
      refused ? "the JACK server did not accept Fermata (status " + std::to_string(status) + ")"
              : "no JACK server is running",
      "Start JACK or PipeWire (packages `jackd2` or `pipewire-jack`)."});
}

}  // namespace fermata::midi
