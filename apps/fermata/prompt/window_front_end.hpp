#pragma once

#include "apps/fermata/prompt/attached_front_end.hpp"
#include "apps/fermata/prompt/hosted_sessions.hpp"

#include <memory>
#include <optional>
#include <string>

namespace fermata::app {

/// The front end of this process, wherever its sessions are run: here, or in the process that it is
/// attached to, until that ends and this one takes over. For one thread.
class window_front_end final : public actors::front_end_port {
public:
  using inbox = actors::front_end::inbox;

  /// Runs the sessions here.
  window_front_end(hosting how, inbox& events);
  /// Attaches to the process that runs them; `later` is how they are run here when that has ended.
  window_front_end(host_connection host, hosting later, inbox& events);
  ~window_front_end() override;

  void open(std::string name) override;
  void change_to(std::string slug) override;
  void submit(submission line) override;
  void interrupt() override;
  void toggle_pause() override;
  void stop_playback() override;
  void ask_playback() override;

  /// The process that runs the sessions; nothing: this one does.
  std::optional<std::int64_t> host() const { return host_; }
  /// How much of the sessions that are being opened has been read, from 0 to 100; nothing: that is
  /// not known.
  std::optional<int> percent_loaded() const;
  /// After `host_ended`: runs them here from now on. Sessions have to be opened again.
  void take_over();
  /// What could not be saved or did not end in time; empty: nothing.
  std::string shut_down();

private:
  actors::front_end_port& current();

  inbox& events_;
  hosting later_;
  std::optional<std::int64_t> host_;
  std::unique_ptr<attached_front_end> attached_;
  std::unique_ptr<hosted_sessions> hosted_;
};

}  // namespace fermata::app
