#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fermata::io::mcp {

/// One view of a session that can be read as a resource.
struct resource_view {
  std::string_view tail;   ///< after `fermata://session/{session}/`
  std::string_view name;   ///< short name
  std::string_view title;  ///< what it shows
  std::string_view mime_type;
  std::string_view method;  ///< of the registry
  std::string_view params;  ///< beside `session`, as members of a JSON object
  std::string_view member;  ///< of the result that is the text; empty: the whole result
  bool of_score = false;    ///< changes with the score; else with the timeline
};

std::span<const resource_view> resource_views();

/// A session and one of its views.
struct resource_uri {
  std::string session;  ///< slug, or pid/slug
  const resource_view* view = nullptr;
};

std::string to_text(const resource_uri& uri);
/// Percent escapes in the session are undone. None for anything else.
std::optional<resource_uri> parse_uri(std::string_view text);
/// `fermata://session/{session}/score`
std::string uri_template(const resource_view& view);

}  // namespace fermata::io::mcp
