// Families of rows that have no home yet. Whoever adds one deletes its line here.
#include "core/lang/evaluate.hpp"
#include "core/lang/form_spec.hpp"
#include "core/lang/music.hpp"

namespace fermata {

std::vector<form_spec> theory_forms() { return {}; }


} // namespace fermata
