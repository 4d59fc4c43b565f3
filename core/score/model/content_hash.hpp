#pragma once

#include "core/score/model/score.hpp"

#include <cstdint>

namespace fermata {

/// Hashes of parts of a score, over all their content, the same in every process and on every
/// machine. Equal content gives equal hashes; with 64 bits an accidental collision is very
/// unlikely, so alignment (diff) may compare hashes where it then shows the content.
std::uint64_t content_hash(const measure_content& c);
std::uint64_t content_hash(const measure& m);
std::uint64_t content_hash(const part& p);

/// The content of a measure without its number and layout.
std::uint64_t music_hash(const measure& m);

}  // namespace fermata
