#include "io/musicxml/fragment_check.hpp"

#include "io/musicxml/schema.hpp"
#include "io/musicxml/xml_writer.hpp"

#include <algorithm>
#include <vector>

namespace fermata::io::musicxml {

namespace {

constexpr std::string_view wrapper_begin = "<?fermata-kept ", wrapper_end = "?>";

/// Deeper than anything in MusicXML; canonical text may come from anywhere.
constexpr std::size_t deepest = 100;

/// Walks canonical text and checks it on the way. Anything that is not canonical fails.
class checker {
public:
  checker(std::string_view xml, const std::unordered_set<std::string>& ids)
    : rest_(xml), ids_(ids) {}

  bool run() { return element(nullptr, 0) && rest_.empty(); }
  const std::vector<std::string>& new_ids() const { return new_ids_; }

private:
  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  std::string_view take_name() {
    auto name = rest_.substr(0, std::min(rest_.find_first_of(" />=\"<&"), rest_.size()));
    rest_.remove_prefix(name.size());
    return name;
  }

  bool attributes(const schema_element& e) {
    std::vector<std::string_view> seen;
    while (take(" ")) {
      auto name = take_name();
      if (name.empty() || !take("=\"")) return false;
      auto end = rest_.find('"');
      if (end == std::string_view::npos) return false;
      auto raw = rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
      if (!is_escaped(raw, true) || std::find(seen.begin(), seen.end(), name) != seen.end())
        return false;
      seen.push_back(name);
      auto value = unescaped(raw);
      auto* a = e.attribute(name);
      if (!a || !is_valid(*a->type, value)) return false;
      if (is_id(*a->type)) {
        if (ids_.contains(value) ||
            std::find(new_ids_.begin(), new_ids_.end(), value) != new_ids_.end())
          return false;
        new_ids_.push_back(value);
      }
      if (is_id_reference(*a->type) && !ids_.contains(value)) return false;
    }
    return std::all_of(e.attributes.begin(), e.attributes.end(), [&](auto& a) {
      return !a.required || std::find(seen.begin(), seen.end(), a.name) != seen.end();
    });
  }

  /// Whether the text is as `append_escaped` would have written it.
  static bool is_escaped(std::string_view raw, bool in_attribute) {
    std::string again;
    append_escaped(again, unescaped(raw), in_attribute);
    return again == raw;
  }

  bool element(child_sequence* siblings, std::size_t depth) {
    if (depth > deepest || !take("<")) return false;
    auto name = take_name();
    auto* e = find_schema_element(name);
    if (!e || (siblings && !siblings->take(name)) || !attributes(*e)) return false;
    child_sequence children{*e};
    if (take("/>")) return children.complete() && (!e->text || is_valid(*e->text, {}));
    if (!take(">")) return false;
    if (rest_.starts_with('<') && !rest_.starts_with("</")) {
      while (!rest_.starts_with("</"))
        if (!element(&children, depth + 1)) return false;
      if (!children.complete() || e->text) return false;
    } else {
      auto raw = rest_.substr(0, rest_.find('<'));
      rest_.remove_prefix(raw.size());
      if (raw.empty() || !e->text || !is_escaped(raw, false) || !is_valid(*e->text, unescaped(raw)))
        return false;
    }
    return take("</") && take(name) && take(">");
  }

  std::string_view rest_;
  const std::unordered_set<std::string>& ids_;
  std::vector<std::string> new_ids_;
};

}  // namespace

std::optional<std::vector<std::string>> ids_if_fitting(std::string_view xml,
                                                       const std::unordered_set<std::string>& ids) {
  checker c{xml, ids};
  if (!c.run()) return std::nullopt;
  return c.new_ids();
}

bool fits_schema(std::string_view xml, std::unordered_set<std::string>& ids) {
  auto fresh = ids_if_fitting(xml, ids);
  if (fresh) ids.insert(fresh->begin(), fresh->end());
  return fresh.has_value();
}

bool would_fit_schema(std::string_view xml, const std::unordered_set<std::string>& ids) {
  return checker{xml, ids}.run();
}

void for_each_attribute(
    std::string_view xml,
    const std::function<void(std::string_view, const std::string&, std::string_view)>& visit) {
  auto tag = xml.substr(0, xml.find('>'));
  for (auto p = tag.find(' '); p != std::string_view::npos;) {
    auto equals = tag.find("=\"", p);
    if (equals == std::string_view::npos) return;
    auto end = tag.find('"', equals + 2);
    if (end == std::string_view::npos) return;
    visit(tag.substr(p + 1, equals - p - 1), unescaped(tag.substr(equals + 2, end - equals - 2)),
          tag.substr(p, end + 1 - p));
    p = tag.find(' ', end);
  }
}

std::string_view element_name(std::string_view xml) {
  if (!xml.starts_with('<')) return {};
  auto end = xml.find_first_of(" />\t\n", 1);
  return end == std::string_view::npos ? std::string_view{} : xml.substr(1, end - 1);
}

fragment wrapped(std::string_view xml) {
  std::string text{wrapper_begin}, content;
  // Blanks in front and line ends are not kept by XML, so they are settled here.
  auto begin = xml.find_first_not_of(" \t\r\n");
  append_xml_characters(content, begin == std::string_view::npos ? "" : xml.substr(begin));
  std::replace(content.begin(), content.end(), '\r', '\n');
  for (auto c : content) {
    if (c == '>' && text.back() == '?')
      text += ' ';  // the end of the instruction must not come early
    text += c;
  }
  text += wrapper_end;
  return {std::move(text)};
}

bool is_wrapped(const fragment& f) {
  std::string_view xml = f.xml;
  return xml.starts_with(wrapper_begin) && xml.find(wrapper_end) == xml.size() - 2;
}

std::string unescaped(std::string_view text) {
  struct entity {
    std::string_view name;
    char character;
  };
  static constexpr entity entities[] = {{"&amp;", '&'},  {"&lt;", '<'},  {"&gt;", '>'},
                                        {"&quot;", '"'}, {"&#9;", '\t'}, {"&#10;", '\n'},
                                        {"&#13;", '\r'}};
  std::string out;
  while (!text.empty()) {
    auto plain = text.substr(0, text.find('&'));
    out += plain;
    text.remove_prefix(plain.size());
    if (text.empty()) break;
    auto found = std::find_if(std::begin(entities), std::end(entities),
                              [&](auto& e) { return text.starts_with(e.name); });
    if (found == std::end(entities)) {
      out += '&';
      text.remove_prefix(1);
    } else {
      out += found->character;
      text.remove_prefix(found->name.size());
    }
  }
  return out;
}

}  // namespace fermata::io::musicxml
