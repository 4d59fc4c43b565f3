#include "apps/fermata/commands/described_command.hpp"

#include "core/lang/reference/reference.hpp"
#include "core/session/commands/setting_table.hpp"
#include "io/formats/formats.hpp"

#include <cctype>

namespace fermata::app {

namespace {

described_option described(const CLI::Option& option) {
  described_option out;
  for (auto& name : option.get_snames())
    out.names.push_back('-' + name);
  for (auto& name : option.get_lnames())
    out.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0) {
    auto type = option.get_type_name();
    // CLI11 adds the choices of a check behind a colon.
    out.value = type.substr(0, type.find(':'));
  }
  out.help = option.get_description();
  out.required = option.get_required();
  return out;
}

described_command described(const CLI::App& app, const std::string& name) {
  described_command out{name, app.get_description(), {}, {}, {}};
  for (auto option : app.get_options())
    (option->get_positional() ? out.arguments : out.options).push_back(described(*option));
  for (auto sub : app.get_subcommands({}))
    out.commands.push_back(described(*sub, name + ' ' + sub->get_name()));
  return out;
}

}  // namespace

described_command described(const CLI::App& app) { return described(app, "fermata"); }

std::string_view last_word(const described_command& c) {
  std::string_view name = c.name;
  return name.substr(name.rfind(' ') + 1);
}

std::vector<std::string> words_for_value(std::string_view value) {
  std::vector<std::string> words;
  if (value == "FORMAT") {
    for (auto& format : io::format_table())
      words.emplace_back(format.name);
  } else if (value == "TOPIC") {
    words = reference_topic_names();
  } else if (value == "SETTING") {
    for (auto& setting : setting_table())
      words.emplace_back(setting.name);
  } else if (!value.empty() && std::islower(static_cast<unsigned char>(value.front()))) {
    while (!value.empty()) {
      auto end = std::min(value.find('|'), value.size());
      words.emplace_back(value.substr(0, end));
      value.remove_prefix(std::min(end + 1, value.size()));
    }
  }
  return words;
}

}  // namespace fermata::app
