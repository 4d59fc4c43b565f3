#include "io/protocol/outgoing_lines.hpp"

#include <algorithm>

namespace fermata::io::protocol {

void outgoing_lines::notify(envelope style, std::string_view method,
                            const boost::json::object& params) {
  queued_ += notification_line(style, method, params);
  queued_ += '\n';
}

std::string outgoing_lines::take() {
  in_socket_ += queued_.size();
  return std::exchange(queued_, {});
}

void outgoing_lines::taken(std::size_t bytes) {
  in_socket_ -= std::min(in_socket_, bytes);
  taken_ += bytes;
}

}  // namespace fermata::io::protocol
