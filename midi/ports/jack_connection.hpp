#pragma once

#include <jack/jack.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace fermata::midi {

/// Whether a JACK port of ours is still connected to the port that it was opened for. JACK tells of
/// it in one way and PipeWire in another, so both are watched.
class jack_connection {
public:
  /// Before `client` is activated.
  void watch(jack_client_t* client, jack_port_t* own) {
    client_ = client;
    own_ = own;
    jack_set_port_registration_callback(
        client,
        [](jack_port_id_t, int is_registered, void* p) {
          if (is_registered == 0) static_cast<jack_connection*>(p)->look_at_ = now() + settling;
        },
        this);
  }
  /// From now on: connected to this port.
  void set_peer(const std::string& other) {
    other_ = other;
    has_other_ = true;
  }
  /// In each process cycle. With JACK, a disconnection is seen here. PipeWire has no connections
  /// here, and JACK may have some only after `jack_connect` has returned, so that one has to be
  /// seen first.
  void observe_cycle() noexcept {
    if (!has_other_) return;
    if (jack_port_connected(own_) > 0)
      connected_ = true;
    else if (connected_)
      disconnected_ = true;
  }
  /// A process cycle has seen it. PipeWire never shows it there.
  bool is_established() const noexcept { return connected_; }
  /// True without another port.
  bool is_intact() const noexcept {
    if (has_other_) look_for_other();
    return !disconnected_;
  }

private:
  static constexpr std::int64_t settling = 100'000;  // microseconds

  static std::int64_t now() {
    auto t = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(t).count();
  }

  /// Some port has gone. With PipeWire and several clients in a process, the only sign that it was
  /// ours; a port can be found by its name until a little later.
  void look_for_other() const noexcept {
    auto at = look_at_.load();
    if (at == 0 || now() < at) return;
    look_at_.compare_exchange_strong(at, 0);
    if (!jack_port_by_name(client_, other_.c_str())) disconnected_ = true;
  }

  jack_client_t* client_ = nullptr;
  jack_port_t* own_ = nullptr;
  std::string other_;  ///< not written after `has_other_` is set
  std::atomic<bool> has_other_{false};
  mutable std::atomic<bool> disconnected_{false};
  mutable std::atomic<std::int64_t> look_at_{0};  ///< when to look for the port; 0: need not
  std::atomic<bool> connected_{false};  ///< has been, as far as the process thread has seen
};

}  // namespace fermata::midi
