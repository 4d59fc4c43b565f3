#include "io/store/take_file.hpp"

#include "core/utf8.hpp"
#include "io/json/time_json.hpp"
#include "midi/sound/message_check.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

namespace fermata::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view first_line = "fermata-take 2", take_extension = ".take";
constexpr std::string_view first_line_of_version_1 = "fermata-take 1",
                           any_version = "fermata-take ";

tl::unexpected<error> bad_line(std::size_t number, std::string_view what) {
  return fail({errc::unreadable_file, fmt::format("line {}: {}", number, what), std::nullopt,
               "Takes are text files that begin with `" + std::string{first_line} + "`."});
}

/// The first word of a line, which is removed from it.
std::string_view take_word(std::string_view& line) {
  auto end = std::min(line.find(' '), line.size());
  auto word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

template <class N>
std::optional<N> number_in(std::string_view word) {
  N n{};
  auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (failed != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return n;
}

std::optional<std::chrono::nanoseconds> time_in(std::string_view word) {
  auto n = number_in<std::int64_t>(word);
  if (!n || *n < 0) return std::nullopt;
  return std::chrono::nanoseconds{*n};
}

std::string on_one_line(std::string_view text) {
  auto name = as_valid_utf8(text);
  std::replace(name.begin(), name.end(), '\n', ' ');
  return name;
}

/// Empty: not the hexadecimal digits of bytes.
std::vector<std::uint8_t> bytes_in(std::string_view word) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i + 1 < word.size(); i += 2) {
    unsigned byte = 0;
    auto two = word.substr(i, 2);
    auto [end, failed] = std::from_chars(two.data(), two.data() + 2, byte, 16);
    if (failed != std::errc{} || end != two.data() + 2) return {};
    bytes.push_back(static_cast<std::uint8_t>(byte));
  }
  return word.size() % 2 == 0 ? bytes : std::vector<std::uint8_t>{};
}

/// Reads the lines of a take one by one.
class take_reader {
public:
  stored_take read;

  result<void> line(std::string_view text, std::size_t number) {
    if (read.is_complete) return bad_line(number, "there is nothing after `end`");
    auto word = take_word(text);
    if (word == "port") {
      read.music.ports.push_back(on_one_line(text));
      return {};
    }
    if (word == "started") {
      auto t = parse_time_text(text);
      if (!t) return bad_line(number, t.error().first().message);
      read.started = *t;
      return {};
    }
    if (word == "part") {
      read.place.part = on_one_line(text);
      return {};
    }
    if (word == "measures") return measures(text, number);
    if (word == "beat") return beat(text, number);
    auto at = time_in(word == "end" ? text : word);
    if (!at) return bad_line(number, "expected a time in nanoseconds");
    if (*at < read.music.end) return bad_line(number, "the time is before that of the line above");
    read.music.end = *at;
    read.is_complete = word == "end";
    return read.is_complete ? result<void>{} : event(*at, text, number);
  }

private:
  result<void> measures(std::string_view text, std::size_t number) {
    auto first = number_in<int>(take_word(text)), last = number_in<int>(text);
    if (!first || !last || *first < 1 || *last < *first)
      return bad_line(number, "expected the first and the last measure");
    read.place.measures = {*first, *last};
    return {};
  }

  result<void> beat(std::string_view text, std::size_t number) {
    auto at = number_in<std::int64_t>(take_word(text));
    auto in_measure = number_in<int>(take_word(text));
    auto slash = std::min(text.find('/'), text.size());
    auto beats = number_in<std::uint8_t>(text.substr(0, slash));
    auto type = number_in<std::uint8_t>(text.substr(std::min(slash + 1, text.size())));
    if (!at || !in_measure || *in_measure < 1 || !beats || *beats == 0 || !type ||
        !std::has_single_bit(*type))
      return bad_line(number, "expected a time, a beat and a time signature");
    std::chrono::nanoseconds time{*at};
    if (!read.music.beats.empty() && time <= read.music.beats.back().at)
      return bad_line(number, "the beat is not after the one before");
    read.music.beats.push_back({time, *in_measure, {*beats, *type}});
    return {};
  }

  result<void> event(std::chrono::nanoseconds at, std::string_view text, std::size_t number) {
    auto port = number_in<std::size_t>(take_word(text));
    if (!port || *port >= read.music.ports.size()) return bad_line(number, "unknown port");
    auto bytes = bytes_in(text);
    if (!midi::is_complete_message(bytes)) return bad_line(number, "not one MIDI message");
    read.music.events.push_back({at, *port, std::move(bytes)});
    return {};
  }
};

}  // namespace

std::string take_beginning(timestamp started, const take_place& place) {
  auto text = fmt::format("{}\nstarted {}\n", first_line, time_text(started));
  if (!place.part.empty()) text += fmt::format("part {}\n", on_one_line(place.part));
  if (auto& m = place.measures) text += fmt::format("measures {} {}\n", m->first, m->second);
  return text;
}

std::string take_port_line(std::string_view id) {
  return fmt::format("port {}\n", on_one_line(id));
}

std::string take_beat_line(const midi::take_beat& b) {
  return fmt::format("beat {} {} {}/{}\n", b.at.count(), b.number, b.metre.beats,
                     b.metre.beat_type);
}

std::string take_event_line(const midi::take_event& e) {
  auto line = fmt::format("{} {} ", e.at.count(), e.port);
  for (auto b : e.bytes)
    line += fmt::format("{:02x}", b);
  return line += '\n';
}

std::string take_end_line(std::chrono::nanoseconds end) {
  return fmt::format("end {}\n", end.count());
}

std::string take_text(const stored_take& t) {
  auto text = take_beginning(t.started, t.place);
  for (auto& port : t.music.ports)
    text += take_port_line(port);
  for (auto& b : t.music.beats)
    text += take_beat_line(b);
  for (auto& e : t.music.events)
    text += take_event_line(e);
  return text += take_end_line(t.music.end);
}

result<stored_take> read_take(std::string_view text) {
  take_reader reader;
  reader.read.is_complete = false;
  for (std::size_t number = 1; !text.empty(); ++number) {
    auto end = text.find('\n');
    if (end == text.npos) break;  // the program ended while it wrote this line
    auto line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (number == 1) {
      if (line == first_line || line == first_line_of_version_1) continue;
      return bad_line(1, line.starts_with(any_version)
                             ? "this take was recorded by a newer version of Fermata"
                             : "this is not a take");
    }
    if (auto done = reader.line(line, number); !done) {
      reader.read.damage = done.error().first().message;
      reader.read.is_complete = false;
      break;
    }
  }
  return std::move(reader.read);
}

fs::path take_folder(const fs::path& session) { return session / "takes"; }

fs::path take_path(const fs::path& session, int number) {
  return take_folder(session) / (std::to_string(number) + std::string{take_extension});
}

std::vector<int> take_numbers(const fs::path& session) {
  std::vector<int> numbers;
  std::error_code failed;
  for (fs::directory_iterator i{take_folder(session), failed}, end; !failed && i != end;
       i.increment(failed)) {
    auto name = i->path().lexically_relative(session).string();
    std::error_code unknown;
    if (!is_take_name(name) || !i->is_regular_file(unknown)) continue;
    numbers.push_back(*number_in<int>(i->path().stem().string()));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

result<void> copy_takes(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  for (auto number : take_numbers(from)) {
    auto target = take_path(to, number);
    fs::create_directories(take_folder(to), failed);
    if (!failed)
      fs::copy_file(take_path(from, number), target, fs::copy_options::overwrite_existing, failed);
    if (failed) return fail(write_error("cannot write", target, failed.value()));
  }
  return {};
}

bool is_take_name(std::string_view path) {
  constexpr std::string_view folder = "takes/";
  if (!path.starts_with(folder) || !path.ends_with(take_extension)) return false;
  path.remove_prefix(folder.size());
  path.remove_suffix(take_extension.size());
  auto number = number_in<int>(path);
  return number && *number > 0 && std::to_string(*number) == path;
}

result<stored_take> load_take(const fs::path& session, int number) {
  auto path = take_path(session, number);
  if (is_missing(path)) {
    auto all = take_numbers(session);
    auto advice = all.empty()       ? std::string{"`:record` records one."}
                  : all.size() == 1 ? fmt::format("The only one is take {}.", all.front())
                                    : fmt::format("The last one is take {}.", all.back());
    return fail({errc::no_such_entry, fmt::format("there is no take {}", number), std::nullopt,
                 std::move(advice)});
  }
  auto text = read_file(path);
  if (!text) return fail(text.error());
  auto read = read_take(*text);
  if (!read) {
    auto e = read.error().first();
    return fail({e.code, path.string() + ": " + e.message, std::nullopt, e.hint});
  }
  return read;
}

result<take_writer> take_writer::create(const fs::path& session, timestamp started,
                                        const take_place& place) {
  std::error_code failed;
  fs::create_directories(take_folder(session), failed);
  if (failed) return fail(write_error("cannot create", take_folder(session), failed.value()));
  auto all = take_numbers(session);
  for (auto number = all.empty() ? 1 : all.back() + 1;; ++number) {
    auto path = take_path(session, number);
    auto file = open_to_write(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL);
    if (!file && errno == EEXIST) continue;
    if (!file) return fail(write_error("cannot create", path, errno));
    take_writer writer{std::move(file), path, number};
    if (auto done = writer.append(take_beginning(started, place)); !done) return fail(done.error());
    if (auto done = sync_folder(take_folder(session)); !done) return fail(done.error());
    return writer;
  }
}

result<void> take_writer::append(std::string_view lines) {
  return write_all(file_.get(), lines, path_);
}

result<void> take_writer::rewrite(std::string_view text) {
  if (::ftruncate(file_.get(), 0) != 0) return fail(write_error("cannot write", path_, errno));
  return write_all(file_.get(), text, path_);  // it is open for appending
}

result<void> take_writer::sync() { return sync_file(file_.get(), path_); }

result<void> take_writer::remove() {
  if (::unlink(path_.c_str()) != 0) return fail(write_error("cannot remove", path_, errno));
  return {};
}

}  // namespace fermata::io
