#pragma once

#include <boost/iterator/indirect_iterator.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace fermata {

/// A short list of large elements whose copies share them: a copy costs one pointer, a change one
/// pointer per element, whatever the size of the elements. A copy never changes, on any thread. For
/// lists of a few hundred elements at most; for more there is `shared_vector`. (A `shared_list` of
/// core/score copies its elements when it is changed: they are small there.)
template <class T>
class persistent_list {
  using pointers = std::vector<std::shared_ptr<const T>>;

public:
  using value_type = T;
  using const_iterator = boost::indirect_iterator<typename pointers::const_iterator, const T>;

  persistent_list() = default;
  explicit persistent_list(std::vector<T> elements) {
    if (elements.empty()) return;
    pointers all;
    all.reserve(elements.size());
    for (auto& x : elements)
      all.push_back(std::make_shared<const T>(std::move(x)));
    set(std::move(all));
  }

  std::size_t size() const { return all().size(); }
  bool empty() const { return all().empty(); }
  const T& operator[](std::size_t i) const { return *all()[i]; }
  const T& front() const { return *all().front(); }
  const T& back() const { return *all().back(); }
  const_iterator begin() const { return const_iterator{all().begin()}; }
  const_iterator end() const { return const_iterator{all().end()}; }

  void push_back(T x) {
    auto changed = copied(1);
    changed.push_back(std::make_shared<const T>(std::move(x)));
    set(std::move(changed));
  }
  void erase(const_iterator at) { erase(at, std::next(at)); }
  void erase(const_iterator first, const_iterator last) {
    if (first == last) return;
    auto from = first - begin(), to = last - begin();
    auto changed = copied(0);
    changed.erase(changed.begin() + from, changed.begin() + to);
    set(std::move(changed));
  }
  /// Replaces this element.
  void replace(const_iterator at, T x) {
    auto index = at - begin();
    auto changed = copied(0);
    changed[static_cast<std::size_t>(index)] = std::make_shared<const T>(std::move(x));
    set(std::move(changed));
  }

  friend bool operator==(const persistent_list& a, const persistent_list& b) {
    return a.all_ == b.all_ || std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

private:
  const pointers& all() const {
    static const pointers none;
    return all_ ? *all_ : none;
  }
  pointers copied(std::size_t more) const {
    pointers copy;
    copy.reserve(size() + more);
    copy.assign(all().begin(), all().end());
    return copy;
  }
  void set(pointers changed) { all_ = std::make_shared<const pointers>(std::move(changed)); }

  std::shared_ptr<const pointers> all_;  ///< null: none
};

}  // namespace fermata
