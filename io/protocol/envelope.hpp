#pragma once

#include "io/protocol/fault.hpp"

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io::protocol {

/// How a message is wrapped. Chosen per message: with `"jsonrpc":"2.0"` it is JSON-RPC 2.0, without
/// it the short form `{"id","method","params"}`.
enum class envelope : std::uint8_t { json_rpc, short_form };

/// The parts of a request that its reply repeats.
struct reply_head {
  envelope style = envelope::json_rpc;
  std::string id;      ///< as JSON text: `7`, `"a"`, `null`; empty: the request had none
  bool wanted = true;  ///< false for a notification, which gets no reply, not even an error
};

/// One request of a line. `bad`: the error in the envelope, which is then the reply.
struct request {
  reply_head head;
  std::string_view method;
  boost::json::value params;  ///< object or array; an empty object if omitted
  /// Replied to as soon as it is ready, even before earlier ones (`"unordered":true` next to the
  /// id).
  bool unordered = false;
  std::optional<fault> bad;
};

/// A line with the memory of its parsed form. Not movable; shared by its users.
class incoming {
public:
  /// Parses a line. Never fails: errors are in `requests()` as faults to be sent. A line without an
  /// envelope, which is not JSON or not an object, is answered in `otherwise`.
  static std::shared_ptr<incoming> read(std::string_view line,
                                        envelope otherwise = envelope::short_form);

  std::vector<request>& requests() { return requests_; }
  /// The replies go out together as one array (JSON-RPC 2.0).
  bool is_batch() const { return batch_; }

private:
  incoming() : memory_(first_block_, sizeof first_block_) {}
  void take(boost::json::value& v, std::string_view text, bool in_batch, envelope otherwise);

  unsigned char first_block_[2048];
  boost::json::monotonic_resource memory_;
  boost::json::value root_;
  std::vector<request> requests_;
  bool batch_ = false;
};

/// The envelope for the reply to an unreadable line: JSON-RPC if it mentions that, otherwise
/// `otherwise`, the envelope that the connection has used.
envelope envelope_of_unreadable(std::string_view beginning, envelope otherwise);

/// Most requests that one batch may hold.
inline constexpr std::size_t max_batch = 256;

/// Reply lines without their LF; empty if none is wanted. A result longer than `max_line` becomes a
/// fault with advice to request less; a fault that is too long is truncated, with `truncated` in
/// its data.
std::string reply_line(const reply_head& head, const boost::json::object& result);
std::string fault_line(const reply_head& head, const fault& why);
/// Replaces a reply of `bytes` that does not fit in the line of its batch.
std::string no_room_line(const reply_head& head, std::size_t bytes);
/// A notification. `params` must fit in `max_line`.
std::string notification_line(envelope style, std::string_view method,
                              const boost::json::object& params);
/// The replies of a batch as one line; empty when none was wanted.
std::string batch_line(const std::vector<std::string>& replies);

/// The error member of a reply.
boost::json::object fault_json(envelope style, const fault& why);

}  // namespace fermata::io::protocol
