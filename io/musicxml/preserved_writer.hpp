#pragma once

#include "core/score/model/preserved.hpp"
#include "io/musicxml/export_context.hpp"
#include "io/musicxml/fragment_check.hpp"

#include <initializer_list>
#include <string_view>

namespace fermata::io::musicxml::detail {

/// Writing what the score preserves as XML. Nothing of it can make the file invalid: what does not
/// fit the schema where it is to stand goes into a processing instruction at the same place.

/// The first preserved child of that name, or null.
const fragment* preserved_child(const preserved& extra, std::string_view name);

/// Writes the preserved attributes of `element`, whose tag is open and complete but for them. Those
/// named in `typed` are skipped: a typed member has been written for them.
void write_preserved_attributes(export_context& c, std::string_view element, const preserved& extra,
                                std::initializer_list<std::string_view> typed = {});

/// Writes the preserved children with one of these names, in their order.
void write_preserved_children(export_context& c, std::string_view parent, const preserved& extra,
                              std::initializer_list<std::string_view> names);

void write_children(export_context& c, std::string_view parent,
                    const std::vector<fragment>& children,
                    std::initializer_list<std::string_view> names);

/// Writes all preserved children in their order, as far as the schema has them in that order.
/// `before` are the typed children that have been written already.
void write_all_children(export_context& c, std::string_view parent, const preserved& extra,
                        const std::vector<std::string_view>& before = {});

/// Whether the preserved children alone are a complete and valid content of `parent`.
bool children_fit(std::string_view parent, const preserved& extra);

/// Writes a whole element that was kept as XML.
void write_fragment(export_context& c, const fragment& f);

/// Writes the preserved children that no other function writes: all but those with one of `names`.
void write_misplaced_children(export_context& c, const preserved& extra,
                              std::initializer_list<std::string_view> names);

void write_misplaced(export_context& c, const std::vector<fragment>& children,
                     std::initializer_list<std::string_view> names);

/// Writes XML that has no place here as an instruction.
void write_wrapped(export_context& c, std::string_view xml);
/// The same for what is wrapped already.
void write_wrapped(export_context& c, const fragment& f);

/// The attributes that a typed child carries beside its value, into the tag that is open. `nth`
/// tells repeated children (dots) apart.
void write_kept_attributes(export_context& c, const preserved& extra, std::string_view child,
                           std::size_t nth = 0);

/// <name attributes kept for it>value</name>. The value is known to be valid.
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

}  // namespace fermata::io::musicxml::detail
