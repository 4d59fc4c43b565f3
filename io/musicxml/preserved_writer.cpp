#include "io/musicxml/preserved_writer.hpp"

#include "io/musicxml/canonical_xml.hpp"
#include "io/musicxml/division_values.hpp"
#include "io/musicxml/schema.hpp"

#include <algorithm>
#include <optional>

namespace fermata::io::musicxml::detail {

namespace {

bool listed(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether the attribute may be written as such; takes note of ids.
bool attribute_fits(export_context& c, const schema_element* e, std::string_view name,
                    const std::string& value) {
  auto* a = e ? e->attribute(name) : nullptr;
  if (!a || !is_valid(*a->type, value)) return false;
  if (is_id(*a->type)) {
    auto fresh = c.ids.all.insert(value).second;
    if (!fresh)
      c.problem("the id " + value + " appears twice; the second one is kept only for Fermata");
    return fresh;
  }
  return !is_id_reference(*a->type) || c.ids.all.contains(value);
}

/// Whether the schema lets `child` stand several times in a row in `parent`.
bool is_repeatable(const schema_element& parent, std::string_view child) {
  for (std::size_t p = 1; p < parent.at.size(); ++p)
    if (parent.at[p]->name == child)
      for (auto q : parent.follow[p])
        if (parent.at[q]->name == child) return true;
  return false;
}

/// Attributes that the schema does not know here, collected for one instruction.
void write_wrapped_attributes(export_context& c, std::string attributes) {
  if (attributes.empty()) return;
  // Values are escaped; a name made by hand might still end the instruction early.
  for (auto p = attributes.find("?>"); p != std::string::npos; p = attributes.find("?>", p))
    attributes.replace(p, 2, "? ");
  c.out.inline_instruction("fermata-attributes", attributes);
}

/// Writes the fragment as an element if it fits. With `siblings`, it must also be next in order.
void write_checked(export_context& c, const fragment& f, child_sequence* siblings) {
  if (is_wrapped(f)) return write_wrapped(c, f);
  std::string_view xml = f.xml;
  std::string converted;
  if (mentions_divisions(xml)) xml = converted = fragment_in_divisions(f.xml, c.divisions);
  std::optional<std::string> canonical;
  auto fresh_ids = ids_if_fitting(xml, c.ids.all);
  if (!fresh_ids) {
    // A score made by hand may hold XML that is right but not canonical.
    canonical = canonical_element(xml);
    if (canonical) fresh_ids = ids_if_fitting(xml = *canonical, c.ids.all);
  }
  if (!fresh_ids || (siblings && !siblings->take(element_name(xml)))) {
    c.problem("MusicXML has no place for " + std::string{f.xml.substr(0, 60)} +
              (f.xml.size() > 60 ? "..." : "") + " here; it is kept only for Fermata");
    return write_wrapped(c, f.xml);
  }
  c.ids.all.insert(fresh_ids->begin(), fresh_ids->end());
  c.out.element(xml);
}

}  // namespace

void write_wrapped(export_context& c, std::string_view xml) { c.out.element(wrapped(xml).xml); }

void write_wrapped(export_context& c, const fragment& f) {
  std::string text;
  append_xml_characters(text, f.xml);
  c.out.element(text);
}

const fragment* preserved_child(const preserved& extra, std::string_view name) {
  if (extra)
    for (auto& child : extra->children)
      if (element_name(child) == name) return &child;
  return nullptr;
}

void write_preserved_attributes(export_context& c, std::string_view element, const preserved& extra,
                                std::initializer_list<std::string_view> typed) {
  if (!extra || extra->attributes.empty()) return;
  auto* e = find_schema_element(element);
  std::string unfit;
  auto& all = extra->attributes;
  // Elements have few attributes: looking at those before is quicker than a set. But a score made
  // by a program may have as many as it likes.
  constexpr std::size_t few = 32;
  std::unordered_set<std::string_view> seen;
  auto is_repeated = [&](std::size_t i) {
    if (all.size() > few) return !seen.insert(all[i].first).second;
    return std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i),
                       [&](auto& before) { return before.first == all[i].first; });
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto& [name, value] = all[i];
    // XML has every attribute once: a typed member speaks before what is preserved, the first of
    // two before the second.
    auto again = is_repeated(i);
    if (listed(typed, name) && is_valid_attribute(element, name, value)) continue;
    if (again || listed(typed, name)) {
      // falls through to what does not fit
    } else if (is_division_valued(element, name)) {
      auto text = in_divisions(value, c.divisions);
      if (attribute_fits(c, e, name, text)) {
        c.out.attribute(name, text);
        continue;
      }
    } else if (attribute_fits(c, e, name, value)) {
      c.out.attribute(name, value);
      continue;
    }
    unfit += unfit.empty() ? "" : " ";
    unfit += name + "=\"";
    append_escaped(unfit, value, true);
    unfit += '"';
  }
  write_wrapped_attributes(c, unfit);
}

void write_fragment(export_context& c, const fragment& f) { write_checked(c, f, nullptr); }

void write_preserved_children(export_context& c, std::string_view parent, const preserved& extra,
                              std::initializer_list<std::string_view> names) {
  if (extra && !extra->children.empty()) write_children(c, parent, extra->children, names);
}

void write_children(export_context& c, std::string_view parent,
                    const std::vector<fragment>& children,
                    std::initializer_list<std::string_view> names) {
  auto* e = find_schema_element(parent);
  std::size_t written = 0;
  for (auto& child : children) {
    auto name = element_name(child);
    if (!listed(names, name)) continue;
    auto limit = !e || !is_repeatable(*e, name) ? 1u : name == "fermata" ? 2u : ~0u;
    if (written < limit)
      write_fragment(c, child);
    else
      write_wrapped(c, child.xml);
    ++written;
  }
}

void write_all_children(export_context& c, std::string_view parent, const preserved& extra,
                        const std::vector<std::string_view>& before) {
  if (!extra || extra->children.empty()) return;
  auto* e = find_schema_element(parent);
  if (!e) return;
  child_sequence siblings{*e};
  for (auto name : before)
    siblings.take(name);
  for (auto& child : extra->children)
    write_checked(c, child, &siblings);
}

bool children_fit(std::string_view parent, const preserved& extra) {
  auto* e = find_schema_element(parent);
  if (!e) return false;
  child_sequence siblings{*e};
  if (extra)
    for (auto& child : extra->children) {
      static const std::unordered_set<std::string> no_ids;
      if (is_wrapped(child)) continue;
      if (!siblings.take(element_name(child)) ||
          !would_fit_schema(fragment_in_divisions(child.xml, rational{1}), no_ids))
        return false;
    }
  return siblings.complete();
}

void write_misplaced_children(export_context& c, const preserved& extra,
                              std::initializer_list<std::string_view> names) {
  if (extra) write_misplaced(c, extra->children, names);
}

void write_misplaced(export_context& c, const std::vector<fragment>& children,
                     std::initializer_list<std::string_view> names) {
  for (auto& child : children) {
    if (is_wrapped(child))
      write_wrapped(c, child);
    else if (!listed(names, element_name(child)))
      write_wrapped(c, child.xml);
  }
}

void write_kept_attributes(export_context& c, const preserved& extra, std::string_view child,
                           std::size_t nth) {
  if (!extra) return;
  for (auto& f : extra->children) {
    if (element_name(f) != child || nth-- != 0) continue;
    auto* e = find_schema_element(child);
    std::string unfit;
    for_each_attribute(f.xml,
                       [&](std::string_view name, const std::string& value, std::string_view raw) {
                         if (attribute_fits(c, e, name, value)) {
                           c.out.raw_attributes(raw);
                         } else {
                           unfit += raw.substr(unfit.empty() ? 1 : 0);
                         }
                       });
    write_wrapped_attributes(c, unfit);
    return;
  }
}

}  // namespace fermata::io::musicxml::detail
