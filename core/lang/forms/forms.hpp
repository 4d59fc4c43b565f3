#pragma once

#include "core/lang/value/form_spec.hpp"

#include <vector>

namespace fermata {

/// The rows of the core language in the form table, by subject; `core_forms()` is all of them.
std::vector<form_spec>
special_forms();  ///< def, fn, let, if ...: rows only, `compile` does the work
std::vector<form_spec> arithmetic_forms();  ///< sums, comparisons, remainders
std::vector<form_spec> number_forms();      ///< rounding, conversion, powers, predicates
std::vector<form_spec> list_forms();
std::vector<form_spec> function_forms();  ///< map, filter, reduce, apply ...
std::vector<form_spec> text_forms();
std::vector<form_spec> kind_forms();  ///< type and the predicates
std::vector<form_spec> help_forms();  ///< doc, source, errors as values

}  // namespace fermata
