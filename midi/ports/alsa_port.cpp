#include "midi/ports/alsa_port.hpp"

#include "midi/sound/message_check.hpp"

#include <RtMidi.h>
#include <alsa/asoundlib.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <mutex>
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
        auto other = connect_to_alsa_port(*out_, alsa_direction::destinations, destination, "out");
        if (other.empty())
          return failed(sound_failure::kind_t::no_device, "unknown ALSA port " + destination);
        state_ = std::make_shared<open_alsa_port_state>(other);
        watch_alsa_port(state_);
      }
      // RtMidi does not count a virtual port as open.
      if (error_ || (!destination.empty() && !out_->isPortOpen()))
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
  std::size_t longest_message() const noexcept override { return most_alsa_bytes; }
  bool is_alive() const noexcept override { return !error_ && !state_->is_gone(); }

private:
  std::atomic<bool> error_{false};
  std::shared_ptr<open_alsa_port_state> state_ = std::make_shared<open_alsa_port_state>();
  std::unique_ptr<RtMidiOut> out_;
};

std::string address_of(unsigned client, unsigned port) {
  return std::to_string(client) + ':' + std::to_string(port);
}

/// The full names of ports, in the order and with the conditions of RtMidi, which would print a
/// message for a port that goes while it lists them.
std::vector<std::string> listed_names(alsa_direction which) {
  std::vector<std::string> names;
  auto sequencer = open_sequencer();
  if (!sequencer) return names;
  const unsigned wanted = which == alsa_direction::destinations
                              ? SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE
                              : SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ;
  constexpr unsigned types =
      SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_SYNTH | SND_SEQ_PORT_TYPE_APPLICATION;
  snd_seq_client_info_t* client = nullptr;
  snd_seq_port_info_t* port = nullptr;
  snd_seq_client_info_alloca(&client);
  snd_seq_port_info_alloca(&port);
  snd_seq_client_info_set_client(client, -1);
  while (snd_seq_query_next_client(sequencer.get(), client) >= 0) {
    auto number = snd_seq_client_info_get_client(client);
    if (number == SND_SEQ_CLIENT_SYSTEM) continue;
    snd_seq_port_info_set_client(port, number);
    snd_seq_port_info_set_port(port, -1);
    while (snd_seq_query_next_port(sequencer.get(), port) >= 0)
      if ((snd_seq_port_info_get_type(port) & types) != 0 &&
          (snd_seq_port_info_get_capability(port) & wanted) == wanted)
        names.push_back(std::string{snd_seq_client_info_get_name(client)} + ':' +
                        snd_seq_port_info_get_name(port) + ' ' +
                        address_of(static_cast<unsigned>(number),
                                   static_cast<unsigned>(snd_seq_port_info_get_port(port))));
  }
  return names;
}

/// The ports that are there, with the ids that this process has given them.
std::vector<alsa_listed_port> listed_ports(alsa_direction which) {
  static std::mutex mutex;  // one thread lists, and so does the watcher's
  static alsa_names names_of_destinations, names_of_sources;
  std::lock_guard lock{mutex};
  auto& names = which == alsa_direction::destinations ? names_of_destinations : names_of_sources;
  return names.of(listed_names(which));
}

/// The open ports with another end.
class open_ports {
public:
  void add(const std::shared_ptr<open_alsa_port_state>& p) {
    std::lock_guard lock{mutex_};
    std::erase_if(ports_, [](auto& known) { return known.expired(); });
    ports_.push_back(p);
  }
  /// Those whose other end is a port for which `has_gone` holds are gone.
  template <class Predicate>
  void forget(Predicate has_gone) {
    std::lock_guard lock{mutex_};
    for (auto& weak : ports_)
      if (auto p = weak.lock(); p && has_gone(p->other())) p->set_gone();
  }

private:
  std::mutex mutex_;  // opened by one thread, looked through by the watcher's
  std::vector<std::weak_ptr<open_alsa_port_state>> ports_;
};

open_ports& all_open_ports() {
  static open_ports all;
  return all;
}

bool is_listed(const std::string& full_name) {
  for (auto which : {alsa_direction::destinations, alsa_direction::sources}) {
    auto names = listed_names(which);
    if (std::find(names.begin(), names.end(), full_name) != names.end()) return true;
  }
  return false;
}

}  // namespace

void watch_alsa_port(const std::shared_ptr<open_alsa_port_state>& port) {
  all_open_ports().add(port);
  // It may have gone before it was added.
  if (!is_listed(port->other())) port->set_gone();
}

bool has_alsa_sequencer() { return open_sequencer() != nullptr; }

std::vector<device> alsa_devices(alsa_direction which) {
  std::vector<device> devices;
  for (auto& p : listed_ports(which))
    devices.push_back(std::move(p.as_device));
  return devices;
}

std::string alsa_id_with_numbers(const std::string& id) {
  for (auto& p : listed_ports(alsa_direction::destinations))
    if (p.as_device.id == id) return "alsa:" + p.full_name;
  return id;
}

std::string connect_to_alsa_port(RtMidi& midi, alsa_direction which, const std::string& id,
                                 const std::string& own_name) {
  auto ports = listed_ports(which);
  auto found = std::find_if(ports.begin(), ports.end(), [&](auto& p) {
    return p.as_device.id == "alsa:" + id || p.full_name == id;
  });
  if (found == ports.end()) return {};
  // RtMidi opens by an index, which changes when other ports come or go meanwhile.
  constexpr int attempts = 5;
  for (int i = 0; i < attempts; ++i) {
    auto names = listed_names(which);
    auto at = std::find(names.begin(), names.end(), found->full_name);
    if (at == names.end()) return {};
    auto index = static_cast<unsigned>(at - names.begin());
    midi.openPort(index, own_name);
    if (midi.getPortName(index) == found->full_name) return found->full_name;
    midi.closePort();
  }
  return {};
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
    // Not found by listing the ports: another one may have the same name and numbers already.
    if (e.type == SND_SEQ_EVENT_CLIENT_EXIT || e.type == SND_SEQ_EVENT_PORT_EXIT)
      all_open_ports().forget([&](const std::string& name) {
        auto address = name.substr(name.rfind(' ') + 1);
        return e.type == SND_SEQ_EVENT_CLIENT_EXIT
                   ? address.starts_with(std::to_string(client) + ':')
                   : address == address_of(client, e.data.addr.port);
      });
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
      int got = 0;
      while ((got = snd_seq_event_input(sequencer.get(), &event)) >= 0)
        if (event) any = concerns_ports(*event) || any;
      if (got == -ENOSPC) {  // announcements were lost
        all_open_ports().forget([](const std::string& name) { return !is_listed(name); });
        any = true;
      }
      if (any) changed();
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
