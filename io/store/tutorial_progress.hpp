#pragma once

#include "core/result.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace fermata::io {

/// The user's place in the tutorial, in `tutorial.json` of the home, so that it can be continued.
struct tutorial_place {
  std::size_t step = 0;  ///< from 0
  std::string from;      ///< the session to return to; empty: unknown
};
/// The first step if nothing is known.
tutorial_place read_tutorial_place(const std::filesystem::path& home);
/// Errors: the system's.
result<void> remember_tutorial_place(const std::filesystem::path& home,
                                     const tutorial_place& place);

}  // namespace fermata::io
