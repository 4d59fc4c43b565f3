#pragma once

#include <initializer_list>
#include <string_view>

#include "core/score/preserved.hpp"
#include "io/musicxml/export_context.hpp"

namespace fermata::io::musicxml::detail {

/// Name of the element that a fragment holds.
std::string_view element_name(const fragment& f);

/// The first preserved child of that name, or null.
const fragment* preserved_child(const preserved& extra, std::string_view name);

/// Writes the preserved attributes of `element`, which is open and has no content yet. Those named
/// in `typed` are skipped: a typed member has been written for them.
void write_preserved_attributes(export_context& c, std::string_view element, const preserved& extra,
                                std::initializer_list<std::string_view> typed = {});

/// Writes the preserved children with one of these names, in their order.
void write_preserved_children(export_context& c, std::string_view element, const preserved& extra,
                              std::initializer_list<std::string_view> names);

/// Writes all preserved children in their order.
void write_all_children(export_context& c, std::string_view parent, const preserved& extra);

/// Writes a whole element that was kept as XML below `parent`.
void write_fragment(export_context& c, std::string_view parent, const fragment& f);

/// Writes all preserved children that none of `names` covers as instructions: the schema has no
/// place for them.
void write_misplaced_children(export_context& c, std::string_view element, const preserved& extra,
                              std::initializer_list<std::string_view> names);

/// The attributes that a typed child carries beside its value: opens nothing, writes into the tag
/// that is open. `nth` tells repeated children (dots) apart.
void write_kept_attributes(export_context& c, const preserved& extra, std::string_view child,
                           std::size_t nth = 0);

/// <name attributes kept for it>text</name>
template <class Value>
void write_leaf(export_context& c, const preserved& extra, std::string_view name,
                const Value& value) {
  if (!extra || extra->children.empty()) {
    c.out.leaf(name, value);
    return;
  }
  c.out.open(name);
  write_kept_attributes(c, extra, name);
  c.out.text(value);
  c.out.close(name);
}

} // namespace fermata::io::musicxml::detail
