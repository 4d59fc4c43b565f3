#include "io/protocol/client_name.hpp"

#include "core/session/slug.hpp"
#include "io/terminal/safe_text.hpp"

#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>
#include <iterator>

namespace fermata::io::protocol {

std::string shown_client_name(std::string_view client) { return clean_name(safe_text(client)); }

bool is_anothers_name(std::string_view client) {
  constexpr std::string_view names[] = {"user", "you", "system", "fermata"};
  return std::any_of(std::begin(names), std::end(names),
                     [&](auto name) { return boost::algorithm::iequals(client, name); });
}

}  // namespace fermata::io::protocol
