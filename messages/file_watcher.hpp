#pragma once

#include "messages/atoms.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <string>
#include <vector>

namespace fermata {

/// The actor that a file watcher notifies.
using file_watch_owner_actor = caf::typed_actor<
    // These paths were removed, moved or replaced, or the folders they are in; perhaps several
    // times for one change.
    caf::reacts_to<atom::changed, std::vector<std::string>>>;

/// Notifies its owner of changes to a few files. It ends with its owner.
using file_watcher_actor = caf::typed_actor<
    // Watches these paths from now on, and no others. Answered when it does.
    caf::replies_to<atom::watch, std::vector<std::string>>::with<void>>;

}  // namespace fermata
