#include "io/musicxml/ending_number.hpp"
#include "io/musicxml/export_context.hpp"
#include "io/musicxml/preserved_writer.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

void write_barline(export_context& c, const barline& b) {
  auto& out = c.out;
  out.open("barline");
  c.attribute("barline", "location", b.location);
  write_preserved_attributes(c, "barline", b.extra, {"location"});
  if (!b.style.empty() && c.text_fits("bar-style", b.style))
    write_leaf(c, b.extra, "bar-style", std::string_view{b.style});
  for (auto name : {"footnote", "level", "wavy-line", "segno", "coda", "fermata"})
    write_preserved_children(c, "barline", b.extra, {name});
  if (!b.ending_type.empty()) {
    out.open("ending");
    // Other numbers than 1, 2, ... are not for the schema; they are shown as text.
    auto valid = is_ending_number(b.ending_numbers);
    out.attribute("number", valid ? std::string_view{b.ending_numbers} : std::string_view{});
    c.attribute("ending", "type", b.ending_type, "start");
    write_kept_attributes(c, b.extra, "ending");
    out.text(valid || !b.ending_text.empty() ? b.ending_text : b.ending_numbers);
    out.close("ending");
  }
  if (!b.repeat.empty() && c.attribute_fits("repeat", "direction", b.repeat)) {
    out.open("repeat");
    out.attribute("direction", b.repeat);
    if (b.repeat_times) out.attribute("times", std::max(0, *b.repeat_times));
    c.attribute("repeat", "after-jump", b.after_jump);
    write_kept_attributes(c, b.extra, "repeat");
    out.close("repeat");
  }
  write_misplaced_children(c, b.extra,
                           {"bar-style", "footnote", "level", "wavy-line", "segno", "coda",
                            "fermata", "ending", "repeat"});
  out.close("barline");
}

void write_print(export_context& c, const print_layout& p) {
  auto& out = c.out;
  out.open("print");
  c.attribute("print", "new-system", p.new_system);
  c.attribute("print", "new-page", p.new_page);
  write_preserved_attributes(c, "print", p.extra, {"new-system", "new-page"});
  write_all_children(c, "print", p.extra);
  out.close("print");
}

}  // namespace fermata::io::musicxml::detail
