#pragma once

#include "core/lang/value/code.hpp"

#include <memory>

namespace fermata {

struct evaluation_state;

/// Compiles one top-level form: expands macros, resolves names, checks the shape of special forms.
/// Null on error; the errors, several if they are independent, are in `state.failure`.
std::shared_ptr<const function_code> compile(const value& datum, source_span span,
                                             evaluation_state& state);

/// The meaning of an undefined bare word: an interval (`M3`), an unreduced fraction (`6/8`), a
/// ratio (`3:2`); nil if it has none.
value meaning_of_word(std::string_view word);

/// The special forms, compiled by `compile`; their rows in the form table have no handler.
bool is_special_form(std::string_view name);

}  // namespace fermata
