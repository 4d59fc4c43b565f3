#pragma once

#include "core/result.hpp"
#include "core/score/model/kept_elements.hpp"

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

namespace fermata {

/// A check for each item of a walk that makes music from music, so that a long one can be
/// cancelled. That there is room for the result is checked before it starts (`call::copied`).
///
/// After a stop, the walk only has to terminate; its result is discarded.
class copying {
public:
  using loss_handler = std::function<void(edit_operation, std::string_view what)>;

  /// `goes_on` returns an error to stop; `on_loss` is called for kept XML that is dropped.
  explicit copying(std::function<result<void>()> goes_on, loss_handler on_loss = {})
    : ask_(std::move(goes_on)), on_loss_(std::move(on_loss)) {}

  void dropped(edit_operation x, std::string_view what) const {
    if (on_loss_) on_loss_(x, what);
  }

  /// False: stop.
  bool goes_on() {
    if (is_stopped_ || ++seen_ % items_between_questions != 0) return !is_stopped_;
    return asks();
  }
  /// The same between two walks that cannot be stopped themselves.
  bool asks() {
    if (is_stopped_) return false;
    if (auto ok = ask_(); !ok) {
      is_stopped_ = true;
      why_ = std::move(ok.error());
    }
    return !is_stopped_;
  }
  bool is_stopped() const { return is_stopped_; }
  const error& why() const { return why_; }

private:
  /// A check costs a look at a clock, an item some hundred bytes.
  static constexpr std::uint64_t items_between_questions = 512;

  std::function<result<void>()> ask_;
  loss_handler on_loss_;
  std::uint64_t seen_ = 0;
  bool is_stopped_ = false;
  error why_;
};

}  // namespace fermata
