#include "io/formats/formats.hpp"

#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/layout/decompile.hpp"
#include "core/lang/reference/format.hpp"
#include "core/lang/syntax/token.hpp"
#include "core/score/analysis/validate.hpp"
#include "core/session/commands/classify.hpp"
#include "core/utf8.hpp"
#include "io/formats/midi_format.hpp"
#include "io/lilypond/export.hpp"
#include "io/musicxml/container/mxl.hpp"
#include "io/musicxml/container/read.hpp"
#include "io/musicxml/export.hpp"

#include <algorithm>
#include <chrono>

namespace fermata::io {

namespace {

/// What is sound as a file may still be odd music; a musician wants to know both.
void add_findings(document& d) {
  for (auto& f : validate(*d.score))
    d.warnings.push_back({errc::invalid_score, f.message, std::nullopt, {}});
}

/// A whole program of the language, evaluated from nothing, and the score it leaves. Errors carry
/// spans into `text`.
result<evaluation> score_from_program(std::string_view text) {
  evaluation_request request;
  request.text = text;
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  request.history = [](std::string_view, std::int64_t) { return std::optional<history_value>{}; };
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{batch_limits{}.seconds};
  request.interrupted = [deadline]() -> std::optional<errc> {
    if (std::chrono::steady_clock::now() > deadline) return errc::budget_exceeded;
    return std::nullopt;
  };
  return evaluate(request);
}

/// Whether the text begins as XML does: with a declaration, a document type, a comment, a score.
bool looks_like_xml(std::string_view bytes) {
  constexpr std::size_t enough = 4096;
  auto text = without_blanks(bytes.substr(0, enough));
  return text.starts_with("<?xml") || text.starts_with("<!") || text.starts_with("<score-");
}

result<document> read_fermata(std::string_view bytes, std::string_view) {
  // One word instead of a fault for every line of it.
  if (&format_of_bytes(bytes) != format_by_name("fermata"))
    return fail({errc::unsupported_format, "this is MusicXML, not Fermata text", std::nullopt,
                 "use `fermata import FILE.musicxml` to get Fermata text, or `fermata convert` for "
                 "other formats"});
  if (auto lines = prompt_lines_in(bytes); !lines.diagnostics.empty())
    return fail(std::move(lines));
  auto made = score_from_program(bytes);
  if (!made) return fail(made.error());
  document d{made->score, {}, {}, {}};
  for (auto& remark : made->remarks)
    d.warnings.push_back({errc::invalid_score, remark, std::nullopt, {}});
  add_findings(d);
  return d;
}

/// "line 3, column 7: " at the beginning of a message, or nothing.
std::string_view place_in_words(std::string_view message) {
  auto rest = message;
  for (std::string_view word : {"line ", ", column ", ": "}) {
    if (!rest.starts_with(word)) return {};
    rest.remove_prefix(word.size());
    if (word != ": ")
      rest.remove_prefix(std::min(rest.find_first_not_of("0123456789"), rest.size()));
  }
  return message.substr(0, message.size() - rest.size());
}

/// Says once where a fault is: by its span if that is one of the file, else in words. What was
/// packed, or is written in other letters than UTF-8, was read as another text.
void place_once(std::string_view bytes, std::vector<diagnostic>& all) {
  auto is_as_read = bytes.find('\0') == bytes.npos && find_invalid_utf8(bytes) == bytes.npos;
  // The reader counts from behind a byte order mark.
  std::size_t mark = bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (auto& d : all) {
    if (!d.span) continue;
    if (is_as_read) {
      d.message.erase(0, place_in_words(d.message).size());
      d.span = source_span{d.span->begin + mark, d.span->end + mark};
    } else {
      d.span.reset();
    }
  }
}

result<document> read_musicxml(std::string_view bytes, std::string_view origin) {
  auto read = musicxml::read(bytes, origin);
  auto without_name = [&](std::vector<diagnostic>& all) {
    auto name = std::string{origin} + ": ";
    for (auto& d : all)
      if (d.message.starts_with(name)) d.message.erase(0, name.size());
    place_once(bytes, all);
  };
  if (!read) {
    without_name(read.error().diagnostics);
    return fail(read.error());
  }
  without_name(read->warnings);
  document d{read->score, std::move(read->warnings), read->report.text(), read->report.json()};
  add_findings(d);
  return d;
}

result<written_document> write_musicxml(const score& s, writing_options how) {
  musicxml::write_options options;
  options.pretty = !how.compact;
  if (how.additions == writing::as_given)
    options.accidentals = options.beams = options.playback = musicxml::completion::as_given;
  written_document out;
  out.bytes = musicxml::write(s, options, &out.left_out);
  return out;
}

result<written_document> write_mxl(const score& s, writing_options how) {
  auto out = write_musicxml(s, how);
  if (!out) return out;
  auto packed = musicxml::pack_mxl(out->bytes);
  if (!packed) return fail(packed.error());
  out->bytes = std::move(*packed);
  return out;
}

std::string lowered(std::string_view text) {
  std::string out{text};
  for (auto& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// Is `word` one of the blank-separated words of `list`?
bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    auto end = list.find(' ');
    if (list.substr(0, end) == word) return true;
    if (end == std::string_view::npos) break;
    list.remove_prefix(end + 1);
  }
  return false;
}

result<written_document> write_fermata(const score& s, writing_options) {
  // As `fermata fmt` would leave it, so that formatting a fresh import changes nothing.
  auto text = format(print_score(s));
  if (text.empty() || text.back() != '\n') text += '\n';
  return written_document{std::move(text), {}};
}

/// The formats there are, for whoever asked for another.
std::string known_formats() {
  std::string known;
  for (auto& f : format_table())
    known +=
        (known.empty() ? "" : ", ") + std::string{f.name} + " (" + std::string{f.extensions} + ")";
  return "formats: " + known;
}

result<written_document> write_lilypond(const score& s, writing_options how) {
  written_document out;
  lilypond::write_options options;
  options.beams_as_given = how.additions == writing::as_given;
  out.bytes = lilypond::write(s, options, &out.left_out);
  return out;
}

}  // namespace

const std::vector<score_format>& format_table() {
  static const std::vector<score_format> table{
      {"fermata", ".ferm .fm", "Fermata text", read_fermata, write_fermata},
      {"musicxml", ".musicxml .xml", "MusicXML 4.0; reads 1.0 to 4.0", read_musicxml,
       write_musicxml, writing::as_given, musicxml::read_limits{}.bytes},
      {"lilypond", ".ly", "LilyPond 2.24 input", nullptr, write_lilypond},
      {"mxl", ".mxl", "compressed MusicXML", read_musicxml, write_mxl, writing::as_given,
       musicxml::read_limits{}.bytes},
      {"midi", ".mid .midi .kar", "Standard MIDI File; reads notes on the grid", read_midi,
       write_midi, writing::completed, most_midi_bytes},
      {"rmid", ".rmi", "Standard MIDI File in a RIFF container", read_rmid, write_rmid,
       writing::completed, most_midi_bytes},
  };
  return table;
}

std::string formats_text() {
  constexpr std::size_t name_width = 10, extensions_width = 21, use_width = 12;
  std::string text;
  auto column = [&](std::string cell, std::size_t width) {
    cell.resize(std::max(cell.size() + 1, width), ' ');
    text += cell;
  };
  for (auto& f : format_table()) {
    text += "  ";
    column(std::string{f.name}, name_width);
    column(std::string{f.extensions}, extensions_width);
    column(f.read && f.write ? "read, write" : f.read ? "read" : "write", use_width);
    text += "  " + std::string{f.description} + "\n";
  }
  return text;
}

const score_format* format_by_name(std::string_view name) {
  auto wanted = lowered(name);
  for (auto& f : format_table())
    if (f.name == wanted || lists(f.extensions, "." + wanted)) return &f;
  return nullptr;
}

result<const score_format*> format_called(std::string_view name) {
  if (auto format = format_by_name(name)) return format;
  return fail({errc::unsupported_format, "unknown format `" + std::string{name} + "`", std::nullopt,
               known_formats()});
}

const score_format& format_of_bytes(std::string_view bytes) {
  // PK: a zip archive. FF FE and FE FF: UTF-16, which Fermata text is not.
  auto name =
      bytes.starts_with("PK\x03\x04") ? "mxl"
      : looks_like_midi(bytes)        ? "midi"
      : looks_like_xml(bytes) || bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")
          ? "musicxml"
          : "fermata";
  return *format_by_name(name);
}

result<const score_format*> format_of_path(std::string_view path) {
  auto slash = path.find_last_of('/');
  auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  auto dot = name.find_last_of('.');
  auto extension = dot == std::string_view::npos ? std::string{} : lowered(name.substr(dot));
  for (auto& f : format_table())
    if (!extension.empty() && lists(f.extensions, extension)) return &f;
  return fail({errc::unsupported_format,
               path.empty()        ? "empty file name"
               : extension.empty() ? std::string{path} + " has no extension that names a format"
                                   : "no format has the extension " + extension,
               std::nullopt, known_formats()});
}

}  // namespace fermata::io
