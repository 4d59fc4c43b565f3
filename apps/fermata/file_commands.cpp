#include "apps/fermata/commands.hpp"
#include "apps/fermata/source_lines.hpp"
#include "io/files/files.hpp"
#include "io/files/formats.hpp"

#include <boost/json.hpp>

#include <cstdio>

namespace fermata::app {

namespace {

int failed(const error& e, std::string_view source, std::string_view origin) {
  complain(e, source, origin == "-" ? "standard input" : origin);
  return exit_failure;
}

/// A format by name, else by the path's extension, else `fallback`.
result<const io::score_format*> chosen_format(const std::string& name, const std::string& path,
                                              std::string_view fallback) {
  if (!name.empty()) {
    if (auto f = io::format_by_name(name)) return f;
    return io::format_of_path("." + name);  // says which formats there are
  }
  if (path == "-") return io::format_by_name(fallback);
  return io::format_of_path(path);
}

/// What a program leaves that is no music goes nowhere.
void remark_on(const score& made, std::string_view input) {
  if (made.parts.empty())
    std::fprintf(stderr, "%s: note: the program writes no music; the score is empty\n",
                 input == "-" ? "standard input" : std::string{input}.c_str());
}

/// What reading kept and dropped, and what writing left out, as one object on a line.
std::string whole_report(const std::string& of_reading, const std::vector<diagnostic>& left_out) {
  boost::json::object report;
  if (!of_reading.empty()) report = boost::json::parse(of_reading).as_object();
  boost::json::array messages;
  for (auto& d : left_out)
    messages.emplace_back(d.message);
  report["left_out"] = std::move(messages);
  return boost::json::serialize(report) + "\n";
}

}  // namespace

int compile_command(const compile_options& o) {
  auto text = io::read_file(o.input);
  if (!text) return failed(text.error(), {}, {});
  auto target = chosen_format(o.target, o.output, "musicxml");
  if (!target) return failed(target.error(), {}, {});
  auto read = io::format_by_name("fermata")->read(*text, o.input);
  if (!read) return failed(read.error(), *text, o.input);
  warn(read->warnings, *text, o.input);
  remark_on(*read->score, o.input);
  auto out = (*target)->write(*read->score, io::writing::completed);
  if (!out) return failed(out.error(), {}, {});
  warn(out->left_out, {}, o.output);
  if (auto done = io::write_file(o.output, out->bytes); !done) return failed(done.error(), {}, {});
  return exit_ok;
}

int check_command(const check_options& o) {
  int worst = exit_ok;
  for (auto& path : o.files) {
    auto bytes = io::read_file(path);
    if (!bytes) {
      worst = failed(bytes.error(), {}, {});
      continue;
    }
    auto format = chosen_format({}, path, "fermata");
    if (!format) {
      worst = failed(format.error(), {}, {});
      continue;
    }
    if (!(*format)->read) {
      worst = failed({errc::unsupported_format,
                      path + ": " + std::string{(*format)->name} + " can be written, not read"},
                     {}, {});
      continue;
    }
    auto read = (*format)->read(*bytes, path);
    auto lines = source_lines(*bytes, **format);
    if (!read)
      worst = failed(read.error(), lines, path);
    else
      warn(read->warnings, lines, path);
  }
  return worst;
}

int convert_command(const convert_options& o) {
  auto from = chosen_format(o.from, o.input, "fermata");
  auto to = chosen_format(o.to, o.output, "musicxml");
  for (auto* f : {&from, &to})
    if (!*f) return failed(f->error(), {}, {});
  if (!(*from)->read)
    return failed(
        {errc::unsupported_format, std::string{(*from)->name} + " can be written, not read"}, {},
        {});
  if (!(*to)->write)
    return failed(
        {errc::unsupported_format, std::string{(*to)->name} + " can be read, not written"}, {}, {});
  if (o.compact && (*to)->name != "musicxml" && (*to)->name != "mxl")
    return failed({errc::unsupported_format,
                   "--compact is for MusicXML; " + std::string{(*to)->name} + " has one layout"},
                  {}, {});
  auto bytes = io::read_file(o.input);
  if (!bytes) return failed(bytes.error(), {}, {});
  auto read = (*from)->read(*bytes, o.input);
  auto lines = source_lines(*bytes, **from);
  if (!read) return failed(read.error(), lines, o.input);
  warn(read->warnings, lines, o.input);
  io::writing_options how{(*from)->passed_on};
  how.compact = o.compact;
  auto out = (*to)->write(*read->score, how);
  if (!out) return failed(out.error(), {}, {});
  warn(out->left_out, {}, o.output);
  if (o.report) {
    auto report = o.json ? whole_report(read->report_json, out->left_out) : read->report;
    std::fwrite(report.data(), 1, report.size(), stderr);
  }
  if (auto done = io::write_file(o.output, out->bytes); !done) return failed(done.error(), {}, {});
  return exit_ok;
}

}  // namespace fermata::app
