#include "apps/fermata/prompt/opened_file.hpp"

#include "io/formats/formats.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>

namespace fermata::app {

namespace {

std::string in_quotes(const std::string& path) {
  std::string out = "\"";
  for (char c : path) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

/// The entry of the session that read the file; null: none did.
entry_ptr entry_that_read(const session_state& s, const std::string& command) {
  // The file is the first thing that is entered, after what the session says of itself.
  constexpr std::int64_t farthest = 20;
  for (std::int64_t i = 1; i <= std::min(s.history.size(), farthest); ++i) {
    auto entry = s.history.at(i);
    auto done = entry ? std::get_if<command_entry>(&entry->kind) : nullptr;
    if (done && done->ok && done->text == command) return entry;
  }
  return nullptr;
}

bool has_work(const session_state& s) {
  return s.revision > 0 || !s.env->bindings.empty() || !s.score->parts.empty();
}

bool is_newer(const std::filesystem::path& file, timestamp than) {
  std::error_code failed;
  auto written = std::filesystem::last_write_time(file, failed);
  return !failed && std::chrono::file_clock::to_sys(written) > than;
}

}  // namespace

std::string session_name_of(const std::filesystem::path& file) { return file.stem().string(); }

std::string why_not_opened(const std::filesystem::path& file) {
  std::error_code failed;
  if (!std::filesystem::exists(file, failed))
    return file.string() + " does not exist\n`fermata --session NAME` starts a new session.";
  if (std::filesystem::is_directory(file, failed)) return file.string() + " is a folder";
  auto format = io::format_of_path(file.string());
  if (!format) {
    auto& why = format.error().first();
    return why.message + (why.hint.empty() ? "" : '\n' + why.hint);
  }
  if (!(*format)->read)
    return file.string() + ": " + std::string{(*format)->description} + " can only be written";
  return {};
}

opened_file opened_in(const session_state& s, const std::filesystem::path& file) {
  auto format = io::format_of_path(file.string());
  auto is_program = format && (*format)->name == "fermata";
  auto command = (is_program ? ":run " : ":import ") + in_quotes(file.string());
  if (auto before = entry_that_read(s, command)) {
    auto changed = is_newer(file, before->time);
    return {{},
            file.filename().string() +
                (changed ? " has changed since this session read it"
                         : " was already read into this session") +
                "; `" + command + "` reads it again",
            false};
  }
  if (has_work(s))
    return {{},
            "session " + s.meta.slug + " already has other work; `fermata --session NAME " +
                file.filename().string() + "` opens the file in another session",
            true};
  return {command, {}, false};
}

}  // namespace fermata::app
