#pragma once

#include "io/musicxml/import_context.hpp"

#include <pugixml.hpp>

namespace fermata::io::musicxml::detail {

struct child_element {
  pugi::xml_node node;
  element name;
};

/// The elements in a node, as `for (auto [k, e] : elements_in(c, node, kept))`. Nodes that are no
/// elements go to `kept`, or are skipped without one. What the loop does not know is its own to
/// keep, by `kept.child` or `kept.misplaced`.
class child_elements {
public:
  enum class counted : bool { no, as_understood };
  child_elements(import_context& c, pugi::xml_node parent, kept_xml* others, counted how)
    : context_(c), parent_(parent), others_(others), how_(how) {}

  class iterator {
  public:
    iterator(const child_elements& in, children_of::iterator at) : in_(in), at_(at) { settle(); }
    child_element operator*() const { return {*at_, name_}; }
    iterator& operator++() {
      ++at_;
      settle();
      return *this;
    }
    bool operator!=(children_of::sentinel end) const { return at_ != end; }

  private:
    void settle() {
      for (; at_ != children_of::sentinel{}; ++at_) {
        name_ = element_of((*at_).name());
        if (is_element(*at_, name_)) {
          if (in_.how_ == counted::as_understood) in_.context_.typed(*at_, name_);
          return;
        }
        if (in_.others_) in_.others_->other_node(in_.context_, *at_);
      }
    }
    const child_elements& in_;
    children_of::iterator at_;
    element name_ = element::unknown;
  };
  iterator begin() const { return {*this, children_of{parent_}.begin()}; }
  children_of::sentinel end() const { return {}; }

private:
  import_context& context_;
  pugi::xml_node parent_;
  kept_xml* others_;
  counted how_;
};

/// Elements that the reader understands, or says otherwise of.
inline child_elements elements_in(import_context& c, pugi::xml_node n) {
  return {c, n, nullptr, child_elements::counted::as_understood};
}
inline child_elements elements_in(import_context& c, pugi::xml_node n, kept_xml& kept) {
  return {c, n, &kept, child_elements::counted::as_understood};
}
/// Elements that are counted once it is known whether they can be taken.
inline child_elements uncounted_elements_in(import_context& c, pugi::xml_node n) {
  return {c, n, nullptr, child_elements::counted::no};
}
inline child_elements uncounted_elements_in(import_context& c, pugi::xml_node n, kept_xml& kept) {
  return {c, n, &kept, child_elements::counted::no};
}

}  // namespace fermata::io::musicxml::detail
