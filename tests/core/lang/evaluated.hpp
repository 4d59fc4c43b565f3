#pragma once

#include "core/lang/evaluation/evaluate.hpp"

#include <string>
#include <string_view>

namespace fermata {

inline evaluation_request request_for(std::string_view text) {
  evaluation_request r;
  r.text = text;
  r.score = std::make_shared<const score>();
  r.budget.steps = 300'000;  // a test that loops should end soon
  return r;
}

/// The last value as printed, or "error CODE: MESSAGE" of all faults.
inline std::string shown(const result<evaluation>& e) {
  if (e) return e->values.empty() ? "" : print(e->values.back());
  std::string s;
  for (auto& d : e.error().diagnostics)
    s += (s.empty() ? "" : "; ") + ("error " + std::string{info(d.code).name}) + ": " + d.message;
  return s;
}

inline std::string evaluated(std::string_view text) { return shown(evaluate(request_for(text))); }

/// The code of the first fault, or "none".
inline std::string fault_code(std::string_view text) {
  auto e = evaluate(request_for(text));
  return e ? "none" : std::string{info(e.error().first().code).name};
}

}  // namespace fermata
