#include "io/config/config_file.hpp"

#include "core/utf8.hpp"
#include "io/files/files.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <variant>

namespace fermata::io {

namespace {

/// The value as the table of settings writes it; nothing for what no setting is.
std::optional<std::string> plain_text(const toml::node& node) {
  if (auto text = node.as_string()) return text->get();
  if (auto number = node.as_integer()) return std::to_string(number->get());
  if (auto flag = node.as_boolean()) return flag->get() ? "on" : "off";
  return std::nullopt;
}

std::string in_one_line(const diagnostic& d) {
  auto text = d.hint.empty() ? d.message : d.message + ". " + d.hint;
  for (auto& c : text)
    if (c == '\n') c = ' ';
  return text;
}

/// The value as TOML writes it.
std::string toml_value(const setting_spec& row, const std::string& value) {
  if (row.type == setting_type::toggle) return value == "on" ? "true" : "false";
  auto is_number = value.find_first_not_of("0123456789") == value.npos && !value.empty();
  if (row.type == setting_type::number && is_number) return value;
  std::string quoted = "\"";
  for (char c : value) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}

/// Byte offset of a place that toml++ counts in lines and code points, from 1.
std::size_t offset_of(std::string_view text, toml::source_position at) {
  std::size_t i = 0;
  for (std::uint32_t line = 1; line < at.line && i < text.size(); ++line)
    i = std::min(text.find('\n', i), text.size() - 1) + 1;
  for (std::uint32_t column = 1; column < at.column && i < text.size(); ++column)
    do
      ++i;
    while (i < text.size() && is_utf8_continuation(text[i]));
  return i;
}

/// `lines_before`: the text that was parsed begins after so many lines of the file.
error no_toml(const toml::parse_error& fault, std::string_view name,
              std::uint32_t lines_before = 0) {
  return {errc::invalid_token,
          fmt::format("{}:{}:{}: {}", name, fault.source().begin.line + lines_before,
                      fault.source().begin.column, fault.description()),
          std::nullopt, "A line is: name = value, text in quotes."};
}

/// What a stretch of text says, or the first fault of it.
std::variant<toml::table, toml::parse_error> parsed(std::string_view text) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& fault) {
    return fault;
  }
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// The longest value that goes over several lines.
constexpr std::size_t lines_of_a_value = 50;

/// How many lines the statement takes that begins with the first one; nothing: it is none.
std::optional<std::size_t> statement_at(const std::vector<std::string_view>& lines,
                                        std::size_t first) {
  std::string piece;
  for (auto i = first; i < std::min(lines.size(), first + lines_of_a_value); ++i) {
    piece += lines[i];
    if (std::holds_alternative<toml::table>(parsed(piece))) return i + 1 - first;
  }
  return std::nullopt;
}

/// The text without the lines that are no TOML: each is a problem and leaves the others as they
/// are.
toml::table sound_part(std::string_view text, std::string_view name,
                       std::vector<std::string>& problems) {
  auto whole = parsed(text);
  if (auto table = std::get_if<toml::table>(&whole)) return std::move(*table);
  auto tell = [&](const toml::parse_error& fault, std::uint32_t lines_before) {
    auto e = no_toml(fault, name, lines_before);
    problems.push_back(in_one_line(e.first()));
  };
  auto lines = lines_of(text);
  std::string sound;  // each line where it was, so that places are right
  for (std::size_t i = 0; i < lines.size();) {
    auto taken = statement_at(lines, i);
    if (!taken) {
      auto fault = parsed(lines[i]);
      tell(std::get<toml::parse_error>(fault), static_cast<std::uint32_t>(i));
      sound += '\n';
      ++i;
      continue;
    }
    auto with = sound;
    for (auto end = i + *taken; i < end; ++i)
      with += lines[i];
    // Sound alone, it may not go with the lines before, as when a name is given twice.
    if (auto together = parsed(with); auto fault = std::get_if<toml::parse_error>(&together)) {
      problems.push_back(fmt::format("{}:{}:1: {}", name, i + 1 - *taken, fault->description()));
      sound.append(*taken, '\n');
    } else {
      sound = std::move(with);
    }
  }
  auto rest = parsed(sound);
  auto table = std::get_if<toml::table>(&rest);
  return table ? std::move(*table) : toml::table{};
}

/// All of the text, which is to be changed and so has to be sound.
result<toml::table> whole_table(std::string_view text) {
  auto whole = parsed(text);
  if (auto fault = std::get_if<toml::parse_error>(&whole))
    return fail(no_toml(*fault, "config.toml"));
  return std::get<toml::table>(std::move(whole));
}

}  // namespace

std::filesystem::path config_path(const std::filesystem::path& home) {
  return home / "config.toml";
}

configuration parse_config(std::string_view text, std::string_view name) {
  configuration found;
  auto table = sound_part(text, name, found.problems);
  for (auto&& [key, node] : table) {
    auto wrong = [&, line = key.source().begin.line](const diagnostic& d) {
      found.problems.push_back(fmt::format("{}:{}: {}", name, line, in_one_line(d)));
    };
    auto row = find_setting(key.str());
    if (!row) {
      auto e = unknown_setting(key.str());
      wrong(e.first());
      continue;
    }
    auto text_of_value = plain_text(node);
    if (!text_of_value) {
      wrong({errc::wrong_type,
             fmt::format("the value of {} must be text, a number, true or false", row->name),
             std::nullopt, fmt::format("It is {}.", allowed_values(*row))});
      continue;
    }
    auto value = setting_value(*row, *text_of_value);
    if (!value) {
      wrong(value.error().first());
      continue;
    }
    found.values.insert_or_assign(std::string{row->name}, std::move(*value));
  }
  return found;
}

result<void> create_config_folder(const std::filesystem::path& path) {
  std::error_code failed;
  auto folder = path.parent_path();
  if (std::filesystem::exists(folder, failed)) return {};
  std::filesystem::create_directories(folder, failed);
  if (!failed) std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failed);
  if (failed)
    return fail({errc::unwritable_file,
                 fmt::format("cannot create {}: {}", folder.string(), failed.message())});
  return {};
}

result<void> change_setting(const std::filesystem::path& path, std::string_view name,
                            std::string_view value) {
  std::string before;
  std::error_code failed;
  if (std::filesystem::exists(path, failed) || failed) {
    auto text = read_file(path.string());
    if (!text) return fail(text.error());
    before = std::move(*text);
  }
  auto after =
      value == "default" ? without_setting(before, name) : with_setting(before, name, value);
  if (!after) return fail(after.error());
  if (auto made = create_config_folder(path); !made) return made;
  return write_file(path.string(), *after);
}

configuration read_config(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed) && !failed) return {};
  auto text = read_file(path.string());
  if (!text) return {{}, {in_one_line(text.error().first())}};
  return parse_config(*text, path.filename().string());
}

result<std::string> with_setting(std::string_view text, std::string_view name,
                                 std::string_view given) {
  auto row = find_setting(name);
  if (!row) return fail(unknown_setting(name));
  auto value = setting_value(*row, given);
  if (!value) return fail(value.error());
  auto read = whole_table(text);
  if (!read) return fail(read.error());
  auto& table = *read;
  auto written = toml_value(*row, *value);
  std::string changed{text};
  if (auto node = table.get(name)) {
    auto begin = offset_of(text, node->source().begin), end = offset_of(text, node->source().end);
    return changed.replace(begin, end - begin, written);
  }
  // Before the first table: a line behind one would belong to it.
  std::size_t at = text.size();
  for (auto&& [key, node] : table)
    if (node.is_table() || node.is_array_of_tables()) {
      auto begin = offset_of(text, key.source().begin);
      auto line = text.rfind('\n', begin);
      at = std::min(at, line == text.npos ? 0 : line + 1);
    }
  auto line = fmt::format("{} = {}\n", row->name, written);
  if (at > 0 && changed[at - 1] != '\n') line.insert(0, 1, '\n');
  return changed.insert(at, line);
}

result<std::string> without_setting(std::string_view text, std::string_view name) {
  if (!find_setting(name)) return fail(unknown_setting(name));
  auto table = whole_table(text);
  if (!table) return fail(table.error());
  std::string changed{text};
  for (auto&& [key, node] : *table) {
    if (key.str() != name) continue;
    auto begin = offset_of(text, key.source().begin), end = offset_of(text, node.source().end);
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
    return changed.erase(begin, end - begin);
  }
  return changed;
}

}  // namespace fermata::io
