#include "core/lang/theory/families.hpp"

#include <iterator>

namespace fermata {

std::vector<form_spec> theory_forms() {
  std::vector<form_spec> all;
  for (auto family :
       {scale_and_chord_forms, numeral_forms, analysis_forms, set_forms, row_and_neo_forms}) {
    auto rows = family();
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace fermata
