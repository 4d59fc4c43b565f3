#pragma once

#include "core/lang/value/environment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// What one entry changed in the environment, as data that is applied forwards and backwards: undo
/// and redo, the journal. It holds both sides of what differs and nothing else.

template <class T>
struct before_after {
  T before, after;
  bool operator==(const before_after&) const = default;
};

/// A name that was bound, bound anew, or unbound.
struct binding_change {
  std::string name;
  std::optional<binding> before, after;
};

struct environment_delta {
  std::vector<binding_change> bindings;
  std::optional<before_after<score_cursor>> cursor;
  std::optional<before_after<score_defaults>> defaults;
  std::optional<before_after<bool>> key_inference;
  bool empty() const { return bindings.empty() && !cursor && !defaults && !key_inference; }
};

/// What has to be done to `before` to get `after`. Names are in alphabetical order.
environment_delta difference(const environment& before, const environment& after);

/// The environment with the change made. What the change does not name stays.
environment_ptr applied(const environment_delta& d, const environment_ptr& env);

/// The change that takes `d` back.
environment_delta inverted(environment_delta d);

/// Whether everything that `d` changes stands in `env` as it did where the change was made.
bool fits(const environment_delta& d, const environment& env);

/// The same definition: source and value.
bool same(const binding& a, const binding& b);

}  // namespace fermata
