#pragma once

#include "core/lang/value/form_spec.hpp"
#include "core/lang/value/value.hpp"
#include "core/music/key.hpp"
#include "core/music/meter.hpp"

#include <boost/container/small_vector.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fermata {

struct evaluation_state;  // core/lang/evaluation/evaluate.hpp

/// The bound, type-checked arguments of one call to a handler, and its access to the evaluator.
/// Access is by parameter name; a name that the row does not have is a programming error (assert).
class call {
public:
  call(const form_spec& spec, evaluation_state& state, source_span span)
    : spec_(spec), state_(state), span_(span) {}

  const form_spec& spec() const { return spec_; }
  evaluation_state& state() const { return state_; }
  source_span span() const { return span_; }  ///< of the whole form

  bool has(std::string_view name) const;          ///< given by the user
  const value& get(std::string_view name) const;  ///< nil when not given
  const std::vector<value>& rest() const { return rest_; }
  source_span span_of(std::string_view name) const;
  const std::vector<source_span>& rest_spans() const { return rest_spans_; }

  // Typed access; valid after the check against the row's type.
  bool flag(std::string_view name) const;
  std::optional<std::int64_t> integer(std::string_view name) const;
  std::optional<std::string> text(
      std::string_view name) const;  ///< string, symbol, keyword or number as text
  std::optional<fermata::pitch> pitch(std::string_view name) const;
  std::optional<note_value> duration(std::string_view name) const;
  std::optional<fermata::interval> interval(std::string_view name) const;
  std::optional<key_signature> key(std::string_view name) const;
  std::optional<time_signature> time(std::string_view name) const;

  /// Flags and options in the order written (marks keep their order on a note).
  struct written {
    std::size_t param;
    value given;
    source_span span;
  };
  const std::vector<written>& in_order() const { return in_order_; }

  /// Calls a function value. Counts against the budget.
  result<value> apply(const value& function, std::span<const value> args);
  /// Counts `n` produced elements against the budget.
  result<void> produced(std::size_t n);
  /// Counts `notes` copied notes, as elements and memory.
  result<void> copied(std::uint64_t notes);
  /// An error if the evaluation is to stop: checked now and then by long operations.
  result<void> check_interrupted();
  /// An error at this call, with the usage line as hint.
  error wrong(errc code, std::string message, std::string_view param = {}) const;

  // For the binder (core/lang/evaluation/bind.hpp), which fills it.
  bool has(std::size_t param) const { return find(param) != nullptr; }
  void set(std::size_t param, value v, source_span at);
  void add_rest(value v, source_span at);

private:
  /// Null if not given. A note has more than a hundred parameters, of which a call gives a few, so
  /// these are searched, without a slot for each parameter.
  const written* find(std::size_t param) const;

  const form_spec& spec_;
  evaluation_state& state_;
  source_span span_;
  boost::container::small_vector<written, 4> positional_;  ///< few: no allocation
  std::vector<value> rest_;
  std::vector<source_span> rest_spans_;
  std::vector<written> in_order_;
};

}  // namespace fermata
