#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fermata {

/// A shared immutable value that compares by content. Null means "nothing". Rare members of the
/// score are stored this way to keep the common note small.
template <class T>
class boxed {
public:
  boxed() = default;
  boxed(T value) : ptr_(std::make_shared<const T>(std::move(value))) {}
  explicit operator bool() const { return ptr_ != nullptr; }
  bool has_value() const { return ptr_ != nullptr; }
  void reset() { ptr_.reset(); }
  const T& operator*() const { return *ptr_; }
  const T* operator->() const { return ptr_.get(); }
  friend bool operator==(const boxed& a, const boxed& b) {
    return a.ptr_ == b.ptr_ || (a.ptr_ && b.ptr_ && *a.ptr_ == *b.ptr_);
  }

private:
  std::shared_ptr<const T> ptr_;
};

/// A whole XML element without a type of its own in the score, as canonical compact XML text
/// (UTF-8, double quotes, no indentation, no declaration). It keeps its position and is written
/// back unchanged.
struct fragment {
  std::string xml;
  bool operator==(const fragment&) const = default;
};

/// What MusicXML attaches to a typed element beyond its typed members: attributes (layout, print
/// style, colours, ids) and child elements, in file order. A child whose value is a typed member
/// but which has attributes of its own (<stem default-y="3">, <type size="cue">) is kept here with
/// the attributes only; the typed member remains the value. A member whose value is the default
/// although the file writes it (<alter>0</alter>) is kept likewise. Attributes counted in
/// MusicXML's divisions (attack, release, make-time, offsets) are kept in quarter notes: "3/8".
struct preserved_xml {
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<fragment> children;
  bool operator==(const preserved_xml&) const = default;
};
using preserved = boxed<preserved_xml>;

}  // namespace fermata
