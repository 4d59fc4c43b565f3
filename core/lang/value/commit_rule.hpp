#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fermata {

/// Which values of top-level expressions enter the score automatically: the setting `commit`.
///
/// At a prompt, showing a value must not change the score: a name, a history reference, or a call
/// of a function only shows its value, even if that is music. A file is meant as a whole, so all of
/// its music is added. Forms that change the score explicitly (`add`, `at`, `delete`, `replace`,
/// ...) do so under both rules.
enum class commit_rule : std::uint8_t {
  notation,    ///< music whose outermost form is notation
  everything,  ///< all music
  nothing,     ///< the score stays as it is, whatever is evaluated
};

/// "notation", "everything", "nothing".
std::string_view to_string(commit_rule r);
std::optional<commit_rule> parse_commit_rule(std::string_view word);

}  // namespace fermata
