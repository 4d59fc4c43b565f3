#include "core/lang/value/form_spec.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <unordered_map>

namespace fermata {

namespace {

std::vector<form_spec> all_forms() {
  std::vector<form_spec> all;
  for (auto family : {core_forms, music_forms, edit_forms, transform_forms, theory_forms}) {
    auto rows = family();
    all.insert(all.end(), std::make_move_iterator(rows.begin()),
               std::make_move_iterator(rows.end()));
  }
  for (auto& row : all)
    row.facts = facts_of(row);
  return all;
}

std::string upper(std::string_view name) {
  std::string s;
  for (char c : name)
    s += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return s;
}

}  // namespace

const std::vector<form_spec>& form_table() {
  static const auto table = all_forms();
  return table;
}

const form_spec* find_form(std::string_view name) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const form_spec*> by_name;
    for (auto& row : form_table()) {
      by_name.emplace(row.name, &row);
      for (auto& alias : row.aliases)
        by_name.emplace(alias, &row);
    }
    return by_name;
  }();
  auto at = index.find(name);
  return at != index.end() ? at->second : nullptr;
}

std::vector<std::string_view> form_names() {
  std::vector<std::string_view> names;
  auto is_plain = [](const form_spec& row) {
    constexpr std::string_view plain[] = {"core", "number", "list", "function",
                                          "text", "kind",   "help"};
    return std::find(std::begin(plain), std::end(plain), row.category) != std::end(plain);
  };
  for (bool wanted : {true, false})
    for (auto& row : form_table())
      if (is_plain(row) == wanted) {
        names.push_back(row.name);
        names.insert(names.end(), row.aliases.begin(), row.aliases.end());
      }
  return names;
}

bool is_notation(const form_spec& f) {
  return f.category == "music" || f.category == "mark" || f.category == "structure";
}

call_facts facts_of(const form_spec& f) {
  call_facts facts;
  for (std::size_t i = 0; i < f.params.size(); ++i) {
    auto& p = f.params[i];
    if (!is_named(p)) {
      facts.positional.push_back(i);
      continue;
    }
    facts.named.emplace(p.name, i);
    for (auto& alias : p.aliases)
      facts.named.emplace(alias, i);
  }
  auto is_of = [&](std::initializer_list<std::string_view> categories) {
    return std::find(categories.begin(), categories.end(), f.category) != categories.end();
  };
  // What only looks at lists, or walks over them without calling itself.
  facts.takes_any_depth = is_of({"core", "number", "list", "function", "text", "kind", "help"});
  facts.moves_pitches = is_of({"transform", "theory", "neo"});
  facts.copies_music = is_of({"transform"});
  return facts;
}

std::optional<std::size_t> find_option(const form_spec& f, std::string_view name) {
  auto at = f.facts.named.find(name);
  return at != f.facts.named.end() ? std::optional{at->second} : std::nullopt;
}

std::string usage(const form_spec& f) {
  // A note has a hundred options; a line that lists them all helps nobody.
  constexpr int most_named = 8;
  std::string s = "(" + f.name;
  int named = 0;
  for (auto& p : f.params) {
    if (is_named(p) && ++named > most_named) {
      s += " [...]";
      break;
    }
    s += ' ';
    switch (p.kind) {
      case param_kind::required: s += upper(p.name); break;
      case param_kind::optional: s += "[" + upper(p.name) + "]"; break;
      case param_kind::rest: s += "[" + upper(p.name) + " ...]"; break;
      case param_kind::flag: s += "[:" + p.name + "]"; break;
      case param_kind::option: {
        auto what = !p.choices.empty() && p.choices.size() <= 4 ? std::string{} : upper(p.name);
        for (auto& choice : p.choices)
          if (p.choices.size() <= 4) what += (what.empty() ? "" : "|") + choice;
        s += "[:" + p.name + " " + what + "]";
        break;
      }
    }
  }
  return s + ")";
}

}  // namespace fermata
