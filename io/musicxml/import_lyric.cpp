#include "io/musicxml/import_context.hpp"

namespace fermata::io::musicxml::detail {

lyric read_lyric(import_context& c, pugi::xml_node node) {
  lyric l;
  kept_xml kept;
  kept.attributes(c, node, element::lyric, {"number"});
  auto number = node.attribute("number");
  l.number = number && is_valid_attribute("lyric", "number", number.value()) ? number.value() : "";
  // What stands before the next <text> and belongs to it.
  pugi::xml_node elision;
  std::string syllabic;
  for (auto k : children_of(node)) {
    auto e = element_of(k.name());
    if (!is_element(k, e)) {
      kept.other_node(c, k);
      continue;
    }
    c.typed(k, e);
    switch (e) {
      case element::elision:
        if (elision || l.syllables.empty())
          kept.misplaced(c, k, "an elision joins two syllables");
        else
          elision = k;
        break;
      case element::syllabic: {
        auto value = c.token(k);
        auto placed = syllabic.empty() && (l.syllables.empty() || elision);
        if (placed && is_valid_text("syllabic", value))
          syllabic = value;
        else
          kept.misplaced(c, k, "not a valid syllabic");
        break;
      }
      case element::text: {
        lyric_syllable s;
        kept_xml own;
        own.attributes(c, k, element::text);
        if (elision) {
          s.elision = c.verbatim(elision);
          own.attributes_of(c, elision, element::elision, {}, s.elision.empty());
        }
        s.syllabic = std::move(syllabic);
        syllabic.clear();
        elision = {};
        s.text = c.verbatim(k);
        s.extra = own.take();
        l.syllables.push_back(std::move(s));
        break;
      }
      case element::extend: {
        if (!l.extend.empty()) {
          kept.misplaced(c, k, "a second <extend>");
          break;
        }
        auto type = k.attribute("type");
        auto valid = type && is_valid_attribute("extend", "type", type.value());
        l.extend = valid ? type.value() : "plain";
        kept.attributes_of(c, k, element::extend, {"type"});
        break;
      }
      case element::humming: l.humming = true; break;
      case element::laughing: l.laughing = true; break;
      case element::end_line: l.end_line = true; break;
      case element::end_paragraph: l.end_paragraph = true; break;
      default: kept.child(c, element::lyric, k);
    }
  }
  if (elision) kept.misplaced(c, elision, "an elision joins two syllables");
  if (!syllabic.empty()) {
    c.warn(node, "a syllabic without text");
    kept.add({"<?fermata-kept <syllabic>" + syllabic + "</syllabic>?>"});
  }
  if (l.syllables.empty() && l.extend.empty() && !l.humming && !l.laughing) {
    c.warn(node, "a lyric without text; it is read as empty text");
    l.syllables.emplace_back();
  }
  // Laughing and humming stand for text; with text they have no place.
  if ((l.humming || l.laughing) && (!l.syllables.empty() || !l.extend.empty())) {
    c.warn(node, "laughing and humming cannot be combined with text; they are kept");
    if (l.laughing) kept.add({"<?fermata-kept <laughing/>?>"});
    if (l.humming) kept.add({"<?fermata-kept <humming/>?>"});
    l.humming = l.laughing = false;
  }
  l.extra = kept.take();
  return l;
}

}  // namespace fermata::io::musicxml::detail
