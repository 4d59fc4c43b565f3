#include "apps/fermata/prompt/attached_front_end.hpp"

#include "core/session/commands/entry_listing.hpp"
#include "io/json/journal_json.hpp"
#include "io/json/playback_json.hpp"
#include "io/protocol/instance.hpp"
#include "io/store/home.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

namespace fermata::app {

namespace {

namespace json = boost::json;
namespace event = actors::front_end_events;

constexpr std::chrono::milliseconds patience_with_host{5'000};
/// What the host tells has no limit of its own: it is our own program.
constexpr std::size_t longest_told = std::size_t{1} << 30;

std::string text_in(const json::object& o, std::string_view name) {
  const auto* v = o.if_contains(name);
  return v && v->is_string() ? std::string{std::string_view{v->get_string()}} : std::string{};
}

std::int64_t number_in(const json::object& o, std::string_view name) {
  const auto* v = o.if_contains(name);
  return v && v->is_int64() ? v->get_int64() : 0;
}

bool flag_in(const json::object& o, std::string_view name) {
  const auto* v = o.if_contains(name);
  return v && v->is_bool() && v->get_bool();
}

/// The message of an error reply, with what to do.
std::string words_of_refusal(const json::object& reply) {
  const auto* e = reply.if_contains("error");
  const auto* o = e ? e->if_object() : nullptr;
  if (!o) return {};
  auto words = text_in(*o, "message");
  const auto* data = o->if_contains("data");
  if (data && data->is_object())
    if (auto hint = text_in(data->get_object(), "hint"); !hint.empty()) words += ". " + hint;
  return words.empty() ? "it was refused" : words;
}

std::optional<json::object> parsed_line(std::string_view line) {
  json::error_code failed;
  json::parse_options limits;
  limits.max_depth = 5'000;
  auto v = json::parse({line.data(), line.size()}, failed, {}, limits);
  if (failed || !v.is_object()) return std::nullopt;
  return std::move(v.get_object());
}

/// One line from the socket, for the greeting alone; empty: none came in time.
std::string line_from(int socket, std::string& rest) {
  const auto until = std::chrono::steady_clock::now() + patience_with_host;
  for (;;) {
    if (const auto end = rest.find('\n'); end != rest.npos) {
      auto line = rest.substr(0, end);
      rest.erase(0, end + 1);
      return line;
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    pollfd ready{socket, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) == 0) return {};
    char buffer[4096];
    const auto n = ::read(socket, buffer, sizeof buffer);
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) return {};
    if (n > 0) rest.append(buffer, static_cast<std::size_t>(n));
  }
}

std::string working_folder() {
  std::error_code failed;
  return std::filesystem::current_path(failed).string();
}

std::string_view without_margins(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const auto begin = text.find_first_not_of(blank);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

}  // namespace

host_connection connect_to_host(const std::filesystem::path& home) {
  host_connection out;
  const auto holder = io::protocol::holder_of_home(home);
  out.pid = holder.value_or(0);
  std::optional<io::protocol::instance_record> host;
  for (auto& r : io::protocol::read_records(home, true))
    if (r.pid == out.pid) host = std::move(r);
  if (!host) {
    out.why = fmt::format("process {} has not recorded the path of its socket", out.pid);
    return out;
  }
  if (host->version != FERMATA_VERSION || host->socket.empty()) {
    out.is_final = true;
    out.why = host->socket.empty()
                  ? fmt::format("process {} has no socket: {}", out.pid, host->no_socket)
                  : fmt::format("process {} runs Fermata {}, and this is {}", out.pid,
                                host->version, FERMATA_VERSION);
    return out;
  }
  const auto socket = io::protocol::connect_socket(host->socket);
  out.why = fmt::format("process {} does not answer", out.pid);
  if (socket < 0) return out;
  const auto request =
      json::serialize(json::object{{"id", 0},
                                   {"method", "front_end.attach"},
                                   {"params", {{"key", io::protocol::read_attach_key(home)}}}}) +
      '\n';
  std::string rest;
  const auto sent = ::send(socket, request.data(), request.size(), MSG_NOSIGNAL);
  const auto line =
      sent == static_cast<ssize_t>(request.size()) ? line_from(socket, rest) : std::string{};
  const auto reply = parsed_line(line);
  if (reply && reply->contains("result")) {
    out.socket = socket;
    out.why.clear();
    return out;
  }
  if (reply) {
    out.is_final = true;
    out.why = fmt::format("process {} refused this window: {}", out.pid, words_of_refusal(*reply));
  }
  ::close(socket);
  return out;
}

entry_ptr entry_of_line(const session_state& s, std::int64_t after, std::string_view line) {
  const auto wanted = without_margins(line);
  for (auto i = after + 1; i <= s.history.size(); ++i) {
    auto e = s.history.at(i);
    if (!e || e->source.author != "user") continue;
    if (auto* eval = std::get_if<eval_entry>(&e->kind))
      if (without_margins(eval->text) == wanted) return e;
    if (auto* command = std::get_if<command_entry>(&e->kind))
      if (without_margins(command->text) == wanted) return e;
    if (auto* words = std::get_if<user_message_entry>(&e->kind))
      if (wanted.find(without_margins(words->content)) != wanted.npos) return e;
  }
  return nullptr;
}

attached_front_end::attached_front_end(std::filesystem::path home, host_connection host,
                                       inbox& events)
  : home_(std::move(home)),
    events_(events),
    socket_(host.socket),
    pid_(host.pid),
    in_(longest_told),
    thread_([this] { run(); }) {}

attached_front_end::~attached_front_end() {
  requests_.put(stop_request{});
  if (thread_.joinable()) thread_.join();
  if (socket_ >= 0) ::close(socket_);
}

void attached_front_end::open(std::string name) { requests_.put(open_request{std::move(name)}); }
void attached_front_end::change_to(std::string slug) {
  requests_.put(change_request{std::move(slug)});
}
void attached_front_end::submit(submission line) { requests_.put(std::move(line)); }
void attached_front_end::interrupt() { requests_.put(interrupt_request{}); }

void attached_front_end::toggle_pause() { requests_.put(playback_request{"pause"}); }

void attached_front_end::stop_playback() { requests_.put(playback_request{"stop"}); }

std::optional<io::protocol::home_lock> attached_front_end::take_lock() {
  if (thread_.joinable()) thread_.join();
  return std::exchange(lock_, std::nullopt);
}

// --- the thread ----------------------------------------------------------------------------------

void attached_front_end::run() {
  while (!stopping_) {
    if (socket_ < 0 && !find_new_host()) return;
    pollfd fds[] = {{requests_.descriptor(), POLLIN, 0},
                    {socket_, static_cast<short>(out_.empty() ? POLLIN : POLLIN | POLLOUT), 0}};
    if (::poll(fds, 2, -1) < 0) continue;
    if (fds[0].revents) take_requests();
    if (socket_ >= 0 && fds[1].revents) read();
    if (socket_ >= 0) write();
  }
}

/// False: this process runs the sessions next, or the window is closed.
bool attached_front_end::find_new_host() {
  constexpr int between_looks_ms = 50;
  while (!stopping_) {
    auto lock = io::protocol::home_lock::take(home_);
    if (lock && *lock) {
      lock_ = std::move(*lock);
      directory_.reset();
      tell(event::host_ended{slug_.empty() ? wanted_ : slug_, may_have_ended_host()});
      return false;
    }
    auto host = connect_to_host(home_);
    if (host.socket >= 0) {
      socket_ = host.socket;
      pid_ = host.pid;
      in_ = io::protocol::line_decoder{longest_told};
      out_.clear();
      reopening_ = true;
      send("front_end.open", {{"session", slug_.empty() ? wanted_ : slug_}});
      return true;
    }
    if (host.is_final) {
      tell(event::lost{"The process that ran the sessions has ended, and " + host.why});
      return false;
    }
    pollfd wait{requests_.descriptor(), POLLIN, 0};
    if (::poll(&wait, 1, between_looks_ms) > 0) take_requests();
  }
  return false;
}

void attached_front_end::take_requests() {
  for (auto& w : requests_.take())
    std::visit([this](auto& x) { carry_out(x); }, w);
}

void attached_front_end::carry_out(open_request& w) {
  if (slug_.empty()) wanted_ = w.session;
  send("front_end.open", {{"session", w.session}});
}

void attached_front_end::carry_out(change_request& w) {
  send("front_end.switch", {{"session", w.session}});
}

void attached_front_end::carry_out(submission& line) {
  unanswered_ = line;
  has_begun_ = false;
  entries_before_ = state_ ? state_->history.size() : 0;
  send("front_end.submit", {{"text", line.text},
                            {"door", line.source.channel},
                            {"folder", working_folder()},
                            {"columns", std::max<std::size_t>(line.columns, 1)},
                            {"ascii", !line.unicode},
                            {"in_words", line.accessible},
                            {"preview", line.preview}});
}

void attached_front_end::carry_out(interrupt_request&) { send("front_end.interrupt", {}); }

void attached_front_end::carry_out(playback_request& w) {
  send("front_end.playback", {{"action", w.action}});
}

void attached_front_end::carry_out(stop_request&) { stopping_ = true; }

/// While there is no host, nothing is sent: the session is opened again as soon as there is one.
void attached_front_end::send(std::string_view method, json::object params) {
  if (socket_ < 0) return;
  out_ += json::serialize(
      json::object{{"id", method}, {"method", method}, {"params", std::move(params)}});
  out_ += '\n';
}

void attached_front_end::write() {
  while (!out_.empty()) {
    const auto n = ::send(socket_, out_.data(), out_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) return hang_up();
    out_.erase(0, static_cast<std::size_t>(n));
  }
}

void attached_front_end::read() {
  char buffer[1 << 16];
  for (;;) {
    const auto n = ::recv(socket_, buffer, sizeof buffer, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) return hang_up();
    in_.feed({buffer, static_cast<std::size_t>(n)});
    while (auto line = in_.next())
      line_came(*line);
  }
}

void attached_front_end::hang_up() {
  ::close(std::exchange(socket_, -1));
  out_.clear();
}

void attached_front_end::line_came(std::string_view line) {
  const auto message = parsed_line(line);
  if (!message) return;
  if (message->contains("error")) {
    const auto request = text_in(*message, "id");
    if (request == "front_end.interrupt" || request == "front_end.playback") return;
    if (request == "front_end.submit") unanswered_.reset();
    auto words = words_of_refusal(*message);
    return state_ ? tell(event::refused{std::move(words)}) : tell(event::lost{std::move(words)});
  }
  if (text_in(*message, "id") == "front_end.submit") has_begun_ = true;
  const auto* params = message->if_contains("params");
  if (text_in(*message, "method") == "front_end.event" && params && params->is_object())
    happened(params->get_object());
}

void attached_front_end::happened(const json::object& event) {
  const auto what = text_in(event, "event");
  if (what == "opened") return was_opened(event);
  if (what == "ended") {
    ended_in_order_ = true;
    return;
  }
  if (what == "lost") return tell(event::lost{text_in(event, "message")});
  if (what == "known") {
    event::session_list k;
    if (const auto* all = event.if_contains("sessions"); all && all->is_array())
      for (const auto& slug : all->get_array())
        if (slug.is_string()) k.slugs.emplace_back(std::string_view{slug.get_string()});
    return tell(std::move(k));
  }
  if (!state_) return;
  if (what == "playback") {
    const auto* status = event.if_contains("transport");
    if (status && status->is_object())
      tell(event::played{io::read_playback_status(status->get_object())});
    return;
  }
  if (what == "recording") {
    const auto* status = event.if_contains("take");
    if (status && status->is_object())
      tell(event::recorded{io::read_recording_status(status->get_object())});
    return;
  }
  if (what == "answered") return was_answered(event);
  if (what == "refused") {
    unanswered_.reset();
    follow(event);
    return tell(event::refused{text_in(event, "message")});
  }
  if (what == "changed" && follow(event)) tell(event::changed{state_});
}

void attached_front_end::was_opened(const json::object& event) {
  const auto slug = text_in(event, "session");
  const auto again = std::exchange(reopening_, false);
  const auto had_one = state_ != nullptr;
  auto loaded = state_ && slug == slug_ ? result<void>{} : load(slug);
  if (!loaded) {
    auto words =
        fmt::format("session {} cannot be shown here: {}", slug, loaded.error().first().message);
    return had_one ? tell(event::refused{std::move(words)}) : tell(event::lost{std::move(words)});
  }
  if (!follow(event)) return;
  if (auto writer = text_in(event, "written_by"); writer != state_->written_by) {
    auto s = *state_;
    s.written_by = std::move(writer);
    state_ = std::make_shared<const session_state>(std::move(s));
  }
  auto t = turn_of(event);
  if (!t) return tell(event::lost{t.error().first().message});
  tell(event::opened{std::move(*t), again || flag_in(event, "again")});
  if (again) settle_unanswered();
}

bool attached_front_end::may_have_ended_host() const {
  return unanswered_ && has_begun_ && !ended_in_order_;
}

void attached_front_end::settle_unanswered() {
  const bool ask_first = may_have_ended_host();
  ended_in_order_ = false;
  if (!unanswered_) return;
  auto line = *std::exchange(unanswered_, std::nullopt);
  if (auto e = entry_of_line(*state_, entries_before_, line.text))
    tell(event::answered{turn{{std::move(e)}, state_, {}}});
  else if (!ask_first && !(line.cancelled && *line.cancelled))
    carry_out(line);
  else
    tell(event::refused{"The process that ran this session ended before the line was entered; "
                        "another window has taken over. Press Enter to enter it now.",
                        line.text});
}

void attached_front_end::was_answered(const json::object& event) {
  unanswered_.reset();
  // A session that goes away with this line tells its last entries itself.
  constexpr auto leaves = static_cast<std::int64_t>(turn_effect::kind_t::switch_session);
  if (number_in(event, "effect") != leaves && !follow(event)) return;
  auto t = turn_of(event);
  if (!t) return tell(event::lost{t.error().first().message});
  tell(event::answered{std::move(*t)});
}

/// The state as it has become. False: it cannot be known, and that was said.
bool attached_front_end::follow(const json::object& event) {
  auto now = directory_->read_on(state_);
  if (now) state_ = std::move(*now);
  const auto total = number_in(event, "total");
  if (state_->history.size() >= total) return true;
  tell(event::lost{
      fmt::format("session {} cannot be shown here: process {} keeps entry {} in memory only{}",
                  slug_, pid_, total, now ? "" : ", and " + now.error().first().message)});
  return false;
}

result<void> attached_front_end::load(const std::string& slug) {
  constexpr auto another_writes = true;
  const auto folder = io::session_folder(home_, slug);
  if (!folder) return fail(folder.error());
  auto directory = io::session_directory::open_read_only(*folder, another_writes);
  if (!directory) return fail(directory.error());
  auto loaded = directory->load();
  if (!loaded) return fail(loaded.error());
  directory_.emplace(std::move(*directory));
  state_ = loaded->state;
  slug_ = slug;
  return {};
}

result<turn> attached_front_end::turn_of(const json::object& event) const {
  turn t;
  t.after = state_;
  if (const auto* entries = event.if_contains("entries"); entries && entries->is_array())
    for (const auto& e : entries->get_array()) {
      if (e.is_int64()) {
        if (auto known = state_->history.at(e.get_int64())) t.entries.push_back(std::move(known));
      } else if (e.is_string()) {
        auto told = io::read_entry(std::string_view{e.get_string()});
        if (!told) return fail(told.error());
        t.entries.push_back(std::move(*told));
      }
    }
  t.effect.kind = static_cast<turn_effect::kind_t>(number_in(event, "effect"));
  t.effect.argument = text_in(event, "argument");
  const auto* listing = event.if_contains("listing");
  if (listing && listing->is_object()) {
    const auto& o = listing->get_object();
    auto l = std::make_shared<entry_listing>();
    l->from = state_->history;
    l->as_json = flag_in(o, "as_json");
    l->accessible = flag_in(o, "in_words");
    if (const auto* indices = o.if_contains("indices"); indices && indices->is_array())
      for (const auto& i : indices->get_array())
        if (i.is_int64()) l->indices.push_back(i.get_int64());
    t.listing = std::move(l);
  }
  return t;
}

}  // namespace fermata::app
