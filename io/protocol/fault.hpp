#pragma once

#include "io/protocol/fault_code.hpp"

#include <boost/json/object.hpp>
#include <tl/expected.hpp>

#include <string>
#include <string_view>

namespace fermata::io::protocol {

/// Why a request failed. `data` has the details that a program can use, and its `hint` always says
/// what to do next.
struct fault {
  fault_code code = fault_code::internal;
  std::string message;
  boost::json::object data;

  fault() = default;
  fault(fault_code c, std::string text, std::string_view hint, boost::json::object details = {});
};

/// Result of a fallible function of the protocol.
template <class T>
using answer = tl::expected<T, fault>;

inline tl::unexpected<fault> refuse(fault f) { return tl::unexpected<fault>(std::move(f)); }

}  // namespace fermata::io::protocol
