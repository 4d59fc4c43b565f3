#pragma once

#include <boost/json/object.hpp>
#include <tl/expected.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io::protocol {

/// What can be wrong with a request, one enumerator per row of `fault_table()`.
enum class fault_code : std::uint8_t {
#define FERMATA_FAULT(id, number, when) id,
#include "io/protocol/fault_table.inc"
#undef FERMATA_FAULT
};

/// One row of the table: both spellings of the code, and when it is given.
struct fault_info {
  fault_code code;
  std::string_view name;  ///< the code in the short form: "not_found"
  int number;             ///< the code in JSON-RPC 2.0
  std::string_view when;
};

/// All rows, in the order of the enumerators.
const std::vector<fault_info>& fault_table();
const fault_info& info(fault_code code);
/// The row with this name, or none.
const fault_info* find_fault(std::string_view name);

/// Why a request was not done. `data` names what was wrong as far as a program can use it, and
/// `hint` in it always says what to do next.
struct fault {
  fault_code code = fault_code::internal;
  std::string message;
  boost::json::object data;

  fault() = default;
  fault(fault_code c, std::string text, std::string_view hint, boost::json::object details = {});
};

/// What a fallible function of the protocol returns.
template <class T>
using answer = tl::expected<T, fault>;

inline tl::unexpected<fault> refuse(fault f) { return tl::unexpected<fault>(std::move(f)); }

}  // namespace fermata::io::protocol
