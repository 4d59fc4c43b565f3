#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermata::io {

/// What waits, as the prompt for screen readers says it behind the session: ", 2 messages, 1
/// proposal". Empty: nothing waits.
std::string badges_in_words(std::size_t messages, std::size_t proposals);

/// The text with the signs of prompt and lists as words, for who hears or feels it: the badges of a
/// prompt, `[song ✉2 Δ1]`, as `[song, 2 messages, 1 proposal]`; `Δ3` as "proposal 3"; `Δ ` in front
/// of a change as "changes: ". A sign within a word (the chord CΔ7) is left unchanged.
std::string with_symbols_as_words(std::string_view text);

}  // namespace fermata::io
