#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io::mcp {

/// A running Fermata as the server sees it.
struct repl_instance {
  std::string id;  ///< differs between runs
  std::int64_t pid = 0;
  std::string socket;  ///< path
  std::string cwd;
  /// How tools name it when there are several.
  std::string handle() const { return std::to_string(pid); }
  bool operator==(const repl_instance&) const = default;
};

/// Outcome of a request to an instance.
struct call_outcome {
  enum class kind_t : std::uint8_t {
    result,      ///< `body` is the result object
    refused,     ///< `body` is the error object of the protocol, codes as numbers
    lost,        ///< the instance went away after it had the request: nobody knows
    unreachable  ///< it never got the request; `body` says why in words
  } kind = kind_t::unreachable;
  std::string body;
};

/// The running Fermatas. Finding, losing and finding them again is its business; the server only
/// sees who is there now. All callbacks come from the thread that owns it, never from inside a
/// call.
class repl_backend {
public:
  using done = std::function<void(call_outcome)>;

  virtual ~repl_backend() = default;

  /// Who is there now, oldest first. Cheap: looks again only when something changed.
  virtual const std::vector<repl_instance>& instances() = 0;
  /// Sends a request; `params` is the text of a JSON object. `then` is called once, unless
  /// `forget`ten. Returns a number for `forget`.
  virtual std::uint64_t call(const std::string& instance, std::string_view method,
                             std::string_view params, done then) = 0;
  /// Cancels the call: it is dropped if it has not started, and an evaluation is stopped.
  virtual void forget(std::uint64_t number) = 0;
  /// Running instances that cannot be reached, with the reasons; empty: none.
  virtual std::string out_of_reach() = 0;
  /// The name under which writes appear in the timeline, for connections made from now on.
  virtual void sign_as(std::string name, std::string version) = 0;

  /// An instance sent a notification: name of the notification and its parameters as text.
  std::function<void(const std::string& instance, std::string_view method, std::string_view params)>
      on_event;
  /// A connection that was open is no more.
  std::function<void(const std::string& instance)> on_lost;
};

}  // namespace fermata::io::mcp
