#include "apps/fermata/commands/commands.hpp"
#include "core/lang/reference/format.hpp"
#include "core/lang/syntax/reader.hpp"
#include "io/files/files.hpp"

#include <cstdio>

namespace fermata::app {

namespace {

/// Text that does not read is not laid out: it might be cut in the middle of a thought.
bool readable(std::string_view text, const std::string& path) {
  auto read = fermata::read(text);
  if (read.complete()) return true;
  auto errors = read.errors;
  if (errors.diagnostics.empty())
    errors = {errc::unclosed_delimiter, "unclosed delimiter", read.open.back(),
              "add the closing delimiter, or delete this one"};
  complain(errors, text, path == "-" ? "standard input" : path);
  return false;
}

}  // namespace

int format_command(const format_options& o) {
  int status = exit_ok;
  for (auto& path : o.files) {
    auto text = io::read_file(path);
    if (!text) {
      complain(text.error(), {}, {});
      status = exit_failure;
      continue;
    }
    if (!readable(*text, path)) {
      status = exit_failure;
      continue;
    }
    auto laid_out = format(*text);
    if (o.check) {
      if (laid_out != *text) {
        std::printf("%s\n", path.c_str());
        status = exit_failure;
      }
      continue;
    }
    if (path != "-" && laid_out == *text) continue;  // nothing to write, the file keeps its date
    if (auto done = io::write_file(path, laid_out); !done) {
      complain(done.error(), {}, {});
      status = exit_failure;
    }
  }
  return status;
}

}  // namespace fermata::app
