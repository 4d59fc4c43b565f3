#include "apps/fermata/commands/commands.hpp"
#include "apps/fermata/commands/sound_commands.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "io/terminal/inbox.hpp"
#include "io/terminal/signals.hpp"
#include "midi/sound/device_choice.hpp"
#include "midi/sound/sound_library.hpp"
#include "midi/transport/transport_thread.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace fermata::app {

namespace {

using namespace midi;
constexpr int signal_exit = 128;

/// Keys are read one by one and not shown, while it exists.
class single_keys {
public:
  single_keys() {
    if (::isatty(STDIN_FILENO) != 1 || ::tcgetattr(STDIN_FILENO, &before_) != 0) return;
    auto now = before_;
    now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    now.c_cc[VMIN] = 0;
    now.c_cc[VTIME] = 0;
    active_ = ::tcsetattr(STDIN_FILENO, TCSANOW, &now) == 0;
  }
  ~single_keys() {
    if (active_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }
  single_keys(const single_keys&) = delete;
  single_keys& operator=(const single_keys&) = delete;
  bool active() const { return active_; }

private:
  termios before_{};
  bool active_ = false;
};

/// Plays one piece on one port, until its end or a signal.
class file_player {
public:
  file_player(io::signal_source& signals, chosen_music music, std::string device, bool shows)
    : signals_(signals), music_(std::move(music)), device_(std::move(device)), shows_(shows) {}

  int run(std::shared_ptr<output_port> port, playback_options options) {
    transport_thread transport{[this](transport_event_t e) { events_.put(std::move(e)); }};
    transport_ = &transport;
    transport.post(transport_command::attach{std::move(port)});
    transport.post(transport_command::play{1, music_.plan, std::move(options)});
    std::optional<single_keys> keys{std::in_place};
    while (!status_) {
      pollfd waits[] = {{signals_.descriptor(), POLLIN, 0},
                        {events_.descriptor(), POLLIN, 0},
                        {keys->active() ? STDIN_FILENO : -1, POLLIN, 0}};
      if (::poll(waits, 3, -1) < 0) continue;
      while (auto s = signals_.next())
        signalled(*s, keys);
      for (auto& e : events_.take())
        std::visit([this](auto& x) { heard(x); }, e);
      if (waits[2].revents) read_key();
    }
    if (shows_) std::fputs("\r\x1b[K", stderr);
    return *status_;
  }

private:
  void signalled(int signal, std::optional<single_keys>& keys) {
    if (signal != SIGTSTP) {
      status_ = signal_exit + signal;
      return;
    }
    // A stopped process cannot end its notes.
    auto was_playing = state_ == transport_position::state_t::playing;
    transport_->post(transport_command::pause{});
    auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds{500};
    while (was_playing && state_ == transport_position::state_t::playing &&
           std::chrono::steady_clock::now() < until) {
      pollfd wait{events_.descriptor(), POLLIN, 0};
      ::poll(&wait, 1, 100);
      for (auto& e : events_.take())
        std::visit([this](auto& x) { heard(x); }, e);
    }
    keys.reset();
    ::kill(::getpid(), SIGSTOP);
    keys.emplace();
    if (was_playing) transport_->post(transport_command::resume{});
  }

  void read_key() {
    char key = 0;
    if (::read(STDIN_FILENO, &key, 1) != 1) return;
    if (key == 'q') {
      status_ = exit_ok;
    } else if (key == ' ') {
      if (state_ == transport_position::state_t::paused)
        transport_->post(transport_command::resume{});
      else
        transport_->post(transport_command::pause{});
    }
  }

  void heard(transport_event::moved& e) {
    state_ = e.where.state;
    if (!shows_ || music_.plan->bars.empty()) return;
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(e.where.time).count();
    auto all = std::chrono::duration_cast<std::chrono::seconds>(music_.range.to).count();
    auto paused = state_ == transport_position::state_t::paused ? "  paused" : "";
    std::fputs(fmt::format("\r\x1b[Kmeasure {}, beat {}  {}:{:02} of {}:{:02}{}",
                           music_.plan->bars[e.where.bar].number, e.where.beat, seconds / 60,
                           seconds % 60, all / 60, all % 60, paused)
                   .c_str(),
               stderr);
    std::fflush(stderr);
  }
  void heard(transport_event::ended&) { status_ = exit_ok; }
  void heard(transport_event::port_lost&) {
    complain(sound_failure{sound_failure::kind_t::lost,
                           "the device " + device_ + " was disconnected",
                           "`fermata devices` lists the devices."});
    status_ = exit_failure;
  }
  void heard(transport_event::port_released&) {}
  void heard(transport_event::messages_dropped& e) {
    std::fprintf(stderr, "fermata: %s did not accept %llu messages\n", device_.c_str(),
                 static_cast<unsigned long long>(e.count));
  }

  io::signal_source& signals_;
  chosen_music music_;
  std::string device_;  ///< its name
  bool shows_;
  io::inbox<transport_event_t> events_;
  transport_thread* transport_ = nullptr;
  transport_position::state_t state_ = transport_position::state_t::stopped;
  std::optional<int> status_;
};

/// While it exists, a signal ends or suspends the program at once: while a file is read and a
/// device is opened, which takes seconds if a sound server does not answer. Nothing sounds yet.
class end_at_signal {
public:
  explicit end_at_signal(io::signal_source& signals)
    : signals_(signals), thread_([this] { watch(); }) {}
  ~end_at_signal() {
    over_.put({});
    thread_.join();
  }
  end_at_signal(const end_at_signal&) = delete;
  end_at_signal& operator=(const end_at_signal&) = delete;

private:
  void watch() {
    for (;;) {
      pollfd waits[] = {{signals_.descriptor(), POLLIN, 0}, {over_.descriptor(), POLLIN, 0}};
      if (::poll(waits, 2, -1) < 0) continue;
      if (waits[1].revents) return;
      // Not after the destructors, which would wait for the server.
      auto signal = signals_.next();
      if (signal == SIGTSTP)
        ::kill(::getpid(), SIGSTOP);
      else if (signal)
        std::_Exit(signal_exit + *signal);
    }
  }

  io::signal_source& signals_;
  io::inbox<std::monostate> over_;
  std::thread thread_;
};

struct opened_port {
  device from;
  std::shared_ptr<output_port> port;
};

/// Opens the device that `word` names, or the default one; prints why it cannot.
std::optional<opened_port> opened_for(sound_system& sound, const std::string& word,
                                      const synth_settings& synth) {
  std::optional<sound_failure> refusal;
  if (auto device = device_by_full_id(word)) {
    auto port = sound.open(device->id, synth);
    if (port) return opened_port{std::move(*device), std::move(*port)};
    refusal = port.error();
  }
  auto devices = sound.devices();
  auto device = chosen_device(devices, word);
  if (!device) {
    auto why = device.error();
    if (why.advice.empty() && !devices.empty()) why.advice = "`fermata devices` lists the devices.";
    complain(why);
    if (!devices.empty()) return std::nullopt;
    auto missing = sound.missing();
    // The synthesizer of the settings, which may not be the one that is missing.
    if (refusal && std::none_of(missing.begin(), missing.end(),
                                [&](auto& m) { return m.message == refusal->message; }))
      complain(*refusal);
    for (auto& m : missing)
      complain(m);
    return std::nullopt;
  }
  auto port = sound.open(device->id, synth);
  if (port) return opened_port{std::move(*device), std::move(*port)};
  complain(port.error());
  return std::nullopt;
}

}  // namespace

int play_command(const play_options& o) {
  io::signal_source signals{SIGINT, SIGTERM, SIGHUP, SIGTSTP};
  auto tempo = parse_tempo(o.tempo);
  if (!tempo) {
    complain(tempo.error(), {}, {});
    return exit_usage;
  }
  std::optional<end_at_signal> ended{std::in_place, signals};
  complain_about_config();
  auto music = music_of_file(o);
  if (!music) return exit_failure;
  auto failed = [](const sound_failure& f) {
    complain(f);
    return exit_failure;
  };
  auto sound = load_sound_system();
  if (!sound) return failed(sound.error());
  (*sound)->guard_ports("/proc/self/exe");
  auto opened = opened_for(**sound, o.device.empty() ? sound_setting("midi-device") : o.device,
                           synth_of(o.soundfont, o.gain));
  ended.reset();
  if (!opened) return exit_failure;
  auto& [device, port] = *opened;
  playback_options options;
  options.tempo = *tempo;
  options.loop = o.loop;
  options.from = music->range.from;
  if (music->range.to < music->plan->end) options.to = music->range.to;
  options.silent = music->silent;
  options.silent.resize(music->plan->parts.size());
  auto unheard = silence_beyond(*music->plan, port->groups(), options.silent);
  if (!unheard.empty())
    std::fprintf(stderr, "%s: note: %s has only %d channels; parts not heard: %s\n",
                 o.input.c_str(), device.name.c_str(), port->groups() * 16, unheard.c_str());
  if (!has_notes(*music->plan, music->range, options.silent)) {
    complain(error{errc::out_of_range, "there is nothing to play on this device"}, {}, o.input);
    return exit_failure;
  }
  options.count_in = o.count_in;
  options.metronome = o.metronome;
  options.clock = o.clock || sound_setting("midi-clock") == "on";
  file_player player{signals, std::move(*music), device.name, ::isatty(STDERR_FILENO) == 1};
  return player.run(std::move(port), std::move(options));
}

}  // namespace fermata::app
