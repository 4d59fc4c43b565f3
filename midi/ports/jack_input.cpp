#include "midi/ports/jack_input.hpp"

#include "midi/ports/jack_clock.hpp"
#include "midi/ports/jack_connection.hpp"
#include "midi/sound/message_check.hpp"

#include <jack/midiport.h>
#include <jack/ringbuffer.h>
#include <semaphore.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace fermata::midi {

namespace {

/// Some 17,000 messages.
constexpr std::size_t input_ring_bytes = std::size_t{1} << 18;

struct arrival {
  std::int64_t at;  ///< microseconds of steady_clock
  std::uint32_t size;
};

/// JACK's thread must not wait, so it only copies messages into a ring; a thread of the port gives
/// them to the receiver.
class jack_input final : public input_port {
public:
  explicit jack_input(message_receiver receiver) : receiver_(std::move(receiver)) {
    ::sem_init(&arrived_, 0, 0);
  }
  ~jack_input() override {
    client_.reset();
    if (reader_.joinable()) {
      stopping_ = true;
      ::sem_post(&arrived_);
      reader_.join();
    }
    ::sem_destroy(&arrived_);
  }

  sound_result<void> open(const std::string& source) {
    auto client = open_jack_client("fermata-in", [this] { alive_ = false; });
    if (!client) return tl::unexpected(client.error());
    client_ = std::move(*client);
    ring_.reset(jack_ringbuffer_create(input_ring_bytes));
    if (!ring_) return refused("no memory for the queue of a JACK port");
    port_ = jack_port_register(client_.get(), source.empty() ? "Fermata input" : "in",
                               JACK_DEFAULT_MIDI_TYPE, JackPortIsInput, 0);
    if (!port_) return refused("the JACK server has no free ports");
    jack_set_process_callback(
        client_.get(),
        [](jack_nframes_t frames, void* p) { return static_cast<jack_input*>(p)->process(frames); },
        this);
    jack_set_latency_callback(
        client_.get(),
        [](jack_latency_callback_mode_t mode, void* p) {
          if (mode == JackCaptureLatency) static_cast<jack_input*>(p)->measure_latency();
        },
        this);
    connection_.watch(client_.get(), port_);
    try {
      reader_ = std::thread([this] { read(); });
    } catch (const std::system_error& e) {
      return refused(std::string{"a thread for a JACK port could not be started: "} + e.what());
    }
    if (jack_activate(client_.get()) != 0)
      return refused("the JACK server does not start the client");
    if (source.empty()) return {};
    auto done = jack_connect(client_.get(), source.c_str(), jack_port_name(port_));
    if (done != 0 && done != EEXIST) return refused("cannot connect to the JACK port " + source);
    connection_.set_peer(source);
    return {};
  }

  bool is_alive() const noexcept override { return alive_ && connection_.is_intact(); }
  std::uint64_t lost() const noexcept override { return lost_; }

private:
  struct ring_freer {
    void operator()(jack_ringbuffer_t* r) const noexcept { jack_ringbuffer_free(r); }
  };

  static tl::unexpected<sound_failure> refused(std::string message) {
    return tl::unexpected(sound_failure{sound_failure::kind_t::refused, std::move(message), {}});
  }

  int process(jack_nframes_t frames) noexcept {
    connection_.observe_cycle();
    auto buffer = jack_port_get_buffer(port_, frames);
    auto count = jack_midi_get_event_count(buffer);
    if (auto dropped = jack_midi_get_lost_event_count(buffer); dropped > 0) lost_ += dropped;
    auto start = jack_last_frame_time(client_.get());
    clock_.observe_cycle(client_.get(), frames);
    if (count == 0) return 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      jack_midi_event_t e;
      if (jack_midi_event_get(&e, buffer, i) != 0) continue;
      last_ = std::max(last_, clock_.time_of(start + e.time));
      arrival a{last_, static_cast<std::uint32_t>(e.size)};
      if (jack_ringbuffer_write_space(ring_.get()) < sizeof a + e.size) {
        ++lost_;
        continue;
      }
      jack_ringbuffer_write(ring_.get(), reinterpret_cast<const char*>(&a), sizeof a);
      jack_ringbuffer_write(ring_.get(), reinterpret_cast<const char*>(e.buffer), e.size);
    }
    ::sem_post(&arrived_);
    return 0;
  }

  /// What lies between the key press and its arrival, as far as JACK knows.
  void measure_latency() {
    jack_latency_range_t range{};
    jack_port_get_latency_range(port_, JackCaptureLatency, &range);
    auto rate = std::max<jack_nframes_t>(jack_get_sample_rate(client_.get()), 1);
    latency_ = std::int64_t{1'000'000} * range.max / rate;
  }

  void read() {
    std::vector<std::uint8_t> bytes;
    for (;;) {
      while (::sem_wait(&arrived_) != 0 && errno == EINTR) {
      }
      if (stopping_) return;
      arrival a{};
      while (jack_ringbuffer_read_space(ring_.get()) >= sizeof a) {
        jack_ringbuffer_read(ring_.get(), reinterpret_cast<char*>(&a), sizeof a);
        // The message is written after its header.
        while (jack_ringbuffer_read_space(ring_.get()) < a.size)
          std::this_thread::yield();
        bytes.resize(a.size);
        jack_ringbuffer_read(ring_.get(), reinterpret_cast<char*>(bytes.data()), a.size);
        if (is_complete_message(bytes))
          receiver_(steady_time{std::chrono::microseconds{a.at - latency_}}, bytes);
      }
    }
  }

  message_receiver receiver_;
  std::unique_ptr<jack_ringbuffer_t, ring_freer> ring_;
  jack_port_t* port_ = nullptr;
  ::sem_t arrived_{};
  std::atomic<bool> alive_{true}, stopping_{false};
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<std::int64_t> latency_{0};  ///< microseconds
  // Of the process thread.
  jack_clock clock_;
  std::int64_t last_ = 0;  ///< microseconds
  jack_connection connection_;
  std::thread reader_;
  jack_client_ptr client_;
};

}  // namespace

sound_result<std::shared_ptr<input_port>> open_jack_input(const std::string& source,
                                                          message_receiver receiver) {
  auto port = std::make_shared<jack_input>(std::move(receiver));
  if (auto opened = port->open(source); !opened) return tl::unexpected(opened.error());
  return std::shared_ptr<input_port>{std::move(port)};
}

}  // namespace fermata::midi
