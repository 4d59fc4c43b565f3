#include "io/protocol/reply_queue.hpp"

namespace fermata::io::protocol {

std::shared_ptr<reply_queue::slot> reply_queue::reserve(std::size_t count, bool batch) {
  auto s = std::make_shared<slot>();
  s->parts.resize(count);
  s->missing = count;
  s->batch = batch;
  order_.push_back(s);
  pending_ += count;
  return s;
}

reply_queue::place reply_queue::unordered() {
  ++pending_;
  return {};
}

void reply_queue::fill(const place& to, std::string reply, std::string& out) {
  --pending_;
  if (!to.in) {
    if (!reply.empty()) {
      out += reply;
      out += '\n';
    }
    return;
  }
  held_ += reply.size();
  to.in->parts[to.part] = std::move(reply);
  --to.in->missing;
  while (!order_.empty() && order_.front()->missing == 0) {
    auto& done = *order_.front();
    for (const auto& part : done.parts)
      held_ -= part.size();
    auto line = done.batch ? batch_line(done.parts) : std::move(done.parts.front());
    if (!line.empty()) {
      out += line;
      out += '\n';
    }
    order_.pop_front();
  }
}

}  // namespace fermata::io::protocol
