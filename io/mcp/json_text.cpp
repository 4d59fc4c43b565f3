#include "io/mcp/json_text.hpp"

#include <charconv>

namespace fermata::io::mcp {

void append_string(std::string& out, std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  out.reserve(out.size() + text.size() + text.size() / 8 + 2);
  out += '"';
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, from, i - from);
    from = i + 1;
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        out += "\\u00";
        out += digits[c >> 4];
        out += digits[c & 15];
    }
  }
  out.append(text, from, text.size() - from);
  out += '"';
}

std::string json_string(std::string_view text) {
  std::string out;
  append_string(out, text);
  return out;
}

std::string_view text_of(const boost::json::value* v) {
  return v && v->is_string() ? std::string_view{v->get_string()} : std::string_view{};
}

bool takes_forms(const boost::json::object* capabilities) {
  const auto* asked = capabilities ? object_of(member(*capabilities, "elicitation")) : nullptr;
  // An empty object is the way to say it of the revisions that know nothing but forms.
  return asked && (asked->empty() || asked->contains("form"));
}

std::string with_member(std::string_view object, std::string_view member) {
  std::string out = "{";
  out += member;
  if (object.size() > 2) out += ',';
  out += object.substr(1);
  return out;
}

plain_reply take_apart(std::string_view line) {
  constexpr std::string_view before_id = R"({"jsonrpc":"2.0","id":)";
  constexpr std::string_view after_id = R"(,"result":)";
  plain_reply out;
  if (line.substr(0, before_id.size()) != before_id || line.back() != '}') return out;
  const auto* end = line.data() + line.size();
  auto [rest, ec] = std::from_chars(line.data() + before_id.size(), end, out.id);
  const std::string_view tail{rest, static_cast<std::size_t>(end - rest)};
  if (ec != std::errc{} || tail.substr(0, after_id.size()) != after_id) return out;
  out.result = tail.substr(after_id.size(), tail.size() - after_id.size() - 1);
  out.whole = out.result.size() >= 2 && out.result.front() == '{' && out.result.back() == '}';
  return out;
}

}  // namespace fermata::io::mcp
