#include "apps/fermata/commands/commands.hpp"
#include "apps/fermata/commands/error_json.hpp"
#include "apps/fermata/commands/score_input.hpp"
#include "apps/fermata/commands/source_lines.hpp"
#include "core/lang/syntax/token.hpp"
#include "io/files/files.hpp"
#include "io/formats/formats.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace fermata::app {

namespace {

std::string named(const std::string& path) { return path == "-" ? "standard input" : path; }

int failed(const error& e, std::string_view source, const std::string& origin) {
  complain(e, source, named(origin));
  return exit_failure;
}

int failed(const error& e) { return failed(e, {}, {}); }

/// A format by name, else by the path's extension, else `fallback`.
result<const io::score_format*> chosen_format(const std::string& name, const std::string& path,
                                              std::string_view fallback) {
  if (!name.empty()) return io::format_called(name);
  if (path == "-") return io::format_by_name(fallback);
  return io::format_of_path(path);
}

/// The format to write. A file is what its name says: a name of another known format is refused,
/// so that nobody opens a ZIP archive called song.musicxml.
result<const io::score_format*> format_to_write(const std::string& name, const std::string& path,
                                                std::string_view fallback) {
  auto chosen = chosen_format(name, path, fallback);
  if (!chosen || name.empty() || path == "-") return chosen;
  if (auto of_name = io::format_of_path(path); of_name && *of_name != *chosen)
    return fail({errc::unsupported_format,
                 path + " has the extension of " + std::string{(*of_name)->name} +
                     ", but the output format is " + std::string{(*chosen)->name},
                 std::nullopt,
                 "Use the extension " +
                     std::string{(*chosen)->extensions.substr(0, (*chosen)->extensions.find(' '))} +
                     ", or `fermata convert` without --to."});
  return chosen;
}

/// Standard input is what it begins as when nobody says what it is.
result<score_file> opened(const std::string& path, const std::string& format_name) {
  const io::score_format* format = nullptr;
  if (path != "-" || !format_name.empty()) {
    auto chosen = chosen_format(format_name, path, {});
    if (!chosen) return fail(chosen.error());
    format = *chosen;
    if (!format->read)
      return fail({errc::unsupported_format,
                   named(path) + ": " + std::string{format->name} + " can only be written"});
  }
  auto bytes = io::read_file(path, format ? format->most_bytes : reader_limits{}.bytes);
  if (!bytes) return fail(bytes.error());
  if (!format) format = &io::format_of_bytes(*bytes);
  return score_file{std::move(*bytes), format};
}

/// What a program leaves that is no music goes nowhere. An input of nothing does not even take the
/// place of a file, because most often it is a pipe in which something went wrong, nor does a
/// program without music take its own. False: that is what was wanted, and said.
bool may_be_written(const score& made, const std::string& bytes, const std::string& input,
                    const std::string& output) {
  if (!made.parts.empty()) return true;
  std::error_code unknown;
  if (std::filesystem::is_regular_file(output, unknown) &&
      std::filesystem::file_size(output, unknown) > 0 &&
      (without_blanks(bytes).empty() || std::filesystem::equivalent(input, output, unknown))) {
    failed({errc::unwritable_file,
            named(input) + " produces no music; " + output + " was left unchanged", std::nullopt,
            "to write an empty score, delete that file first"});
    return false;
  }
  std::fprintf(stderr, "%s: note: the program produces no music; the score is empty\n",
               named(input).c_str());
  return true;
}

/// What reading kept and dropped, its warnings, and what writing left out, as one object on a line.
std::string whole_report(const std::string& of_reading, boost::json::array warnings,
                         const std::vector<diagnostic>& left_out) {
  boost::json::object report;
  if (!of_reading.empty()) report = boost::json::parse(of_reading).as_object();
  boost::json::array messages;
  for (auto& d : left_out)
    messages.emplace_back(d.message);
  report["warnings"] = std::move(warnings);
  report["left_out"] = std::move(messages);
  return boost::json::serialize(report) + "\n";
}

}  // namespace

std::optional<score_file> file_to_read(const std::string& path) {
  auto file = opened(path, {});
  if (file) return std::move(*file);
  failed(file.error());
  return std::nullopt;
}

score_ptr score_in(const score_file& file, const std::string& path) {
  auto read = file.format->read(file.bytes, path);
  auto lines = source_lines(file.bytes, *file.format);
  if (!read) {
    failed(read.error(), lines, path);
    return nullptr;
  }
  warn(read->warnings, lines, named(path));
  return std::move(read->score);
}

int compile_command(const compile_options& o) {
  auto target = format_to_write(o.target, o.output, "musicxml");
  if (!target) return failed(target.error());
  auto text = io::read_file(o.input);
  if (!text) return failed(text.error());
  auto read = io::format_by_name("fermata")->read(*text, o.input);
  if (!read) return failed(read.error(), *text, o.input);
  warn(read->warnings, *text, named(o.input));
  if (!may_be_written(*read->score, *text, o.input, o.output)) return exit_failure;
  auto out = (*target)->write(*read->score, io::writing::completed);
  if (!out) return failed(out.error());
  warn(out->left_out, {}, o.output);
  if (auto done = io::write_file(o.output, out->bytes); !done) return failed(done.error());
  return exit_ok;
}

namespace {

/// What `check` found in one file.
struct checked_file {
  std::string bytes;
  const io::score_format* format = nullptr;  ///< null: it could not be read at all
  error errors;                              ///< none: the file is sound
  std::vector<diagnostic> warnings;

  /// Where errors have places.
  std::string_view lines() const {
    return format ? source_lines(bytes, *format) : std::string_view{};
  }
};

checked_file checked(const std::string& path) {
  checked_file found;
  auto file = opened(path, {});
  if (!file) {
    found.errors = file.error();
    return found;
  }
  found.bytes = std::move(file->bytes);
  found.format = file->format;
  auto read = file->format->read(found.bytes, path);
  if (read)
    found.warnings = std::move(read->warnings);
  else
    found.errors = read.error();
  return found;
}

}  // namespace

int check_command(const check_options& o) {
  int worst = exit_ok;
  for (auto& path : o.files) {
    const auto found = checked(path);
    auto lines = found.lines();
    auto is_sound = found.errors.diagnostics.empty();
    if (!is_sound) worst = exit_failure;
    if (o.json) {
      boost::json::object report{{"file", path},
                                 {"ok", is_sound},
                                 {"errors", to_json(found.errors.diagnostics, lines)},
                                 {"warnings", to_json(found.warnings, lines)}};
      std::puts(boost::json::serialize(report).c_str());
    } else if (!is_sound) {
      complain(found.errors, lines, found.format ? named(path) : std::string{});
    } else {
      warn(found.warnings, lines, named(path));
    }
  }
  return worst;
}

namespace {

/// An option that would have no effect.
std::optional<error> option_of_another_format(const convert_options& o, std::string_view to) {
  auto refusal = [&](std::string message) {
    return error{errc::unsupported_format, std::move(message)};
  };
  if (o.compact && to != "musicxml" && to != "mxl")
    return refusal(fmt::format("--compact is for MusicXML; {} has only one layout", to));
  auto is_midi = to == "midi" || to == "rmid";
  if (!is_midi && o.exact) return refusal(fmt::format("--exact is for MIDI files, not for {}", to));
  if (!is_midi && o.midi_format != convert_options{}.midi_format)
    return refusal(fmt::format("--midi-format is for MIDI files, not for {}", to));
  return std::nullopt;
}

}  // namespace

int convert_command(const convert_options& o) {
  auto to = format_to_write(o.to, o.output, "musicxml");
  if (!to) return failed(to.error());
  if (!(*to)->write)
    return failed({errc::unsupported_format, std::string{(*to)->name} + " can only be read"});
  if (auto wrong = option_of_another_format(o, (*to)->name)) return failed(*wrong);
  auto file = opened(o.input, o.from);
  if (!file) return failed(file.error());
  auto read = file->format->read(file->bytes, o.input);
  auto lines = source_lines(file->bytes, *file->format);
  if (!read) return failed(read.error(), lines, o.input);
  // A program that reads the report as JSON has all of it there, and nothing else on the stream.
  const bool as_json = o.report && o.json;
  if (!as_json) warn(read->warnings, lines, named(o.input));
  if (!may_be_written(*read->score, file->bytes, o.input, o.output)) return exit_failure;
  io::writing_options how{file->format->passed_on};
  how.compact = o.compact;
  how.exact = o.exact;
  how.midi_format = o.midi_format;
  auto out = (*to)->write(*read->score, how);
  if (!out) return failed(out.error());
  if (!as_json) warn(out->left_out, {}, o.output);
  if (o.report) {
    auto report =
        as_json ? whole_report(read->report_json, to_json(read->warnings, lines), out->left_out)
                : read->report;
    std::fwrite(report.data(), 1, report.size(), stderr);
  }
  if (auto done = io::write_file(o.output, out->bytes); !done) return failed(done.error());
  return exit_ok;
}

}  // namespace fermata::app
