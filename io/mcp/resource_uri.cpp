#include "io/mcp/resource_uri.hpp"

#include <fmt/format.h>

#include <charconv>

namespace fermata::io::mcp {

namespace {

constexpr std::string_view root = "fermata://session/";

constexpr resource_view views[] = {
    {"score", "score", "Score as Fermata text", "text/x-fermata", "get_score",
     R"("format":"fermata","limit":400000)", "text", true},
    {"score.musicxml", "score.musicxml", "Score as MusicXML",
     "application/vnd.recordare.musicxml+xml", "get_score", R"("format":"musicxml","limit":400000)",
     "text", true},
    {"timeline", "timeline", "Timeline: the last inputs, values and messages", "application/json",
     "get_history", R"("limit":100)", "", false},
};

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '~';
}

}  // namespace

std::span<const resource_view> resource_views() { return views; }

std::string to_text(const resource_uri& uri) {
  std::string out{root};
  for (char c : uri.session) {
    if (is_plain(c))
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  out += '/';
  out += uri.view->tail;
  return out;
}

std::optional<resource_uri> parse_uri(std::string_view text) {
  if (text.substr(0, root.size()) != root) return std::nullopt;
  text.remove_prefix(root.size());
  const auto slash = text.find('/');
  if (slash == 0 || slash == std::string_view::npos) return std::nullopt;
  resource_uri out;
  const auto session = text.substr(0, slash);
  for (std::size_t i = 0; i < session.size(); ++i) {
    if (session[i] != '%') {
      out.session += session[i];
      continue;
    }
    unsigned byte = 0;
    if (i + 3 > session.size()) return std::nullopt;
    auto [end, ec] = std::from_chars(session.data() + i + 1, session.data() + i + 3, byte, 16);
    if (ec != std::errc{} || end != session.data() + i + 3) return std::nullopt;
    out.session += static_cast<char>(byte);
    i += 2;
  }
  const auto tail = text.substr(slash + 1);
  for (const auto& view : views)
    if (view.tail == tail) out.view = &view;
  if (!out.view) return std::nullopt;
  return out;
}

std::string uri_template(const resource_view& view) {
  return fmt::format("{}{{session}}/{}", root, view.tail);
}

}  // namespace fermata::io::mcp
