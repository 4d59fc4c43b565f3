#pragma once

#include "core/result.hpp"
#include "core/score/model/score.hpp"
#include "io/musicxml/loss_report.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fermata::io::musicxml {

/// A score read from a file, and what is to be said about the reading.
struct import_result {
  score_ptr score;
  std::vector<diagnostic> warnings;  ///< odd or wrong things that were read nevertheless
  loss_report report;
};

/// Limits of what is read at all.
struct read_limits {
  std::size_t bytes = std::size_t{256} << 20;  ///< of XML text, also inside an .mxl
  std::size_t warnings = 1000;                 ///< more are counted, not listed
};

/// Reads MusicXML 1.0 to 4.0, partwise or timewise, in UTF-8, UTF-16 or ISO-8859-1, of at most
/// `limits.bytes` bytes. `name` is only for messages. Files, which may be compressed, are read by
/// `read` (container/read.hpp).
///
/// - `<duration>` decides how long a note is; type, dots and tuplets are notation. Gaps stay gaps.
/// - What the score has no type for is kept as XML in its place; what the schema does not allow
///   where it stands is kept too, wrapped as a processing instruction, with a warning.
/// - Comments and processing instructions of others are not kept, but counted and told; so are
///   attributes of elements that have none in MusicXML (<duration mood="x">). The exact white space
///   between tags goes without saying; so do values that only restate a default of the writer (see
///   the round trip table in docs/musicxml-elements.md).
/// - Errors and warnings carry line and column in the message, the byte range in `span` (of the
///   UTF-8 text), and the element path.
///
/// Document type declarations are skipped; entity declarations are refused (`invalid_xml`), nothing
/// is ever fetched. Fails with `invalid_xml`, `invalid_musicxml`, `nesting_too_deep`,
/// `number_too_large` or `unsupported_format`.
result<import_result> read_xml(std::string_view bytes, std::string_view name,
                               const read_limits& limits = {});

/// How messages call a document: by its name, or "MusicXML" if it has none.
std::string origin_of(std::string_view name);

/// The error with the name of the document before each message.
error with_origin(error e, std::string_view name);

}  // namespace fermata::io::musicxml
