#include "io/protocol/fault.hpp"

namespace fermata::io::protocol {

const std::vector<fault_info>& fault_table() {
  static const std::vector<fault_info> rows = {
#define FERMATA_FAULT(id, number, when) {fault_code::id, #id, number, when},
#include "io/protocol/fault_table.inc"
#undef FERMATA_FAULT
  };
  return rows;
}

const fault_info& info(fault_code code) {
  const auto& rows = fault_table();
  const auto place = static_cast<std::size_t>(code);
  if (place >= 1 && place <= rows.size()) return rows[place - 1];
  return rows[static_cast<std::size_t>(fault_code::internal) - 1];
}

const fault_info* find_fault(std::string_view name) {
  for (const auto& row : fault_table())
    if (row.name == name) return &row;
  return nullptr;
}

std::string to_string(fault_code code) {
  return code == fault_code::none ? "none" : std::string{info(code).name};
}

fault::fault(fault_code c, std::string text, std::string_view hint, boost::json::object details)
  : code(c), message(std::move(text)), data(std::move(details)) {
  if (!hint.empty()) data["hint"] = hint;
}

}  // namespace fermata::io::protocol
