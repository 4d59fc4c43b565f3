#include "io/mcp/repl_links.hpp"

#include "io/mcp/json_text.hpp"
#include "io/protocol/client_name.hpp"
#include "io/protocol/envelope.hpp"
#include "io/protocol/instance.hpp"
#include "io/protocol/method.hpp"
#include "io/text/line_decoder.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <unordered_map>

namespace json = boost::json;

namespace fermata::io::mcp {

/// One connection.
struct repl_links::link {
  repl_instance to;
  int fd = -1;
  protocol::line_decoder in{protocol::max_line + 1024};
  std::string out;
  std::size_t written = 0;  ///< of `out`
  bool greeted = false;     ///< the hello was answered
  /// Calls that wait for that, as lines: one that refuses the hello must not carry out what stands
  /// behind it.
  std::vector<std::pair<std::uint64_t, std::string>> held;
  std::unordered_map<std::uint64_t, done> waiting;

  ~link() {
    if (fd >= 0) ::close(fd);
  }
};

repl_links::repl_links(options o) : options_(std::move(o)) {
  if (!options_.socket.empty()) instances_.push_back({options_.socket, 0, options_.socket, {}});
}

repl_links::~repl_links() = default;

const std::vector<repl_instance>& repl_links::instances() {
  // Every call asks, some thousand times a second; who came or went is seen soon enough.
  constexpr std::chrono::milliseconds recent{20};
  const auto now = std::chrono::steady_clock::now();
  if (!options_.socket.empty() || (!stale_ && !instances_.empty() && now - looked_ < recent))
    return instances_;
  looked_ = now;
  struct stat info {};
  const bool there = ::stat(protocol::run_folder(options_.home).c_str(), &info) == 0;
  const auto changed = there ? info.st_mtim : timespec{};
  if (!stale_ && changed.tv_sec == folder_changed_.tv_sec &&
      changed.tv_nsec == folder_changed_.tv_nsec)
    return instances_;
  if (changed.tv_sec != folder_changed_.tv_sec || changed.tv_nsec != folder_changed_.tv_nsec)
    dead_.clear();
  folder_changed_ = changed;
  look();
  // The clock of files moves in steps: what changes within the step that we looked in shows no
  // other time, so a folder that has just changed is read again the next time.
  timespec clock{};
  ::clock_gettime(CLOCK_REALTIME, &clock);
  const auto age = static_cast<double>(clock.tv_sec - changed.tv_sec) +
                   static_cast<double>(clock.tv_nsec - changed.tv_nsec) / 1e9;
  stale_ = there && age < 0.1;
  return instances_;
}

void repl_links::look() {
  instances_.clear();
  for (const auto& r : protocol::read_records(options_.home)) {
    repl_instance i{r.id.empty() ? r.socket : r.id, r.pid, r.socket, r.cwd};
    if (dead_.count(i.id) == 0) instances_.push_back(std::move(i));
  }
}

repl_links::link* repl_links::open(const repl_instance& i) {
  if (auto known = links_.find(i.id); known != links_.end()) return known->second.get();
  const auto fd = protocol::connect_socket(i.socket);
  if (fd < 0) return nullptr;
  auto l = std::make_unique<link>();
  l->to = i;
  l->fd = fd;
  l->out = R"({"jsonrpc":"2.0","id":0,"method":"system.hello","params":{"client":)";
  // A host may be called anything; that name is the user's or the program's.
  append_string(l->out, protocol::is_reserved_name(client_name_) ? client_name_ + " (client)"
                                                                 : client_name_);
  l->out += R"(,"version":)";
  append_string(l->out, client_version_);
  l->out += fmt::format(R"(,"protocol_version":"{}","door":"mcp"}}}})", protocol::protocol_version);
  l->out += '\n';
  return (links_[i.id] = std::move(l)).get();
}

namespace {

/// Most of a name that `system.hello` takes.
constexpr std::size_t longest_name = 64;

/// The error of a call that makes a longer line than Fermata reads. It would close the connection,
/// and nobody could tell that from its own end.
std::string too_long(std::size_t bytes) {
  return json::serialize(protocol::fault_json(
      protocol::envelope::json_rpc,
      {protocol::fault_code::out_of_range,
       fmt::format("the call has {} bytes as JSON; the limit is {}", bytes, protocol::max_line),
       "nothing was sent; split it into several calls",
       {{"max", protocol::max_line}, {"got", bytes}}}));
}

}  // namespace

std::uint64_t repl_links::call(const std::string& instance, std::string_view method,
                               std::string_view params, done then) {
  const auto number = next_++;
  const auto known = std::find_if(instances_.begin(), instances_.end(),
                                  [&](const auto& i) { return i.id == instance; });
  auto* l = known == instances_.end() ? nullptr : open(*known);
  if (!l) {
    const auto fault = errno;
    const auto why = known == instances_.end() ? std::string{"that instance has exited"}
                                               : fmt::format("cannot connect to {}: {}",
                                                             known->socket, std::strerror(fault));
    // A full queue is somebody; a socket that nobody listens at is a file that was left behind.
    if (known != instances_.end() && options_.socket.empty() && fault != EAGAIN)
      dead_.insert_or_assign(known->id, why);
    stale_ = true;
    fail_later(number, std::move(then), {call_outcome::kind_t::unreachable, why});
    return number;
  }
  // Answered when ready: a call that waits must not hold up the others of the host.
  auto line =
      fmt::format(R"({{"jsonrpc":"2.0","id":{},"method":"{}","params":{},"unordered":true}})",
                  number, method, params);
  if (line.size() > protocol::max_line) {
    fail_later(number, std::move(then), {call_outcome::kind_t::refused, too_long(line.size())});
    return number;
  }
  line += '\n';
  if (l->greeted)
    l->out += line;
  else
    l->held.emplace_back(number, std::move(line));
  l->waiting.emplace(number, std::move(then));
  where_.emplace(number, l->to.id);
  return number;
}

void repl_links::forget(std::uint64_t number) {
  auto at = where_.find(number);
  if (at == where_.end()) return;
  if (auto known = links_.find(at->second); known != links_.end()) {
    auto& l = *known->second;
    l.waiting.erase(number);
    // Either it has not left yet, or the other side is told to give it up.
    if (std::erase_if(l.held, [&](const auto& h) { return h.first == number; }) == 0)
      l.out +=
          fmt::format(R"({{"jsonrpc":"2.0","method":"system.cancel","params":{{"request":{}}}}})"
                      "\n",
                      number);
  }
  where_.erase(at);
}

/// Records without anybody to talk to are passed over by `instances`, and looked at only when there
/// is no other.
std::string repl_links::out_of_reach() {
  if (!options_.socket.empty()) return {};
  std::string words;
  for (const auto& r : protocol::read_records(options_.home, true)) {
    const auto known = dead_.find(r.id.empty() ? r.socket : r.id);
    if (!r.socket.empty() && known == dead_.end()) continue;
    words += fmt::format("{}process {} in {} cannot be reached: {}", words.empty() ? "" : "; ",
                         r.pid, r.cwd, r.socket.empty() ? r.no_socket : known->second);
  }
  return words;
}

void repl_links::sign_as(std::string name, std::string version) {
  // Clipping may leave a space at the end, or nothing but another one's name.
  auto shown = protocol::shown_client_name(
      protocol::clipped(protocol::shown_client_name(name), longest_name));
  if (!shown.empty()) client_name_ = std::move(shown);
  if (!version.empty()) client_version_ = protocol::clipped(version, 64);
}

void repl_links::add_poll_fds(std::vector<pollfd>& fds) const {
  for (const auto& [id, l] : links_)
    fds.push_back(
        {l->fd, static_cast<short>(POLLIN | (l->out.size() > l->written ? POLLOUT : 0)), 0});
}

void repl_links::on_ready(const pollfd& fd) {
  for (auto& [id, l] : links_) {
    if (l->fd != fd.fd) continue;
    if (fd.revents & POLLOUT) write_to(*l);
    if (fd.revents & (POLLIN | POLLHUP | POLLERR)) read_from(*l);
    return;
  }
}

void repl_links::write_out() {
  std::vector<link*> all;
  for (auto& [id, l] : links_)
    if (l->out.size() > l->written) all.push_back(l.get());
  for (auto* l : all)
    write_to(*l);
}

void repl_links::fail_later(std::uint64_t number, done then, call_outcome what) {
  where_.try_emplace(number);
  failures_.emplace_back(
      [this, number, then = std::move(then)](call_outcome came) {
        if (where_.erase(number) > 0) then(std::move(came));
      },
      std::move(what));
}

bool repl_links::deliver_failures() {
  if (failures_.empty()) return false;
  auto now = std::move(failures_);
  failures_.clear();
  for (auto& [then, what] : now)
    then(std::move(what));
  return true;
}

void repl_links::write_to(link& l) {
  while (l.written < l.out.size()) {
    const auto n = ::send(l.fd, l.out.data() + l.written, l.out.size() - l.written,
                          MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN) {
        // What it said before it closed says why.
        const auto id = l.to.id;
        read_from(l);
        if (auto still = links_.find(id); still != links_.end() && still->second.get() == &l)
          close(l, gone(l, "cannot write"));
      }
      return;
    }
    l.written += static_cast<std::size_t>(n);
  }
  l.out.clear();
  l.written = 0;
}

void repl_links::read_from(link& l) {
  const auto id = l.to.id;
  char buffer[65536];
  for (int round = 0; round < 16; ++round) {
    const auto n = ::recv(l.fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) {
      close(l, gone(l, "connection closed"));
      return;
    }
    l.in.feed({buffer, static_cast<std::size_t>(n)});
    while (auto line = l.in.next()) {
      on_line(l, *line);
      // A callback may have closed it.
      if (auto still = links_.find(id); still == links_.end() || still->second.get() != &l) return;
    }
    if (l.in.overflowed()) {
      close(l, gone(l, "a line is too long"));
      return;
    }
    if (static_cast<std::size_t>(n) < sizeof buffer) return;
  }
}

void repl_links::on_line(link& l, std::string_view line) {
  if (!l.greeted) {
    hello_answered(l, line);
    return;
  }
  auto deliver = [&](std::uint64_t number, call_outcome what) {
    auto w = l.waiting.find(number);
    if (w == l.waiting.end()) return;
    auto then = std::move(w->second);
    l.waiting.erase(w);
    where_.erase(number);
    then(std::move(what));
  };
  if (const auto plain = take_apart(line); plain.whole) {
    deliver(plain.id, {call_outcome::kind_t::result, std::string{plain.result}});
    return;
  }
  boost::system::error_code ec;
  const auto v = json::parse(line, ec);
  const auto* o = ec ? nullptr : v.if_object();
  if (!o) return;
  const auto* id = o->if_contains("id");
  if (const auto* method = o->if_contains("method"); method && method->is_string() && !id) {
    const auto* params = o->if_contains("params");
    if (on_event && params) on_event(l.to.id, method->get_string(), json::serialize(*params));
    return;
  }
  if (!id || !id->is_int64() || id->get_int64() < 0) return;
  const auto number = static_cast<std::uint64_t>(id->get_int64());
  if (const auto* result = o->if_contains("result"); result && result->is_object())
    deliver(number, {call_outcome::kind_t::result, json::serialize(*result)});
  else if (const auto* e = o->if_contains("error"))
    deliver(number, {call_outcome::kind_t::refused, json::serialize(*e)});
}

void repl_links::hello_answered(link& l, std::string_view line) {
  boost::system::error_code ec;
  const auto v = json::parse(line, ec);
  const auto* o = ec ? nullptr : v.if_object();
  if (o && o->contains("result")) {
    l.greeted = true;
    for (auto& [number, held] : std::exchange(l.held, {}))
      l.out += held;
    return;
  }
  // One that has too many clients says so instead, in the short form; one of another version says
  // which it speaks. Either is there, and its own words are the answer.
  const auto* e = o ? object_of(member(*o, "error")) : nullptr;
  if (e && !text_of(member(*e, "message")).empty())
    close(l, {call_outcome::kind_t::refused, json::serialize(*e)});
  else
    close(l, gone(l, "the process answering there is not Fermata"));
}

/// Before the hello was answered nothing had left, so a write may be repeated.
call_outcome repl_links::gone(const link& l, std::string_view why) {
  return {l.greeted ? call_outcome::kind_t::lost : call_outcome::kind_t::unreachable,
          std::string{why}};
}

void repl_links::close(link& l, call_outcome why) {
  const auto id = l.to.id;
  auto node = links_.extract(id);
  if (node.empty()) return;
  auto closed = std::move(node.mapped());
  stale_ = true;
  if (why.kind == call_outcome::kind_t::unreachable && options_.socket.empty())
    dead_.insert_or_assign(id, why.body);
  std::vector<std::pair<std::uint64_t, done>> waiting;
  for (auto& [number, then] : closed->waiting)
    waiting.emplace_back(number, std::move(then));
  std::sort(waiting.begin(), waiting.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [number, then] : waiting)
    fail_later(number, std::move(then), why);
  if (closed->greeted && on_lost) on_lost(id);
}

}  // namespace fermata::io::mcp
