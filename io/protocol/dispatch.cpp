#include "io/protocol/dispatch.hpp"

#include <exception>

namespace json = boost::json;

namespace fermata::io::protocol {

call prepare(request& r) {
  call out;
  out.head = std::move(r.head);
  out.unordered = r.unordered;
  if (r.bad) {
    out.refused = std::move(r.bad);
    return out;
  }
  out.row = find_method(r.method);
  if (!out.row) {
    out.refused = unknown_method(r.method);
    return out;
  }
  if (auto* named = r.params.if_object())
    out.params = std::move(*named);
  else
    out.refused = name_positions(out.row->params, r.params.get_array(), out.params);
  if (!out.refused) out.refused = check(out.row->params, out.params);
  return out;
}

namespace {

fault thrown(const char* what) {
  return {fault_code::internal, what, "please report it together with the request"};
}

}  // namespace

answer<json::object> run(const method& row, const query& q, const json::object& params) {
  try {
    return std::get<query_handler>(row.handler)(q, arguments{params});
  } catch (const std::exception& e) {
    return refuse(thrown(e.what()));
  }
}

answer<command> command_of(const method& row, const json::object& params) {
  try {
    return std::get<command_handler>(row.handler)(arguments{params});
  } catch (const std::exception& e) {
    return refuse(thrown(e.what()));
  }
}

std::string_view wanted_session(const call& c) { return arguments{c.params}.text("session"); }

}  // namespace fermata::io::protocol
