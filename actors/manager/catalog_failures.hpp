#pragma once

#include "core/session/catalog/failure.hpp"
#include "messages/errors.hpp"

namespace fermata::actors {

/// Failures of the catalog as errors of actors, and back. An error that only passes through comes
/// out as it went in.
caf::error to_error(const catalog::failure& f);
catalog::failure to_failure(const caf::error& e);

}  // namespace fermata::actors
