#pragma once

#include "io/musicxml/schema.hpp"

#include <string_view>

namespace fermata::io::musicxml {

/// The simple type of that name: one of the schema's own, or xs:token, xs:decimal, ... Names come
/// from the table, so there always is one.
const simple_type* find_simple_type(std::string_view name);

}  // namespace fermata::io::musicxml
