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

/// The keys that hold where a typed form begins to be music.
struct typed_keys {
  key_signature at_cursor;
  key_signature of_new_part;   ///< what `(part ...)` begins in
  key_signature of_new_score;  ///< what `(score ...)` begins in
  /// The key at the place that the `where` of an edit names, `head` being its form; nothing when
  /// that cannot be known before it is evaluated.
  std::function<std::optional<key_signature>(std::string_view head, const value& where)> at_place;
  /// What a `(key ...)` form means; nothing when it cannot be known before it is evaluated.
  std::function<std::optional<for_staff<key_signature>>(const value& form)> meaning;
};

/// What was typed, with pitches as their key has them: in D major `f4` is F sharp. A key that is
/// written in the form holds for what follows it there, in its part. What an edit puts into the
/// score is in the key of its place. A pitch that is written with
/// any accidental, the natural sign n included, stays as it is; so do pitches that were not typed
/// in `text` but computed. The stored text spells every pitch out.
value with_inferred_key(const value& datum, source_span span, std::string_view text,
                        const typed_keys& keys);

}  // namespace fermata
