#pragma once

#include "core/lang/evaluation/evaluate.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

namespace fermata::testing {

/// The score after these texts were typed one after another, the cursor and definitions kept.
inline score_ptr after(const std::vector<std::string>& texts) {
  score_ptr score = empty_score();
  auto env = std::make_shared<const environment>();
  for (auto& text : texts) {
    evaluation_request request;
    request.text = text;
    request.env = env;
    request.score = score;
    auto r = evaluate(request);
    if (!r) FAIL(render(r.error(), text));
    score = r->score;
    env = r->env;
  }
  return score;
}

}  // namespace fermata::testing
