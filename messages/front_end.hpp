#pragma once

#include "messages/session.hpp"

#include <string>

namespace fermata {

/// A terminal, or a script: which session its lines go to, and what comes of them. What it has to
/// say goes to the thread that owns the terminal, which is no actor; so nothing is answered here.
using front_end_actor = session_observer_actor::extend<
    // Opens the session of this name, or the last one when it is empty, and makes it when there is
    // none.
    caf::reacts_to<atom::find, std::string>,
    // Lines go to the session with this slug from now on.
    caf::reacts_to<atom::activate, std::string>,
    // A line for the session.
    caf::reacts_to<atom::submit, submission>,
    // The flag of that line is set: it is given up where it waits.
    caf::reacts_to<atom::cancel>>;

}  // namespace fermata
