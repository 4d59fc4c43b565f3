#include "io/musicxml/child_elements.hpp"
#include "io/musicxml/import_context.hpp"
#include "io/musicxml/mark_names.hpp"
#include "io/musicxml/preserved_writer.hpp"
#include "io/musicxml/tied_ends.hpp"

#include <algorithm>

namespace fermata::io::musicxml::detail {

namespace {

/// Which mark an element is, by group. Asked for every articulation of a file, so by array.
class mark_index {
public:
  mark_index() {
    for (auto& row : table_)
      row.fill(-1);
    for (std::size_t i = 0; i < std::size(mark_names); ++i) {
      auto e = element_of(mark_names[i].element);
      at(mark_names[i].group, e) = static_cast<std::int16_t>(i);
    }
  }
  std::optional<mark_kind> find(mark_group g, element e) const {
    if (e == element::unknown) return std::nullopt;
    auto i = table_[static_cast<std::size_t>(g)][static_cast<std::size_t>(e)];
    return i < 0 ? std::nullopt : std::optional{static_cast<mark_kind>(i)};
  }

private:
  std::int16_t& at(mark_group g, element e) {
    return table_[static_cast<std::size_t>(g)][static_cast<std::size_t>(e)];
  }
  std::array<std::array<std::int16_t, element_count>, 4> table_;
};

std::optional<mark_kind> find_mark(mark_group g, element e) {
  static const mark_index index;
  return index.find(g, e);
}

std::optional<span_end> parse_end(std::string_view type) {
  for (auto e : {span_end::start, span_end::stop, span_end::continue_, span_end::let_ring})
    if (name_of(e) == type) return e;
  return std::nullopt;
}

/// What the elements of one <notations> are read into.
struct notations_reader {
  import_context& c;
  note& n;
  kept_xml& kept;
  tied_ends& tied;

  /// A mark or spanner that cannot be typed: kept with the elements around it.
  void give_up(pugi::xml_node k, std::string_view container, std::string_view reason) {
    if (container.empty())
      kept.misplaced_in(c, k, reason, {"notations"});
    else
      kept.misplaced_in(c, k, reason, {"notations", container});
  }

  void read_spanner(pugi::xml_node k, spanner_kind kind, element e, std::string_view container) {
    auto end = parse_end(k.attribute("type").value());
    if (!end || !has_end(kind, *end))
      return give_up(k, container, "it needs a type such as start or stop");
    auto text = c.verbatim(k);
    if (!text.empty() && !is_valid_text(e, text))
      return give_up(k, container, "its text is not valid");
    spanner s;
    s.kind = kind;
    s.end = *end;
    s.text = std::move(text);
    auto type_only = !k.first_attribute().next_attribute();
    if (!c.plain_text || !type_only || (k.first_child() && s.text.empty())) {
      if (kind != spanner_kind::tremolo) s.number = read_number(c, k);
      kept_xml own;
      own.attributes(c, k, e, {"type", "number"});
      for (auto child : children_of(k))
        if (child.type() == pugi::node_element) {
          c.typed(child, element_of(child.name()));
          own.child(c, e, child);
        } else if (child.type() == pugi::node_pi) {
          own.other_node(c, child);
        }
      s.extra = own.take();
    }
    if (kind == spanner_kind::tied) {
      auto plain = !s.extra && s.number == 1 && s.text.empty();
      if (s.end == span_end::start) {
        ++tied.starts;
        tied.plain_starts += plain;
      } else if (s.end == span_end::stop) {
        ++tied.stops;
        tied.plain_stops += plain;
      }
      if (plain && (s.end == span_end::start || s.end == span_end::stop))
        return;  // settled when the note is complete
    }
    n.spanners.push_back(std::move(s));
  }

  void read_mark(pugi::xml_node k, mark_kind kind, element e, std::string_view container) {
    mark m;
    m.kind = kind;
    std::string_view value_attribute = kind == mark_kind::strong_accent    ? "type"
                                       : kind == mark_kind::arpeggiate     ? "direction"
                                       : kind == mark_kind::non_arpeggiate ? "type"
                                                                           : "";
    if (!k.first_attribute() && !k.first_child()) {
      if (!schema_of(e).text || is_valid_text(e, {})) {
        if (requires_more(kind)) return give_up(k, container, "a required attribute is missing");
        n.marks.push_back(std::move(m));
        return;
      }
      return give_up(k, container, "it has no value");
    }
    kept_xml own;
    auto dynamics = kind == mark_kind::dynamics_notation;
    if (dynamics ? !read_dynamics_values(k, m, own) : !read_content(k, e, m, own))
      return give_up(k, container, "its content is not valid");
    if (value_attribute.empty()) {
      own.attributes(c, k, e);
    } else {
      std::string_view value = k.attribute(value_attribute.data()).value();
      if (is_valid_attribute(name_of(e), value_attribute, value))
        m.text = value;
      else if (kind == mark_kind::non_arpeggiate)
        return give_up(k, container, "it must be top or bottom");
      own.attributes(c, k, e, {value_attribute});
    }
    if (kind == mark_kind::other_notation &&
        !is_valid_attribute("other-notation", "type", k.attribute("type").value()))
      return give_up(k, container, "it needs a type");
    m.extra = own.take();
    n.marks.push_back(std::move(m));
  }

  /// Text and children; false when the schema does not take them.
  bool read_content(pugi::xml_node k, element e, mark& m, kept_xml& own) {
    bool has_children = false;
    for (auto child : children_of(k))
      has_children = has_children || child.type() == pugi::node_element;
    if (!has_children) {
      if (!schema_of(e).text) return child_sequence{schema_of(e)}.complete();
      m.text = c.verbatim(k);
      return is_valid_text(e, m.text);
    }
    child_sequence sequence{schema_of(e)};
    for (auto [child, inside] : uncounted_elements_in(c, k))
      if (!sequence.take(child.name()) || !fits(c, child)) return false;
    if (!sequence.complete()) return false;
    for (auto [child, inside] : elements_in(c, k, own))
      own.child(c, e, child);
    return true;
  }

  /// One or more plain dynamics are the mark's text; with anything else all are kept as XML.
  bool read_dynamics_values(pugi::xml_node k, mark& m, kept_xml& own) {
    auto plain = true;
    for (auto child : children_of(k)) {
      auto known = std::find(std::begin(dynamics_names), std::end(dynamics_names),
                             std::string_view{child.name()});
      plain = plain && known != std::end(dynamics_names) && !child.first_attribute() &&
              !child.first_child();
    }
    for (auto [child, inside] : elements_in(c, k, own)) {
      if (plain)
        m.text += (m.text.empty() ? "" : " ") + std::string{child.name()};
      else
        own.child(c, element::dynamics, child);
    }
    return true;
  }

  static bool requires_more(mark_kind kind) {
    return kind == mark_kind::bend || kind == mark_kind::hole || kind == mark_kind::arrow ||
           kind == mark_kind::harmon_mute || kind == mark_kind::non_arpeggiate ||
           kind == mark_kind::other_notation;
  }

  void read_group(pugi::xml_node container, mark_group g) {
    auto has_ornament = false;  // to which an accidental mark can belong
    for (auto [k, e] : elements_in(c, container, kept)) {
      std::string_view type = k.attribute("type").value();
      if (g == mark_group::ornament && e == element::accidental_mark && !has_ornament) {
        give_up(k, container.name(), "no ornament precedes it");
        continue;
      }
      auto before = n.marks.size() + n.spanners.size();
      if (e == element::wavy_line && g == mark_group::ornament)
        read_spanner(k, spanner_kind::wavy_line, e, container.name());
      else if (e == element::tremolo && g == mark_group::ornament &&
               (type == "start" || type == "stop"))
        read_spanner(k, spanner_kind::tremolo, e, container.name());
      else if (e == element::hammer_on && g == mark_group::technical)
        read_spanner(k, spanner_kind::hammer_on, e, container.name());
      else if (e == element::pull_off && g == mark_group::technical)
        read_spanner(k, spanner_kind::pull_off, e, container.name());
      else if (auto kind = find_mark(g, e))
        read_mark(k, *kind, e, container.name());
      else
        give_up(k, container.name(), "it does not belong here");
      has_ornament = has_ornament || n.marks.size() + n.spanners.size() > before;
    }
  }
};

/// <notations> or one of its groups with attributes or editorial remarks: kept whole, since the
/// score has no such group.
bool is_special(pugi::xml_node notations) {
  if (notations.first_attribute()) return true;
  for (auto k : children_of(notations)) {
    auto e = element_of(k.name());
    if (e == element::footnote || e == element::level) return true;
    if ((e == element::ornaments || e == element::technical || e == element::articulations) &&
        k.first_attribute())
      return true;
  }
  return false;
}

/// Ties are counted also where they are kept as XML, so that none is written a second time.
void count_tied(pugi::xml_node notations, tied_ends& tied) {
  for (auto k : notations.children("tied")) {
    std::string_view type = k.attribute("type").value();
    tied.starts += type == "start";
    tied.stops += type == "stop";
  }
}

/// In the order in which the groups are written, so that reading back changes nothing.
template <class T>
void sort_by_group(std::vector<T>& xs, const std::array<int, 4>& rank) {
  auto before = [&](auto& a, auto& b) {
    return rank[static_cast<std::size_t>(name_of(a.kind).group)] <
           rank[static_cast<std::size_t>(name_of(b.kind).group)];
  };
  if (!std::is_sorted(xs.begin(), xs.end(), before)) std::stable_sort(xs.begin(), xs.end(), before);
}

}  // namespace

void settle_notations(note& n) {
  // articulation, ornament, technical, notation
  if (n.marks.size() > 1) sort_by_group(n.marks, {2, 0, 1, 3});
  if (n.spanners.size() > 1) sort_by_group(n.spanners, {3, 1, 2, 0});
}

void read_notations(import_context& c, pugi::xml_node node, note_reading& out, kept_xml& kept,
                    tied_ends& tied) {
  if (is_special(node)) {
    count_tied(node, tied);
    kept.child(c, element::note, node);
    return;
  }
  notations_reader reader{c, out.value(), kept, tied};
  for (auto [k, e] : elements_in(c, node, kept)) {
    switch (e) {
      case element::tied: reader.read_spanner(k, spanner_kind::tied, e, {}); break;
      case element::slur: reader.read_spanner(k, spanner_kind::slur, e, {}); break;
      case element::tuplet: reader.read_spanner(k, spanner_kind::tuplet, e, {}); break;
      case element::glissando: reader.read_spanner(k, spanner_kind::glissando, e, {}); break;
      case element::slide: reader.read_spanner(k, spanner_kind::slide, e, {}); break;
      case element::ornaments: reader.read_group(k, mark_group::ornament); break;
      case element::technical: reader.read_group(k, mark_group::technical); break;
      case element::articulations: reader.read_group(k, mark_group::articulation); break;
      default:
        if (auto kind = find_mark(mark_group::notation, e))
          reader.read_mark(k, *kind, e, {});
        else
          reader.give_up(k, {}, "it does not belong here");
    }
  }
}

}  // namespace fermata::io::musicxml::detail
