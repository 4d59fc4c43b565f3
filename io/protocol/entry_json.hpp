#pragma once

#include "core/session/entry.hpp"
#include "io/protocol/schema.hpp"

#include <boost/json/object.hpp>

namespace fermata::io::protocol {

/// The members of an entry in JSON, as rows for schemas and the reference.
fields entry_fields();

/// One entry of the timeline. Texts longer than `text_limit` bytes are cut and marked with
/// `truncated`, so that one enormous value cannot fill a page.
boost::json::object entry_json(const history_entry& e, std::size_t text_limit = 8'000);

/// An error of the language: code, message and hint of each fault, and the rendering with carets.
/// `source` is the text that was evaluated.
boost::json::object error_json(const error& e, std::string_view source);

}  // namespace fermata::io::protocol
