#pragma once

#include "core/lang/value/form_spec.hpp"

#include <vector>

namespace fermata {

// The rows of theory_forms(), by subject; each next to its handlers.
std::vector<form_spec> scale_and_chord_forms();
std::vector<form_spec> numeral_forms();
std::vector<form_spec> analysis_forms();
std::vector<form_spec> set_forms();
std::vector<form_spec> row_and_neo_forms();

}  // namespace fermata
