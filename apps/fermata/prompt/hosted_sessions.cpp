#include "apps/fermata/prompt/hosted_sessions.hpp"

#include "core/session/timeline/wall_clock.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/text/safe_text.hpp"
#include "midi/sound/sound_library.hpp"

#include <caf/all.hpp>
#include <caf/io/middleman.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <utility>

namespace fermata::app {

namespace {

constexpr std::chrono::seconds grace_at_end{10};

/// What the socket has to say goes to a file: the screen belongs to the prompt.
std::function<void(const std::string&)> log_to(std::filesystem::path path) {
  return [path = std::move(path)](const std::string& line) {
    constexpr auto how = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    auto fd = ::open(path.c_str(), how, S_IRUSR | S_IWUSR);
    if (auto file = fd < 0 ? nullptr : ::fdopen(fd, "a")) {
      auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
      std::fputs((to_text(now, wall_clock{}) + " socket: " + io::safe_text(line) + '\n').c_str(),
                 file);
      std::fclose(file);
    }
  };
}

}  // namespace

hosted_sessions::hosted_sessions(hosting how, actors::front_end::inbox& events)
  : how_(std::move(how)) {
  auto setup = actors::default_manager_setup();
  setup.home = how_.home;
  setup.loading = loading_;
  setup.limits.memory = how_.memory;
  setup.commit_by_default = how_.commit_by_default;
  workers_ = setup.workers;
  const auto board = setup.board;
  config_.load<caf::io::middleman>();
  system_.emplace(config_);
  actors::player_setup sound;
  sound.load = [] {
    auto system = midi::load_sound_system();
    if (system) (*system)->guard_ports("/proc/self/exe");
    return system;
  };
  sound.configured = how_.configured;
  roots_.emplace(*system_, setup, std::move(sound));
  front_end_.emplace(*system_, roots_->sessions(), events, roots_->player(), roots_->recorder());
  if (!how_.home.empty()) open_socket(setup);
}

void hosted_sessions::open_socket(const actors::manager_setup& setup) {
  const auto& home = how_.home;
  auto no_client_can_connect = [&](const std::string& words, std::string_view and_then) {
    if (how_.no_socket.empty())
      io::write_error_out(
          io::safe_text("fermata: clients cannot connect: " + words + std::string{and_then}) +
          '\n');
    instead_.emplace(home, io::protocol::this_process(FERMATA_VERSION, how_.has_prompt), words);
  };
  if (!how_.no_socket.empty()) return no_client_can_connect(how_.no_socket, {});
  actors::ipc_options options;
  options.home = home;
  options.version = FERMATA_VERSION;
  options.connection.board = setup.board;
  options.connection.workers = workers_;
  options.connection.player = roots_->player();
  options.connection.recorder = roots_->recorder();
  options.connection.quantizer = roots_->quantizer();
  options.connection.home = home;
  options.tcp = std::move(how_.tcp);
  options.has_prompt = how_.has_prompt;
  options.connection.log = log_to(home / "fermata.log");
  // Before the socket: whoever finds that finds the key as well.
  if (how_.lock)
    if (auto key = io::protocol::attach_key::make(home)) {
      options.connection.attach_key = key->word();
      key_.emplace(std::move(*key));
    }
  auto endpoint = actors::open_ipc(*system_, roots_->sessions(), std::move(options));
  auto words_of = [](const error& why) {
    const auto& first = why.first();
    return first.message + (first.hint.empty() ? "" : "; " + first.hint);
  };
  if (endpoint) listener_ = endpoint->listener;
  if (!endpoint)
    no_client_can_connect(words_of(endpoint.error()), "; then restart Fermata");
  else if (endpoint->closed)
    no_client_can_connect(words_of(*endpoint->closed), "; then clients can connect");
}

std::string hosted_sessions::shut_down() {
  if (!system_) return {};
  loading_->stop = true;
  if (auto listener = std::exchange(listener_, nullptr)) {
    // The connections end before the sessions: a window must not hear that its line is refused,
    // when it can enter it in the process that runs the sessions next.
    caf::scoped_actor self{*system_, true};
    self->monitor(listener);
    self->send_exit(listener, caf::exit_reason::user_shutdown);
    self->receive([](const caf::down_msg&) {}, caf::after(grace_at_end) >> [] {});
  }
  front_end_.reset();
  auto late = roots_->shut_down(grace_at_end);
  roots_.reset();
  system_.reset();
  workers_.reset();
  key_.reset();
  instead_.reset();
  how_.lock.reset();
  return late;
}

hosted_sessions::~hosted_sessions() { (void)shut_down(); }

}  // namespace fermata::app
