#include "midi/transport/transport_thread.hpp"

#include "midi/transport/transport_engine.hpp"

#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>

namespace fermata::midi {

namespace {

constexpr std::size_t most_commands = 1'024, most_notices = 4'096;
constexpr int real_time_priority = 50;
/// Where the system grants no real-time priority: as PipeWire does it.
constexpr int nice_value = -11;
/// Of commands done before the music is looked after again.
constexpr int most_commands_at_once = 64;

/// How often a port is asked whether it is alive when nothing is sent to it.
constexpr auto look_at_port_every = std::chrono::milliseconds{250};
/// Between two pieces of work that is late: a real-time thread must let the others run.
constexpr auto rest = std::chrono::milliseconds{1};

/// Signals are for the threads that wait for them.
void block_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

/// Touches the stack, so that its pages are there before the music begins. Memory is not locked:
/// that would hold the whole process, which may have gigabytes of history.
void prefault_stack() {
  constexpr std::size_t used = 64 * 1024, page = 4'096;
  volatile std::uint8_t memory[used];
  for (std::size_t i = 0; i < used; i += page)
    memory[i] = 0;
  (void)memory;
}

}  // namespace

struct transport_thread::impl final : message_sink {
  class descriptor {
  public:
    explicit descriptor(int fd) : fd_(fd) {
      if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "transport");
    }
    ~descriptor() { ::close(fd_); }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    int get() const { return fd_; }

  private:
    int fd_;
  };

  /// Wakes the thread that polls it, from any thread.
  class wake_up {
  public:
    void signal() {
      std::uint64_t one = 1;
      // It fails only if the counter is full, and then the thread is awake.
      (void)!::write(event_.get(), &one, sizeof one);
    }
    void clear() {
      std::uint64_t count = 0;
      (void)!::read(event_.get(), &count, sizeof count);
    }
    int get() const { return event_.get(); }

  private:
    descriptor event_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  };

  /// What the real-time thread gives to the other one: events, and what it must not destroy itself.
  using notice =
      std::variant<std::monostate, transport_event_t, transport_command_t*, playback_plan_ptr>;

  explicit impl(std::function<void(transport_event_t)> to) : heard(std::move(to)), engine(*this) {
    notifier = std::thread([this] { pass_on(); });
    try {
      player = std::thread([this] { play(); });
    } catch (const std::system_error&) {
      end_notifier();
      throw;
    }
  }

  ~impl() override {
    leaving = true;
    wake_player.signal();
    player.join();
    end_notifier();
    transport_command_t* left = nullptr;
    while (commands.pop(left))
      delete left;
  }

  void end_notifier() {
    finished = true;
    wake_notifier.signal();
    notifier.join();
  }

  // --- the real-time thread ---

  void play() {
    become_real_time();
    while (!leaving) {
      take_commands();
      auto now = std::chrono::steady_clock::now();
      look_at_port();
      auto is_done = engine.run(now, now + look_ahead());
      tell(now);
      sleep_until_due(is_done);
    }
    // What is left of the commands is not done; what sounds is ended.
    engine.stop(std::chrono::steady_clock::now());
    tell(std::chrono::steady_clock::now());
    if (port) give(transport_event_t{transport_event::port_released{std::move(port)}});
  }

  void become_real_time() {
    block_signals();
    prefault_stack();
    ::prctl(PR_SET_TIMERSLACK, 1UL);
    ::pthread_setname_np(::pthread_self(), "transport");
    sched_param priority{};
    priority.sched_priority = real_time_priority;
    real_time =
        ::pthread_setschedparam(::pthread_self(), SCHED_FIFO | SCHED_RESET_ON_FORK, &priority) == 0;
    // Of this thread only, on Linux. If that is refused too, it plays as it can.
    if (!real_time)
      (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), nice_value);
    started = true;
    started.notify_all();
  }

  std::chrono::nanoseconds look_ahead() const {
    return port ? port->look_ahead() : std::chrono::nanoseconds{0};
  }

  void take_commands() {
    transport_command_t* command = nullptr;
    // Bounded, so that whoever posts without end does not keep the music from playing.
    for (int i = 0; i < most_commands_at_once && commands.pop(command); ++i) {
      std::visit([this](auto& what) { perform(what); }, *command);
      give(command);
    }
    has_more_commands = !commands.empty();
  }

  void perform(transport_command::attach& what) {
    auto now = std::chrono::steady_clock::now();
    engine.leave_port(now);
    auto before = std::exchange(port, std::move(what.port));
    lost = false;
    if (before) give(transport_event_t{transport_event::port_released{std::move(before)}});
    if (port) engine.enter_port(now);
  }
  // What a command replaces is in it afterwards, and destroyed with it on the other thread.
  void perform(transport_command::play& what) {
    engine.play(what, std::chrono::steady_clock::now());
  }
  void perform(transport_command::exchange& what) { engine.exchange(what); }
  void perform(transport_command::pause&) { engine.pause(std::chrono::steady_clock::now()); }
  void perform(transport_command::resume&) { engine.resume(std::chrono::steady_clock::now()); }
  void perform(transport_command::stop&) { engine.stop(std::chrono::steady_clock::now()); }
  void perform(transport_command::seek& what) {
    engine.seek(what.to, std::chrono::steady_clock::now());
  }
  void perform(transport_command::set_tempo& what) {
    engine.set_tempo(what.factor, std::chrono::steady_clock::now());
  }
  void perform(transport_command::set_silent& what) {
    engine.set_silent(what.parts, std::chrono::steady_clock::now());
  }
  void perform(transport_command::set_metronome& what) {
    engine.set_metronome(what.on, std::chrono::steady_clock::now());
  }
  void perform(transport_command::send& what) {
    engine.send(what.group, what.bytes, std::chrono::steady_clock::now());
  }
  void perform(transport_command::panic&) {
    engine.panic(port ? port->groups() : 1, std::chrono::steady_clock::now());
  }

  /// As the engine's sink.
  void send(std::uint8_t group, std::span<const std::uint8_t> message,
            steady_time due) noexcept override {
    // Channels that the port does not have would disturb those that it has.
    if (!port || lost || group >= std::max(port->groups(), 1)) return;
    if (!port->send(group, message, due)) ++dropped;
  }

  void look_at_port() {
    if (!port || lost || port->is_alive()) return;
    lost = true;
    give(transport_event_t{transport_event::port_lost{}});
  }

  void tell(steady_time now) {
    if (engine.take_moved()) give(transport_event_t{transport_event::moved{engine.position(now)}});
    if (auto id = engine.take_ended()) give(transport_event_t{transport_event::ended{*id}});
    for (auto& plan : engine.retired())
      give(std::move(plan));
    engine.retired().clear();
    if (dropped > 0)
      give(transport_event_t{transport_event::messages_dropped{std::exchange(dropped, 0)}});
  }

  /// To the other thread. The queue is full only if that one hangs, and then nobody hears of it.
  void give(notice n) {
    if (notices.push(n))
      wake_notifier.signal();
    else if (auto command = std::get_if<transport_command_t*>(&n))
      delete *command;
  }

  /// `is_done`: nothing is due now.
  void sleep_until_due(bool is_done) {
    if (has_more_commands || leaving) return;
    auto now = std::chrono::steady_clock::now();
    auto due = engine.next_due();
    auto wake = due ? *due - look_ahead() : steady_time::max();
    if (!is_done) wake = now + rest;
    // A lost port is noticed without a message too.
    if (port && !lost) wake = std::min(wake, now + look_at_port_every);
    itimerspec timer{};
    if (wake != steady_time::max()) {
      auto ns = std::max<std::int64_t>(wake.time_since_epoch().count(), 1);
      timer.it_value.tv_sec = ns / 1'000'000'000;
      timer.it_value.tv_nsec = ns % 1'000'000'000;
    }
    ::timerfd_settime(clock.get(), TFD_TIMER_ABSTIME, &timer, nullptr);
    std::array<pollfd, 2> waits{{{clock.get(), POLLIN, 0}, {wake_player.get(), POLLIN, 0}}};
    ::poll(waits.data(), waits.size(), -1);
    if (waits[0].revents) {
      std::uint64_t times = 0;
      (void)!::read(clock.get(), &times, sizeof times);
    }
    if (waits[1].revents) wake_player.clear();
  }

  // --- the other thread ---

  void pass_on() {
    block_signals();
    ::pthread_setname_np(::pthread_self(), "transport-news");
    for (;;) {
      auto last = finished.load();
      notice n;
      while (notices.pop(n)) {
        if (auto command = std::get_if<transport_command_t*>(&n)) delete *command;
        if (auto event = std::get_if<transport_event_t>(&n)) heard(std::move(*event));
        n = {};
      }
      if (last) return;
      pollfd wait{wake_notifier.get(), POLLIN, 0};
      ::poll(&wait, 1, -1);
      wake_notifier.clear();
    }
  }

  std::function<void(transport_event_t)> heard;
  boost::lockfree::queue<transport_command_t*, boost::lockfree::fixed_sized<true>> commands{
      most_commands};
  boost::lockfree::spsc_queue<notice> notices{most_notices};
  wake_up wake_player, wake_notifier;
  descriptor clock{::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)};
  std::atomic<bool> leaving{false}, finished{false}, started{false}, real_time{false};

  // Of the real-time thread.
  transport_engine engine;
  std::shared_ptr<output_port> port;
  bool lost = false, has_more_commands = false;
  std::uint64_t dropped = 0;

  std::thread notifier, player;
};

transport_thread::transport_thread(std::function<void(transport_event_t)> heard)
  : impl_(std::make_unique<impl>(std::move(heard))) {}

transport_thread::~transport_thread() = default;

bool transport_thread::post(transport_command_t command) {
  auto posted = std::make_unique<transport_command_t>(std::move(command));
  if (!impl_->commands.push(posted.get())) return false;
  posted.release();
  impl_->wake_player.signal();
  return true;
}

bool transport_thread::is_real_time() const {
  impl_->started.wait(false);
  return impl_->real_time;
}

}  // namespace fermata::midi
