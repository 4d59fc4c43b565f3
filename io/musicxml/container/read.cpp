#include "io/musicxml/container/read.hpp"

#include "io/musicxml/container/mxl.hpp"

namespace fermata::io::musicxml {

result<import_result> read(std::string_view bytes, std::string_view name,
                           const read_limits& limits) {
  if (bytes.size() > limits.bytes)
    return fail(error{errc::input_too_large, origin_of(name) + ": " + std::to_string(bytes.size()) +
                                                 " bytes exceed the limit of " +
                                                 std::to_string(limits.bytes) + " that are read"});
  if (bytes.empty())
    return fail(error{errc::invalid_xml, origin_of(name) + ": the file is empty"});
  if (!is_zip(bytes)) return read_xml(bytes, name, limits);
  auto member = unpack_mxl(bytes, limits.bytes);
  if (!member) return fail(with_origin(std::move(member.error()), name));
  return read_xml(*member, name, limits);
}

}  // namespace fermata::io::musicxml
