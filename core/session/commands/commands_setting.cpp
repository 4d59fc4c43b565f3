#include "core/session/commands/command.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "core/session/commands/setting_table.hpp"
#include "core/session/commands/suppressed_output.hpp"

#include <algorithm>

// How the session shows things and takes what is typed.

namespace fermata {

namespace {

command_outcome list_settings(const command_call& c) {
  command_outcome outcome;
  for (auto& row : setting_table()) {
    if (!row.of_session) continue;
    auto own = c.state.settings.find(row.name);
    auto line = std::string{row.name} + " = " +
                (own == c.state.settings.end() ? std::string{row.by_default} : own->second);
    line.resize(std::max<std::size_t>(line.size() + 2, 26), ' ');
    outcome.output += line + "; " + std::string{row.help} + ": " + allowed_values(row) +
                      (own == c.state.settings.end() ? "\n" : " (of this session)\n");
  }
  auto flag = [&](std::string line, bool on, std::string_view help) {
    line += on ? " = on" : " = off";
    line.resize(std::max<std::size_t>(line.size() + 2, 26), ' ');
    outcome.output += line + "; " + std::string{help} + '\n';
  };
  flag("key-inference", c.state.env->key_inference, "f4 typed in D major means F sharp");
  outcome.output +=
      "Settings not marked (of this session) come from config.toml; see `fermata config`.";
  return outcome;
}

command_outcome set_to(std::string_view name, const std::string& text) {
  auto refusal = [](const error& e) { return refused(e.first().message, e.first().hint); };
  auto row = find_setting(name);
  if (!row) return refusal(unknown_setting(name, true));
  if (!row->of_session)
    return refused("`" + std::string{name} + "` is not a setting of a session",
                   "`fermata config set " + std::string{name} +
                       " VALUE` sets it from the next start.");
  command_outcome outcome;
  if (text == "default") {
    outcome.events.push_back(setting_changed{std::string{name}, std::nullopt});
    outcome.output =
        std::string{name} + " follows config.toml, else " + std::string{row->by_default};
    return outcome;
  }
  auto value = setting_value(*row, text);
  if (!value) return refusal(value.error());
  outcome.output = std::string{name} + " = " + *value;
  outcome.events.push_back(setting_changed{std::string{name}, std::move(*value)});
  return outcome;
}

command_outcome set_setting(const command_call& c) {
  if (c.given.args.empty()) return list_settings(c);
  if (c.given.args.front() == "scratch" || c.given.args.front() == "key-inference")
    return refused("`" + c.given.args.front() + "` is set with its own command",
                   "`:" + c.given.args.front() + " on` or `off`.");
  if (c.given.args.size() == 1) {
    auto row = find_setting(c.given.args.front());
    if (!row) return set_to(c.given.args.front(), {});
    return refused("`:set " + c.given.args.front() + "` needs a value",
                   "Choose " + allowed_values(*row) + "; `default` resets it.");
  }
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

/// Another name for `:set commit nothing` and back.
command_outcome scratch(const command_call& c) {
  auto is_on = commit_rule_of(c.state) == commit_rule::nothing;
  command_outcome outcome;
  auto wanted = is_on;
  if (!c.given.args.empty()) {
    auto on = parse_switch(c.given.args.front());
    if (!on) return refused(on.error().first().message, on.error().first().hint);
    wanted = *on;
  }
  auto rule = commit_rule_of(c.state);
  if (wanted != is_on) {
    std::optional<std::string> value;
    if (wanted)
      value = to_string(commit_rule::nothing);
    else if (c.state.commit_by_default == commit_rule::nothing)
      value = to_string(commit_rule::notation);
    rule = value ? *parse_commit_rule(*value) : c.state.commit_by_default;
    outcome.events.push_back(setting_changed{"commit", std::move(value)});
  }
  outcome.output = std::string{"scratch is "} + (wanted ? "on" : "off") +
                   ": commit = " + std::string{to_string(rule)};
  return outcome;
}

command_outcome key_inference(const command_call& c) {
  return switch_flag(c, &environment::key_inference, &environment_delta::key_inference,
                     "key-inference");
}

command_outcome time_expression(const command_call& c) {
  if (auto word = without_suppressor(c.given.rest); word == "on" || word == "off")
    return set_to("timing", std::string{word});
  if (c.given.rest.starts_with(':') && command_of(c.given.rest))
    return refused("`:time` takes an expression, and `" + c.given.rest + "` is a command",
                   "`:set timing on` times every input.");
  command_outcome outcome;
  outcome.requested_effect = evaluation_effect{c.given.rest, c.source, std::nullopt, {}, true};
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
       .arguments = "fermata|compact|summary|musicxml|staff|silent",
       .least_arguments = 1,
       .most_arguments = 1,
       .help = "Sets how values are displayed.",
       .example = ":display summary",
       .topic = topic,
       .run = display},
      {.name = "scratch",
       .arguments = "[on|off]",
       .most_arguments = 1,
       .help = "Sets `commit` to nothing: while on, evaluations do not change the score; "
               "definitions and accepted proposals still take effect.",
       .example = ":scratch on",
       .topic = topic,
       .run = scratch},
      {.name = "key-inference",
       .arguments = "[on|off]",
       .most_arguments = 1,
       .help = "While on, f4 typed in D major means F sharp.",
       .example = ":key-inference on",
       .topic = topic,
       .run = key_inference},
      {.name = "time",
       .arguments = "EXPRESSION|on|off",
       .least_arguments = 1,
       .most_arguments = -1,
       .help = "Evaluates and shows how long it took; on and off time every input.",
       .example = ":time (+ 1 2)",
       .topic = topic,
       .run = time_expression},
  };
}

}  // namespace fermata
