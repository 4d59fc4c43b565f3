#pragma once

#include "core/lang/environment.hpp"
#include "core/lang/value.hpp"
#include "core/music/key.hpp"
#include "core/score/score.hpp"

#include <string_view>

namespace fermata {

/// The key at the cursor, for `(key-inference on)`.
key_signature key_at(const score& s, const environment& env);

/// What was typed, with pitches as the key has them: in D major `f4` is F sharp. A pitch that is
/// written with any accidental, the natural sign n included, stays as it is; so do pitches that
/// were not typed in `text` but computed. The stored text spells every pitch out.
value with_inferred_key(const value& datum, source_span span, std::string_view text,
                        const key_signature& key);

}  // namespace fermata
