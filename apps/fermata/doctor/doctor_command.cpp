#include "apps/fermata/commands/commands.hpp"
#include "apps/fermata/doctor/doctor_finding.hpp"
#include "io/store/home.hpp"
#include "io/terminal/terminal_output.hpp"
#include "io/text/safe_text.hpp"
#include "io/text/wrap.hpp"

#include <boost/json.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace fermata::app {

namespace {

std::string_view name_of(finding::level_t l) {
  switch (l) {
    case finding::level_t::fine: return "ok";
    case finding::level_t::note: return "note";
    case finding::level_t::wrong: return "wrong";
  }
  return {};
}

/// A text that goes on below its own beginning.
void put_below(const std::string& head, const std::string& text, std::size_t columns) {
  auto width = io::display_width(head);
  std::puts((head + io::wrapped(text, columns, width, width)).c_str());
}

}  // namespace

int doctor_command(const doctor_options& o) {
  // Whoever is spoken to may be gone already.
  std::signal(SIGPIPE, SIG_IGN);
  auto home = io::fermata_home().string();
  findings all;
  for (auto examine :
       {examine_home, examine_config, examine_instances, examine_sessions, examine_editing}) {
    auto more = examine(home);
    all.insert(all.end(), more.begin(), more.end());
  }
  for (auto& more : {examine_terminal(), examine_sound(), examine_mcp(home)})
    all.insert(all.end(), more.begin(), more.end());
  auto wrong = std::count_if(all.begin(), all.end(),
                             [](auto& f) { return f.level == finding::level_t::wrong; });
  if (o.json) {
    boost::json::array list;
    for (auto& f : all)
      list.push_back(boost::json::object{{"area", f.area},
                                         {"level", name_of(f.level)},
                                         {"text", io::safe_text(f.text)},
                                         {"advice", f.advice}});
    boost::json::object report{{"home", home}, {"wrong", wrong}, {"findings", std::move(list)}};
    std::puts(boost::json::serialize(report).c_str());
  } else {
    // A file gets whole lines; a terminal gets them broken.
    auto columns = ::isatty(STDOUT_FILENO) == 1 ? io::size_of_terminal().columns : 0;
    for (auto& f : all) {
      auto text = fmt::format("{:<6} {:<9} ", name_of(f.level), f.area);
      put_below(text, io::safe_text(f.text), columns);
      if (!f.advice.empty()) put_below(fmt::format("{:16} -> ", ""), f.advice, columns);
    }
    std::puts(
        wrong == 0
            ? "\nNo problems found."
            : fmt::format("\n{} {} found.", wrong, wrong == 1 ? "problem" : "problems").c_str());
  }
  return wrong == 0 ? exit_ok : exit_failure;
}

}  // namespace fermata::app
