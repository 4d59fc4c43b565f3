#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

/// Half-open range of bytes in a source text. Line and column are computed from it at the edge.
struct source_span {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const source_span&) const = default;
};

/// Everything that can be wrong with what a user wrote, one enumerator per row of `error_table()`.
enum class errc : std::uint16_t {
#define FERMATA_ERROR(id, name, summary, explanation, example) id,
#include "core/error_table.inc"
#undef FERMATA_ERROR
};

/// One row of the error table: what `:explain CODE` prints and what the reference lists.
struct error_info {
  errc code;
  std::string_view name;         ///< stable spelling shown to users, e.g. "unknown-form"
  std::string_view summary;      ///< one sentence, musical words
  std::string_view explanation;  ///< why it happens and what to do, a short paragraph
  std::string_view example;      ///< an input that provokes it; a test runs it
};

/// All rows, in the order of the enumerators.
const std::vector<error_info>& error_table();
/// The row of `code`.
const error_info& info(errc code);
/// The row whose name is `name` ("unknown-form"), if there is one.
const error_info* find_error(std::string_view name);

/// One fault: code, message in musical words, where, and what to do next.
struct diagnostic {
  errc code{};
  std::string message;              ///< e.g. "measure 3: an eighth too long for 4/4 after g4"
  std::optional<source_span> span;  ///< in the text that was read, when there is one
  std::string hint;                 ///< what to do: "did you mean `note`?", the form's usage line
  bool operator==(const diagnostic&) const = default;
};

/// Why something failed: at least one diagnostic, most important first. Independent faults of one
/// input are all listed.
struct error {
  std::vector<diagnostic> diagnostics;

  error() = default;
  error(diagnostic d) { diagnostics.push_back(std::move(d)); }
  error(errc code, std::string message, std::optional<source_span> span = std::nullopt,
        std::string hint = {}) {
    diagnostics.push_back({code, std::move(message), span, std::move(hint)});
  }
  const diagnostic& first() const { return diagnostics.front(); }
  bool operator==(const error&) const = default;
};

/// Line and column, both from 1, of a byte offset; columns count code points.
struct line_column {
  std::size_t line = 1;
  std::size_t column = 1;
};
line_column locate(std::string_view text, std::size_t offset);

/// An error as the terminal shows it: `name: message`, the source line with carets below the span,
/// the hint. `source` is the text that the spans refer to; `origin` is a file name or empty.
std::string render(const error& e, std::string_view source, std::string_view origin = {});

/// The candidate nearest to `word` by Damerau-Levenshtein distance when it is near enough to be
/// what was meant (at most a third of its length), else nothing.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string_view>& candidates);

}  // namespace fermata
