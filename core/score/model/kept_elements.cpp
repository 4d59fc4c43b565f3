#include "core/score/model/kept_elements.hpp"

#include <algorithm>

namespace fermata {

namespace {

constexpr std::string_view operation_names[] = {"transpose", "invert", "retrograde", "rotate",
                                                "augment",   "cut",    "add",        "add"};

/// Why an operation drops something.
std::string_view reason(edit_operation x) {
  switch (x) {
    case edit_operation::transpose:
    case edit_operation::invert: return "it refers to the old pitches";
    case edit_operation::retrograde:
    case edit_operation::rotate: return "it depends on the old order of measures";
    case edit_operation::augment: return "it refers to the old note values";
    case edit_operation::cut: return "its other end was removed";
    case edit_operation::add: return "it has no start";
    case edit_operation::begin: return "it has no end";
  }
  return {};
}

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Where the first start tag at or behind `from` begins, or npos.
std::size_t find_tag(std::string_view xml, std::size_t from = 0) {
  for (auto lt = xml.find('<', from); lt != std::string_view::npos; lt = xml.find('<', lt + 1))
    if (lt + 1 < xml.size() && begins_name(xml[lt + 1])) return lt;
  return std::string_view::npos;
}

std::string_view name_at(std::string_view xml, std::size_t tag) {
  auto end = std::min(xml.find_first_of(" \t\r\n/>?", tag + 1), xml.size());
  return xml.substr(tag + 1, end - tag - 1);
}

/// Where the value of an attribute of the first element stands.
std::optional<std::pair<std::size_t, std::size_t>> find_attribute(std::string_view xml,
                                                                  std::string_view name) {
  auto tag = find_tag(xml);
  if (tag == std::string_view::npos) return std::nullopt;
  auto end = std::min(xml.find('>', tag), xml.size());
  auto wanted = ' ' + std::string{name} + "=\"";
  auto at = xml.substr(0, end).find(wanted, tag);
  if (at == std::string_view::npos) return std::nullopt;
  at += wanted.size();
  auto quote = xml.find('"', at);
  if (quote == std::string_view::npos) return std::nullopt;
  return std::pair{at, quote - at};
}

}  // namespace

std::string_view to_string(edit_operation x) {
  return operation_names[static_cast<std::size_t>(x)];
}

std::string_view to_string(kept_fate x) {
  switch (x) {
    case kept_fate::keep: return "keep";
    case kept_fate::change: return "change";
    case kept_fate::drop: return "drop";
  }
  return {};
}

const std::vector<kept_row>& kept_table() {
  constexpr auto keep = kept_fate::keep, change = kept_fate::change, drop = kept_fate::drop;
  static const std::vector<kept_row> table{
#define FERMATA_KEPT(element, transpose, invert, retrograde, rotate, augment, cut) \
  {element, {transpose, invert, retrograde, rotate, augment, cut}},
#include "core/score/model/kept_table.inc"
#undef FERMATA_KEPT
  };
  return table;
}

const kept_row* find_kept_row(std::string_view element) {
  const auto& table = kept_table();
  auto row = std::lower_bound(table.begin(), table.end(), element,
                              [](const kept_row& r, auto name) { return r.element < name; });
  return row != table.end() && row->element == element ? &*row : nullptr;
}

kept_fate fate_of(const fragment& f, edit_operation x) {
  // A tag alone holds the attributes of a value that the score has (<alter/>, <root-step/>), or is
  // one end of a pair: there is nothing in it to contradict.
  if (f.xml.ends_with("/>") && f.xml.find('<', 1) == std::string::npos) {
    auto row = find_kept_row(kept_name(f));
    return row ? std::min(row->at(x), kept_fate::change) : kept_fate::keep;
  }
  auto fate = kept_fate::keep;
  for (auto tag = find_tag(f.xml); tag != std::string_view::npos; tag = find_tag(f.xml, tag + 1))
    if (auto row = find_kept_row(name_at(f.xml, tag))) fate = std::max(fate, row->at(x));
  return fate;
}

std::string_view kept_name(const fragment& f) {
  auto tag = find_tag(f.xml);
  return tag == std::string_view::npos ? std::string_view{} : name_at(f.xml, tag);
}

std::string_view kept_attribute(const fragment& f, std::string_view name) {
  auto at = find_attribute(f.xml, name);
  return at ? std::string_view{f.xml}.substr(at->first, at->second) : std::string_view{};
}

fragment with_kept_attribute(const fragment& f, std::string_view name, std::string_view value) {
  auto out = f;
  if (auto at = find_attribute(f.xml, name)) out.xml.replace(at->first, at->second, value);
  return out;
}

fragment without_kept_attribute(const fragment& f, std::string_view name) {
  auto out = f;
  // ` name="value"`
  if (auto at = find_attribute(f.xml, name))
    out.xml.erase(at->first - name.size() - 3, at->second + name.size() + 4);
  return out;
}

std::optional<std::string> standing_key(const fragment& f) {
  auto name = kept_name(f);
  if (f.xml.starts_with("<?") ||
      (name != "staff-details" && name != "part-symbol" && name != "instruments"))
    return std::nullopt;
  auto number = kept_attribute(f, "number");
  return std::string{name} + ' ' + std::string{number.empty() ? "1" : number};
}

void say_standing(std::vector<fragment>& in_force, const fragment& f) {
  auto key = standing_key(f);
  if (!key) return;
  std::erase_if(in_force, [&](const fragment& x) { return standing_key(x) == key; });
  in_force.push_back(f);
}

bool is_measure_style(const fragment& f) { return kept_name(f) == "measure-style"; }

std::optional<pair_end> pair_end_of(const fragment& f) {
  auto name = kept_name(f);
  auto row = find_kept_row(name);
  if (!row || row->at(edit_operation::cut) != kept_fate::change || standing_key(f))
    return std::nullopt;
  auto number = kept_attribute(f, "number");
  auto pair = std::string{name} + ' ' + std::string{number.empty() ? "1" : number};
  auto said = f;
  if (is_measure_style(f)) {
    // The ends are said by what is in it; its number is that of a staff.
    auto tag = find_tag(f.xml, find_tag(f.xml) + 1);
    if (tag == std::string_view::npos) return std::nullopt;
    said.xml.erase(0, tag);
    pair += ' ' + std::string{kept_name(said)};
  }
  auto type = kept_attribute(said, "type");
  if (type != "start" && type != "stop") return std::nullopt;
  return pair_end{std::move(pair), type == "start"};
}

std::optional<pair_end> pair_end_of(const mark& m) {
  if (m.kind != mark_kind::other_notation || !m.extra) return std::nullopt;
  std::string type, number = "1";
  for (const auto& [name, value] : m.extra->attributes) {
    if (name == "type") type = value;
    if (name == "number") number = value;
  }
  if (type != "start" && type != "stop") return std::nullopt;
  return pair_end{"other-notation " + number, type == "start"};
}

void kept_losses::add(edit_operation x, std::string_view what, std::size_t count) {
  if (count > 0) counts_[{x, std::string{what}}] += count;
}

std::vector<std::string> kept_losses::lines() const {
  std::vector<std::string> out;
  for (const auto& [key, count] : counts_) {
    const auto& [operation, what] = key;
    auto is_element = find_kept_row(what) != nullptr;
    // `cut` stands for delete, replace and edit; the reason says what happened.
    auto line = operation == edit_operation::cut ? std::string{"removed "}
                                                 : std::string{to_string(operation)} + " dropped ";
    line += is_element ? '<' + what + '>' : what;
    if (count > 1) line += " (" + std::to_string(count) + " times)";
    out.push_back(line + ": " + std::string{reason(operation)});
  }
  return out;
}

}  // namespace fermata
