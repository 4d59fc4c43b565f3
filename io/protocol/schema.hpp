#pragma once

#include "io/protocol/fault.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fermata::io::protocol {

enum class json_type : std::uint8_t { any, string, integer, number, boolean, object, array };
std::string_view to_string(json_type t);

/// A member of a JSON object: one parameter of a method or one part of its result. Parameter
/// checks, error texts, JSON Schemas and the reference are derived from these rows.
struct field {
  std::string_view name;
  json_type type = json_type::string;
  std::string_view doc;
  bool required = false;
  std::span<const std::string_view> choices{};  ///< of a string (or of the strings of an array)
  std::optional<std::int64_t> min{}, max{};     ///< of a number, or of the length of a string/array
  json_type items = json_type::any;             ///< of an array
  std::span<const field> members{};             ///< of an object or of the objects of an array
  /// Its name is sufficient, or the introduction of the MCP server explains it: no text in terse
  /// schemas.
  bool plain = false;
};

using fields = std::span<const field>;

/// Checks `params` against the rows: nothing unknown, nothing missing, every value of its type and
/// in its range. The fault names the parameter, what was expected and what was given; for an
/// unknown name also the nearest one. `where` prefixes parameter names ("blocks[2].").
std::optional<fault> check(fields rows, const boost::json::object& params,
                           std::string_view where = {});

/// Converts parameters by position (JSON-RPC 2.0 allows an array) to parameters by name.
std::optional<fault> name_positions(fields rows, const boost::json::array& positions,
                                    boost::json::object& named);

/// Level of detail of a schema: everything; or what fits into the few tokens that a host spends on
/// a tool: no bounds (faults give them), and text only if a name is not sufficient.
enum class schema_detail : std::uint8_t { documented, terse };

/// The rows as a JSON Schema of an object: plain `type`, `properties`, `required`,
/// `additionalProperties`; no combinators, because several hosts refuse them.
boost::json::object json_schema(fields rows, schema_detail detail, bool closed);
boost::json::object json_schema(const field& row, schema_detail detail);

/// Reads checked parameters.
class arguments {
public:
  explicit arguments(const boost::json::object& params) : params_(&params) {}
  const boost::json::value* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Empty when not given.
  std::string_view text(std::string_view name) const;
  std::optional<std::string> optional_text(std::string_view name) const;
  std::optional<std::int64_t> integer(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  bool flag(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  const boost::json::object& all() const { return *params_; }

private:
  const boost::json::object* params_;
};

}  // namespace fermata::io::protocol
