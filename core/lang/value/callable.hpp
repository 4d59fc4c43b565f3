#pragma once

#include "core/lang/value/form_spec.hpp"
#include "core/lang/value/value.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fermata {

struct function_code;  // core/lang/value/code.hpp: a compiled `fn`

/// A value that can be first in a list. Its contents are sufficient to write it as source again
/// (core/lang/evaluation/environment_io.hpp).
struct callable : std::enable_shared_from_this<callable> {
  enum class kind : std::uint8_t {
    builtin,   ///< a row of the form table: `form`
    closure,   ///< a compiled `fn`: `code`, and the values it captured in `held`
    macro,     ///< like a closure, but called with its arguments as data while compiling
    partial,   ///< `held`: the function, then its first arguments
    composed,  ///< `held`: functions, the last one is called first
  };
  kind what = kind::builtin;
  std::string name;  ///< for messages; may be empty
  const form_spec* form = nullptr;
  std::shared_ptr<const function_code> code;
  std::vector<value> held;
  std::uint32_t depth = 0;  ///< its `nesting`, computed by `value::of`
  std::uint64_t size = 1;   ///< its `size_of`, likewise

  ~callable() { detail::destroy_flat(std::move(held)); }
};

}  // namespace fermata
