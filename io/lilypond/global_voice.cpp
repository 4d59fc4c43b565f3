#include "io/lilypond/global_voice.hpp"

#include "core/score/model/attribute_of.hpp"
#include "core/score/model/numbering.hpp"
#include "core/score/model/walk.hpp"
#include "io/lilypond/mark_text.hpp"
#include "io/lilypond/syntax.hpp"

#include <algorithm>
#include <optional>

namespace fermata::io::lilypond {

namespace {

/// For one staff, or for all when unset; a clef without a staff is the first staff's.
template <class T>
const T* for_this(const std::vector<for_staff<T>>& changes, int staff,
                  bool unset_is_first = false) {
  const T* found = nullptr;
  for (auto& c : changes)
    if (c.staff ? *c.staff == staff : (!unset_is_first || staff == 1)) found = &c.value;
  return found;
}

std::string numbers_text(const std::vector<int>& numbers) {
  std::string text;
  for (auto n : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(n) + ".";
  return text;
}

class frame_writer {
public:
  frame_writer(const score_plan& plan, const part_plan& part, int staff, bool first)
    : plan_(plan),
      source_(*plan.source.parts[part.index]),
      part_(part),
      staff_(staff),
      first_(first),
      line_(line_writer::skips::silent) {}

  std::string write() {
    for (std::size_t m = 0; m < plan_.lengths.size(); ++m)
      write_measure(m);
    // What ends behind the last measure.
    if (first_ && !plan_.lengths.empty()) bar_before(plan_.lengths.size());
    return line_.text();
  }

private:
  void write_measure(std::size_t m) {
    static const measure nothing{};
    auto& here = m < source_.measures.size() ? *source_.measures[m] : nothing;
    auto before = time_;
    if (first_) bar_before(m);
    line_.begin_measure(plan_.grace_lead[m]);
    std::vector<const measure_item*> items;
    for (auto& item : here.items)
      items.push_back(&item);
    // Of octave lines that meet, the old one ends before the new one begins.
    std::stable_sort(items.begin(), items.end(), [](auto* a, auto* b) {
      return std::pair{a->at, starts_octave_line(*a)} < std::pair{b->at, starts_octave_line(*b)};
    });
    // Attributes at the start come before the length, since \time sets it.
    for (auto* item : items)
      if (item->at == measure_position{})
        if (auto* a = std::get_if<attributes>(&item->content)) change(*a, m);
    set_length(m, before != time_);
    if (first_) number(here, m);
    for (auto* item : items) {
      if (auto* a = std::get_if<attributes>(&item->content)) {
        if (item->at != measure_position{}) {
          line_.skip_to(item->at);
          change(*a, m);
        }
      } else if (auto* d = std::get_if<direction>(&item->content)) {
        octave_lines(*d, *item);
      } else if (auto* b = std::get_if<barline>(&item->content);
                 b && first_ && b->location == "middle") {
        line_.skip_to(item->at);
        if (auto bar = bar_text(b->style)) line_.word(*bar);
        signs_on(*b, false);
      }
    }
    bool metre = measure_length(time_) > quarters{};
    line_.end_measure(plan_.lengths[m], metre, here.number);
  }

  void change(const attributes& a, std::size_t m) {
    if (is_hidden(a.clefs)) line_.word("\\once \\omit Staff.Clef");
    if (is_hidden(a.keys)) line_.word("\\once \\omit Staff.KeySignature");
    if (is_hidden(a.times)) line_.word("\\once \\omit Staff.TimeSignature");
    if (auto* c = for_this(a.clefs, staff_, true)) {
      if (c->sign == "jianpu" || c->sign == "none" ||
          (c->sign == "TAB" && part_.kind(staff_) != staff_kind::tablature))
        plan_.losses.add(c->sign == "none" ? "hidden clefs" : c->sign + " staves", part_.index, m);
      line_.word(clef_text(*c));
    }
    if (auto* k = for_this(a.keys, staff_)) {
      line_.word(key_text(*k));
      if (!k->key_octaves.empty()) plan_.losses.add("octaves of key signatures", part_.index, m);
    }
    if (auto* t = for_this(a.times, staff_)) {
      if (time_.fractions.empty() && !t->fractions.empty()) line_.word("\\cadenzaOff");
      time_ = *t;
      line_.word(time_text(*t));
      current_length_ = measure_length(*t);
    }
    if (auto* t = for_this(a.transpositions, staff_)) {
      line_.word(transposition_text(*t));
      if (t->doubled) plan_.losses.add("doublings at the octave", part_.index, m);
    }
    if (staff_ == 1) {
      if (a.multiple_rest)
        plan_.losses.add("multiple rests (written measure by measure)", part_.index, m);
      for (auto& o : a.others)
        if (o.xml.starts_with("<staff-details") && has_tablature())
          lose_but_strings(o.xml, m);
        else
          plan_.losses.add("<" + std::string{element_name(o.xml)} + ">", part_.index, m);
    }
  }

  /// What the details of a tablature staff say apart from its strings.
  void lose_but_strings(std::string_view details, std::size_t m) {
    for (auto what : {"staff-type", "staff-size", "line-detail", "capo"})
      if (details.find("<" + std::string{what}) != std::string_view::npos)
        plan_.losses.add("<" + std::string{what} + ">", part_.index, m);
    auto tag = details.substr(0, details.find('>'));
    for (auto what : {"show-frets", "print-object", "print-spacing"})
      if (tag.find(" " + std::string{what} + "=") != std::string_view::npos)
        plan_.losses.add(std::string{what} + " of <staff-details>", part_.index, m);
  }

  /// Whether the change for this staff is there and not drawn.
  template <class T>
  bool is_hidden(const std::vector<for_staff<T>>& changes) const {
    return std::any_of(changes.begin(), changes.end(), [&](auto& c) {
      return (!c.staff || *c.staff == staff_) && fermata::is_hidden(c.extra);
    });
  }

  /// Whose strings are written.
  bool has_tablature() const {
    return std::find(part_.kinds.begin(), part_.kinds.end(), staff_kind::tablature) !=
           part_.kinds.end();
  }

  /// A measure that is longer or shorter than its metre says.
  void set_length(std::size_t m, bool new_time) {
    auto length = plan_.lengths[m];
    if (measure_length(time_) == quarters{}) {
      // Senza misura: barlines by hand.
      if (first_ && m > 0 && !new_time) line_.word("\\bar \"|\"");
      return;
    }
    if (length == current_length_) return;
    if (m == 0 && length < current_length_) {
      line_.word("\\partial 1*" + whole_fraction(length));
      pickup_ = true;
      return;
    }
    line_.word("\\set Timing.measureLength = #(ly:make-moment " + whole_fraction(length) + ")");
    current_length_ = length;
  }

  /// Where the numbers of the score and LilyPond's own count part ways.
  void number(const measure& here, std::size_t m) {
    // A first partial measure is not counted.
    if (m > 0 && !(m == 1 && pickup_)) ++lilypond_number_;
    auto n = counted_number(here);
    if (!n || here.implicit || *n == lilypond_number_ || (m == 0 && pickup_)) return;
    line_.word("\\set Score.currentBarNumber = #" + std::to_string(*n));
    lilypond_number_ = *n;
  }

  /// The barline before measure `m`, with all that happens there, and breaks.
  void bar_before(std::size_t m) {
    std::string commands;
    auto add = [&](const std::string& c) { commands += (commands.empty() ? "" : " ") + c; };
    if (m > 0 && plan_.signs[m - 1].ending_stops && volta_open_) {
      add("(volta #f)");
      volta_open_ = false;
    }
    if (m > 0 && plan_.signs[m - 1].backward) add("end-repeat");
    if (m < plan_.signs.size()) {
      if (plan_.signs[m].forward) add("start-repeat");
      if (plan_.signs[m].ending_starts) {
        if (volta_open_) add("(volta #f)");
        add("(volta " + quoted(ending_text(m)) + ")");
        volta_open_ = true;
      }
    }
    if (m > 0 && plan_.signs[m - 1].times && *plan_.signs[m - 1].times > 2)
      line_.word("\\textEndMark " + quoted(std::to_string(*plan_.signs[m - 1].times) + "x"));
    for (auto& what : barlines_at(m))
      signs_on(*what.second, what.first == "right");
    if (!commands.empty()) line_.word("\\set Score.repeatCommands = #'(" + commands + ")");
    bool repeats = (m > 0 && plan_.signs[m - 1].backward) ||
                   (m < plan_.signs.size() && plan_.signs[m].forward);
    if (!repeats) {
      auto style = style_at(m);
      if (auto bar = style ? bar_text(*style) : std::nullopt) line_.word(*bar);
    }
    if (m < source_.measures.size())
      for (auto& item : source_.measures[m]->items)
        if (auto* p = std::get_if<print_layout>(&item.content); p && m > 0) {
          if (p->new_page == "yes")
            line_.word("\\pageBreak");
          else if (p->new_system == "yes")
            line_.word("\\break");
        }
  }

  /// The barlines between measures m-1 and m, of the first part that has any there, with where they
  /// are. What parts repeat is drawn once.
  std::vector<std::pair<std::string, const barline*>> barlines_at(std::size_t m) const {
    for (auto& p : plan_.source.parts) {
      std::vector<std::pair<std::string, const barline*>> found;
      for (std::string side : {"right", "left"}) {
        if (side == "right" && m == 0) continue;
        auto index = side == "right" ? m - 1 : m;
        if (index >= p->measures.size()) continue;
        for (auto& item : p->measures[index]->items)
          if (auto* b = std::get_if<barline>(&item.content); b && b->location == side)
            found.emplace_back(side, b);
      }
      if (std::any_of(found.begin(), found.end(), [](auto& f) { return f.second->extra; }))
        return found;
    }
    return {};
  }

  /// Fermatas, segno and coda that stand on a barline; one behind a measure stays with it at the
  /// end of a line.
  void signs_on(const barline& b, bool behind) {
    if (!b.extra) return;
    for (auto& child : b.extra->children) {
      std::string_view xml = child.xml;
      std::string glyph, tweak;
      if (xml.starts_with("<segno")) {
        glyph = "scripts.segno";
      } else if (xml.starts_with("<coda")) {
        glyph = "scripts.coda";
      } else if (xml.starts_with("<fermata")) {
        bool inverted = xml.find("type=\"inverted\"") < xml.find('>');
        auto close = xml.find("</");
        auto shape = close == std::string_view::npos
                         ? std::string_view{}
                         : xml.substr(xml.find('>') + 1, close - xml.find('>') - 1);
        auto found = fermata_glyph(shape, inverted);
        if (!found) {
          plan_.losses.add("fermatas on barlines \"" + std::string{shape} + "\"");
          continue;
        }
        glyph = *found;
        if (inverted) tweak = "\\tweak direction #DOWN ";
      } else {
        continue;
      }
      line_.word(tweak + (behind ? "\\textEndMark" : "\\textMark") + " \\markup { \\musicglyph " +
                 quoted(glyph) + " }");
    }
  }

  /// What is shown over an ending that begins at measure m.
  std::string ending_text(std::size_t m) const {
    for (auto& p : plan_.source.parts)
      if (m < p->measures.size())
        for (auto& item : p->measures[m]->items)
          if (auto* b = std::get_if<barline>(&item.content); b && b->ending_type == "start") {
            if (ending_is_hidden(*b)) return "";
            if (!b->ending_text.empty()) return b->ending_text;
          }
    return numbers_text(plan_.signs[m].ending_numbers);
  }

  static bool ending_is_hidden(const barline& b) {
    return b.extra && std::any_of(b.extra->children.begin(), b.extra->children.end(), [](auto& f) {
             return f.xml.starts_with("<ending") &&
                    f.xml.find("print-object=\"no\"") != std::string::npos;
           });
  }

  /// The style at the right of measure m-1 or the left of measure m, in any part.
  std::optional<std::string> style_at(std::size_t m) const {
    for (auto& p : plan_.source.parts)
      for (auto side : {0u, 1u}) {
        if (side > m) continue;
        auto index = m - side;
        if (index >= p->measures.size()) continue;
        for (auto& item : p->measures[index]->items)
          if (auto* b = std::get_if<barline>(&item.content))
            if (b->location == (side == 1 ? "right" : "left") && !b->style.empty() &&
                b->style != "regular")
              return b->style;
      }
    return std::nullopt;
  }

  static bool starts_octave_line(const measure_item& item) {
    auto* d = std::get_if<direction>(&item.content);
    return d && std::any_of(d->types.begin(), d->types.end(), [](auto& t) {
             auto* o = std::get_if<octave_shift>(&t);
             return o && o->type != "stop";
           });
  }

  void octave_lines(const direction& d, const measure_item& item) {
    for (auto& t : d.types)
      if (auto* o = std::get_if<octave_shift>(&t)) {
        auto* end = part_.lines.find(t);
        if (!end || end->staff != staff_) continue;
        line_.skip_to(item.at + d.offset.value_or(quarters{}));
        auto octaves = o->type == "stop" ? 0 : (o->size - 1) / 7 * (o->type == "down" ? 1 : -1);
        line_.word("\\ottava #" + std::to_string(octaves));
      }
  }

  const score_plan& plan_;
  const part& source_;
  const part_plan& part_;
  int staff_;
  bool first_;
  line_writer line_;
  time_signature time_;
  quarters current_length_{4};
  int lilypond_number_ = 1;
  bool pickup_ = false;
  bool volta_open_ = false;
};

}  // namespace

std::string write_global_voice(const score_plan& plan, const part_plan& part, int staff,
                               bool first) {
  return frame_writer{plan, part, staff, first}.write();
}

}  // namespace fermata::io::lilypond
