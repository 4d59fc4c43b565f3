#include "core/lang/music/forms.hpp"

namespace fermata {

void add_phrase_forms(form_rows&) {}

} // namespace fermata
