#include "midi/ports/jack_port.hpp"

#include "midi/ports/jack_clock.hpp"
#include "midi/ports/jack_connection.hpp"
#include "midi/sound/message_check.hpp"

#include <jack/midiport.h>
#include <jack/ringbuffer.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <string_view>

namespace fermata::midi {

namespace {

/// Half of a port buffer of JACK, which holds a longer one only sometimes; larger messages are
/// refused instead of being lost without a word.
constexpr std::size_t most_jack_bytes = 16'379;
/// PipeWire passes nothing on in the first cycles, and never shows the connection in one.
constexpr int most_cycles_until_connected = 8;
constexpr std::size_t ring_bytes = std::size_t{1} << 18;

struct header {
  std::int64_t due;  ///< microseconds of steady_clock
  std::uint32_t size;
};

class jack_port final : public output_port {
public:
  ~jack_port() override {
    // What was sent last, the silence, is played before the port goes.
    if (is_active_ && alive_) {
      auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds{250};
      while (alive_ && jack_ringbuffer_read_space(ring_.get()) > 0 &&
             std::chrono::steady_clock::now() < until)
        drained_.wait_for_cycle();
      drained_.wait_for_cycle();
    }
    client_.reset();
  }

  sound_result<void> open(const std::string& client_name, const std::string& destination) {
    auto client = open_jack_client(client_name, [this] { alive_ = false; });
    if (!client) return tl::unexpected(client.error());
    client_ = std::move(*client);
    if (!destination.empty() && !jack_port_by_name(client_.get(), destination.c_str()))
      return tl::unexpected(sound_failure{sound_failure::kind_t::no_device,
                                          "unknown JACK port " + destination,
                                          "`fermata devices` lists the ports."});
    ring_.reset(jack_ringbuffer_create(ring_bytes));
    if (!ring_) return failed("no memory for the queue of a JACK port");
    port_ = jack_port_register(client_.get(), destination.empty() ? "Fermata" : "out",
                               JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput, 0);
    if (!port_) return failed("the JACK server has no free ports");
    period_ = period_of(jack_get_buffer_size(client_.get()));
    jack_set_process_callback(
        client_.get(),
        [](jack_nframes_t frames, void* p) { return static_cast<jack_port*>(p)->process(frames); },
        this);
    jack_set_buffer_size_callback(
        client_.get(),
        [](jack_nframes_t frames, void* p) {
          auto self = static_cast<jack_port*>(p);
          self->period_ = self->period_of(frames);
          return 0;
        },
        this);
    connection_.watch(client_.get(), port_);
    if (jack_activate(client_.get()) != 0)
      return failed("the JACK server does not start the client");
    is_active_ = true;
    if (destination.empty()) return {};
    auto done = jack_connect(client_.get(), jack_port_name(port_), destination.c_str());
    if (done != 0 && done != EEXIST)
      return failed("cannot connect to the JACK port " + destination);
    connection_.set_peer(destination);
    for (int i = 0; i < most_cycles_until_connected && !connection_.is_established(); ++i)
      drained_.wait_for_cycle();
    return {};
  }

  bool send(std::uint8_t, std::span<const std::uint8_t> message,
            steady_time due) noexcept override {
    if (!is_alive() || !is_complete_message(message) || message.size() > most_jack_bytes)
      return false;
    header h{jack_clock::microseconds(due), static_cast<std::uint32_t>(message.size())};
    if (jack_ringbuffer_write_space(ring_.get()) < sizeof h + message.size()) return false;
    jack_ringbuffer_write(ring_.get(), reinterpret_cast<const char*>(&h), sizeof h);
    jack_ringbuffer_write(ring_.get(), reinterpret_cast<const char*>(message.data()),
                          message.size());
    return true;
  }

  std::chrono::nanoseconds look_ahead() const noexcept override {
    return std::chrono::nanoseconds{2 * period_.load()};
  }

  std::size_t longest_message() const noexcept override { return most_jack_bytes; }

  /// Also false once the destination has gone.
  bool is_alive() const noexcept override { return alive_ && connection_.is_intact(); }

private:
  struct ring_freer {
    void operator()(jack_ringbuffer_t* r) const noexcept { jack_ringbuffer_free(r); }
  };

  /// Counts process cycles, so that a destructor can wait for one.
  struct cycle_counter {
    std::atomic<std::uint32_t> cycles{0};
    void wait_for_cycle() const {
      timespec step{0, 1'000'000};
      auto before = cycles.load();
      for (int i = 0; i < 100 && cycles.load() == before; ++i)
        ::nanosleep(&step, nullptr);
    }
  };

  static tl::unexpected<sound_failure> failed(std::string message) {
    return tl::unexpected(sound_failure{sound_failure::kind_t::refused, std::move(message), {}});
  }

  std::int64_t period_of(jack_nframes_t frames) const {
    return std::int64_t{1'000'000'000} * frames / jack_get_sample_rate(client_.get());
  }

  int process(jack_nframes_t frames) {
    auto buffer = jack_port_get_buffer(port_, frames);
    jack_midi_clear_buffer(buffer);
    drained_.cycles.fetch_add(1);
    connection_.observe_cycle();
    clock_.observe_cycle(client_.get(), frames);
    jack_nframes_t last = 0;
    header h{};
    while (jack_ringbuffer_peek(ring_.get(), reinterpret_cast<char*>(&h), sizeof h) == sizeof h &&
           jack_ringbuffer_read_space(ring_.get()) >= sizeof h + h.size) {
      auto offset = clock_.offset_in_cycle(h.due);
      if (offset >= static_cast<std::int64_t>(frames)) break;
      // JACK refuses a time before that of the message before.
      auto at = std::max(last, static_cast<jack_nframes_t>(std::max<std::int64_t>(offset, 0)));
      auto space = jack_midi_event_reserve(buffer, at, h.size);
      // The port's buffer is full: in the next period. What an empty one cannot hold is dropped, as
      // it would hold up everything else.
      if (!space && jack_midi_get_event_count(buffer) > 0) break;
      jack_ringbuffer_read_advance(ring_.get(), sizeof h);
      if (!space) {
        jack_ringbuffer_read_advance(ring_.get(), h.size);
        continue;
      }
      last = at;
      jack_ringbuffer_read(ring_.get(), reinterpret_cast<char*>(space), h.size);
    }
    return 0;
  }

  std::unique_ptr<jack_ringbuffer_t, ring_freer> ring_;
  jack_port_t* port_ = nullptr;
  std::atomic<std::int64_t> period_{0};
  bool is_active_ = false;  ///< messages can be sent
  std::atomic<bool> alive_{true};
  jack_connection connection_;
  jack_clock clock_;
  cycle_counter drained_;
  jack_client_ptr client_;
};

}  // namespace

namespace {

/// The MIDI ports with these flags, without those of Fermata itself: of this process, of another
/// one, or of a guard process.
std::vector<device> jack_ports(jack_client_t* client, unsigned long flags) {
  std::vector<device> devices;
  auto names = jack_get_ports(client, nullptr, JACK_DEFAULT_MIDI_TYPE, flags);
  for (auto name = names; name && *name; ++name) {
    if (std::string_view{*name}.starts_with("fermata")) continue;
    auto port = jack_port_by_name(client, *name);
    if (!port) continue;
    // Hardware has a readable alias beside "system:midi_playback_1".
    std::vector<char> first(static_cast<std::size_t>(jack_port_name_size())), second = first;
    char* aliases[] = {first.data(), second.data()};
    auto count = jack_port_get_aliases(port, aliases);
    // PipeWire gives an empty one.
    auto is_aliased = count > 0 && *aliases[0] != '\0';
    devices.push_back({std::string{"jack:"} + *name, is_aliased ? aliases[0] : *name, "JACK"});
  }
  jack_free(names);
  return devices;
}

}  // namespace

std::vector<device> jack_devices(jack_client_t* client) {
  return jack_ports(client, JackPortIsInput);
}

std::vector<device> jack_sources(jack_client_t* client) {
  return jack_ports(client, JackPortIsOutput);
}

sound_result<std::shared_ptr<output_port>> open_jack_port(const std::string& client_name,
                                                          const std::string& destination) {
  auto port = std::make_shared<jack_port>();
  if (auto opened = port->open(client_name, destination); !opened)
    return tl::unexpected(opened.error());
  return std::shared_ptr<output_port>{std::move(port)};
}

struct jack_watcher::shared {
  std::function<void()> changed;
  std::atomic<bool> alive{true};
};

std::unique_ptr<jack_watcher> jack_watcher::start(std::function<void()> changed) {
  std::unique_ptr<jack_watcher> watcher{new jack_watcher};
  watcher->state_ = std::make_unique<shared>();
  watcher->state_->changed = std::move(changed);
  auto state = watcher->state_.get();
  auto client = open_jack_client("fermata-watch", [state] {
    state->alive = false;
    if (state->changed) state->changed();
  });
  if (!client) return nullptr;
  jack_set_port_registration_callback(
      client->get(),
      [](jack_port_id_t, int, void* p) {
        auto s = static_cast<shared*>(p);
        if (s->changed) s->changed();
      },
      state);
  watcher->client_ = std::move(*client);
  if (jack_activate(watcher->client_.get()) != 0) return nullptr;
  return watcher;
}

bool jack_watcher::is_alive() const { return state_->alive; }

jack_watcher::~jack_watcher() = default;

}  // namespace fermata::midi
