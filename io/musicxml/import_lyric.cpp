#include "io/musicxml/child_elements.hpp"
#include "io/musicxml/import_context.hpp"

#include <utility>

namespace fermata::io::musicxml::detail {

namespace {

/// A lyric and what stands before its next <text> and belongs to it.
struct lyric_reader {
  import_context& c;
  kept_xml& kept;
  lyric l;
  pugi::xml_node elision;
  std::string syllabic;

  void read(pugi::xml_node k, element e) {
    switch (e) {
      case element::elision: read_elision(k); break;
      case element::syllabic: read_syllabic(k); break;
      case element::text: read_text(k); break;
      case element::extend: read_extend(k); break;
      case element::humming: l.humming = true; break;
      case element::laughing: l.laughing = true; break;
      case element::end_line: l.end_line = true; break;
      case element::end_paragraph: l.end_paragraph = true; break;
      default: kept.child(c, element::lyric, k);
    }
  }

  /// After the last child: keeps what found no <text> to belong to.
  void finish(pugi::xml_node node) {
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
  }

private:
  void read_elision(pugi::xml_node k) {
    if (elision || l.syllables.empty())
      kept.misplaced(c, k, "an elision joins two syllables");
    else
      elision = k;
  }

  void read_syllabic(pugi::xml_node k) {
    auto value = c.token(k);
    auto placed = syllabic.empty() && (l.syllables.empty() || elision);
    if (placed && is_valid_text("syllabic", value))
      syllabic = value;
    else
      kept.misplaced(c, k, "not a valid syllabic");
  }

  void read_text(pugi::xml_node k) {
    lyric_syllable s;
    kept_xml own;
    own.attributes(c, k, element::text);
    if (elision) {
      s.elision = c.verbatim(elision);
      own.attributes_of(c, elision, element::elision, {}, s.elision.empty());
    }
    s.syllabic = std::exchange(syllabic, {});
    elision = {};
    s.text = c.verbatim(k);
    s.extra = own.take();
    l.syllables.push_back(std::move(s));
  }

  void read_extend(pugi::xml_node k) {
    if (!l.extend.empty()) {
      kept.misplaced(c, k, "a second <extend>");
      return;
    }
    auto type = k.attribute("type");
    auto valid = type && is_valid_attribute("extend", "type", type.value());
    l.extend = valid ? type.value() : "plain";
    kept.attributes_of(c, k, element::extend, {"type"});
  }
};

}  // namespace

lyric read_lyric(import_context& c, pugi::xml_node node) {
  kept_xml kept;
  kept.attributes(c, node, element::lyric, {"number"});
  lyric_reader reader{c, kept, {}, {}, {}};
  auto number = node.attribute("number");
  if (number && is_valid_attribute("lyric", "number", number.value()))
    reader.l.number = number.value();
  else
    reader.l.number = "";
  for (auto [k, e] : elements_in(c, node, kept))
    reader.read(k, e);
  reader.finish(node);
  reader.l.extra = kept.take();
  return std::move(reader.l);
}

}  // namespace fermata::io::musicxml::detail
