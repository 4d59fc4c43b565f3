#include "io/musicxml/export_context.hpp"
#include "io/musicxml/preserved_writer.hpp"

namespace fermata::io::musicxml::detail {

namespace {

void write_syllabic(export_context& c, const std::string& syllabic) {
  if (!syllabic.empty() && c.text_fits("syllabic", syllabic)) c.out.leaf("syllabic", syllabic);
}

void write_syllable(export_context& c, const lyric_syllable& s, bool first) {
  auto& out = c.out;
  if (!first) {
    auto* kept = preserved_child(s.extra, "elision");
    if (kept || !s.elision.empty()) write_leaf(c, s.extra, "elision", std::string_view{s.elision});
    // The schema has no <syllabic> between two texts that no elision joins.
    if (kept || !s.elision.empty()) write_syllabic(c, s.syllabic);
  } else {
    write_syllabic(c, s.syllabic);
  }
  out.open("text");
  write_preserved_attributes(c, "text", s.extra);
  out.text(s.text);
  out.close("text");
}

}  // namespace

void write_lyric(export_context& c, const lyric& l) {
  auto& out = c.out;
  out.open("lyric");
  c.attribute("lyric", "number", l.number);
  write_preserved_attributes(c, "lyric", l.extra, {"number"});
  for (std::size_t i = 0; i < l.syllables.size(); ++i)
    write_syllable(c, l.syllables[i], i == 0);
  if (!l.extend.empty()) {
    out.open("extend");
    if (l.extend != "plain") c.attribute("extend", "type", l.extend);
    write_kept_attributes(c, l.extra, "extend");
    out.close("extend");
  } else if (l.syllables.empty()) {
    // A lyric has text, an extension, laughing or humming; without any it is an extension.
    out.empty(l.laughing ? "laughing" : l.humming ? "humming" : "extend");
  }
  if (l.end_line) out.empty("end-line");
  if (l.end_paragraph) out.empty("end-paragraph");
  write_preserved_children(c, "lyric", l.extra, {"footnote"});
  write_preserved_children(c, "lyric", l.extra, {"level"});
  write_misplaced_children(c, l.extra, {"extend", "footnote", "level"});
  out.close("lyric");
}

}  // namespace fermata::io::musicxml::detail
