#include "apps/fermata/doctor/doctor_advice.hpp"
#include "apps/fermata/doctor/doctor_finding.hpp"
#include "core/session/commands/setting_table.hpp"
#include "io/config/config_file.hpp"
#include "io/terminal/foreground_program.hpp"
#include "io/terminal/input_assembler.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

// What editing at the prompt needs: the history of inputs, the start-up file, pager and editor.

namespace fermata::app {

namespace {

using enum finding::level_t;
namespace fs = std::filesystem;

void examine_history(findings& all, const fs::path& path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) {
    if (auto cause = errno; cause != ENOENT && cause != ENOTDIR)
      all.push_back({wrong, "editing",
                     fmt::format("{}, the input history: {}", path.string(), std::strerror(cause)),
                     advice_on(cause, path, "u+rw")});
    return;
  }
  if (!S_ISREG(s.st_mode))
    all.push_back({wrong, "editing", path.string() + ", the input history, is not a file",
                   "move it away; it is recreated at the next start"});
  else if (auto cause = ::access(path.c_str(), R_OK | W_OK) == 0 ? 0 : errno; cause != 0)
    all.push_back({wrong, "editing",
                   fmt::format("cannot read and write {}: {}", path.string(), std::strerror(cause)),
                   advice_on(cause, path, "u+rw")});
  else if ((s.st_mode & 077U) != 0)
    all.push_back({wrong, "editing",
                   path.string() + ", your input history, is accessible to other users",
                   "chmod go-rwx " + path.string()});
  else
    all.push_back({fine, "editing", path.string() + ": input history, private", ""});
}

void examine_startup(findings& all, const fs::path& path) {
  std::error_code failed;
  if (!fs::exists(path, failed)) return;  // whether it is wanted is a question of the settings
  // Reading a folder is no error of a stream but an exception.
  bool is_file = fs::is_regular_file(path, failed);
  std::ifstream file;
  if (is_file) file.open(path, std::ios::binary);
  std::string text;
  if (is_file && file) text.assign(std::istreambuf_iterator<char>{file}, {});
  auto cause = is_file && ::access(path.c_str(), R_OK) != 0 ? errno : 0;
  if (!is_file || !file)
    all.push_back({wrong, "editing", path.string() + " is not a valid start-up file",
                   cause != 0 ? advice_on(cause, path, "u+r")
                              : "move it away: a start-up file is a file of expressions"});
  else if (io::is_incomplete(text))
    all.push_back({wrong, "editing", path.string() + " ends in the middle of an expression",
                   "close the open parentheses"});
}

}  // namespace

findings examine_editing(const std::string& home) {
  findings all;
  auto config = io::read_config(io::config_path(home)).values;
  examine_history(all, fs::path{home} / "history");
  examine_startup(all, fs::path{home} / effective_setting("startup-file", {}, config));
  auto setting = effective_setting("pager", {}, config);
  if (auto name = io::missing_program(io::pager_command(setting)); !name.empty())
    all.push_back({wrong, "editing", fmt::format("the pager `{}` was not found", name),
                   setting == "auto" ? "set PAGER to an installed program"
                                     : "`fermata config set pager auto`"});
  auto editor = io::chosen_editor();
  auto visual = std::getenv("VISUAL");
  if (auto name = io::missing_program(editor ? *editor : io::usual_editor); !name.empty())
    all.push_back({editor ? wrong : note, "editing",
                   fmt::format("the editor `{}` was not found, so `:edit` will not work", name),
                   std::string{"set "} + (visual && *visual ? "VISUAL" : "EDITOR") +
                       " to an installed editor"});
  return all;
}

}  // namespace fermata::app
