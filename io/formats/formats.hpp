#pragma once

#include "core/lang/syntax/reader.hpp"
#include "core/result.hpp"
#include "core/score/model/score.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io {

/// Result of reading a score file.
struct document {
  score_ptr score;
  std::vector<diagnostic> warnings;  ///< oddities that did not prevent reading
  std::string report;                ///< what was kept as is and what, if anything, was dropped
  std::string report_json;
};

/// How much a writer may add. Music that came from a file says what it wants to say; music written
/// in our own language rarely says accidentals, beams or playback, and they are worked out.
enum class writing : std::uint8_t { as_given, completed };

/// How a score is written.
struct writing_options {
  writing_options(writing what) : additions(what) {}  // NOLINT: most callers say only this
  writing additions;
  bool compact = false;  ///< MusicXML without indentation; other formats have one layout
  bool exact = false;    ///< MIDI: as written, without ornaments, swing and ritardandos
  int midi_format = 1;   ///< 0: all in one track; a score for several ports stays in format 1
};

/// Result of writing a score.
struct written_document {
  std::string bytes;
  std::vector<diagnostic> left_out;  ///< what the format cannot say
};

/// One row per file format: commands, help and completion are made from it.
struct score_format {
  std::string_view name;        ///< "musicxml"
  std::string_view extensions;  ///< blank-separated, with dots, the usual one first
  std::string_view description;
  /// Errors and warnings do not name the origin: whoever shows them does.
  result<document> (*read)(std::string_view bytes, std::string_view origin) = nullptr;
  result<written_document> (*write)(const score& s, writing_options how) = nullptr;
  /// How a score that was read from this format is best written to another.
  writing passed_on = writing::completed;
  std::size_t most_bytes = reader_limits{}.bytes;  ///< that are read
};

const std::vector<score_format>& format_table();

/// The table as lines for help and the documentation: name, extensions, what can be done, what it
/// is.
std::string formats_text();

/// By name ("musicxml", also "xml", "ly") or nothing.
const score_format* format_by_name(std::string_view name);
/// The same; errors: errc::unsupported_format with the list of those that exist.
result<const score_format*> format_called(std::string_view name);
/// By how the bytes begin, for those that no name says it of: XML and archives are MusicXML, all
/// else is Fermata text.
const score_format& format_of_bytes(std::string_view bytes);
/// By the extension of a path. Errors: errc::unsupported_format with the list of those that exist.
result<const score_format*> format_of_path(std::string_view path);

/// Evaluation limits of batch commands: what a script may use, wall time 60 s included.
struct batch_limits {
  int seconds = 60;
};

}  // namespace fermata::io
