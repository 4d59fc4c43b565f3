#include "io/protocol/method.hpp"

#include "core/error.hpp"
#include "io/text/line_decoder.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace fermata::io::protocol {

namespace {

constexpr std::string_view tool_prefix = "repl_";

}  // namespace

const std::vector<const method*>& methods() {
  static const auto all = [] {
    std::vector<const method*> rows;
    for (auto subject : {system_methods(), session_methods(), score_methods(), history_methods(),
                         analysis_methods(), edit_methods(), playback_methods(),
                         recording_methods(), event_methods(), front_end_methods()})
      for (const auto& row : subject)
        rows.push_back(&row);
    return rows;
  }();
  return all;
}

const method* find_method(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const method*> map;
    for (const auto* row : methods())
      map.emplace(row->name, row);
    return map;
  }();
  auto found = by_name.find(name);
  if (found == by_name.end() && name.substr(0, tool_prefix.size()) == tool_prefix)
    found = by_name.find(name.substr(tool_prefix.size()));
  return found == by_name.end() ? nullptr : found->second;
}

fault unknown_method(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto* row : methods())
    names.push_back(row->name);
  auto plain = name;
  if (plain.substr(0, tool_prefix.size()) == tool_prefix) plain.remove_prefix(tool_prefix.size());
  auto quoted = std::string{clipped(plain, 60)};
  boost::json::object data{{"method", quoted}};
  std::string hint = "rpc.discover lists the methods";
  if (auto near = nearest(plain, names)) {
    hint = fmt::format("did you mean `{}`?", *near);
    data["nearest"] = *near;
  }
  return {fault_code::method_not_found, fmt::format("unknown method `{}`", quoted), hint,
          std::move(data)};
}

}  // namespace fermata::io::protocol
