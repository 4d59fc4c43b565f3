// Whatever a client sends on the socket, in whatever portions: it is cut into lines, read, checked
// and run or refused; every request gets exactly one reply, replies are JSON lines without an LF
// inside, and a batch has one array.

#include "io/protocol/dispatch.hpp"
#include "io/protocol/reply_queue.hpp"
#include "io/text/line_decoder.hpp"

#include <boost/json/parse.hpp>

#include <cstdlib>

using namespace fermata;
using namespace fermata::io::protocol;

namespace {

const query& sample() {
  static const query q = [] {
    session_meta meta;
    meta.slug = meta.name = "fuzz";
    auto state = empty_session(meta);
    auto s = *state.score;
    part p;
    for (int i = 1; i <= 5; ++i) {
      measure m;
      m.number = std::to_string(i);
      p.measures.push_back(std::make_shared<const measure>(m));
    }
    s.part_list.emplace_back(std::size_t{0});
    s.parts.push_back(std::make_shared<const part>(p));
    state.score = std::make_shared<const score>(std::move(s));
    query out;
    out.session = std::make_shared<const session_state>(std::move(state));
    out.sessions = std::make_shared<const std::vector<session_row>>(
        std::vector<session_row>{{meta, "empty", 0, true, true}});
    return out;
  }();
  return q;
}

std::string answered(call& c) {
  if (c.refused) return fault_line(c.head, *c.refused);
  if (std::holds_alternative<command_handler>(c.row->handler)) {
    auto made = command_of(*c.row, c.params);
    return made ? reply_line(c.head, {}) : fault_line(c.head, made.error());
  }
  auto result = run(*c.row, sample(), c.params);
  return result ? reply_line(c.head, *result) : fault_line(c.head, result.error());
}

void demand(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view all{reinterpret_cast<const char*>(data), size};
  // The first byte says how large the portions are.
  const auto portion = all.empty() ? 1 : std::size_t{1} + static_cast<unsigned char>(all.front());
  line_decoder in{4096};
  reply_queue replies;
  std::string out;
  while (!all.empty()) {
    in.feed(all.substr(0, portion));
    all.remove_prefix(std::min(portion, all.size()));
    if (all.empty()) in.finish();
    while (auto line = in.next()) {
      demand(line->find('\n') == std::string_view::npos && line->size() <= 4096);
      auto message = incoming::read(*line);
      auto& requests = message->requests();
      demand(!requests.empty());
      std::vector<reply_head> heads;
      for (const auto& r : requests)
        heads.push_back(r.head);
      auto slot = message->is_batch() ? replies.reserve_batch(heads) : replies.reserve();
      for (std::size_t i = 0; i < requests.size(); ++i) {
        auto c = prepare(requests[i]);
        auto reply = answered(c);
        demand(c.head.wanted != reply.empty());
        replies.fill({slot, i}, std::move(reply), out);
      }
    }
  }
  demand(replies.pending() == 0 && replies.held_bytes() == 0);
  for (std::size_t at = 0; at < out.size();) {
    const auto end = out.find('\n', at);
    demand(end != std::string::npos && end - at <= max_line);
    boost::json::parse(std::string_view{out}.substr(at, end - at));
    at = end + 1;
  }
  return 0;
}
