#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

/// A shared immutable value that compares by content. Null means "nothing". Rare members of the
/// score are held this way so that the common note stays small.
template <class T>
class boxed {
public:
  boxed() = default;
  boxed(T value) : ptr_(std::make_shared<const T>(std::move(value))) {}
  explicit operator bool() const { return ptr_ != nullptr; }
  const T& operator*() const { return *ptr_; }
  const T* operator->() const { return ptr_.get(); }
  friend bool operator==(const boxed& a, const boxed& b) {
    return a.ptr_ == b.ptr_ || (a.ptr_ && b.ptr_ && *a.ptr_ == *b.ptr_);
  }

private:
  std::shared_ptr<const T> ptr_;
};

/// A whole XML element that has no type of its own in the score, as canonical compact XML text
/// (UTF-8, double quotes, no indentation, no declaration). It keeps its place and is written back
/// unchanged.
struct fragment {
  std::string xml;
  bool operator==(const fragment&) const = default;
};

/// What MusicXML attaches to a typed element beyond its typed members: attributes (layout, print
/// style, colours, ids) and child elements, in file order.
struct preserved_xml {
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<fragment> children;
  bool operator==(const preserved_xml&) const = default;
};
using preserved = boxed<preserved_xml>;

} // namespace fermata
