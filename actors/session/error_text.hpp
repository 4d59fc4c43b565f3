#pragma once

#include "messages/errors.hpp"

#include <string>

namespace fermata::actors {

/// An error for the user: what is wrong, and on the next line what to do.
inline std::string text_of(const caf::error& e) {
  auto detail = detail_of(e);
  return detail.message + (detail.advice.empty() ? "" : '\n' + detail.advice);
}
inline std::string text_of(const error& e) {
  auto& first = e.first();
  return first.message + (first.hint.empty() ? "" : '\n' + first.hint);
}

}  // namespace fermata::actors
