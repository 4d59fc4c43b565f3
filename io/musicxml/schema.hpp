#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace fermata::io::musicxml {

/// The schema of MusicXML 4.0 as a table: what may stand in an element, which attributes it has and
/// what their values look like. In MusicXML an element name means the same type everywhere, so
/// everything is found by name.
///
/// The reader uses it to tell what a file has beyond the schema, the writer to keep whatever a
/// score preserves from making a file invalid, and the documentation to list every element. It is
/// not a replacement for a validator: identity of ids across a document is the caller's matter.

/// A simple type: what the text of an element or attribute may be.
struct simple_type;

struct schema_attribute {
  std::string_view name;
  const simple_type* type;
  bool required;
};

struct schema_element {
  std::string_view name;
  std::vector<schema_attribute> attributes;
  const simple_type* text = nullptr;  ///< null: no text of its own

  const schema_attribute* attribute(std::string_view attribute_name) const;
  /// Whether a child of that name may stand in the element at all.
  bool allows_child(std::string_view child) const;

  // The content model as a deterministic automaton: positions are mentions of a child in the model,
  // 0 is the start. `follow[p]` are the positions that may come after p.
  std::vector<std::vector<std::uint16_t>> follow;
  std::vector<const schema_element*> at;  ///< which child a position is; null for the start
  std::vector<bool> may_end;              ///< whether the element may end after a position
};

/// Every element of the schema; `unknown` is what it does not have.
enum class element : std::uint16_t {
#define FERMATA_ELEMENT(id, name, children, attributes, text) id,
#define FERMATA_SIMPLE_TYPE(name, base, facets)
#include "io/musicxml/schema_table.inc"
#undef FERMATA_ELEMENT
#undef FERMATA_SIMPLE_TYPE
  unknown
};
inline constexpr std::size_t element_count = static_cast<std::size_t>(element::unknown);

element element_of(std::string_view name);
/// Empty for `unknown`.
std::string_view name_of(element e);
/// Not for `unknown`.
const schema_element& schema_of(element e);

/// All elements, by name in alphabetical order.
const std::vector<schema_element>& schema_elements();
/// The element of that name, or null.
const schema_element* find_schema_element(std::string_view name);

/// Whether `value` is of that type. Ids are checked as names only.
bool is_valid(const simple_type& type, std::string_view value);
/// Whether values of that type are unique names (xs:ID), or mention one (xs:IDREF).
bool is_id(const simple_type& type);
bool is_id_reference(const simple_type& type);

/// Whether `value` may be the text of the element `name`.
bool is_valid_text(std::string_view name, std::string_view value);
bool is_valid_text(element e, std::string_view value);
/// Whether `value` may be the value of that attribute of the element.
bool is_valid_attribute(std::string_view element, std::string_view attribute,
                        std::string_view value);

/// Follows the children of an element one by one.
class child_sequence {
public:
  explicit child_sequence(const schema_element& parent) : parent_(&parent) {}
  /// Takes the child if it may stand here; otherwise changes nothing and answers false.
  bool take(std::string_view child);
  /// Whether the element may end here.
  bool complete() const { return parent_->may_end.empty() || parent_->may_end[position_]; }

private:
  const schema_element* parent_;
  std::uint16_t position_ = 0;
};

}  // namespace fermata::io::musicxml
