#pragma once

#include "core/lang/syntax/reader.hpp"
#include "core/lang/value/environment.hpp"
#include "core/result.hpp"

#include <map>
#include <string>
#include <vector>

namespace fermata {

/// A definition as stored: strings and a flag, for any file format.
struct saved_binding {
  std::string name;
  std::string source;         ///< the form that made it, as the user wrote it
  std::string expression;     ///< evaluates to the value, without any other definition
  std::string function_name;  ///< the function's own name in messages, or empty
  bool is_macro = false;
  bool operator==(const saved_binding&) const = default;
};

/// An expression that evaluates to `v`, in any environment. Functions become their source with the
/// captured values as arguments around it, and with macro calls expanded as they were when the
/// function was compiled. Fails if the text is larger than 1 GiB. It is read back with
/// `evaluation_request::stored`. Source spans are not kept.
result<std::string> to_source(const value& v);
/// Maximum nesting of that text: data in code in data may be nested deeper than input.
constexpr reader_limits stored_text{.nesting = 100'000, .bytes = std::size_t{2} << 30};

struct saved_bindings {
  std::vector<saved_binding> bindings;  ///< by name
  error errors;                         ///< for each definition that cannot be saved, with its name
};
saved_bindings save_bindings(const environment& env);

struct loaded_bindings {
  std::map<std::string, binding, std::less<>> bindings;
  error errors;                       ///< for each that cannot be loaded, with its name
  std::vector<saved_binding> failed;  ///< those, so that they are not lost when saving
};
loaded_bindings load_bindings(const std::vector<saved_binding>& saved);

}  // namespace fermata
