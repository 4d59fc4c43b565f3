#include "io/json/checksum.hpp"

#include <boost/crc.hpp>
#include <fmt/format.h>

namespace fermata::io {

namespace {

constexpr std::string_view member_begin = ",\"crc\":\"", member_end = "\"}";
constexpr std::size_t digits = 8;

std::string sum_of(std::string_view text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  return fmt::format("{:08x}", crc.checksum());
}

}  // namespace

std::string with_checksum(std::string object) {
  object.pop_back();
  auto sum = sum_of(object);
  object += member_begin;
  object += sum;
  return object += member_end;
}

bool checksum_is_right(std::string_view object) {
  constexpr auto size = member_begin.size() + digits + member_end.size();
  if (object.size() < size) return true;
  auto body = object.substr(0, object.size() - size), end = object.substr(object.size() - size);
  if (!end.starts_with(member_begin) || !end.ends_with(member_end)) return true;
  return end.substr(member_begin.size(), digits) == sum_of(body);
}

}  // namespace fermata::io
