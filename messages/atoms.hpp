#pragma once

#include <caf/atom.hpp>

namespace fermata::atom {

// One name per verb that actors say to each other. CAF packs at most ten characters.
using submit = caf::atom_constant<caf::atom("submit")>;
using snapshot = caf::atom_constant<caf::atom("snapshot")>;
using enqueue = caf::atom_constant<caf::atom("enqueue")>;
using propose = caf::atom_constant<caf::atom("propose")>;
using preview = caf::atom_constant<caf::atom("preview")>;
using cancel = caf::atom_constant<caf::atom("cancel")>;
using evaluate = caf::atom_constant<caf::atom("evaluate")>;
using observe = caf::atom_constant<caf::atom("observe")>;
using changed = caf::atom_constant<caf::atom("changed")>;
using create = caf::atom_constant<caf::atom("create")>;
using find = caf::atom_constant<caf::atom("find")>;
using activate = caf::atom_constant<caf::atom("activate")>;
using active = caf::atom_constant<caf::atom("active")>;
using list = caf::atom_constant<caf::atom("list")>;
using append = caf::atom_constant<caf::atom("append")>;
using load = caf::atom_constant<caf::atom("load")>;
using checkpoint = caf::atom_constant<caf::atom("checkpoint")>;
using flush = caf::atom_constant<caf::atom("flush")>;
using stop = caf::atom_constant<caf::atom("stop")>;
using undo = caf::atom_constant<caf::atom("undo")>;

} // namespace fermata::atom
