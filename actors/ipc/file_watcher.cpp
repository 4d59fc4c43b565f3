#include "actors/ipc/file_watcher.hpp"

#include "io/files/inotify.hpp"

#include <caf/io/middleman.hpp>
#include <caf/io/network/default_multiplexer.hpp>
#include <caf/io/network/event_handler.hpp>
#include <caf/io/typed_broker.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>

#include <sys/inotify.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <type_traits>
#include <utility>

namespace fermata::actors {

namespace network = caf::io::network;

namespace {

/// The inotify descriptor in CAF's multiplexer, which calls back on its own thread, the one of all
/// brokers. It owns the descriptor until the multiplexer has let go of it: closed any earlier, the
/// descriptor could not be removed from epoll.
class inotify_handler final : public network::event_handler {
public:
  using callback = std::function<void(std::vector<io::inotify::change>)>;

  /// Null when the system has no inotify instance left.
  static std::shared_ptr<inotify_handler> make(network::default_multiplexer& mpx,
                                               callback changed) {
    auto changes = std::make_unique<io::inotify>();
    if (!changes->is_open()) return nullptr;
    auto out = std::make_shared<inotify_handler>(mpx, std::move(changes), std::move(changed));
    out->kept_ = out;
    out->activate();
    return out;
  }
  inotify_handler(network::default_multiplexer& mpx, std::unique_ptr<io::inotify> changes,
                  callback changed)
    : event_handler(mpx, changes->fd()),
      changes_(std::move(changes)),
      changed_(std::move(changed)) {}
  ~inotify_handler() override {
    fd_ = network::invalid_native_socket;  // CAF would close it as well
  }

  io::inotify& changes() { return *changes_; }
  /// Calls back no more.
  void end() {
    changed_ = nullptr;
    passivate();
    // One that begins and ends between two rounds of the multiplexer is told nothing (CAF 0.17.6).
    if (eventbf() == 0) kept_.reset();
  }

  void handle_event(network::operation) override {
    auto found = changes_->read();
    if (changed_ && !found.empty()) changed_(std::move(found));
  }
  void removed_from_loop(network::operation) override { kept_.reset(); }
  void graceful_shutdown() override { end(); }

private:
  std::unique_ptr<io::inotify> changes_;
  callback changed_;
  std::shared_ptr<inotify_handler> kept_;  ///< for the multiplexer, as long as that refers to it
};

class file_watcher_state {
public:
  using pointer = file_watcher_actor::stateful_broker_pointer<file_watcher_state>;
  static inline const char* name = "file_watcher";

  explicit file_watcher_state(pointer self) : self_(self) {}
  ~file_watcher_state() {
    if (handler_) handler_->end();
  }
  file_watcher_state(const file_watcher_state&) = delete;
  file_watcher_state& operator=(const file_watcher_state&) = delete;

  void start(const file_watch_owner_actor& owner) {
    owner_ = owner.address();
    self_->set_default_handler(caf::drop);
    // Whatever the reason: an owner that ends normally needs no watcher either.
    self_->set_exit_handler([self = self_](caf::exit_msg& msg) { self->quit(msg.reason); });
    self_->link_to(owner);
  }

  void watch(const std::vector<std::string>& paths) {
    constexpr auto kinds = IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;
    paths_.clear();
    std::set<std::filesystem::path> folders;
    for (const auto& p : paths) {
      paths_.emplace(p);
      folders.insert(std::filesystem::path{p}.parent_path());
    }
    auto loop = dynamic_cast<network::default_multiplexer*>(&self_->backend());
    if (!handler_ && loop)
      handler_ = inotify_handler::make(*loop, [this](auto changes) { notify(changes); });
    if (!handler_) return;
    for (const auto& folder : handler_->changes().folders())
      if (!folders.contains(folder)) handler_->changes().remove(folder);
    for (const auto& folder : folders)
      handler_->changes().add(folder, kinds);
  }

private:
  /// Of a folder itself, all paths in it have changed; when changes were lost, all paths.
  bool is_hit(const std::filesystem::path& path, const io::inotify::change& by) const {
    if (by.folder.empty()) return true;
    return path.parent_path() == by.folder && (by.name.empty() || path.filename() == by.name);
  }
  void notify(const std::vector<io::inotify::change>& changes) {
    std::vector<std::string> hit;
    for (const auto& p : paths_)
      if (std::any_of(changes.begin(), changes.end(), [&](auto& c) { return is_hit(p, c); }))
        hit.push_back(p.string());
    if (hit.empty()) return;
    if (auto owner = caf::actor_cast<file_watch_owner_actor>(owner_))
      caf::anon_send(owner, atom::changed_v, std::move(hit));
  }

  pointer self_;
  caf::actor_addr owner_;
  std::set<std::filesystem::path> paths_;
  std::shared_ptr<inotify_handler> handler_;  ///< null: nothing is watched
};
static_assert(!std::is_aggregate_v<file_watcher_state>);

file_watcher_actor::behavior_type file_watcher(file_watcher_state::pointer self,
                                               const file_watch_owner_actor& owner) {
  auto& st = self->state;
  st.start(owner);
  return {
      [&st](atom::watch, const std::vector<std::string>& paths) { st.watch(paths); },
  };
}

}  // namespace

file_watcher_actor spawn_file_watcher(caf::actor_system& sys, const file_watch_owner_actor& owner) {
  return sys.middleman().spawn_broker(file_watcher, owner);
}

}  // namespace fermata::actors
