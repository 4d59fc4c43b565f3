#include "core/lang/names/xml_text.hpp"

#include "core/lang/names/spec.hpp"
#include "core/lang/names/symbol_names.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

namespace fermata {

namespace {

constexpr std::string_view kept_begin = "<?fermata-kept ", kept_end = "?>";
constexpr std::string_view blanks = " \t\r\n";

/// Deeper than anything in MusicXML.
constexpr std::size_t deepest_element = 100;

bool is_in(const std::vector<std::string_view>& sorted, std::string_view name) {
  return std::binary_search(sorted.begin(), sorted.end(), name);
}

/// Reads one element from its first tag to its last.
class element_reader {
public:
  explicit element_reader(std::string_view xml) : rest_(xml) {}

  /// What is wrong, or nothing.
  std::string run() {
    skip_blanks();
    while (fault_.empty() && !rest_.empty())
      step();
    if (!fault_.empty()) return fault_;
    if (!open_.empty()) return "<" + std::string{open_.back()} + "> has no closing tag";
    return seen_ ? std::string{} : "no element found; write <name>...</name>";
  }

private:
  void wrong(std::string what) {
    if (fault_.empty()) fault_ = std::move(what);
  }
  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
  }
  std::string_view take_name() {
    auto name = rest_.substr(0, std::min(rest_.find_first_of(" \t\r\n/>=<\"'&"), rest_.size()));
    rest_.remove_prefix(name.size());
    return name;
  }
  /// Everything up to `end`, and it.
  void take_through(std::string_view end, const char* what) {
    auto at = rest_.find(end);
    if (at == std::string_view::npos) return wrong(std::string{what} + " does not end");
    rest_.remove_prefix(at + end.size());
  }

  void step() {
    if (take("<!--"))
      take_through("-->", "a comment");
    else if (take("<![CDATA["))
      take_through("]]>", "a piece of character data");
    else if (take("<?"))
      take_through("?>", "a processing instruction");
    else if (take("</"))
      close();
    else if (take("<"))
      begin();
    else
      text();
  }

  void text() {
    auto piece = rest_.substr(0, std::min(rest_.find('<'), rest_.size()));
    rest_.remove_prefix(piece.size());
    if (open_.empty() && piece.find_first_not_of(blanks) != std::string_view::npos)
      return wrong("expected a single element without text around it");
    references(piece);
  }

  /// An & begins a reference; by itself it is written &amp;.
  void references(std::string_view piece) {
    static constexpr std::array<std::string_view, 5> known{"amp;", "lt;", "gt;", "quot;", "apos;"};
    for (auto at = piece.find('&'); at != std::string_view::npos; at = piece.find('&', at + 1)) {
      auto behind = piece.substr(at + 1);
      auto end = behind.find(';');
      auto number = behind.starts_with('#') && end != std::string_view::npos && end > 1 &&
                    behind.substr(1, end - 1).find_first_not_of("0123456789abcdefABCDEFx") ==
                        std::string_view::npos;
      if (!number &&
          std::none_of(known.begin(), known.end(), [&](auto k) { return behind.starts_with(k); }))
        return wrong("write a literal & as &amp;");
    }
  }

  void begin() {
    auto name = take_name();
    if (name.empty()) return wrong("write a literal < as &lt;");
    if (open_.empty() && std::exchange(seen_, true))
      return wrong("expected a single element, but <" + std::string{name} + "> is a second one");
    if (!is_in(musicxml_elements(), name))
      return wrong("MusicXML has no element <" + std::string{name} + ">" +
                   meant(name, musicxml_elements()));
    if (open_.size() >= deepest_element) return wrong("elements are nested too deeply");
    attributes(name);
    if (!fault_.empty()) return;
    if (take("/>")) return;
    if (!take(">")) return wrong("the tag <" + std::string{name} + " has no end");
    open_.push_back(name);
  }

  void attributes(std::string_view element) {
    std::vector<std::string_view> seen;
    for (skip_blanks(); !rest_.empty() && rest_.front() != '>' && rest_.front() != '/';
         skip_blanks()) {
      auto name = take_name();
      auto what = "the attribute " + std::string{name} + " of <" + std::string{element} + ">";
      if (name.empty()) return wrong("the tag <" + std::string{element} + " has no end");
      skip_blanks();
      auto equals = take("=");
      skip_blanks();
      auto quote = rest_.empty() ? ' ' : rest_.front();
      auto end = quote == '"' || quote == '\'' ? rest_.find(quote, 1) : std::string_view::npos;
      if (!equals || end == std::string_view::npos) return wrong(what + " needs a value in quotes");
      if (std::find(seen.begin(), seen.end(), name) != seen.end())
        return wrong(what + " is given twice");
      seen.push_back(name);
      auto text = rest_.substr(1, end - 1);
      if (text.find('<') != std::string_view::npos) return wrong("write < in an attribute as &lt;");
      references(text);
      rest_.remove_prefix(end + 1);
    }
  }

  void close() {
    auto name = take_name();
    skip_blanks();
    if (!take(">")) return wrong("the tag </" + std::string{name} + " has no end");
    if (open_.empty()) return wrong("</" + std::string{name} + "> has no opening tag");
    if (open_.back() != name)
      return wrong("unexpected </" + std::string{name} + ">: <" + std::string{open_.back()} +
                   "> is still open");
    open_.pop_back();
  }

  std::string_view rest_;
  std::vector<std::string_view> open_;
  bool seen_ = false;
  std::string fault_;
};

// <sound>

enum class sound_value { number, angle, yes_no, yes_no_number, text };
struct sound_attribute {
  std::string_view name;
  sound_value kind;
};
/// The attributes of MusicXML's <sound> and what they take.
constexpr sound_attribute sound_attributes[] = {
    {"tempo", sound_value::number},
    {"dynamics", sound_value::number},
    {"dacapo", sound_value::yes_no},
    {"segno", sound_value::text},
    {"dalsegno", sound_value::text},
    {"coda", sound_value::text},
    {"tocoda", sound_value::text},
    {"divisions", sound_value::number},
    {"forward-repeat", sound_value::yes_no},
    {"fine", sound_value::text},
    {"time-only", sound_value::text},
    {"pizzicato", sound_value::yes_no},
    {"pan", sound_value::angle},
    {"elevation", sound_value::angle},
    {"damper-pedal", sound_value::yes_no_number},
    {"soft-pedal", sound_value::yes_no_number},
    {"sostenuto-pedal", sound_value::yes_no_number},
    {"id", sound_value::text},
};

std::optional<double> number_of(const value& v) {
  if (auto n = v.as_number()) return n->to_double();
  if (auto d = v.get_if<double>()) return *d;
  return std::nullopt;
}

/// What an attribute takes, where `v` is none of it.
std::string fault_of_sound_value(const sound_attribute& a, const value& v) {
  if (v.as_string()) return {};
  auto number = number_of(v);
  auto yes_no = text_of(v) == "yes" || text_of(v) == "no";
  auto says = [&](const char* what) {
    return ":" + std::string{a.name} + " is " + what + ", not `" + print(v) + "`";
  };
  switch (a.kind) {
    case sound_value::number:
      return number && *number >= 0 ? std::string{} : says("a number from 0");
    case sound_value::angle:
      return number && *number >= -180 && *number <= 180 ? std::string{}
                                                         : says("a number from -180 to 180");
    case sound_value::yes_no: return yes_no ? std::string{} : says("yes or no");
    case sound_value::yes_no_number:
      return yes_no || number ? std::string{} : says("yes, no or a number");
    case sound_value::text: return text_of(v) ? std::string{} : says("a text");
  }
  return {};
}

}  // namespace

const std::vector<std::string_view>& musicxml_elements() {
  static const std::vector<std::string_view> names{
#define FERMATA_MUSICXML_ELEMENT(name) name,
#define FERMATA_MUSICXML_ATTRIBUTE(name)
#include "core/lang/names/musicxml_names.inc"
#undef FERMATA_MUSICXML_ELEMENT
#undef FERMATA_MUSICXML_ATTRIBUTE
  };
  return names;
}

const std::vector<std::string_view>& musicxml_attributes() {
  static const std::vector<std::string_view> names{
#define FERMATA_MUSICXML_ELEMENT(name)
#define FERMATA_MUSICXML_ATTRIBUTE(name) name,
#include "core/lang/names/musicxml_names.inc"
#undef FERMATA_MUSICXML_ELEMENT
#undef FERMATA_MUSICXML_ATTRIBUTE
  };
  return names;
}

std::string fault_of_element(std::string_view xml) {
  if (xml.starts_with(kept_begin) && xml.find(kept_end) == xml.size() - kept_end.size()) return {};
  return element_reader{xml}.run();
}

bool is_xml_id(std::string_view text) {
  auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  return !text.empty() && letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
         });
}

std::string no_such_id(std::string_view text) {
  return "an id starts with a letter, followed by letters, digits, . - and _; not `" +
         std::string{text} + '`';
}

bool is_plain_attribute(std::string_view name, std::string_view text) {
  return is_in(musicxml_attributes(), name) && (name != "id" || is_xml_id(text));
}

std::string fault_of_xml(const value& v) {
  auto list = v.as_list();
  if (!list) {
    auto text = v.as_string();
    return text ? fault_of_element(*text)
                : "expected a list of attributes and elements such as (:default-x 83 \"<play/>\"), "
                  "not " +
                      print(v);
  }
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const auto& x = list->items[i];
    auto name = text_of(x);
    if (!name) return "expected an attribute name, not " + print(x) + " is not";
    if (x.as_string() && name->starts_with('<')) {
      if (auto fault = fault_of_element(*name); !fault.empty()) return fault;
      continue;
    }
    if (i + 1 == list->items.size()) return "the attribute " + print(x) + " has no value";
    const auto& said = list->items[++i];
    auto text = text_of(said);
    if (!text) return "the attribute " + print(x) + " needs a text or number, not " + print(said);
    // What stands in quotes came from a file as it is.
    if (x.as_string()) continue;
    if (!is_in(musicxml_attributes(), *name))
      return "MusicXML has no attribute `" + *name + "`" + meant(*name, musicxml_attributes());
    if (*name == "id" && !is_xml_id(*text)) return no_such_id(*text);
  }
  return {};
}

bool is_plain_sound_value(std::string_view name, const value& v) {
  auto row = std::find_if(std::begin(sound_attributes), std::end(sound_attributes),
                          [&](auto& a) { return a.name == name; });
  return row == std::end(sound_attributes) || fault_of_sound_value(*row, v).empty();
}

std::vector<std::string_view> sound_attribute_names() {
  std::vector<std::string_view> names;
  for (auto& a : sound_attributes)
    names.push_back(a.name);
  return names;
}

std::string fault_of_sound(const value& v) {
  auto list = v.as_list();
  if (!list) return fault_of_xml(v);
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const auto& x = list->items[i];
    auto name = text_of(x).value_or("");
    if (x.as_string() && name.starts_with('<')) continue;
    auto row = std::find_if(std::begin(sound_attributes), std::end(sound_attributes),
                            [&](auto& a) { return a.name == name; });
    if (i + 1 == list->items.size()) break;
    const auto& said = list->items[++i];
    if (x.as_string()) continue;
    if (row == std::end(sound_attributes)) {
      // Another attribute of MusicXML with a text in quotes was read in a file.
      if (said.as_string() && is_in(musicxml_attributes(), name)) continue;
      return "unknown playback attribute `" + name + "`" + meant(name, sound_attribute_names());
    }
    if (auto fault = fault_of_sound_value(*row, said); !fault.empty()) return fault;
  }
  return fault_of_xml(v);
}

}  // namespace fermata
