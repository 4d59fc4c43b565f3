#pragma once

#include "io/mcp/backend.hpp"
#include "io/mcp/resource_uri.hpp"
#include "io/mcp/revision.hpp"
#include "io/protocol/method.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io::mcp {

/// The Model Context Protocol in front of running Fermatas: lines in, lines out, no file descriptor
/// and no clock of its own. A translator: what tools mean lies in the registry and behind the
/// socket.
///
/// Both generations of the protocol are served on one connection, decided per message (see
/// `era`). Everything that does not need a running Fermata (discover, initialize, the lists) is
/// answered at once from constant text. A tool call goes to one instance and its answer comes when
/// it comes; calls do not wait for each other. A call that was cancelled is never answered.
///
/// Instances may be absent, several, or restart between any two calls. Never is one picked silently
/// among several; a query is repeated once when its instance was lost, a write never, unless it
/// certainly did not arrive.
class server {
public:
  using clock = std::chrono::steady_clock;
  using instant = clock::time_point;

  struct options {
    std::string version;               ///< of the program
    std::vector<std::string> folders;  ///< of the host: where its user works; picks among several
    std::chrono::milliseconds deadline{54'000};  ///< of a call: hosts give up at 60 seconds
    std::chrono::milliseconds progress{4'500};   ///< between two progress notifications
    /// For an instance that is asked beside others: whoever is stopped must not hold up the rest.
    std::chrono::milliseconds patience{3'000};
    /// The same when it did not answer the last time.
    std::chrono::milliseconds little_patience{300};
    /// For calls that are under way when the host says nothing any more.
    std::chrono::milliseconds last_answers{5'000};
  };

  server(repl_backend& backend, options o);
  ~server();
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  /// One line from the host, without its end.
  void on_line(std::string_view line, instant now);
  /// A line from the host had more than `limit` bytes and was passed over.
  void line_too_long(std::size_t limit);
  /// Called before anything else: what is asked from here on has its time from now.
  void set_time(instant now) { now_ = now; }
  /// To be called at `wake_at` or later.
  void on_time(instant now);
  std::optional<instant> wake_at() const;
  /// The set of instances may have changed.
  void rescan(instant now);
  /// No more lines will come. What waits for the host's person, or for something to happen, is
  /// answered now as when its time is over; every other call within `last_answers`.
  void input_ended(instant now);
  /// Open streams are ended in order.
  void finish();

  /// Lines to write, each with its LF; the owner takes from the front.
  std::string out;
  /// Requests that wait for an instance.
  std::size_t in_flight() const { return flights_.size(); }
  /// The host wants to be told about instances that come and go.
  bool watches_instances() const;

private:
  // --- what a host asks ---
  struct request {
    std::string id;  ///< as JSON text
    mcp::era era = era::legacy;
    const boost::json::object* params = nullptr;
    bool may_ask = false;  ///< the host can put a form before its user
  };
  struct route;
  static const route* find_route(std::string_view method);

  /// A request that waits for instances.
  struct flight {
    std::string id;
    mcp::era era = era::legacy;
    std::string progress_token;  ///< as JSON text; empty: none
    instant deadline, next_progress;
    int progress = 0;
    bool ended = false;
    bool waits_for_others = false;  ///< not for Fermata's work: it may take for ever
    std::vector<std::uint64_t> calls;
    std::function<void()> too_late;
  };
  using flight_ptr = std::shared_ptr<flight>;

  void request_came(const request& r, std::string_view method);
  void notification_came(std::string_view method, const boost::json::object& params);
  void response_came(const boost::json::object& message);
  std::optional<std::string> refuse_envelope(const request& r, bool names_version);

  void discover(const request& r);
  void initialize(const request& r);
  void ping(const request& r);
  void set_level(const request& r);
  void list_tools(const request& r);
  void call_tool(const request& r);
  void list_prompts(const request& r);
  void get_prompt(const request& r);
  void list_resources(const request& r);
  void list_templates(const request& r);
  void read_resource(const request& r);
  void subscribe(const request& r);
  void unsubscribe(const request& r);
  void listen(const request& r);
  void complete(const request& r);
  bool refuse_cursor(const request& r);

  // --- answers ---
  void reply(const std::string& id, mcp::era e, std::string_view members,
             std::string_view type = "complete");
  void reply_cacheable(const std::string& id, mcp::era e, std::string_view members, int ttl_ms,
                       std::string_view scope);
  void refuse(const std::string& id, int code, std::string_view message,
              std::string_view data = {});
  void notify(std::string_view method, std::string_view params);
  void log(std::string_view level, std::string_view text);

  // --- asking instances ---
  flight_ptr start_call(const request& r);
  bool land(const flight_ptr& f);
  void ask(const flight_ptr& f, const std::string& instance, std::string_view method,
           std::string_view params, std::function<void(call_outcome)> then);

  // --- all sessions of all instances (server_all_sessions.cpp) ---
  struct session_list {
    repl_instance of;
    boost::json::array rows;  ///< as list_sessions gives them, of all pages
    std::string missing;      ///< why there are none, in words; empty: all are there
  };
  using session_lists = std::vector<session_list>;
  struct gathering;
  /// Asks all at once, each for all of its pages. Who does not answer in time has said nothing.
  void list_all_sessions(const flight_ptr& f, std::function<void(session_lists)> then);
  void ask_page(const std::shared_ptr<gathering>& g, std::size_t which, const std::string& cursor);
  void page_came(const std::shared_ptr<gathering>& g, std::size_t which, bool first,
                 const call_outcome& what);
  void list_is_done(const std::shared_ptr<gathering>& g, std::size_t which, std::string missing);
  void give_up_the_silent();
  std::optional<instant> next_silence() const;
  void wait_for_sign_of(const std::string& instance);
  static std::string who_is_missing(const session_lists& all);

  /// Where a session is: an instance and the name there; or why it is nowhere.
  struct place {
    std::string instance;
    std::string session;  ///< empty: the active one
    std::string note;     ///< why this instance, when there are several
    std::string handle;   ///< not empty: the name may have been `pid/slug` of an earlier one
  };
  struct nowhere {
    std::string error;  ///< short name
    std::string message, hint;
    bool retryable = false;
    std::string members;  ///< more members of the error, as JSON text
  };
  using found = tl::expected<place, nowhere>;
  void locate(const flight_ptr& f, std::string session, std::function<void(found)> then);
  nowhere nobody() const;
  nowhere stale(std::string_view handle, std::string_view name = {}) const;
  nowhere ambiguous(std::string_view why) const;
  std::string instance_list() const;
  const repl_instance* by_handle(std::string_view handle) const;

  // --- tools (server_tools.cpp) ---
  struct tool_call;
  void start_tool(const std::shared_ptr<tool_call>& c);
  void tool_located(const std::shared_ptr<tool_call>& c, found where);
  void tool_answered(const std::shared_ptr<tool_call>& c, call_outcome what);
  void list_everywhere(const std::shared_ptr<tool_call>& c);
  void tool_done(const tool_call& c, std::string body);
  static nowhere refusal(const std::string& body);
  static nowhere refusal(const protocol::fault& why);
  void tool_result(const tool_call& c, std::string_view body);
  void tool_error(const tool_call& c, const nowhere& why);

  // --- asking the person at the client about a proposal (server_elicitation.cpp) ---
  /// A proposal that was made, and what its call is answered when nobody decides.
  struct question {
    std::string instance, session;
    std::int64_t proposal = 0;
    std::string body;  ///< result of the call
    std::string call;  ///< tool and arguments: a question belongs to one call
    std::string text;  ///< what the person reads
    instant expires;
  };
  struct asked_person {
    std::shared_ptr<tool_call> of;
    question what;
  };
  bool ask_person(const std::shared_ptr<tool_call>& c, const std::string& body);
  void ask_again(const request& r, const std::string& state, const question& q);
  /// A call that comes again with an answer. False: it is no such call.
  bool answer_came(const request& r, const std::shared_ptr<tool_call>& c);
  void decide(const std::shared_ptr<tool_call>& c, const question& q,
              const boost::json::object* answer);
  void answer_taken(const std::shared_ptr<tool_call>& c, const question& q, call_outcome what);
  static nowhere kept_proposal(std::string_view error, std::string_view message, const question& q,
                               std::string_view outcome);
  void tell_state(const std::shared_ptr<tool_call>& c, const question& q, std::string note);
  void drop_question(const flight_ptr& f);

  // --- resources (server_resources.cpp) ---
  struct session_found {
    std::string handle;  ///< as resources name it
    std::string name;
    bool loaded = false;
  };
  static std::vector<session_found> sessions_in(const session_lists& all);
  struct listener {
    std::string id;
    bool resources_changed = false;
    std::set<std::string> uris;
  };
  struct watch {
    bool active = false;
    std::string instance, slug;
    instant retry;  ///< when it is not active
    std::chrono::milliseconds patience{100};
    flight_ptr asking;
  };
  struct pending_update {
    instant last_sent;
    bool due = false;
  };
  std::set<std::string> watched_uris() const;
  void renew_watches();
  void start_watch(const std::string& session);
  void event_came(const std::string& instance, std::string_view method, std::string_view params);
  void instance_lost(const std::string& instance);
  void resource_changed(const std::string& uri);
  void send_updated(const std::string& uri);
  void set_of_instances_changed();
  void list_of_resources_changed();
  void watch_session_lists();

  repl_backend& backend_;
  options options_;
  instant now_;
  bool initialized_ = false, input_ended_ = false;
  std::optional<int> log_level_;
  std::map<std::string, flight_ptr, std::less<>> flights_;
  std::vector<std::shared_ptr<gathering>> gatherings_;
  /// Instances that did not answer in time, and the call whose answer says that they do again.
  std::map<std::string, std::uint64_t, std::less<>> silent_;
  std::set<std::string, std::less<>> handles_;  ///< of all instances that there were
  bool looked_ = false;
  std::vector<std::string> seen_instances_;

  std::set<std::string> legacy_uris_;
  std::map<std::string, listener, std::less<>> listeners_;      ///< by id
  std::map<std::string, watch, std::less<>> watches_;           ///< by session as in the URI
  std::map<std::string, pending_update, std::less<>> updates_;  ///< by URI
  /// Instances that tell when a session comes or goes, and the session whose stream says so.
  std::map<std::string, std::string, std::less<>> list_watches_;
  bool lists_watched_ = false;  ///< the host has read the list of resources and may be notified

  bool may_ask_ = false;  ///< the host declared forms in its handshake
  std::map<std::string, question, std::less<>> questions_;  ///< modern, by `requestState`
  std::map<std::string, asked_person, std::less<>> asked_;  ///< legacy, by the id of our request
  std::uint64_t next_question_ = 1;
};

}  // namespace fermata::io::mcp
