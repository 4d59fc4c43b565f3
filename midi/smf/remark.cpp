#include "midi/smf/remark.hpp"

namespace fermata::midi::smf {

const std::vector<remark_info>& remark_table() {
  static const std::vector<remark_info> table = {
#define FERMATA_SMF_REMARK(id, summary) {remark_kind::id, summary},
#include "midi/smf/remark_table.inc"
#undef FERMATA_SMF_REMARK
  };
  return table;
}

std::string to_string(const remark& r) {
  std::string text;
  if (r.track > 0) text += "track " + std::to_string(r.track) + ", ";
  text += "byte " + std::to_string(r.offset) + ": ";
  text += remark_table()[static_cast<std::size_t>(r.kind)].summary;
  return text;
}

}  // namespace fermata::midi::smf
