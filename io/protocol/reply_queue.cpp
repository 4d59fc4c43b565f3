#include "io/protocol/reply_queue.hpp"

#include "io/text/line_decoder.hpp"

namespace fermata::io::protocol {

namespace {

/// Bytes that a place keeps for its error, and for the comma behind it.
std::size_t kept_for_error(const reply_head& head) {
  return head.wanted ? no_room_line(head, max_line).size() + 1 : 0;
}

/// Puts a reply into the line of its batch, or the error that has room in any case.
std::string fitted(reply_queue::slot& line, std::size_t part, std::string reply) {
  const auto& head = line.heads[part];
  line.room += kept_for_error(head);
  if (reply.size() + 1 > line.room) reply = no_room_line(head, reply.size());
  if (!reply.empty()) line.room -= reply.size() + 1;
  return reply;
}

}  // namespace

std::shared_ptr<reply_queue::slot> reply_queue::append(slot s) {
  s.missing = s.parts.size();
  pending_ += s.missing;
  return order_.emplace_back(std::make_shared<slot>(std::move(s)));
}

std::shared_ptr<reply_queue::slot> reply_queue::reserve() {
  slot s;
  s.parts.resize(1);
  return append(std::move(s));
}

std::shared_ptr<reply_queue::slot> reply_queue::reserve_batch(std::vector<reply_head> heads) {
  slot s;
  s.parts.resize(heads.size());
  // Of the two brackets one stands where the last reply needs no comma. With ids as long as they
  // may be, the errors of all take a third of a line.
  s.room = max_line - 1;
  for (const auto& head : heads)
    s.room -= kept_for_error(head);
  s.heads = std::move(heads);
  return append(std::move(s));
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
  if (!to.in->heads.empty()) reply = fitted(*to.in, to.part, std::move(reply));
  held_ += reply.size();
  to.in->parts[to.part] = std::move(reply);
  --to.in->missing;
  while (!order_.empty() && order_.front()->missing == 0) {
    auto& done = *order_.front();
    for (const auto& part : done.parts)
      held_ -= part.size();
    auto line = done.heads.empty() ? std::move(done.parts.front()) : batch_line(done.parts);
    if (!line.empty()) {
      out += line;
      out += '\n';
    }
    done.left = true;
    order_.pop_front();
  }
}

}  // namespace fermata::io::protocol
