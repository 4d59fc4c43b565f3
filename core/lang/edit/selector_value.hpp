#pragma once

#include "core/lang/evaluation/call.hpp"
#include "core/score/model/selector.hpp"

namespace fermata {

/// Selectors are plain data, `(:measures (5 8) :part "Violin" :beats (2 3))`, so that they can be
/// stored, printed and combined. A bare number is a measure, a bare string a part.

/// Reads a selector. `:where` calls its function for each item, so the call must outlive the
/// result; an error in the function is stored in `fault`.
[[nodiscard]] result<selector> selector_of(call& c, const value& v, error& fault);

/// The keys of both; those of `more` take precedence.
value merged_selectors(const value& base, const value& more);

/// `(:measures (a b))` from one or two bounds: measure numbers, names, or :last.
value measures_selector(const value& first, const value& last);

}  // namespace fermata
