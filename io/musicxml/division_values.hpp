#pragma once

#include "core/music/rational.hpp"
#include "core/score/model/preserved.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata::io::musicxml::detail {

/// Some rare attributes and elements are counted in MusicXML's divisions, which the writer chooses
/// anew. What is preserved of them is kept in quarter notes ("3/8") and turned back when written.

/// Whether an attribute of that element is counted in divisions: attack and release of a note,
/// make-time of a grace note, offset of a bend's release, divisions of sounds and barlines.
constexpr bool is_division_valued(std::string_view element, std::string_view attribute) {
  return (element == "note" && (attribute == "attack" || attribute == "release")) ||
         (element == "grace" && attribute == "make-time") ||
         (element == "release" && attribute == "offset") ||
         ((element == "sound" || element == "barline") && attribute == "divisions");
}
/// Whether the text of that element is.
constexpr bool is_division_valued(std::string_view element) { return element == "offset"; }

/// `value` quarters in divisions, as the decimal that the schema wants; exact where it can be.
/// Text that is no number stays as it is.
std::string in_divisions(std::string_view quarters, rational divisions);
/// The inverse: a decimal count of divisions as quarters, "3/8".
std::string in_quarters(std::string_view divisions_text, rational divisions);

/// A canonical fragment with every division-valued part replaced by `convert(text)`.
template <class Convert>
std::string converted_fragment(std::string_view xml, Convert&& convert);

/// A canonical fragment whose amounts of quarters are turned into divisions.
std::string fragment_in_divisions(const std::string& xml, rational divisions);

/// Whether a fragment may hold something counted in divisions.
bool mentions_divisions(std::string_view xml);

/// Calls `need(rational)` for every amount of quarters that `extra` of `element` holds.
template <class Need>
void need_preserved_divisions(std::string_view element, const preserved& extra, Need&& need);
template <class Need>
void need_fragment_divisions(const fragment& f, Need&& need);

// --- mechanics -----------------------------------------------------------------------------------

template <class Convert>
std::string converted_fragment(std::string_view xml, Convert&& convert) {
  std::string out;
  std::string element;
  for (std::size_t i = 0; i < xml.size();) {
    auto lt = xml.find('<', i);
    auto text = xml.substr(i, lt == std::string_view::npos ? lt : lt - i);
    if (!text.empty() && is_division_valued(element))
      out += convert(text);
    else
      out += text;
    if (lt == std::string_view::npos) break;
    auto gt = xml.find('>', lt);
    auto tag = xml.substr(lt, gt == std::string_view::npos ? gt : gt - lt + 1);
    i = lt + tag.size();
    element.clear();
    if (tag.starts_with("</")) {
      out += tag;
      continue;
    }
    auto name_end = tag.find_first_of(" />", 1);
    element = tag.substr(1, name_end - 1);
    // Attributes of canonical text: ` name="value"`, nothing else.
    std::size_t done = 0;
    for (auto p = tag.find(' '); p != std::string_view::npos;) {
      auto eq = tag.find("=\"", p);
      if (eq == std::string_view::npos) break;
      auto end = tag.find('"', eq + 2);
      if (end == std::string_view::npos) break;
      if (is_division_valued(element, tag.substr(p + 1, eq - p - 1))) {
        out += tag.substr(done, eq + 2 - done);
        out += convert(tag.substr(eq + 2, end - eq - 2));
        done = end;
      }
      p = tag.find(' ', end);
    }
    out += tag.substr(done);
  }
  return out;
}

template <class Need>
void need_fragment_divisions(const fragment& f, Need&& need) {
  if (mentions_divisions(f.xml))
    converted_fragment(f.xml, [&](std::string_view text) {
      if (auto x = parse_rational(text)) need(*x);
      return std::string{};
    });
}

template <class Need>
void need_preserved_divisions(std::string_view element, const preserved& extra, Need&& need) {
  if (!extra) return;
  for (auto& [name, value] : extra->attributes)
    if (is_division_valued(element, name))
      if (auto x = parse_rational(value)) need(*x);
  for (auto& child : extra->children)
    need_fragment_divisions(child, need);
}

}  // namespace fermata::io::musicxml::detail
