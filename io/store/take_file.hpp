#pragma once

#include "core/result.hpp"
#include "core/session/timeline/entry.hpp"
#include "io/store/file.hpp"
#include "midi/transcription/take.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata::io {

/// Takes of a session: `takes/1.take`, `takes/2.take`, ... in its folder, kept for good. A take is
/// a text that is only appended to while it is recorded, so that a killed program loses no more
/// than what it had not written yet:
///
///     fermata-take 2
///     started 2026-11-30T16:40:00.123Z
///     part P2
///     measures 5 8
///     port jack:piano:out
///     beat 0 1 3/4
///     0 0 903c50
///     512345678 0 803c40
///     end 900000000
///
/// `part` and `measures`, which may be missing: the part of the score for which it was played, by
/// id, and the measures during which it was, counted from 1. `port`: an input; the first one is 0.
/// `beat`, for each beat that was heard: nanoseconds since the beginning, its number in the
/// measure, the time signature. An event: nanoseconds since the beginning, port, the bytes of the
/// message in hexadecimal. Without `end` the recording was interrupted. Version 1 has no `part`,
/// `measures` and `beat`.

/// Where the notation of a take belongs in the score.
struct take_place {
  std::string part{};                             ///< its id; empty: none was chosen
  std::optional<std::pair<int, int>> measures{};  ///< from 1, inclusive; empty: after the last one
  bool operator==(const take_place&) const = default;
};

/// A take as it was read.
struct stored_take {
  midi::take music;
  timestamp started{};
  take_place place{};
  bool is_complete = true;  ///< false: the recording was interrupted, or there is damage
  std::string damage{};     ///< "line 4: not one MIDI message"; what follows is left out
};

/// The lines of the file.
std::string take_beginning(timestamp started, const take_place& place = {});
std::string take_port_line(std::string_view id);
std::string take_event_line(const midi::take_event& e);
std::string take_beat_line(const midi::take_beat& b);
std::string take_end_line(std::chrono::nanoseconds end);
/// A whole file.
std::string take_text(const stored_take& t);

/// Reads one. A last line that is not complete is left out, and so is everything from the first
/// line that is wrong. Error `unreadable_file`: it is no take.
result<stored_take> read_take(std::string_view text);

/// The folder of takes in that of a session.
std::filesystem::path take_folder(const std::filesystem::path& session);
std::filesystem::path take_path(const std::filesystem::path& session, int number);
/// The numbers of the takes that are there, in order.
std::vector<int> take_numbers(const std::filesystem::path& session);
/// Copies the takes of one session's folder to another. Errors: the system's.
result<void> copy_takes(const std::filesystem::path& from, const std::filesystem::path& to);
/// Whether this is the path of a take in the folder of a session: "takes/3.take".
bool is_take_name(std::string_view path);
/// Errors: `no_such_entry` if there is no such take; those of reading.
result<stored_take> load_take(const std::filesystem::path& session, int number);

/// A take that is being written.
class take_writer {
public:
  /// Creates the next take of a session. Errors: the system's.
  static result<take_writer> create(const std::filesystem::path& session, timestamp started,
                                    const take_place& place = {});
  int number() const { return number_; }
  result<void> append(std::string_view lines);
  /// Replaces the content.
  result<void> rewrite(std::string_view text);
  /// Flushes it to disk.
  result<void> sync();
  /// Removes the file.
  result<void> remove();

private:
  take_writer(file_descriptor file, std::filesystem::path path, int number)
    : file_(std::move(file)), path_(std::move(path)), number_(number) {}

  file_descriptor file_;
  std::filesystem::path path_;
  int number_;
};

}  // namespace fermata::io
