#include "core/score/model/mark.hpp"

#include <map>

namespace fermata {

const std::vector<mark_info>& mark_table() {
  static const std::vector<mark_info> table{
#define FERMATA_MARK(id, xml, group, value, option, aliases) \
  {mark_kind::id, xml, mark_group::group, mark_value::value, option, aliases},
#include "core/score/model/mark_table.inc"
#undef FERMATA_MARK
  };
  return table;
}

const mark_info& info(mark_kind k) { return mark_table()[static_cast<std::size_t>(k)]; }

std::optional<mark_kind> mark_by_xml_name(mark_group g, std::string_view name) {
  static const auto index = [] {
    std::map<std::pair<mark_group, std::string_view>, mark_kind> m;
    for (auto& row : mark_table())
      m.emplace(std::pair{row.group, row.xml_name}, row.kind);
    return m;
  }();
  auto it = index.find({g, name});
  return it == index.end() ? std::nullopt : std::optional{it->second};
}

std::optional<mark_kind> mark_by_option(std::string_view option) {
  static const auto index = [] {
    std::map<std::string_view, mark_kind> m;
    for (auto& row : mark_table()) {
      m.emplace(row.option, row.kind);
      for (auto rest = row.aliases; !rest.empty();) {
        auto blank = rest.find(' ');
        if (auto word = rest.substr(0, blank); !word.empty()) m.emplace(word, row.kind);
        rest = blank == std::string_view::npos ? std::string_view{} : rest.substr(blank + 1);
      }
    }
    return m;
  }();
  auto it = index.find(option);
  return it == index.end() ? std::nullopt : std::optional{it->second};
}

}  // namespace fermata
