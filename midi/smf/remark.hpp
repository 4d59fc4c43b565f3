#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::midi::smf {

/// An oddity of a file that was read in spite of it. One enumerator per row of `remark_table()`.
enum class remark_kind : std::uint8_t {
#define FERMATA_SMF_REMARK(id, summary) id,
#include "midi/smf/remark_table.inc"
#undef FERMATA_SMF_REMARK
};

struct remark_info {
  remark_kind kind;
  std::string_view summary;  ///< what is odd, and what was done about it
};
/// All rows, in the order of the enumerators.
const std::vector<remark_info>& remark_table();

struct remark {
  remark_kind kind{};
  std::size_t track = 0;   ///< from 1, in the order of the file; 0: outside the tracks
  std::size_t offset = 0;  ///< of the byte in the file, from 0
  bool operator==(const remark&) const = default;
};

/// "track 2, byte 117: a running status after a meta or sysex event; it was kept".
std::string to_string(const remark& r);

}  // namespace fermata::midi::smf
