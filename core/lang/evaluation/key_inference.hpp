#pragma once

#include "core/lang/value/environment.hpp"
#include "core/lang/value/value.hpp"
#include "core/music/key.hpp"
#include "core/score/model/score.hpp"

#include <functional>
#include <optional>
#include <string_view>

namespace fermata {

/// The key at the cursor, for `(key-inference on)`.
key_signature key_at(const score& s, const environment& env);

/// The keys in effect where a typed form starts to be music.
struct typed_keys {
  key_signature at_cursor;
  key_signature of_new_part;   ///< initial key of `(part ...)`
  key_signature of_new_score;  ///< initial key of `(score ...)`
  /// The key at the position of the `where` of an edit, `head` being its form; empty if it is
  /// unknown before the evaluation.
  std::function<std::optional<key_signature>(std::string_view head, const value& where)> at_place;
  /// The key of a `(key ...)` form; empty if it is unknown before the evaluation.
  std::function<std::optional<for_staff<key_signature>>(const value& form)> meaning;
};

/// The typed form, with pitches as in their key: in D major `f4` is F sharp. A key in the form
/// applies to what follows it there, in its part. Music inserted by an edit is in the key of its
/// position. A pitch written with any accidental, including the natural sign n, is unchanged; so
/// are pitches that were not typed in `text` but computed. The stored text spells every pitch out.
value with_inferred_key(const value& datum, source_span span, std::string_view text,
                        const typed_keys& keys);

}  // namespace fermata
