#pragma once

#include "core/result.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace fermata::io {

/// Where somebody is in the tutorial, in `tutorial.json` of the home: whoever comes back goes on
/// there.
struct tutorial_place {
  std::size_t step = 0;  ///< from 0
  std::string from;      ///< the session that they came from, and go back to; empty: not known
};
/// The first step where nothing is known of it.
tutorial_place read_tutorial_place(const std::filesystem::path& home);
/// Errors: the system's.
result<void> remember_tutorial_place(const std::filesystem::path& home,
                                     const tutorial_place& place);

}  // namespace fermata::io
