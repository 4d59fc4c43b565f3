#include "actors/manager/catalog_failures.hpp"

#include <utility>

namespace fermata::actors {

namespace {

using kind_t = catalog::failure::kind_t;

constexpr std::pair<kind_t, problem> kinds[] = {
    {kind_t::invalid_state, problem::invalid_state},
    {kind_t::not_found, problem::not_found},
    {kind_t::conflict, problem::conflict},
    {kind_t::failed, problem::failed},
    {kind_t::busy, problem::busy},
    {kind_t::internal, problem::internal},
};

}  // namespace

caf::error to_error(const catalog::failure& f) {
  if (auto original = std::any_cast<caf::error>(&f.original)) return *original;
  problem_detail detail;
  detail.message = f.message;
  detail.advice = f.advice;
  if (f.retry_after) detail.retry_after_ms = static_cast<int>(f.retry_after->count());
  auto code = problem::internal;
  for (auto& [kind, row] : kinds)
    if (kind == f.kind) code = row;
  return make_problem(code, std::move(detail));
}

catalog::failure to_failure(const caf::error& e) {
  auto code = problem_of(e);
  auto detail = detail_of(e);
  catalog::failure f{kind_t::other, std::move(detail.message), std::move(detail.advice)};
  for (auto& [kind, row] : kinds)
    if (row == code) f.kind = kind;
  f.original = e;
  return f;
}

}  // namespace fermata::actors
