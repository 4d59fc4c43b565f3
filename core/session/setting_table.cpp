#include "core/session/setting_table.hpp"

#include "core/lang/token.hpp"

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
       "how values are shown",
       "`fermata` (also `explicit`) writes one form for each note, `compact` writes phrases where "
       "they say the same, `summary` says in a few words what it is, `musicxml` and `staff` show "
       "music as MusicXML and as notes on a staff, `silent` shows nothing. Values that are not "
       "music are always written as text, except by `silent`."},
      {"timing", toggle, "off", {}, "tell after every evaluation how long it took"},
      {"width",
       number,
       "auto",
       {"auto"},
       "columns in which text is broken and staves are drawn",
       "`auto` is the width of the terminal. Prose, tables and staves keep to it. Values written "
       "as "
       "Fermata text and what `:score` shows keep their own lines, so that what is copied from the "
       "screen can be entered again; the terminal breaks the long ones.",
       true,
       20,
       1000},
      {"pager",
       text,
       "auto",
       {"auto", "off"},
       "what shows output that is longer than the screen",
       "`auto` is `$PAGER`, else `less` when it is there; a pager called `cat` means none. `off` "
       "writes to the screen. Anything else is a command, which gets the text on its input."},
      {"output-lines",
       number,
       "500",
       {},
       "how many lines one result may take without a pager",
       "What is cut off is said, and nothing is lost: `:history N` and `$Out[N]` have it. 0 means "
       "no limit. What a script prints is never cut.",
       true,
       0,
       1'000'000},
      {"color",
       choice,
       "auto",
       {"auto", "on", "off"},
       "colours",
       "`auto` uses them on a terminal unless `NO_COLOR` is set or the terminal is dumb."},
      {"dark-mode",
       choice,
       "auto",
       {"auto", "on", "off"},
       "colours for a dark or a light screen",
       "`auto` believes `COLORFGBG` where the terminal sets it, else takes the screen for dark."},
      {"brackets",
       choice,
       "rainbow",
       {"rainbow", "plain"},
       "whether brackets change colour with their depth"},
      {"accessible",
       toggle,
       "off",
       {},
       "a prompt without cursor movement and signs",
       "For screen readers and braille: nothing on the screen is drawn twice, each line is written "
       "once from left to right, and words stand where otherwise signs and carets do. The same as "
       "the option `--accessible`.",
       false},
      {"session", text, "last", {"last"}, "the session that is opened at the start", "", false},
      {"startup-file",
       text,
       "init.ferm",
       {},
       "what is evaluated in each session that is opened at a terminal",
       "A path, relative to `$FERMATA_HOME`. Its definitions and commands are entered as if they "
       "were typed, but only those that change something become entries of the timeline. A fault "
       "in it is shown with its line and ends nothing.",
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
        return fail(
            {errc::out_of_range, std::string{row.name} + " would hold what is not one line of text",
             std::nullopt, "It is UTF-8 without control characters; a tab may be among it."});
      fits = text.find_first_not_of(" \t") != text.npos;
      break;
  }
  if (fits) return std::string{text};
  return fail({errc::out_of_range,
               "`" + std::string{text} + "` is no value of " + std::string{row.name}, std::nullopt,
               "It is " + allowed_values(row) + '.'});
}

error unknown_setting(std::string_view name, bool at_prompt) {
  std::vector<std::string_view> names;
  for (auto& r : setting_table())
    if (r.of_session || !at_prompt) names.push_back(r.name);
  if (at_prompt) names.insert(names.end(), {"key-inference", "scratch"});
  auto guess = nearest(name, names);
  return {errc::unknown_name, "there is no setting `" + std::string{name} + '`', std::nullopt,
          guess ? "Did you mean `" + *guess + "`?" : "They are " + listed(names) + '.'};
}

std::string setting_in_force(std::string_view name, const setting_values& of_session,
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
  std::string page = "# Configuration\n\n"
                     "Settings are read from `config.toml` in `$FERMATA_HOME` (`~/.fermata`) when "
                     "a prompt starts. "
                     "This page is\nmade from the table that the program itself uses.\n\n"
                     "```toml\n# ~/.fermata/config.toml\n";
  for (auto& row : setting_table())
    if (row.type == setting_type::toggle)
      page += std::string{row.name} + " = " + (row.by_default == "on" ? "true" : "false") + "\n";
    else if (row.type == setting_type::number && row.words.empty())
      page += std::string{row.name} + " = " + std::string{row.by_default} + "\n";
    else
      page += std::string{row.name} + " = \"" + std::string{row.by_default} + "\"\n";
  page +=
      "```\n\n"
      "All of them may be left out; above stand the values that hold then. A wrong name or value "
      "is "
      "shown at the\nstart with its line, and that setting has its default.\n\n"
      "| command | what it does |\n|---|---|\n"
      "| `fermata config` | lists every setting, its value and where that comes from |\n"
      "| `fermata config get NAME` | prints one value |\n"
      "| `fermata config set NAME VALUE` | writes it into the file; comments and order stay |\n"
      "| `fermata config path` | says where the file is |\n"
      "| `fermata config edit` | opens it in `$VISUAL` or `$EDITOR`, then checks it |\n\n"
      "`:set NAME VALUE` at the prompt changes a setting for its session only and is kept with it; "
      "`:set NAME default`\ngoes back to what `config.toml` says. Keys are set in `.inputrc` for "
      "the "
      "application `Fermata`, as for every\nprogram that uses Readline.\n";
  for (auto& row : setting_table()) {
    page += "\n## `" + std::string{row.name} + "`\n\n";
    auto help = std::string{row.help};
    help[0] = static_cast<char>(help[0] - 'a' + 'A');
    page += help + ". It is " + allowed_values(row) + "; by default `" +
            std::string{row.by_default} + "`.";
    if (!row.of_session) page += " Only in `config.toml`.";
    page += '\n';
    if (!row.detail.empty()) page += '\n' + std::string{row.detail} + '\n';
  }
  return page;
}

}  // namespace fermata
