#include "core/session/commands/command.hpp"
#include "core/session/commands/command_arguments.hpp"
#include "core/session/timeline/entry_text.hpp"
#include "core/session/timeline/slug.hpp"

#include <algorithm>

// Sessions: this one, and the others.

namespace fermata {

namespace {

command_outcome info_on_session(const command_call& c) {
  auto& s = c.state;
  command_outcome outcome;
  outcome.output =
      s.meta.name + " (" + s.meta.slug + ")\ncreated " + to_text(s.meta.created, c.options.clock) +
      ", changed " + to_text(s.meta.modified, c.options.clock) + "\nscore: " + summary(*s.score) +
      ", revision " + std::to_string(s.revision) +
      "\nentries: " + std::to_string(s.history.size()) +
      (s.branches.empty() ? ""
                          : "\nbranch: " + s.branch + " of " + std::to_string(s.branches.size())) +
      "\ndefinitions: " + std::to_string(s.env->bindings.size());
  if (!s.meta.tags.empty()) {
    outcome.output += "\ntags:";
    for (auto& tag : s.meta.tags)
      outcome.output += ' ' + tag;
  }
  auto open = std::count_if(s.proposals.begin(), s.proposals.end(),
                            [](auto& p) { return p.state == proposal::state_t::open; });
  if (open > 0) outcome.output += "\nopen proposals: " + std::to_string(open);
  if (!s.written_by.empty())
    outcome.output += "\nread-only: " + s.written_by + " is writing to it; shown as of entry " +
                      std::to_string(s.history.size());
  return outcome;
}

command_outcome new_session(const command_call& c) {
  auto name = unquoted(c.given.rest);
  if (auto wrong = name_too_long(name)) return refused(*wrong);
  command_outcome outcome;
  outcome.requested_effect =
      manager_effect{.what = manager_effect::what_t::create, .argument = std::move(name)};
  return outcome;
}

command_outcome list_sessions(const command_call& c) {
  command_outcome outcome;
  outcome.requested_effect =
      manager_effect{.what = manager_effect::what_t::list, .archived = c.given.has("archived")};
  return outcome;
}

command_outcome change_to_session(const command_call& c) {
  command_outcome outcome;
  outcome.requested_effect =
      manager_effect{.what = manager_effect::what_t::change_to, .argument = unquoted(c.given.rest)};
  return outcome;
}

command_outcome rename_session(const command_call& c) {
  auto given = unquoted(c.given.rest);
  if (auto wrong = name_too_long(given)) return refused(*wrong);
  auto name = clean_name(given);
  if (name.empty()) return refused("that is not a valid session name", "Use letters and digits.");
  command_outcome outcome;
  outcome.requested_effect =
      manager_effect{.what = manager_effect::what_t::rename, .argument = std::move(name)};
  return outcome;
}

command_outcome tag_session(const command_call& c) {
  auto tags = c.state.meta.tags;
  for (auto& given : c.given.args) {
    auto removes = given.size() > 1 && given.front() == '-';
    auto tag = removes ? given.substr(1) : given;
    std::erase(tags, tag);
    if (!removes) tags.push_back(tag);
  }
  command_outcome outcome;
  outcome.output = tags.empty() ? "no tags" : "tags:";
  for (auto& tag : tags)
    outcome.output += ' ' + tag;
  if (tags != c.state.meta.tags)
    outcome.events.push_back(meta_changed{std::nullopt, std::move(tags)});
  return outcome;
}

command_outcome save_session(const command_call&) {
  command_outcome outcome;
  outcome.requested_effect = save_effect{};
  return outcome;
}

}  // namespace

std::vector<command_spec> session_commands() {
  constexpr std::string_view topic = "Sessions";
  return {
      {.name = "session info",
       .aliases = {"s info", "s i", "session", "s"},
       .help = "Shows information about this session.",
       .example = ":session info",
       .topic = topic,
       .run = info_on_session},
      {.name = "session new",
       .aliases = {"s new", "session create", "s create"},
       .arguments = "[NAME]",
       .most_arguments = -1,
       .help = "Creates a session and switches to it.",
       .example = ":session new Bach chorale",
       .topic = topic,
       .scope = command_scope::manager,
       .run = new_session},
      {.name = "session list",
       .aliases = {"s list", "session ls", "s ls"},
       .options = {{"archived", "", "list archived sessions"}},
       .help = "Lists sessions with sizes and times; a star marks the current one.",
       .example = ":session list",
       .topic = topic,
       .scope = command_scope::manager,
       .run = list_sessions},
      {.name = "session switch",
       .aliases = {"s switch", "session load", "s load"},
       .arguments = "SESSION",
       .least_arguments = 1,
       .most_arguments = -1,
       .help = "Switches to another session, by id or name.",
       .example = ":session switch session-1",
       .topic = topic,
       .scope = command_scope::manager,
       .run = change_to_session},
      {.name = "session rename",
       .aliases = {"s rename"},
       .arguments = "NAME",
       .least_arguments = 1,
       .most_arguments = -1,
       .help = "Renames this session; its id stays the same.",
       .example = ":session rename Chorale in D",
       .topic = topic,
       .scope = command_scope::manager,
       .run = rename_session},
      {.name = "session tag",
       .aliases = {"s tag"},
       .arguments = "[TAG] [-TAG]",
       .most_arguments = 1'000,
       .help = "Adds tags, or removes them with a leading minus.",
       .example = ":session tag sketch",
       .topic = topic,
       .run = tag_session},
      {.name = "session save",
       .aliases = {"s save", "save"},
       .help = "Flushes everything to disk (saving is automatic).",
       .example = ":session save",
       .topic = topic,
       .run = save_session},
  };
}

}  // namespace fermata
