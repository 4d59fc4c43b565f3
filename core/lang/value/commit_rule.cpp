#include "core/lang/value/commit_rule.hpp"

namespace fermata {

namespace {

constexpr commit_rule all_rules[] = {commit_rule::notation, commit_rule::everything,
                                     commit_rule::nothing};

}  // namespace

std::string_view to_string(commit_rule r) {
  switch (r) {
    case commit_rule::notation: return "notation";
    case commit_rule::everything: return "everything";
    case commit_rule::nothing: return "nothing";
  }
  return {};
}

std::optional<commit_rule> parse_commit_rule(std::string_view word) {
  for (auto r : all_rules)
    if (to_string(r) == word) return r;
  return std::nullopt;
}

}  // namespace fermata
