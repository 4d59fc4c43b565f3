#pragma once

#include "core/lang/value/value.hpp"
#include "core/result.hpp"

#include <compare>
#include <optional>
#include <span>

namespace fermata {

/// Arithmetic of the language. Exact as long as all operands are exact; one real makes the result
/// real. Exact results that do not fit throw rational_overflow, a zero divisor std::domain_error
/// (the evaluator handles both in one place); a real that is not finite is an error here.
result<value> add(const value& a, const value& b);
result<value> subtract(const value& a, const value& b);
result<value> multiply(const value& a, const value& b);
result<value> divide(const value& a, const value& b);

double as_double(const value& number);
bool is_number(const value& v);
/// A real as a value; an error if it is not finite.
result<value> real(double d);

/// Order of two values of one kind: numbers, strings, pitches (by sound, then spelling), durations
/// (by length), symbols and keywords (by name), booleans, lists (item by item). Empty if they have
/// no order.
std::optional<std::strong_ordering> order(const value& a, const value& b);

/// Equality as in `=`: numbers by value, a duration keyword equals the duration, all else by
/// content. Empty if the values are too large to compare.
std::optional<bool> same(const value& a, const value& b);

}  // namespace fermata
