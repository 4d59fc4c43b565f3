#include "apps/fermata/commands/error_json.hpp"

#include <utility>

namespace fermata::app {

boost::json::array to_json(const std::vector<diagnostic>& all, std::string_view text) {
  boost::json::array list;
  for (auto& d : all) {
    boost::json::object one{{"code", info(d.code).name}, {"message", d.message}};
    if (d.span && !text.empty()) {
      auto at = locate(text, d.span->begin);
      one["line"] = at.line;
      one["column"] = at.column;
      one["begin"] = d.span->begin;
      one["end"] = d.span->end;
    }
    if (!d.hint.empty()) one["hint"] = d.hint;
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace fermata::app
