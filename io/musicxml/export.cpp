#include "io/musicxml/export.hpp"

#include "io/musicxml/division_values.hpp"
#include "io/musicxml/export_context.hpp"
#include "io/musicxml/part_progress.hpp"
#include "io/musicxml/preserved_writer.hpp"
#include "io/musicxml/schema.hpp"

#include <numeric>

namespace fermata::io::musicxml {

namespace detail {

namespace {

/// Divides by every number up to 16 and is what lengths are rounded to when their denominators have
/// no sane common multiple.
constexpr std::int64_t fallback_divisions = 720720;
constexpr std::int64_t largest_divisions = 100'000'000;

}  // namespace

bool export_context::text_fits(std::string_view element, std::string_view value) const {
  if (is_valid_text(element, value)) return true;
  problem("\"" + std::string{value} + "\" is not a valid " + std::string{element} +
          " and is left out");
  return false;
}

bool export_context::attribute_fits(std::string_view element, std::string_view name,
                                    std::string_view value) const {
  if (is_valid_attribute(element, name, value)) return true;
  problem("\"" + std::string{value} + "\" is not a valid " + std::string{name} + " of " +
          std::string{element} + " and is left out");
  return false;
}

void export_context::problem(std::string message) const {
  if (!problems) return;
  std::string where;
  if (current_part) where = "part " + current_part->id;
  if (current_measure) where += ", measure " + current_measure->number;
  if (!where.empty()) where += ": ";
  problems->push_back({errc::invalid_musicxml, where + std::move(message), std::nullopt, {}});
}

namespace {

/// Calls `need(quarters)` for everything in the part that is counted in divisions, `staves(number)`
/// for every staff that is mentioned. (One walk for both: a large score does not fit the
/// processor's cache, and walking over it costs a tenth of writing it.)
template <class Need, class Staves>
void for_each_amount(const part& p, Need&& need, Staves&& staves) {
  for (auto& m : p.measures) {
    need(m->padded_to.value);
    for (auto& item : m->items) {
      need(item.at.value);
      if (auto* x = std::get_if<chord_rest>(&item.content)) {
        need(x->length.value);
        staves(x->staff);
        for (auto& n : x->notes) {
          if (n.differs && n.differs->length) need(n.differs->length->value);
          if (n.differs && n.differs->staff) staves(*n.differs->staff);
          need_preserved_divisions("note", n.extra, need);
          for (auto& mark : n.marks)
            if (mark.kind == mark_kind::bend) need_preserved_divisions("bend", mark.extra, need);
        }
        if (x->grace && !x->grace->make_time.empty())
          if (auto t = parse_rational(x->grace->make_time)) need(*t);
      } else if (auto* a = std::get_if<attributes>(&item.content)) {
        staves(a->staves.value_or(1));
      } else if (auto* d = std::get_if<direction>(&item.content)) {
        if (d->offset) need(d->offset->value);
        if (d->sound) need_preserved_divisions("sound", d->sound->extra, need);
        need_preserved_divisions("direction", d->extra, need);
      } else if (auto* h = std::get_if<harmony>(&item.content)) {
        if (h->offset) need(h->offset->value);
      } else if (auto* f = std::get_if<figured_bass>(&item.content)) {
        need(f->length.value);
      } else if (auto* s = std::get_if<sound>(&item.content)) {
        need_preserved_divisions("sound", s->extra, need);
      } else if (auto* raw = std::get_if<fragment>(&item.content)) {
        need_fragment_divisions(*raw, need);
      }
    }
  }
}

/// `x` in ticks of `divisions` to the quarter, to the nearest.
std::int64_t nearest_ticks(rational x, std::int64_t divisions) {
  __extension__ using wide = __int128;
  auto n = wide{x.numerator()} * divisions;
  auto d = wide{x.denominator()};
  auto t = (2 * n + (n < 0 ? -d : d)) / (2 * d);
  constexpr wide limit = INT64_MAX / 4;
  return static_cast<std::int64_t>(t > limit ? limit : t < -limit ? -limit : t);
}

}  // namespace

std::int64_t export_context::rounded_ticks(rational x) const {
  if (!rounded) return nearest_ticks(x, divisions);
  // What was rounded once is a multiple of the divisions chosen for it.
  return nearest_ticks(x, fallback_divisions) / (fallback_divisions / divisions);
}

void look_through(export_context& c, const part& p) {
  c.several_staves = false;
  auto staves = [&](int number) { c.several_staves = c.several_staves || number > 1; };
  std::int64_t divisions = 1;
  auto add_denominator = [&](std::int64_t d) {
    return divisions % d == 0 ||
           (!__builtin_mul_overflow(divisions, d / std::gcd(d, divisions), &divisions) &&
            divisions <= largest_divisions);
  };
  c.rounded = false;
  for_each_amount(
      p, [&](rational x) { c.rounded = c.rounded || !add_denominator(x.denominator()); }, staves);
  if (c.rounded) {
    // The least number for the rounded amounts, as it will be when the text is read and written
    // again. Lengths stay above zero.
    divisions = 1;
    auto add_rounded = [&](rational x) {
      auto ticks = nearest_ticks(x, fallback_divisions);
      if (ticks == 0 && x > rational{0}) ticks = 1;
      add_denominator(rational{ticks, fallback_divisions}.denominator());
    };
    for_each_amount(p, add_rounded, staves);
    c.problem("its durations have no common divisor; they are rounded to 1/" +
              std::to_string(fallback_divisions) + " of a quarter");
  }
  c.divisions = divisions;
}

namespace {

void write_part(export_context& c, const part& p) {
  c.current_part = &p;
  look_through(c, p);
  c.out.open("part");
  c.out.attribute("id", c.ids.parts[c.part_index]);
  part_progress progress;
  static const measure empty_measure;
  if (p.measures.empty()) {
    c.current_measure = &empty_measure;
    write_measure(c, empty_measure, progress);
  }
  for (auto& m : p.measures) {
    c.current_measure = m.get();
    write_measure(c, *m, progress);
  }
  c.current_measure = nullptr;
  c.current_part = nullptr;
  c.out.close("part");
}

/// A rough size of the text, so that it grows in one piece.
std::size_t expected_size(const score& s) {
  std::size_t items = 0;
  for (auto& p : s.parts)
    for (auto& m : p->measures)
      items += m->items.size() + 1;
  return 4096 + items * 400;
}

}  // namespace

}  // namespace detail

std::string write(const score& s, const write_options& options, std::vector<diagnostic>* problems) {
  using namespace detail;
  static constexpr std::string_view doctype =
      "<!DOCTYPE score-partwise PUBLIC \"-//Recordare//DTD MusicXML 4.0 Partwise//EN\" "
      "\"http://www.musicxml.org/dtds/partwise.dtd\">";
  auto parts = s.parts;
  if (parts.empty()) parts.push_back(std::make_shared<const part>());
  auto ids = unique_ids(parts);
  xml_writer out{options.pretty};
  out.reserve(expected_size(s));
  out.declaration(doctype);
  export_context c{out, options, ids, problems};
  out.open("score-partwise");
  out.attribute("version", "4.0");
  auto names_go_here = out.size();
  write_header(c, s);
  write_part_list(c, s, parts);
  for (c.part_index = 0; c.part_index < parts.size(); ++c.part_index)
    write_part(c, *parts[c.part_index]);
  out.close("score-partwise");
  auto text = out.take();
  // Links and images are rare, so their namespace is declared only where one is used.
  if (out.mentions_links())
    text.insert(names_go_here, " xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
  return text;
}

}  // namespace fermata::io::musicxml
