#pragma once

#include "core/sole_owner.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace fermata {

/// A vector whose copies share their elements until one of them is changed: a renumbered measure
/// still has the notes of the original. Used like a vector; functions that can change elements copy
/// them first if they are shared, so const access is preferable where nothing changes.
template <class T>
class shared_list {
public:
  using value_type = T;
  using size_type = std::size_t;
  using iterator = typename std::vector<T>::iterator;
  using const_iterator = typename std::vector<T>::const_iterator;

  shared_list() = default;
  shared_list(std::vector<T> all) {
    if (!all.empty()) held_ = std::make_shared<std::vector<T>>(std::move(all));
  }
  shared_list(std::initializer_list<T> all) : shared_list(std::vector<T>(all)) {}

  // --- reading ---
  const std::vector<T>& all() const {
    static const std::vector<T> none;
    return held_ ? *held_ : none;
  }
  operator const std::vector<T>&() const { return all(); }
  std::size_t size() const { return all().size(); }
  bool empty() const { return all().empty(); }
  const T& operator[](std::size_t i) const { return all()[i]; }
  const T& at(std::size_t i) const { return all().at(i); }
  const T& front() const { return all().front(); }
  const T& back() const { return all().back(); }
  const_iterator begin() const { return all().begin(); }
  const_iterator end() const { return all().end(); }
  auto rbegin() const { return all().rbegin(); }
  auto rend() const { return all().rend(); }

  /// Whether both have the very same elements, not only equal ones. Takes constant time.
  bool shares(const shared_list& other) const { return held_ == other.held_; }

  // --- changing ---
  std::vector<T>& own() {
    if (!held_)
      held_ = std::make_shared<std::vector<T>>();
    else if (!is_sole_owner(held_))
      held_ = std::make_shared<std::vector<T>>(*held_);
    return *held_;
  }
  T& operator[](std::size_t i) { return own()[i]; }
  T& at(std::size_t i) { return own().at(i); }
  T& front() { return own().front(); }
  T& back() { return own().back(); }
  iterator begin() { return own().begin(); }
  iterator end() { return own().end(); }
  auto rbegin() { return own().rbegin(); }
  auto rend() { return own().rend(); }
  std::size_t capacity() const { return all().capacity(); }
  void shrink_to_fit() { own().shrink_to_fit(); }
  void reserve(std::size_t n) { own().reserve(n); }
  void resize(std::size_t n) { own().resize(n); }
  void clear() { held_.reset(); }
  void push_back(T x) { own().push_back(std::move(x)); }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    return own().emplace_back(std::forward<Args>(args)...);
  }
  void pop_back() { own().pop_back(); }
  // Iterators come from `begin()` and `end()` of this list, which owns its elements then.
  iterator insert(const_iterator place, T x) { return held_->insert(place, std::move(x)); }
  template <class Iterator>
  iterator insert(const_iterator place, Iterator from, Iterator to) {
    return held_->insert(place, from, to);
  }
  iterator erase(const_iterator place) { return held_->erase(place); }
  iterator erase(const_iterator from, const_iterator to) { return held_->erase(from, to); }

  friend bool operator==(const shared_list& a, const shared_list& b) {
    return a.held_ == b.held_ || a.all() == b.all();
  }

private:
  std::shared_ptr<std::vector<T>> held_;  ///< null: nothing in it
};

/// Copies only if there is something to erase.
template <class T, class Predicate>
void erase_if(shared_list<T>& list, Predicate goes) {
  if (std::none_of(std::as_const(list).begin(), std::as_const(list).end(), goes)) return;
  std::erase_if(list.own(), goes);
}

}  // namespace fermata
