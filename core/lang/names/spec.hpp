#pragma once

#include "core/lang/value/value.hpp"
#include "core/result.hpp"
#include "core/score/model/preserved.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fermata {

/// Maximum number of staves of a part. MusicXML has no limit; the score stores their numbers in a
/// byte, and imports warn about higher ones.
constexpr int max_staves = 255;
/// For messages.
inline std::string staff_range() {
  return "a staff must be a number from 1 to " + std::to_string(max_staves);
}

/// Options such as `:slur (start 2 :xml (:placement "above"))` are small data: a word, or a list of
/// words and named values. These functions read and write them.

/// A string, symbol, keyword, number, pitch or duration as text; empty for other values.
std::optional<std::string> text_of(const value& v);
/// The same for a whole number.
std::optional<int> int_of(const value& v);
/// Whether numbers of endings, "1, 2", are not plain positive numbers: "0", "1, 02".
bool begins_with_zero(std::string_view numbers);

/// The contents of an option: its positional words in order, and its named values.
class spec {
public:
  /// `named` are the keywords with a value, `flags` those without. Any other keyword is a word.
  spec(const value& v, std::initializer_list<std::string_view> named,
       std::initializer_list<std::string_view> flags = {});

  const std::vector<value>& words() const { return words_; }
  std::size_t size() const { return words_.size(); }
  /// Text of the n-th word, or empty.
  std::string word(std::size_t n) const;
  const value* named(std::string_view name) const;
  std::string text(std::string_view name) const;  ///< of a named value, or empty
  std::optional<int> integer(std::string_view name) const;
  bool flag(std::string_view name) const;
  /// The error if there are more than `most` words, or in its `:xml`: nothing is silently ignored.
  std::string beyond(std::size_t most) const;
  /// The `:xml` of the spec, or null.
  preserved xml() const;

private:
  std::vector<value> words_;
  std::vector<std::pair<std::string, value>> named_;
  std::vector<std::string> flags_;
};

/// `(:default-x "83" :type "cue" "<play/>")`: attributes by name, then child elements as text.
preserved preserved_of(const value& v);
value spec_of(const preserved& p);
/// Adds an attribute to preserved content.
preserved with_attribute(const preserved& p, std::string name, std::string text);
/// The only attribute, if there is exactly this one and no child: `only_attribute(x, "placement")`.
std::optional<std::string> only_attribute(const preserved& p, std::string_view name);

/// A keyword if the text can be one, otherwise a string.
value word_value(std::string_view text);
/// A number if the text is a whole number in its usual spelling, otherwise a string.
value text_value(std::string_view text);

/// Builds a list that starts with a symbol: a form, or the inside of a spec.
class form {
public:
  form() = default;
  explicit form(std::string_view head) { items_.push_back(value::sym(std::string{head})); }

  form& add(value v) {
    items_.push_back(std::move(v));
    return *this;
  }
  form& word(std::string_view text) { return add(word_value(text)); }
  form& flag(std::string_view name) { return add(value::kw(std::string{name})); }
  form& option(std::string_view name, value v) { return flag(name).add(std::move(v)); }
  /// Adds nothing when the text is empty.
  form& text(std::string_view name, std::string_view text) {
    return text.empty() ? *this : option(name, value::string(std::string{text}));
  }
  form& xml(const preserved& p, std::string_view name = "xml") {
    return p ? option(name, spec_of(p)) : *this;
  }
  std::size_t size() const { return items_.size(); }
  value done() { return value::list(std::move(items_)); }
  /// The only item itself, otherwise the list.
  value one_or_list() { return items_.size() == 1 ? items_.front() : done(); }

private:
  std::vector<value> items_;
};

}  // namespace fermata
