#pragma once

#include "midi/ports/jack_client.hpp"
#include "tests/midi/ports/jack_server.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace fermata::midi::synth_testing {

using testing::jack_server;

/// Records what one audio port of another client plays, from when it is connected.
class listener {
public:
  listener() : samples_(std::size_t{48'000} * 120) {
    auto client = open_jack_client("listener");
    REQUIRE(client);
    client_ = std::move(*client);
    port_ = jack_port_register(client_.get(), "in", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    REQUIRE(port_);
    jack_set_process_callback(
        client_.get(),
        [](jack_nframes_t n, void* p) { return static_cast<listener*>(p)->process(n); }, this);
    REQUIRE(jack_activate(client_.get()) == 0);
  }

  void connect(const char* port) { REQUIRE(jack_connect(client_.get(), port, "listener:in") == 0); }

  /// Waits until so many frames have been heard since `from`, and answers them.
  std::vector<float> heard(std::size_t from, std::size_t frames) {
    while (count_ < from + frames)
      wait_a_little();
    auto begin = samples_.begin() + static_cast<std::ptrdiff_t>(from);
    return {begin, begin + static_cast<std::ptrdiff_t>(frames)};
  }
  std::size_t count() const { return count_; }

  static void wait_a_little() { std::this_thread::sleep_for(std::chrono::milliseconds{5}); }

private:
  int process(jack_nframes_t frames) {
    auto in = static_cast<float*>(jack_port_get_buffer(port_, frames));
    std::size_t at = count_;
    for (jack_nframes_t i = 0; i < frames && at < samples_.size(); ++i)
      samples_[at++] = in[i];
    count_ = at;
    return 0;
  }

  std::vector<float> samples_;
  std::atomic<std::size_t> count_{0};
  jack_port_t* port_ = nullptr;
  jack_client_ptr client_;
};

}  // namespace fermata::midi::synth_testing
