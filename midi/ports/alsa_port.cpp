#include "midi/ports/alsa_port.hpp"

#include "midi/ports/alsa_input.hpp"
#include "midi/sound/message_check.hpp"

#include <RtMidi.h>
#include <alsa/asoundlib.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace fermata::midi {

struct alsa_sequencer_closer {
  void operator()(snd_seq_t* s) const noexcept { snd_seq_close(s); }
};

namespace {

/// RtMidi loses longer exclusive messages on ALSA, whose output buffer they do not fit into.
constexpr std::size_t most_alsa_bytes = 4'096;

void ignore_message(const char*, int, const char*, int, const char*, ...) {}

void silence_alsa() {
  static std::once_flag once;
  std::call_once(once, [] { snd_lib_error_set_handler(ignore_message); });
}

using sequencer_ptr = std::unique_ptr<snd_seq_t, alsa_sequencer_closer>;

sequencer_ptr open_sequencer() {
  silence_alsa();
  snd_seq_t* opened = nullptr;
  if (snd_seq_open(&opened, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK) < 0) return nullptr;
  return sequencer_ptr{opened};
}

tl::unexpected<sound_failure> failed(sound_failure::kind_t kind, std::string message) {
  return tl::unexpected(sound_failure{kind, std::move(message), {}});
}

class alsa_port final : public output_port {
public:
  sound_result<void> open(const std::string& destination) {
    try {
      out_ = std::make_unique<RtMidiOut>(RtMidi::LINUX_ALSA, "Fermata");
      out_->setErrorCallback([](RtMidiError::Type, const std::string&,
                                void* p) { *static_cast<std::atomic<bool>*>(p) = true; },
                             &error_);
      if (destination.empty()) {
        out_->openVirtualPort("Fermata");
      } else {
        std::optional<unsigned> found;
        for (unsigned i = 0; i < out_->getPortCount() && !found; ++i)
          if (stable_alsa_name(out_->getPortName(i)) == destination) found = i;
        if (!found)
          return failed(sound_failure::kind_t::no_device, "unknown ALSA port " + destination);
        out_->openPort(*found, "out");
        state_ = std::make_shared<open_alsa_port_state>(destination);
        watch_alsa_destination(state_);
      }
      if (error_ || !out_->isPortOpen())
        return failed(sound_failure::kind_t::refused, "cannot open the ALSA port " + destination);
    } catch (const RtMidiError& e) {
      return failed(sound_failure::kind_t::refused, "ALSA: " + e.getMessage());
    }
    return {};
  }

  bool send(std::uint8_t, std::span<const std::uint8_t> message, steady_time) noexcept override {
    if (!is_alive() || !is_complete_message(message) || message.size() > most_alsa_bytes)
      return false;
    try {
      // The sequencer takes exclusive messages in pieces.
      constexpr std::size_t piece = 256;
      for (std::size_t i = 0; i < message.size(); i += piece)
        out_->sendMessage(message.data() + i, std::min(piece, message.size() - i));
    } catch (const std::exception&) {
      error_ = true;
    }
    return !error_;
  }

  std::chrono::nanoseconds look_ahead() const noexcept override { return {}; }
  bool is_alive() const noexcept override { return !error_ && !state_->is_gone(); }

private:
  std::atomic<bool> error_{false};
  std::shared_ptr<open_alsa_port_state> state_ = std::make_shared<open_alsa_port_state>();
  std::unique_ptr<RtMidiOut> out_;
};

/// The open ports with another end.
class open_ports {
public:
  void add(const std::shared_ptr<open_alsa_port_state>& p) {
    std::lock_guard lock{mutex_};
    ports_.push_back(p);
  }
  void compare_with(const std::vector<device>& present) {
    std::lock_guard lock{mutex_};
    std::erase_if(ports_, [](auto& p) { return p.expired(); });
    for (auto& weak : ports_)
      if (auto p = weak.lock(); p && std::none_of(present.begin(), present.end(), [&](auto& d) {
                                  return d.id == "alsa:" + p->other();
                                }))
        p->set_gone();
  }

private:
  std::mutex mutex_;  // opened by one thread, compared by the watcher's
  std::vector<std::weak_ptr<open_alsa_port_state>> ports_;
};

open_ports& destinations() {
  static open_ports all;
  return all;
}
open_ports& sources() {
  static open_ports all;
  return all;
}

}  // namespace

void watch_alsa_destination(const std::shared_ptr<open_alsa_port_state>& port) {
  destinations().add(port);
}
void watch_alsa_source(const std::shared_ptr<open_alsa_port_state>& port) { sources().add(port); }

std::string stable_alsa_name(std::string name) {
  auto blank = name.rfind(' ');
  if (blank == name.npos) return name;
  auto numbers = name.substr(blank + 1);
  if (numbers.find_first_not_of("0123456789:") == numbers.npos) name.resize(blank);
  return name;
}

std::optional<device> alsa_device(const std::string& name_with_numbers) {
  auto name = stable_alsa_name(name_with_numbers);
  if (name.empty() || name.starts_with("Fermata:")) return std::nullopt;
  auto colon = name.find(':');
  return device{"alsa:" + name, colon == name.npos ? name : name.substr(colon + 1), "ALSA"};
}

bool has_alsa_sequencer() { return open_sequencer() != nullptr; }

std::vector<device> alsa_devices() {
  std::vector<device> devices;
  if (!has_alsa_sequencer()) return devices;
  try {
    RtMidiOut out{RtMidi::LINUX_ALSA, "Fermata"};
    for (unsigned i = 0; i < out.getPortCount(); ++i)
      if (auto d = alsa_device(out.getPortName(i))) devices.push_back(std::move(*d));
  } catch (const RtMidiError&) {
    devices.clear();  // the sequencer went away meanwhile
  }
  return devices;
}

sound_result<std::shared_ptr<output_port>> open_alsa_port(const std::string& destination) {
  if (!has_alsa_sequencer())
    return failed(sound_failure::kind_t::no_server, "there is no ALSA sequencer");
  auto port = std::make_shared<alsa_port>();
  if (auto done = port->open(destination); !done) return tl::unexpected(done.error());
  return std::shared_ptr<output_port>{std::move(port)};
}

struct alsa_watcher::impl {
  std::unique_ptr<snd_seq_t, alsa_sequencer_closer> sequencer;
  std::function<void()> changed;
  std::set<unsigned char> without_ports{};
  int stop = ::eventfd(0, EFD_CLOEXEC);
  std::thread thread;

  ~impl() {
    std::uint64_t one = 1;
    (void)!::write(stop, &one, sizeof one);
    if (thread.joinable()) thread.join();
    ::close(stop);
  }

  bool subscribe() {
    snd_seq_set_client_name(sequencer.get(), "Fermata watch");
    auto port = snd_seq_create_simple_port(sequencer.get(), "watch",
                                           SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_NO_EXPORT,
                                           SND_SEQ_PORT_TYPE_APPLICATION);
    return port >= 0 && snd_seq_connect_from(sequencer.get(), port, SND_SEQ_CLIENT_SYSTEM,
                                             SND_SEQ_PORT_SYSTEM_ANNOUNCE) == 0;
  }

  /// Clients without ports come and go unnoticed: each listing of devices is one, and would
  /// otherwise be the reason for the next.
  bool concerns_ports(const snd_seq_event_t& e) {
    auto client = e.data.addr.client;
    switch (e.type) {
      case SND_SEQ_EVENT_CLIENT_START: without_ports.insert(client); return false;
      case SND_SEQ_EVENT_CLIENT_EXIT: return without_ports.erase(client) == 0;
      case SND_SEQ_EVENT_PORT_START: without_ports.erase(client); return true;
      case SND_SEQ_EVENT_PORT_EXIT: return true;
      default: return false;
    }
  }

  void watch() {
    for (;;) {
      pollfd waits[2] = {{stop, POLLIN, 0}, {}};
      snd_seq_poll_descriptors(sequencer.get(), &waits[1], 1, POLLIN);
      ::poll(waits, 2, -1);
      if (waits[0].revents) return;
      bool any = false;
      snd_seq_event_t* event = nullptr;
      while (snd_seq_event_input(sequencer.get(), &event) >= 0)
        if (event) any = concerns_ports(*event) || any;
      if (!any) continue;
      destinations().compare_with(alsa_devices());
      sources().compare_with(alsa_sources());
      changed();
    }
  }
};

alsa_watcher::alsa_watcher() : impl_(std::make_unique<impl>()) {}
alsa_watcher::~alsa_watcher() = default;

std::unique_ptr<alsa_watcher> alsa_watcher::start(std::function<void()> changed) {
  auto sequencer = open_sequencer();
  if (!sequencer) return nullptr;
  std::unique_ptr<alsa_watcher> watcher{new alsa_watcher};
  watcher->impl_->sequencer = std::move(sequencer);
  watcher->impl_->changed = std::move(changed);
  if (!watcher->impl_->subscribe()) return nullptr;
  watcher->impl_->thread = std::thread([w = watcher->impl_.get()] { w->watch(); });
  return watcher;
}

}  // namespace fermata::midi
