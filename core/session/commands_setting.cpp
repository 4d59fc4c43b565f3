#include "core/session/command.hpp"
#include "core/session/command_arguments.hpp"

#include <algorithm>
#include <array>

// How the session shows things and takes what is typed.

namespace fermata {

namespace {

/// A setting: its values, or any text when none are named.
struct setting {
  std::string_view name, by_default, help;
  std::vector<std::string_view> values;
};

const std::vector<setting>& settings_table() {
  static const std::vector<setting> rows{
      {"display",
       "fermata",
       "how values are shown",
       {"fermata", "summary", "musicxml", "staff", "silent"}},
      {"dark-mode", "auto", "colours for a dark screen", {"on", "off", "auto"}},
      {"width", "auto", "columns of the screen, or auto", {}},
  };
  return rows;
}

std::string values_of(const setting& row) {
  std::string text;
  for (auto& v : row.values)
    text += (text.empty() ? "" : ", ") + std::string{v};
  return text;
}

command_outcome list_settings(const command_call& c) {
  command_outcome outcome;
  for (auto& row : settings_table()) {
    auto it = c.state.settings.find(row.name);
    outcome.output += (outcome.output.empty() ? "" : "\n") + std::string{row.name} + " = " +
                      (it == c.state.settings.end() ? std::string{row.by_default} : it->second) +
                      "   ; " + std::string{row.help} +
                      (row.values.empty() ? "" : ": " + values_of(row));
  }
  outcome.output += "\nkey-inference = " + std::string{c.state.env->key_inference ? "on" : "off"} +
                    "\nscratch = " + (c.state.env->scratch ? "on" : "off");
  return outcome;
}

command_outcome set_to(std::string_view name, const std::string& text) {
  auto& rows = settings_table();
  auto row = std::find_if(rows.begin(), rows.end(), [&](auto& r) { return r.name == name; });
  if (row == rows.end()) {
    std::vector<std::string_view> names;
    for (auto& r : rows)
      names.push_back(r.name);
    auto guess = nearest(name, names);
    return refused("there is no setting `" + std::string{name} + '`',
                   guess ? "Did you mean `" + *guess + "`?" : "`:set` lists all of them.");
  }
  auto fits = row->values.empty() ||
              std::find(row->values.begin(), row->values.end(), text) != row->values.end();
  if (!fits)
    return refused("`" + text + "` is no value of " + std::string{name},
                   "It is one of " + values_of(*row) + '.');
  command_outcome outcome;
  outcome.events.push_back(setting_changed{std::string{name}, text});
  outcome.output = std::string{name} + " = " + text;
  return outcome;
}

command_outcome set_setting(const command_call& c) {
  if (c.given.args.empty()) return list_settings(c);
  if (c.given.args.size() == 1)
    return refused("`:set` needs a name and a value", "`:set` alone lists all settings.");
  return set_to(c.given.args[0], c.given.args[1]);
}

command_outcome display(const command_call& c) { return set_to("display", c.given.args.front()); }

/// A flag of the environment.
command_outcome switch_flag(const command_call& c, bool environment::*flag,
                            std::optional<before_after<bool>> environment_delta::*change,
                            std::string_view name) {
  auto now = (*c.state.env).*flag;
  command_outcome outcome;
  auto wanted = now;
  if (!c.given.args.empty()) {
    auto on = parse_switch(c.given.args.front());
    if (!on) return refused(on.error().first().message, on.error().first().hint);
    wanted = *on;
  }
  outcome.output = std::string{name} + " is " + (wanted ? "on" : "off");
  if (wanted != now) outcome.env_change.*change = before_after<bool>{now, wanted};
  return outcome;
}

command_outcome scratch(const command_call& c) {
  return switch_flag(c, &environment::scratch, &environment_delta::scratch, "scratch");
}

command_outcome key_inference(const command_call& c) {
  return switch_flag(c, &environment::key_inference, &environment_delta::key_inference,
                     "key-inference");
}

command_outcome time_expression(const command_call& c) {
  command_outcome outcome;
  outcome.wish = evaluation_wish{c.given.rest, c.source, std::nullopt, {}, true};
  return outcome;
}

}  // namespace

std::vector<command_spec> setting_commands() {
  constexpr std::string_view topic = "Settings";
  return {
      {.name = "set",
       .aliases = {"settings"},
       .arguments = "[NAME VALUE]",
       .most_arguments = 2,
       .help = "Lists the settings, or changes one.",
       .example = ":set display summary",
       .topic = topic,
       .run = set_setting},
      {.name = "display",
       .arguments = "fermata|summary|musicxml|staff|silent",
       .least_arguments = 1,
       .most_arguments = 1,
       .help = "Says how values are shown.",
       .example = ":display summary",
       .topic = topic,
       .run = display},
      {.name = "scratch",
       .arguments = "[on|off]",
       .most_arguments = 1,
       .help = "While it is on, nothing that is evaluated changes the score.",
       .example = ":scratch on",
       .topic = topic,
       .run = scratch},
      {.name = "key-inference",
       .arguments = "[on|off]",
       .most_arguments = 1,
       .help = "While it is on, f4 typed in D major means F sharp.",
       .example = ":key-inference on",
       .topic = topic,
       .run = key_inference},
      {.name = "time",
       .arguments = "EXPRESSION",
       .least_arguments = 1,
       .most_arguments = -1,
       .help = "Evaluates and tells how long that took.",
       .example = ":time (+ 1 2)",
       .topic = topic,
       .run = time_expression},
  };
}

}  // namespace fermata
