#include "core/lang/form_spec.hpp"

#include <functional>
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

namespace {

/// The parameters of one form, by kind.
struct param_index {
  std::unordered_map<std::string_view, std::size_t> options;
  std::vector<std::size_t> positional;

  explicit param_index(const form_spec& f) {
    for (std::size_t i = 0; i < f.params.size(); ++i) {
      auto& p = f.params[i];
      if (!is_named(p)) {
        positional.push_back(i);
        continue;
      }
      options.emplace(p.name, i);
      for (auto& alias : p.aliases)
        options.emplace(alias, i);
    }
  }
};

/// Null for what is no row of the table.
const param_index* known_params(const form_spec& f) {
  // A note has more than a hundred options.
  static const auto indices = [] {
    std::vector<param_index> all;
    for (auto& row : form_table())
      all.emplace_back(row);
    return all;
  }();
  auto& table = form_table();
  bool in_table =
      std::less_equal<>{}(table.data(), &f) && std::less<>{}(&f, table.data() + table.size());
  return in_table ? &indices[static_cast<std::size_t>(&f - table.data())] : nullptr;
}

}  // namespace

std::optional<std::size_t> find_option(const form_spec& f, std::string_view name) {
  auto find_in = [name](const param_index& index) {
    auto at = index.options.find(name);
    return at != index.options.end() ? std::optional{at->second} : std::nullopt;
  };
  auto known = known_params(f);
  return known != nullptr ? find_in(*known) : find_in(param_index{f});
}

std::vector<std::size_t> positional_params(const form_spec& f) {
  auto known = known_params(f);
  return known != nullptr ? known->positional : param_index{f}.positional;
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
