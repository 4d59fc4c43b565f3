#include "apps/fermata/commands/commands.hpp"
#include "core/session/commands/setting_table.hpp"
#include "io/config/config_file.hpp"
#include "io/files/files.hpp"
#include "io/store/home.hpp"
#include "io/terminal/foreground_program.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace fermata::app {

namespace {

namespace fs = std::filesystem;

void print_setting(const std::string& text) { std::puts(text.c_str()); }

int refuse(const error& e) {
  auto& d = e.first();
  std::fputs((d.hint.empty() ? d.message + '\n' : d.message + '\n' + d.hint + '\n').c_str(),
             stderr);
  return exit_failure;
}

/// Faults of the file go to standard error; the exit code.
int report(const io::configuration& c) {
  for (auto& p : c.problems)
    std::fputs((p + '\n').c_str(), stderr);
  return c.problems.empty() ? exit_ok : exit_failure;
}

int list(const io::configuration& c, bool json) {
  for (auto& row : setting_table()) {
    auto configured = c.values.contains(row.name);
    auto value = effective_setting(row.name, {}, c.values);
    if (json) {
      boost::json::object line{{"name", row.name},
                               {"value", value},
                               {"from", configured ? "config.toml" : "default"},
                               {"default", row.by_default},
                               {"takes", allowed_values(row)},
                               {"help", row.help}};
      print_setting(boost::json::serialize(line));
    } else {
      print_setting(fmt::format("{:<28}; {}: {}{}", fmt::format("{} = {}", row.name, value),
                                row.help, allowed_values(row), configured ? " (config.toml)" : ""));
    }
  }
  return report(c);
}

int get(const io::configuration& c, const std::string& name) {
  if (!find_setting(name)) return refuse(unknown_setting(name));
  print_setting(effective_setting(name, {}, c.values));
  // What else is wrong in the file is said, but the question has its answer.
  report(c);
  return exit_ok;
}

int set(const fs::path& path, const std::string& name, const std::string& value) {
  if (auto changed = io::change_setting(path, name, value); !changed)
    return refuse(changed.error());
  auto now = io::read_config(path);
  print_setting(fmt::format("{} = {}{}", name, effective_setting(name, {}, now.values),
                            value == "default" ? " (default)" : ""));
  // What else is wrong in the file is said, but this is done.
  report(now);
  return exit_ok;
}

int edit(const fs::path& path) {
  if (auto made = io::create_config_folder(path); !made) return refuse(made.error());
  std::error_code failed;
  if (!fs::exists(path, failed)) {
    // Something to start with: every setting, switched off.
    std::string text = "# Settings of Fermata; `fermata config` lists them.\n";
    for (auto& row : setting_table())
      if (auto line = io::with_setting({}, row.name, row.by_default))
        text += fmt::format("\n# {}: {}\n# {}", row.help, allowed_values(row), *line);
    if (auto written = io::write_file(path.string(), text); !written)
      return refuse(written.error());
  }
  if (auto edited = io::edit_file(path.string()); !edited) return refuse(edited.error());
  return report(io::read_config(path));
}

int misused(const std::string& what) {
  std::fputs(("fermata config: " + what +
              "\nUsage: fermata config [list | get NAME | set NAME VALUE | path | edit]\n")
                 .c_str(),
             stderr);
  return exit_usage;
}

}  // namespace

int config_command(const config_options& o) {
  auto path = io::config_path(io::fermata_home());
  if (o.action == "list" && o.name.empty()) return list(io::read_config(path), o.json);
  if (o.action == "path" && o.name.empty()) {
    print_setting(path.string());
    return exit_ok;
  }
  if (o.action == "edit" && o.name.empty()) return edit(path);
  if (o.action == "get")
    return o.name.empty() || !o.value.empty() ? misused("`get` takes the name of one setting")
                                              : get(io::read_config(path), o.name);
  if (o.action == "set")
    return o.name.empty() || o.value.empty()
               ? misused("`set` takes the name of a setting and a value")
               : set(path, o.name, o.value);
  return misused("`" + o.action + "` takes no arguments");
}

}  // namespace fermata::app
