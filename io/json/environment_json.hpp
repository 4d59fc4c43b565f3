#pragma once

#include "core/lang/value/environment.hpp"
#include "core/result.hpp"
#include "core/session/timeline/environment_delta.hpp"

#include <boost/json/object.hpp>

namespace fermata::io {

/// An environment: {"bindings": {"motif": {"source": "(def ...)", "value": ...}}, "cursor": {...},
/// "defaults": {...}, "key_inference": true}; what has its default is left out.
boost::json::object write_environment(const environment& env);

/// Reads it again, functions and macros included. Errors name the binding.
result<environment> read_environment(const boost::json::object& o);

/// A change: {"bindings": [{"name", "before", "after"}], "cursor": [before, after], ...}; a side is
/// null where the name was not bound.
boost::json::object write_change(const environment_delta& d);

/// Reads it again. Errors name the binding.
result<environment_delta> read_change(const boost::json::object& o);

}  // namespace fermata::io
