#pragma once

#include "core/lang/evaluation/evaluate.hpp"

#include <string_view>

namespace fermata {

/// The value of a history token (`$In[3]`, `$Out[-1]`, `$Out[4:7]`, `%`) for this evaluation: the
/// expression as data, the value, or a list for a range. `%` is the newest entry that has a value.
/// Fails with errc::no_such_entry, naming the entry.
result<value> resolve_history(std::string_view token, const evaluation_request& request);

/// The value without source spans: data from another text must not point into this one.
value without_spans(const value& v);

}  // namespace fermata
