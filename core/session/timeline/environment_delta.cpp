#include "core/session/timeline/environment_delta.hpp"

#include <algorithm>
#include <utility>

namespace fermata {

namespace {

std::optional<binding> find(const environment& env, const std::string& name) {
  auto it = env.bindings.find(name);
  return it == env.bindings.end() ? std::nullopt : std::optional{it->second};
}

bool same(const std::optional<binding>& a, const std::optional<binding>& b) {
  return a.has_value() == b.has_value() && (!a || fermata::same(*a, *b));
}

template <class T>
std::optional<before_after<T>> changed(const T& before, const T& after) {
  if (before == after) return std::nullopt;
  return before_after<T>{before, after};
}

template <class T>
void invert(std::optional<before_after<T>>& change) {
  if (change) std::swap(change->before, change->after);
}

}  // namespace

bool same(const binding& a, const binding& b) { return a.source == b.source && a.bound == b.bound; }

environment_delta difference(const environment& before, const environment& after) {
  environment_delta d;
  auto b = before.bindings.begin(), b_end = before.bindings.end();
  auto a = after.bindings.begin(), a_end = after.bindings.end();
  while (b != b_end || a != a_end) {
    if (a == a_end || (b != b_end && b->first < a->first)) {
      d.bindings.push_back({b->first, b->second, std::nullopt});
      ++b;
    } else if (b == b_end || a->first < b->first) {
      d.bindings.push_back({a->first, std::nullopt, a->second});
      ++a;
    } else {
      if (!same(b->second, a->second)) d.bindings.push_back({a->first, b->second, a->second});
      ++b;
      ++a;
    }
  }
  d.cursor = changed(before.cursor, after.cursor);
  d.defaults = changed(before.defaults, after.defaults);
  d.key_inference = changed(before.key_inference, after.key_inference);
  return d;
}

environment_ptr applied(const environment_delta& d, const environment_ptr& env) {
  if (d.empty()) return env;
  auto next = env ? std::make_shared<environment>(*env) : std::make_shared<environment>();
  for (auto& change : d.bindings) {
    if (change.after)
      next->bindings.insert_or_assign(change.name, *change.after);
    else
      next->bindings.erase(change.name);
  }
  if (d.cursor) next->cursor = d.cursor->after;
  if (d.defaults) next->defaults = d.defaults->after;
  if (d.key_inference) next->key_inference = d.key_inference->after;
  return next;
}

environment_delta inverted(environment_delta d) {
  for (auto& change : d.bindings)
    std::swap(change.before, change.after);
  invert(d.cursor);
  invert(d.defaults);
  invert(d.key_inference);
  return d;
}

bool fits(const environment_delta& d, const environment& env) {
  return std::all_of(d.bindings.begin(), d.bindings.end(),
                     [&](auto& change) { return same(find(env, change.name), change.before); }) &&
         (!d.cursor || d.cursor->before == env.cursor) &&
         (!d.defaults || d.defaults->before == env.defaults) &&
         (!d.key_inference || d.key_inference->before == env.key_inference);
}

}  // namespace fermata
