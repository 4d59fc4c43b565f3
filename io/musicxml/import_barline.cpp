#include "io/musicxml/child_elements.hpp"
#include "io/musicxml/ending_number.hpp"
#include "io/musicxml/fragment_check.hpp"
#include "io/musicxml/import_context.hpp"
#include "io/musicxml/xml_writer.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

void read_ending(import_context& c, pugi::xml_node k, barline& b, kept_xml& kept) {
  std::string type = k.attribute("type").value();
  if (!b.ending_type.empty() || !is_valid_attribute("ending", "type", type)) {
    kept.misplaced(c, k, b.ending_type.empty() ? "an ending needs a type" : "a second ending");
    return;
  }
  b.ending_type = std::move(type);
  b.ending_numbers = k.attribute("number").value();
  b.ending_text = c.verbatim(k);
  if (!is_ending_number(b.ending_numbers)) {
    c.warn(k, "\"" + b.ending_numbers + "\" is not a valid ending number; it is kept as text",
           "ending numbers start at 1: \"1\", \"1, 2\"");
    // What is shown stays the same: the text if there is one, else the numbers.
    if (b.ending_text.empty())
      b.ending_text = b.ending_numbers;
    else if (b.ending_text != b.ending_numbers)
      kept.add(wrapped("<ending number=\"" + escaped(b.ending_numbers) + "\"/>"));
    b.ending_numbers.clear();
  }
  kept.attributes_of(c, k, element::ending, {"type", "number"});
}

void read_repeat(import_context& c, pugi::xml_node k, barline& b, kept_xml& kept) {
  std::string direction = k.attribute("direction").value();
  auto times = k.attribute("times");
  auto count = parse_integer(times.value());
  auto after_jump = k.attribute("after-jump");
  auto good = b.repeat.empty() && is_valid_attribute("repeat", "direction", direction) &&
              (!times || (count && *count >= 0 && *count <= 1'000'000)) &&
              (!after_jump || is_valid_attribute("repeat", "after-jump", after_jump.value()));
  if (!good) {
    kept.misplaced(c, k,
                   b.repeat.empty() ? "a repeat must be forward or backward, with a number of times"
                                    : "a second repeat");
    return;
  }
  b.repeat = std::move(direction);
  if (times) b.repeat_times = static_cast<int>(*count);
  b.after_jump = after_jump.value();
  kept.attributes_of(c, k, element::repeat, {"direction", "times", "after-jump"});
}

}  // namespace

barline read_barline(import_context& c, pugi::xml_node node) {
  barline b;
  kept_xml kept;
  for (auto [k, e] : elements_in(c, node, kept)) {
    switch (e) {
      case element::bar_style: {
        auto style = c.token(k);
        if (!b.style.empty() || !is_valid_text("bar-style", style)) {
          kept.misplaced(c, k, "not a bar style");
          break;
        }
        b.style = style;
        kept.attributes_of(c, k, e);
        break;
      }
      case element::ending: read_ending(c, k, b, kept); break;
      case element::repeat: read_repeat(c, k, b, kept); break;
      default: kept.child(c, element::barline, k);
    }
  }
  auto location = node.attribute("location");
  auto known = location && is_valid_attribute("barline", "location", location.value());
  b.location = known ? location.value() : "right";
  kept.attributes(c, node, element::barline, {"location"});
  b.extra = kept.take();
  return b;
}

print_layout read_print(import_context& c, pugi::xml_node node) {
  print_layout p;
  kept_xml kept;
  child_sequence sequence{schema_of(element::print)};
  for (auto [k, e] : elements_in(c, node, kept)) {
    if (sequence.take(k.name()))
      kept.child(c, element::print, k);
    else
      kept.misplaced(c, k, "MusicXML 4.0 does not have this element here");
  }
  auto yes_no = [&](const char* name) -> std::string {
    std::string_view text = node.attribute(name).value();
    return text == "yes" || text == "no" ? std::string{text} : std::string{};
  };
  p.new_system = yes_no("new-system");
  p.new_page = yes_no("new-page");
  kept.attributes(c, node, element::print, {"new-system", "new-page"});
  p.extra = kept.take();
  return p;
}

}  // namespace fermata::io::musicxml::detail
