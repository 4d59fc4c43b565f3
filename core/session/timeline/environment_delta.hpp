#pragma once

#include "core/lang/value/environment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// The change of the environment by one entry, as data that can be applied and reverted, for undo,
/// redo and the journal. It holds both sides of what differs, and nothing else.

template <class T>
struct before_after {
  T before, after;
  bool operator==(const before_after&) const = default;
};

/// A name that was defined, redefined or undefined.
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

/// The change from `before` to `after`. Names are in alphabetical order.
environment_delta difference(const environment& before, const environment& after);

/// The environment with the change applied. Other names are unchanged.
environment_ptr applied(const environment_delta& d, const environment_ptr& env);

/// The inverse of `d`.
environment_delta inverted(environment_delta d);

/// Whether everything that `d` changes is in `env` as it was when the change was made.
bool fits(const environment_delta& d, const environment& env);

/// The same definition: source and value.
bool same(const binding& a, const binding& b);

}  // namespace fermata
