#include "core/session/commands/setting_table.hpp"

#include "core/lang/syntax/token.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace fermata {

namespace {

std::optional<int> whole_number(std::string_view text) {
  int n = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

/// A config.toml with anything else could not be read, or would steer the terminal that lists it.
bool is_one_printable_line(std::string_view text) {
  auto is_control = [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; };
  return std::none_of(text.begin(), text.end(), is_control) && find_invalid_utf8(text) == text.npos;
}

std::string listed(const std::vector<std::string_view>& words) {
  std::string text;
  for (auto& w : words)
    text += (text.empty() ? "" : ", ") + std::string{w};
  return text;
}

}  // namespace

const std::vector<setting_spec>& setting_table() {
  using enum setting_type;
  static const std::vector<setting_spec> rows{
      {"display",
       choice,
       "fermata",
       {"fermata", "compact", "summary", "musicxml", "staff", "silent"},
       "how values are displayed",
       "`fermata` (or `explicit`) prints one form per note, `compact` uses phrases where possible, "
       "`summary` prints a one-line description, `musicxml` and `staff` show music as MusicXML or "
       "on a staff, and `silent` prints nothing. Other values are always printed as text, except "
       "with `silent`. A `;` at the end of a line hides the value of that line."},
      {"commit",
       choice,
       "notation",
       {"notation", "everything", "nothing"},
       "which evaluated music enters the score",
       "`notation`: expressions whose outermost form is notation, such as `note`, `measure` or "
       "`key`. A name, `$Out[1]`, or a call of a function such as `transpose` only shows its "
       "value; `(add X)` enters it. `everything`: all music, as when compiling a file. `nothing`: "
       "the score does not change; `:scratch on` sets this. Accepted proposals always change the "
       "score."},
      {"timing", toggle, "off", {}, "show how long each evaluation took"},
      {"width",
       number,
       "auto",
       {"auto"},
       "width for wrapping text and drawing staves, in columns",
       "`auto` is the terminal's width. Prose, tables and staves are wrapped to it. Fermata text, "
       "including `:score`, is not wrapped, so that it can be copied and entered again.",
       true,
       20,
       1000},
      {"pager",
       text,
       "auto",
       {"auto", "off"},
       "pager for output longer than the screen",
       "`auto` is `$PAGER`, or `less` if installed; `cat` means no pager. `off` disables paging. "
       "Anything else is a command that reads the text from standard input."},
      {"output-lines",
       number,
       "500",
       {},
       "lines shown per result when there is no pager",
       "A note says how much is hidden; `:history N` and `$Out[N]` have the full value. 0 means no "
       "limit. Script output is never truncated.",
       true,
       0,
       1'000'000},
      {"color",
       choice,
       "auto",
       {"auto", "on", "off"},
       "colours",
       "`auto` uses colours on a terminal, unless `NO_COLOR` is set or the terminal is dumb."},
      {"dark-mode",
       choice,
       "auto",
       {"auto", "on", "off"},
       "colour scheme for a dark or light background",
       "`auto` uses `COLORFGBG` if the terminal sets it, otherwise `dark`."},
      {"brackets", choice, "rainbow", {"rainbow", "plain"}, "colour brackets by nesting depth"},
      {"accessible",
       toggle,
       "off",
       {},
       "a plain prompt for screen readers",
       "For screen readers and braille displays: each line is written once, from left to right, "
       "with words in place of symbols and carets. Same as `--accessible`.",
       false},
      {"evaluation-memory",
       number,
       "1024",
       {},
       "memory limit for all evaluations together, in MiB",
       "An evaluation that would exceed the limit fails and changes nothing. Small ones can "
       "continue while a large one runs.",
       false,
       16,
       1'000'000},
      {"midi-device",
       text,
       "auto",
       {"auto"},
       "the playback device",
       "The id of a device, its name or a part of it, as `:midi devices` lists them. `auto` is the "
       "synthesizer, or the first MIDI port if there is no synthesizer. `:midi connect` sets it "
       "for "
       "a session, `:midi default` for all others."},
      {"midi-input",
       text,
       "auto",
       {"auto", "all", "off"},
       "the MIDI inputs that are recorded",
       "`all` inputs, `off`, or one input, by its id, its name or a part of either, as `:midi "
       "inputs` lists them. They are opened when the prompt starts, so that `:keep` can make a "
       "take of what was played before. `auto` opens all of them with the first `:record` or "
       "`:keep`.",
       false},
      {"midi-thru",
       toggle,
       "off",
       {},
       "hear what is played on the MIDI inputs",
       "On the playback device. `:midi thru` changes it. It is heard while inputs are open.",
       false},
      {"soundfont",
       text,
       "auto",
       {"auto"},
       "the soundfont of the synthesizer",
       "A `.sf2` or `.sf3` file. `auto` looks in `/usr/share/sounds/sf2` and `sf3`."},
      {"audio-output",
       choice,
       "auto",
       {"auto", "jack", "pulse", "alsa"},
       "the sound system of the synthesizer",
       "`auto` is the first one that answers, in this order. PipeWire answers as `jack` or "
       "`pulse`."},
      {"playback-gain",
       number,
       "50",
       {},
       "loudness of the synthesizer, in percent",
       "More than 100 may distort.",
       true,
       0,
       1000},
      {"midi-clock", toggle, "off", {}, "send MIDI clock and song position while playing"},
      {"session", text, "last", {"last"}, "the session to open at startup", "", false},
      {"startup-file",
       text,
       "init.ferm",
       {},
       "file evaluated whenever a session is opened at a terminal",
       "A path relative to `$FERMATA_HOME`. Its lines run as if typed, but only those that change "
       "something become entries in the timeline. Errors are shown with their line number and do "
       "not stop the session.",
       false},
  };
  return rows;
}

const setting_spec* find_setting(std::string_view name) {
  auto& rows = setting_table();
  auto row = std::find_if(rows.begin(), rows.end(), [&](auto& r) { return r.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

std::string allowed_values(const setting_spec& row) {
  auto also = row.words.empty() ? std::string{} : "; also " + listed(row.words);
  switch (row.type) {
    case setting_type::choice: return "one of " + listed(row.words);
    case setting_type::toggle: return "on or off";
    case setting_type::number:
      return "a number from " + std::to_string(row.least) + " to " + std::to_string(row.most) +
             also;
    case setting_type::text: return "any text" + also;
  }
  return {};
}

result<std::string> setting_value(const setting_spec& row, std::string_view text) {
  if (row.name == "display" && text == "explicit") text = "fermata";
  auto is_word = std::find(row.words.begin(), row.words.end(), text) != row.words.end();
  bool fits = is_word;
  switch (row.type) {
    case setting_type::choice: break;
    case setting_type::toggle: fits = text == "on" || text == "off"; break;
    case setting_type::number: {
      auto n = whole_number(text);
      if (n && *n >= row.least && *n <= row.most) return std::to_string(*n);  // 080 is 80
      break;
    }
    case setting_type::text:
      if (!is_one_printable_line(text))
        return fail({errc::out_of_range, std::string{row.name} + " must be a single line of text",
                     std::nullopt, "Use UTF-8 without control characters other than tabs."});
      fits = text.find_first_not_of(" \t") != text.npos;
      break;
  }
  if (fits) return std::string{text};
  return fail({errc::out_of_range,
               "invalid value for " + std::string{row.name} + ": `" + std::string{text} + '`',
               std::nullopt, "Choose " + allowed_values(row) + '.'});
}

error unknown_setting(std::string_view name, bool at_prompt) {
  std::vector<std::string_view> names;
  for (auto& r : setting_table())
    if (r.of_session || !at_prompt) names.push_back(r.name);
  if (at_prompt) names.insert(names.end(), {"key-inference", "scratch"});
  auto guess = nearest(name, names);
  return {errc::unknown_name, "unknown setting `" + std::string{name} + '`', std::nullopt,
          guess ? "Did you mean `" + *guess + "`?" : "Settings: " + listed(names) + '.'};
}

std::string effective_setting(std::string_view name, const setting_values& of_session,
                              const setting_values& configured) {
  auto row = find_setting(name);
  if (row->of_session)
    // A session may have been kept by a version that took other words.
    if (auto own = of_session.find(name); own != of_session.end())
      if (auto value = setting_value(*row, own->second)) return *value;
  if (auto set = configured.find(name); set != configured.end()) return set->second;
  return std::string{row->by_default};
}

std::string configuration_reference() {
  std::string page = "# Configuration\n\nSettings are read at startup from `config.toml` in "
                     "`$FERMATA_HOME` (default `~/.fermata`). This page is\ngenerated from the "
                     "settings table.\n\n```toml\n# ~/.fermata/config.toml\n";
  for (auto& row : setting_table())
    if (row.type == setting_type::toggle)
      page += std::string{row.name} + " = " + (row.by_default == "on" ? "true" : "false") + "\n";
    else if (row.type == setting_type::number && row.words.empty())
      page += std::string{row.name} + " = " + std::string{row.by_default} + "\n";
    else
      page += std::string{row.name} + " = \"" + std::string{row.by_default} + "\"\n";
  page += "```\n\nAll settings are optional; the values above are the defaults. An unknown name or "
          "invalid value is reported\nat startup with its line number, and the default is "
          "used.\n\n| command | what it does |\n|---|---|\n| `fermata config` | lists every "
          "setting, its value and its source |\n| `fermata config get NAME` | prints a value |\n| "
          "`fermata config set NAME VALUE` | writes it to the file, keeping comments and order "
          "|\n| `fermata config path` | prints the path of the file |\n| `fermata config edit` | "
          "opens it in `$VISUAL` or `$EDITOR`, then checks it |\n\nAt the prompt, `:set NAME "
          "VALUE` changes a setting for the current session only and is saved with it;\n`:set NAME "
          "default` reverts to `config.toml`. Key bindings are configured in `.inputrc`, as for "
          "every program\nthat uses Readline; the application name is `Fermata`.\n";
  for (auto& row : setting_table()) {
    page += "\n## `" + std::string{row.name} + "`\n\n";
    auto help = std::string{row.help};
    help[0] = static_cast<char>(help[0] - 'a' + 'A');
    page += help + ". Value: " + allowed_values(row) + "; default `" + std::string{row.by_default} +
            "`.";
    if (!row.of_session) page += " Only in `config.toml`.";
    page += '\n';
    if (!row.detail.empty()) page += '\n' + std::string{row.detail} + '\n';
  }
  return page;
}

}  // namespace fermata
