#pragma once

#include "core/lang/syntax/reader.hpp"
#include "core/lang/value/environment.hpp"
#include "core/result.hpp"

#include <map>
#include <string>
#include <vector>

namespace fermata {

/// A definition as it is stored: strings and a flag, for any file format.
struct saved_binding {
  std::string name;
  std::string source;         ///< the form that made it, as the user wrote it
  std::string expression;     ///< evaluates to the value, without help of any other definition
  std::string function_name;  ///< how a function calls itself in messages, or empty
  bool is_macro = false;
  bool operator==(const saved_binding&) const = default;
};

/// An expression that evaluates to `v`, in any environment. Functions become their source with the
/// values that they captured as arguments around it, and with macro calls expanded as they were
/// when the function was compiled. Fails for what is larger than 1 GiB as text. It is read back
/// with `evaluation_request::stored`. Source spans are not kept.
result<std::string> to_source(const value& v);
/// How much may stand in it: there may be data in code in data, nested deeper than one may type.
constexpr reader_limits stored_text{.nesting = 100'000, .bytes = std::size_t{2} << 30};

struct saved_bindings {
  std::vector<saved_binding> bindings;  ///< by name
  error errors;                         ///< for each definition that cannot be saved, naming it
};
saved_bindings save_bindings(const environment& env);

struct loaded_bindings {
  std::map<std::string, binding, std::less<>> bindings;
  error errors;                       ///< for each that does not load, naming it
  std::vector<saved_binding> failed;  ///< those, so that saving again does not lose them
};
loaded_bindings load_bindings(const std::vector<saved_binding>& saved);

}  // namespace fermata
