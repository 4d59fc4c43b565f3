#pragma once

#include "core/score/model/score.hpp"

#include <cstdint>

namespace fermata {

/// Hashes of pieces of a score, over all their content, the same in every process and on every
/// machine. Equal content gives equal hashes; 64 bits make an accidental collision a curiosity, so
/// alignment (diff) may compare hashes where it then shows the content.
std::uint64_t content_hash(const measure_content& c);
std::uint64_t content_hash(const measure& m);
std::uint64_t content_hash(const part& p);

/// What is in the measure, wherever it stands: without its number and layout.
std::uint64_t music_hash(const measure& m);

}  // namespace fermata
