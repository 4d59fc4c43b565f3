#include "io/protocol/client_name.hpp"

#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>
#include <iterator>

namespace fermata::io::protocol {

bool is_anothers_name(std::string_view client) {
  constexpr std::string_view names[] = {"user", "you", "system", "fermata"};
  return std::any_of(std::begin(names), std::end(names),
                     [&](auto name) { return boost::algorithm::iequals(client, name); });
}

}  // namespace fermata::io::protocol
