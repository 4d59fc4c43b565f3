#pragma once

#include "io/protocol/schema.hpp"

namespace fermata::io::protocol {

/// The members of an entry of the timeline as `io/json/entry_json.hpp` writes them, as rows for
/// schemas and the reference.
fields entry_fields();

}  // namespace fermata::io::protocol
