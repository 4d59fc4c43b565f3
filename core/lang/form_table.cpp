#include "core/lang/form_spec.hpp"

#include <iterator>
#include <unordered_map>

namespace fermata {

namespace {

std::vector<form_spec> all_forms() {
  std::vector<form_spec> all;
  for (auto family : {core_forms, music_forms, edit_forms, transform_forms, theory_forms}) {
    auto rows = family();
    all.insert(all.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
  }
  return all;
}

std::string upper(std::string_view name) {
  std::string s;
  for (char c : name)
    s += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return s;
}

} // namespace

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

std::string usage(const form_spec& f) {
  // A note has a hundred options; a line that lists them all helps nobody.
  constexpr int most_named = 8;
  std::string s = "(" + f.name;
  int named = 0;
  for (auto& p : f.params) {
    auto is_named = p.kind == param_kind::option || p.kind == param_kind::flag;
    if (is_named && ++named > most_named) {
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
          if (p.choices.size() <= 4)
            what += (what.empty() ? "" : "|") + choice;
        s += "[:" + p.name + " " + what + "]";
        break;
      }
    }
  }
  return s + ")";
}

} // namespace fermata
