#pragma once

#include "actors/front_end.hpp"
#include "io/protocol/home_lock.hpp"
#include "io/store/session_directory.hpp"
#include "io/terminal/inbox.hpp"
#include "io/text/line_decoder.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

namespace fermata::app {

/// A connection to the process that runs the sessions of a home, over which this one attaches.
struct host_connection {
  int socket = -1;  ///< -1: there is none
  std::int64_t pid = 0;
  std::string why;        ///< that there is none
  bool is_final = false;  ///< trying again is no use: it has no socket, or is another version
};
/// Connects to the process that has the lock of the home, and shows it the key. Waits for an answer
/// for a few seconds at most.
host_connection connect_to_host(const std::filesystem::path& home);

/// The first entry after number `after` that this line of the user's made; null: it was not
/// entered.
entry_ptr entry_of_line(const session_state& s, std::int64_t after, std::string_view line);

/// The front end of a window whose sessions another process runs.
///
/// That process is the only writer, and its journal is the one order that every window shows. This
/// one follows the journal: it has the whole state of its session as a value, as a front end in the
/// other process has, so completion, prompts and lists work alike. Over the socket go only lines
/// (front_end.submit) and word of what happened (front_end.event), which names entries by their
/// numbers.
///
///     attached --the host ends--> looking --another window runs the sessions--> attached
///                                        \--the lock of the home is free--> over: `host_ended`
///
/// A line that was on its way when the host ended is looked for in the journal, and what is found
/// is its answer; all but an effect on the window, such as another session. When it is not there,
/// it was not entered, and is entered in the process that runs the session next; unless the host
/// died over it, for then it is given back, so that one line cannot end every window in turn.
///
/// A thread of its own does all this; these functions may be called from any other.
class attached_front_end final : public actors::front_end_port {
public:
  using inbox = actors::front_end::inbox;

  attached_front_end(std::filesystem::path home, host_connection host, inbox& events);
  ~attached_front_end() override;

  void open(std::string name) override;
  void change_to(std::string slug) override;
  void submit(submission line) override;
  void interrupt() override;
  void toggle_pause() override;
  void stop_playback() override;
  /// Not answered: the process that plays tells of changes by itself.
  void ask_playback() override {}

  /// After `host_ended`: the lock that this process holds from now on.
  std::optional<io::protocol::home_lock> take_lock();

private:
  struct open_request {
    std::string session;
  };
  struct change_request {
    std::string session;
  };
  struct interrupt_request {};
  struct playback_request {
    std::string_view action;  ///< "pause" (or continue), "stop"
  };
  struct stop_request {};
  using front_end_request = std::variant<open_request, change_request, submission,
                                         interrupt_request, playback_request, stop_request>;

  void run();
  bool find_new_host();
  void take_requests();
  void carry_out(open_request& w);
  void carry_out(change_request& w);
  void carry_out(submission& line);
  void carry_out(interrupt_request&);
  void carry_out(playback_request& w);
  void carry_out(stop_request&);
  void send(std::string_view method, boost::json::object params);
  void read();
  void write();
  void hang_up();
  void line_came(std::string_view line);
  void happened(const boost::json::object& event);
  void was_opened(const boost::json::object& event);
  void was_answered(const boost::json::object& event);
  bool may_have_ended_host() const;
  void settle_unanswered();
  bool follow(const boost::json::object& event);
  result<void> load(const std::string& slug);
  result<turn> turn_of(const boost::json::object& event) const;
  void tell(front_end_event e) { events_.put(std::move(e)); }

  std::filesystem::path home_;
  inbox& events_;
  io::inbox<front_end_request> requests_;
  std::optional<io::protocol::home_lock> lock_;

  // Of the thread alone.
  int socket_;
  std::int64_t pid_;
  io::protocol::line_decoder in_;
  std::string out_;
  bool stopping_ = false;
  bool reopening_ = false;  ///< another process is the host now
  std::string wanted_;      ///< what was to be opened first
  std::string slug_;
  std::optional<io::session_directory> directory_;
  session_snapshot state_;
  std::optional<submission> unanswered_;
  bool has_begun_ = false;           ///< the host has taken that line
  bool ended_in_order_ = false;      ///< the host said that it ends
  std::int64_t entries_before_ = 0;  ///< length of the timeline when that was submitted
  std::thread thread_;
};

}  // namespace fermata::app
