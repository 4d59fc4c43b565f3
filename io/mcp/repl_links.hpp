#pragma once

#include "io/mcp/backend.hpp"

#include <poll.h>
#include <sys/stat.h>

#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fermata::io::mcp {

/// Connections to the running Fermatas over their sockets, made when first needed. Owned by a loop
/// that polls: it asks for descriptors, says which are ready, and lets callbacks run.
class repl_links : public repl_backend {
public:
  struct options {
    std::filesystem::path home;  ///< where records of instances are
    std::string socket;          ///< only this one; empty: all that have a record
  };

  explicit repl_links(options o);
  ~repl_links() override;
  repl_links(const repl_links&) = delete;
  repl_links& operator=(const repl_links&) = delete;

  const std::vector<repl_instance>& instances() override;
  std::uint64_t call(const std::string& instance, std::string_view method, std::string_view params,
                     done then) override;
  void forget(std::uint64_t number) override;
  std::string out_of_reach() override;
  void sign_as(std::string name, std::string version) override;

  /// The folder of records has changed.
  void rescan() { stale_ = true; }
  /// Adds the descriptors to wait for.
  void add_poll_fds(std::vector<pollfd>& fds) const;
  /// Reads and writes whatever is possible at this descriptor; it need not be ours.
  void on_ready(const pollfd& fd);
  /// Writes what calls have put together.
  void write_out();
  /// Runs callbacks of calls that failed before they left. True when there were any.
  bool deliver_failures();

private:
  struct link;
  link* open(const repl_instance& i);
  void read_from(link& l);
  void write_to(link& l);
  void on_line(link& l, std::string_view line);
  void hello_answered(link& l, std::string_view line);
  static call_outcome gone(const link& l, std::string_view why);
  void close(link& l, call_outcome why);
  void fail_later(std::uint64_t number, done then, call_outcome what);
  void look();

  options options_;
  std::string client_name_ = "mcp", client_version_ = "0";
  std::vector<repl_instance> instances_;
  bool stale_ = true;                               ///< look again whatever the folder says
  std::chrono::steady_clock::time_point looked_{};  ///< at the folder, the last time
  timespec folder_changed_{};                       ///< of the folder of records when it was read
  /// Have a record, but nobody answers there; and what happened instead.
  std::map<std::string, std::string, std::less<>> dead_;
  std::map<std::string, std::unique_ptr<link>> links_;  ///< by instance
  std::map<std::uint64_t, std::string> where_;          ///< calls under way: by number, instance
  std::uint64_t next_ = 1;
  std::deque<std::pair<done, call_outcome>> failures_;
};

}  // namespace fermata::io::mcp
