#pragma once

#include "core/error.hpp"
#include "core/music/duration.hpp"
#include "core/music/interval.hpp"
#include "core/music/pitch.hpp"
#include "core/music/rational.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fermata {

struct music;  // core/lang/value/music.hpp: notes, seqs, measures, scores, marks as language values
struct callable;  // core/lang/value/callable.hpp: closures, built-in forms and functions, macros
struct music_source;
class value;

using music_ptr = std::shared_ptr<const music>;
using callable_ptr = std::shared_ptr<const callable>;

struct nil_value {
  bool operator==(const nil_value&) const = default;
};
struct symbol {
  std::string name;
  bool operator==(const symbol&) const = default;
};
struct keyword {
  std::string name;  ///< without the colon
  bool operator==(const keyword&) const = default;
};

/// A list of values with its source position (empty for computed lists). The same type is code
/// before evaluation and data after; `[ ]` literals are marked.
struct list_data {
  explicit list_data(std::vector<value> all, bool square = false,
                     std::vector<source_span> places = {}, source_span whole = {});
  ~list_data();  ///< without recursion, for any nesting
  list_data(const list_data&) = delete;
  list_data& operator=(const list_data&) = delete;

  std::vector<value> items;        ///< as given; `depth` goes by them
  std::vector<source_span> spans;  ///< of the items; empty for computed lists
  source_span span;
  std::uint32_t depth;  ///< `nesting` of it
  std::uint64_t size;   ///< `size_of` it
  bool bracketed;
};
using list_ptr = std::shared_ptr<const list_data>;

/// An error caught by `try`, as a value.
struct error_value {
  error what;
  bool operator==(const error_value&) const = default;
};

/// A value of the Fermata language; also its syntax: the reader returns values. Immutable, 24
/// bytes, cheap to copy. Equality is by content (ignoring spans; callables compare by identity).
class value {
public:
  using storage =
      std::variant<nil_value, bool, rational, double, std::shared_ptr<const std::string>,
                   std::shared_ptr<const symbol>, std::shared_ptr<const keyword>, list_ptr, pitch,
                   interval, note_value, music_ptr, callable_ptr,
                   std::shared_ptr<const error_value>>;

  value() : data_() {}
  value(storage s) : data_(std::move(s)) {}
  // Copying and destroying std::variant goes through a table of functions; numbers are most of what
  // a program computes with, so they have a path that the compiler can inline.
  value(const value& o) {
    if (o.is_plain())
      set_plain(o);
    else
      std::construct_at(&data_, o.data_);
  }
  value(value&& o) noexcept {
    if (o.is_plain())
      set_plain(o);
    else
      std::construct_at(&data_, std::move(o.data_));
  }
  value& operator=(const value& o) {
    if (is_plain() && o.is_plain())
      set_plain(o);
    else
      data_ = o.data_;
    return *this;
  }
  value& operator=(value&& o) noexcept {
    if (is_plain() && o.is_plain())
      set_plain(o);
    else
      data_ = std::move(o.data_);
    return *this;
  }
  ~value() {
    if (!is_plain()) data_.~storage();
  }
  static value of(bool b) { return plain(b); }
  static value of(rational r) { return plain(r); }
  static value of(std::int64_t n) { return plain(rational{n}); }
  static value of(double d) { return plain(d); }
  static value of(pitch p) { return storage{p}; }
  static value of(interval i) { return storage{i}; }
  static value of(note_value v) { return storage{v}; }
  static value string(std::string s);
  static value sym(std::string name);
  static value kw(std::string name);
  static value list(std::vector<value> items, bool bracketed = false,
                    std::vector<source_span> spans = {}, source_span span = {});
  static value of(music_ptr m) { return storage{std::move(m)}; }
  static value of(callable_ptr c) { return storage{std::move(c)}; }
  /// A new function: computes the nesting depth of its contents.
  static value of(std::shared_ptr<callable> c);
  static value of(error e);

  /// Same as assigning a number, for the loops of the evaluator.
  void become(rational r) {
    if (is_plain()) [[likely]]
      std::construct_at(&data_, r);
    else
      data_ = r;
  }
  const storage& data() const { return data_; }
  template <class T>
  const T* get_if() const {
    return std::get_if<T>(&data_);
  }

  bool is_nil() const { return std::holds_alternative<nil_value>(data_); }
  bool is_true() const;  ///< everything but nil and false
  const std::string* as_string() const;
  const std::string* as_symbol() const;
  const std::string* as_keyword() const;
  const list_data* as_list() const;
  const music* as_music() const;
  const rational* as_number() const { return get_if<rational>(); }
  const pitch* as_pitch() const { return get_if<pitch>(); }

  friend bool operator==(const value& a, const value& b);

private:
  template <class T>
  static value plain(T x) {
    value v;
    std::construct_at(&v.data_, x);
    return v;
  }
  /// Whether it is nil, a boolean or a number, which need no destruction.
  bool is_plain() const { return data_.index() < 4; }
  /// Copies a plain value; this one is plain too, or not constructed yet.
  void set_plain(const value& o) {
    if (auto r = std::get_if<rational>(&o.data_))
      std::construct_at(&data_, *r);
    else if (auto b = std::get_if<bool>(&o.data_))
      std::construct_at(&data_, *b);
    else if (auto d = std::get_if<double>(&o.data_))
      std::construct_at(&data_, *d);
    else
      std::construct_at(&data_);
  }

  union {           // so that the members above control its destruction
    storage data_;  // NOLINT(readability-identifier-naming): private, whatever the union says
  };
};

/// The kind in the language: "nil" "boolean" "number" "real" "string" "symbol" "keyword" "list"
/// "pitch" "interval" "duration" "note" "rest" "chord" "measure" ... "function" "macro" "error".
std::string_view type_name(const value& v);

/// Maximum nesting of lists, and of functions in captured values, in an evaluation. Any value can
/// therefore be walked by recursion, written to a file and read back: environment_io.hpp, and
/// io/json/value_json.hpp with two levels of JSON for each.
constexpr std::uint32_t deepest_value = 1'000;
/// The nesting depth of lists and functions; 0 for what contains no values. A function counts its
/// captured values and its code.
std::uint32_t nesting(const value& v);

/// The size of a value, including itself, when written: lists may share their parts, so that a
/// small value may be very large to write. Stored values are not larger than this.
constexpr std::uint64_t largest_value = 20'000'000;
std::uint64_t size_of(const value& v);

/// The exact printed form; reading it back gives an equal value (functions print as <function f>).
std::string print(const value& v);
/// The same if it has at most `bytes` bytes, otherwise empty. Lists may share their parts, so a
/// small value may be too large to print.
std::optional<std::string> print_within(const value& v, std::size_t bytes);
/// Equality that gives up, with an empty result, after comparing `steps` parts.
std::optional<bool> equal_within(const value& a, const value& b, std::size_t steps);

namespace detail {
/// Destroys `values` without recursion, for any nesting of lists and closures in them.
void destroy_flat(std::vector<value>&& values);
}  // namespace detail

}  // namespace fermata
