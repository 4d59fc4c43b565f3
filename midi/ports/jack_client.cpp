#include "midi/ports/jack_client.hpp"

#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

namespace fermata::midi {

namespace {

void silence_jack() {
  static std::once_flag once;
  std::call_once(once, [] {
    jack_set_error_function([](const char*) {});
    jack_set_info_function([](const char*) {});
  });
}

/// The clients of this process. There is a lock, as the owners of clients close them on several
/// threads.
class client_list {
public:
  using callback = std::unique_ptr<std::function<void()>>;

  /// Whether another client may be opened: not while there are clients of a server that has ended.
  bool may_open() {
    std::lock_guard lock{mutex_};
    if (count_ == 0) server_ended_ = false;
    return !server_ended_;
  }
  void opened(jack_client_t* client, std::function<void()> ended) {
    std::lock_guard lock{mutex_};
    ++count_;
    auto& called = callbacks_[client];
    called = std::make_unique<std::function<void()>>(std::move(ended));
    jack_on_info_shutdown(
        client, [](jack_status_t, const char*, void* p) { end(p); }, called.get());
    // PipeWire 0.3.65 calls only this one, and JACK ignores it beside the other.
    jack_on_shutdown(
        client, [](void* p) { end(p); }, called.get());
  }
  /// Before a client is closed, as its address may be that of another one at once. What it calls
  /// has to exist until then.
  callback closing(jack_client_t* client) {
    std::lock_guard lock{mutex_};
    return std::move(callbacks_.extract(client).mapped());
  }
  void closed() {
    std::lock_guard lock{mutex_};
    --count_;
  }

  static client_list& all() {
    // Never destroyed, as threads of libjack may outlive it.
    static auto& list = *new client_list;
    return list;
  }

private:
  /// The server has ended; `callback`: what is called then.
  static void end(void* callback) {
    all().note_end();
    auto& call = *static_cast<std::function<void()>*>(callback);
    if (call) call();
  }
  /// One of them has noticed: it is so for all.
  void note_end() {
    std::lock_guard lock{mutex_};
    server_ended_ = true;
  }

  std::mutex mutex_;
  std::map<jack_client_t*, callback> callbacks_;
  int count_ = 0;
  bool server_ended_ = false;
};

std::string server_name() {
  // Read once a client is opened; the program never sets it.
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  auto set = std::getenv("JACK_DEFAULT_SERVER");
  return set && *set ? set : "default";
}

}  // namespace

void jack_client_closer::operator()(jack_client_t* c) const noexcept {
  auto& list = client_list::all();
  auto callback = list.closing(c);
  jack_client_close(c);
  list.closed();
}

sound_result<jack_client_ptr> open_jack_client(const std::string& name,
                                               std::function<void()> ended) {
  silence_jack();
  if (!client_list::all().may_open())
    return tl::unexpected(sound_failure{sound_failure::kind_t::lost, "the JACK server has ended",
                                        "Connect again once it runs."});
  auto free_name = name == server_name() ? name + "-client" : name;
  jack_status_t status{};
  jack_client_ptr client{jack_client_open(free_name.c_str(), JackNoStartServer, &status)};
  if (client) {
    client_list::all().opened(client.get(), std::move(ended));
    return client;
  }
  auto refused = (status & JackServerFailed) == 0;
  return tl::unexpected(sound_failure{
      refused ? sound_failure::kind_t::refused : sound_failure::kind_t::no_server,
      refused ? "the JACK server did not accept Fermata (status " + std::to_string(status) + ")"
              : "no JACK server is running",
      "Start JACK or PipeWire (packages `jackd2` or `pipewire-jack`)."});
}

}  // namespace fermata::midi
