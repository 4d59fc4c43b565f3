#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io::protocol {

/// Codes of faults, one enumerator per row of `fault_table()`: the one table of all channels, and
/// of the actors.
enum class fault_code : std::uint8_t {
  none,  ///< no fault, and no row
#define FERMATA_FAULT(id, number, when) id,
#include "io/protocol/fault_table.inc"
#undef FERMATA_FAULT
};

/// One row of the table: both spellings of the code, and when it is used.
struct fault_info {
  fault_code code;
  std::string_view name;  ///< the code in the short form: "not_found"
  int number;             ///< the code in JSON-RPC 2.0
  std::string_view when;
};

/// All rows, in the order of the enumerators; `none` has no row.
const std::vector<fault_info>& fault_table();
/// The row of a code; that of `internal` if it has none.
const fault_info& info(fault_code code);
/// The row with this name, or none.
const fault_info* find_fault(std::string_view name);
/// The name of the row, "none" without one.
std::string to_string(fault_code code);

}  // namespace fermata::io::protocol
