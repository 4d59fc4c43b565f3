#pragma once

#include "core/lang/evaluation/call.hpp"
#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/value/code.hpp"
#include "core/score/model/kept_elements.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace fermata {

struct argument;  // core/lang/evaluation/bind.hpp

/// Maximum number of independent errors reported for one form.
constexpr std::size_t most_faults_of_form = 20;

/// A global name during one evaluation.
struct global_cell {
  value v;
  bool bound = false;
  bool failed = false;  ///< its definition failed in this text: using it is not another error
};

/// Storage of variables. Frames are allocated like a stack but never move, so that a reference to a
/// variable stays valid when other frames are added.
class variable_stack {
public:
  struct mark {
    std::size_t block = 0;
    std::size_t used = 0;
  };
  mark position() const { return {block_, used_}; }
  /// `n` adjacent variables with unspecified values.
  value* push(std::size_t n) {
    if (blocks_.empty() || used_ + n > blocks_[block_].size) next_block(n);
    auto* p = blocks_[block_].values.get() + used_;
    used_ += n;
    return p;
  }
  /// Releases everything from `m` on, including the values of the variables.
  void release(mark m) {
    if (block_ == m.block && !blocks_.empty()) [[likely]] {
      auto* values = blocks_[block_].values.get();
      drop(values + m.used, values + used_);
      used_ = m.used;
      return;
    }
    release_blocks(m);
  }

private:
  struct block {
    std::unique_ptr<value[]> values;
    std::size_t size = 0;
    std::size_t used_below = 0;  ///< of the block before this one
  };
  void next_block(std::size_t n);
  void release_blocks(mark m);
  static void drop(value* from, value* to) {
    // Numbers need no destruction, and most variables are numbers.
    for (; from < to; ++from)
      if (!from->as_number()) *from = value{};
  }
  std::vector<block> blocks_;
  std::size_t block_ = 0;
  std::size_t used_ = 0;
};

/// The variables of one call in progress.
struct frame {
  value* slots = nullptr;
  const callable* self = nullptr;  ///< the closure, null at top level
  const function_code* code = nullptr;
  global_cell* const* links = nullptr;
};

enum class status : std::uint8_t {
  done,
  failed,  ///< `evaluation_state::failure` says why
  tail,    ///< a call in tail position is prepared in `evaluation_state::next_call_`
};

/// A running evaluation: the state for handlers, and the machine that runs code.
struct evaluation_state {
  explicit evaluation_state(const evaluation_request& r);

  // --- for handlers ---
  const evaluation_request& request;
  /// The next environment without its bindings, which are added when everything has succeeded.
  environment env;
  score_ptr score;      ///< with the commits of the previous forms; edits change it at once
  measure_moves moved;  ///< of the edits that led to `score`
  /// A score to go back to, and how many moves led to it and what was played until then: an edit
  /// that is only shown, or that fails, leaves none of them.
  struct score_mark {
    score_ptr score;
    std::size_t moves = 0, played = 0;
  };
  score_mark mark_score() const { return {score, moved.size(), played.size()}; }
  void restore(const score_mark& mark) {
    score = mark.score;
    moved.resize(mark.moves);
    played.erase(played.begin() + static_cast<std::ptrdiff_t>(std::min(mark.played, played.size())),
                 played.end());
  }
  measure_moves moved_since(const score_mark& mark) const {
    return {moved.begin() + static_cast<std::ptrdiff_t>(mark.moves), moved.end()};
  }
  bool preview = false;  ///< the form is a preview: nothing of it is committed
  /// The music returned by a query of the score. As the value of a top-level form it is not
  /// committed; inside other music it is ordinary music.
  music_ptr answer;
  std::vector<value> played;    ///< by `play`, in order
  kept_losses dropped;          ///< kept XML that edits and transformations contradicted
  bool edits_measures = false;  ///< a function is being called with measures of the score
  std::shared_ptr<const std::string> text;

  // --- the budget ---
  /// One step, i.e. a call. False: out of budget or interrupted, with `failure` set.
  bool step() { return ++steps_ < next_check_ || check_budget(); }
  result<void> produced(std::size_t elements);
  result<void> produced_bytes(std::uint64_t bytes);
  /// Notes made from others, with their memory.
  result<void> copied(std::uint64_t notes);
  /// Checks immediately whether the evaluation was interrupted.
  result<void> check_interrupted();
  std::uint64_t elements_left() const { return request.budget.elements - elements_; }

  // --- running ---
  /// Calls a function value; `at` is the position of the call, for messages.
  result<value> apply(const value& function, std::span<const value> args, source_span at);
  /// Calls a macro with its arguments as data.
  result<value> expand_macro(const callable& macro, std::span<const value> args, source_span at);
  result<value> run(const std::shared_ptr<const function_code>& code);

  /// The cell of a name, created from the environment on first use.
  global_cell& cell(const std::string& name);
  /// The cell if the name is bound, otherwise null.
  const global_cell* find_cell(const std::string& name);
  /// All bound names, for suggestions.
  std::vector<std::string_view> bound_names() const;
  /// The name most similar to a mistyped one, among bound names and forms: `note` for `nte`.
  std::optional<std::string> suggestion(std::string_view name) const;
  /// The same among definitions.
  std::optional<std::string> near_definition(std::string_view name) const {
    return nearest(name, bound_names());
  }
  struct definition {
    std::string name;
    std::string source;
  };
  std::vector<definition> definitions;  ///< made so far, in order
  /// The meaning of names at some point of the evaluation.
  struct kept_names {
    std::unordered_map<std::string, global_cell> cells;
    std::size_t definitions;
  };
  kept_names keep_names() const { return {cells_, definitions.size()}; }
  /// Reverts the definitions made since.
  void restore(const kept_names& then);
  std::uint64_t fresh_names = 0;  ///< returned by gensym so far

  error failure;
  status fail_with(errc code, std::string message, std::optional<source_span> at,
                   std::string hint = {});

private:
  status eval(const node& n, frame& f, value& out);
  status eval_call(const call_value_node& n, frame& f, value& out);
  status eval_any_call(const call_value_node& n, frame& f, value& out);
  status finish_tail_calls(variable_stack::mark base, value& out);
  status eval_form(const call_form_node& n, frame& f, value& out);
  status eval_global(const global_node& n, frame& f, value& out);
  status eval_number(const number_node& n, frame& f, value& out);
  status combine_operands(const number_node& n, frame& f, value& out);
  status eval_number_slowly(const number_node& n, const value& left, const value& right, frame& f,
                            value& out);
  status eval_access(const list_access_node& n, frame& f, value& out);
  status eval_list(const list_node& n, frame& f, value& out);
  status eval_define(const define_node& n, frame& f, value& out);
  status eval_attempt(const attempt_node& n, frame& f, value& out);
  status eval_history(const history_node& n, frame& f, value& out);
  status eval_expand(const expand_node& n, frame& f, value& out);
  status make_function(const make_function_node& n, frame& f, value& out);
  status truth(const node& n, frame& f, bool& out);
  status eval_truth(const node& n, frame& f, value& out);
  status choose(const choose_node& n, frame& f, const node*& body);
  status decide(const sequence_node& n, frame& f, value& out, bool& decided);
  /// A variable or constant without a copy; otherwise evaluates into `room`.
  const value* operand(const node& n, frame& f, value& room);
  status eval_compare(const number_node& n, frame& f, bool& out);
  status compare_operands(const number_node& n, frame& f, bool& out);
  status call_builtin(const form_spec& form, std::span<argument> args, source_span at, value& out);
  /// Checks that a new value is not nested too deeply to be stored; `who` made it, for the message.
  status check_nesting(const value& v, source_span at, std::string_view who = {});
  /// Checks that the result of a form is not too large, too deep or out of pitch range.
  status check_result(const form_spec& form, const value& v, source_span at);
  status invoke(const callable& closure, value* slots, variable_stack::mark base, value& out);
  status call_any(const value& function, std::span<const value> args, source_span at, value& out);
  bool take_arguments(const callable& closure, std::span<const value> args, value* slots,
                      source_span at);
  status wrong_count(const callable& closure, std::size_t given, std::optional<source_span> at);
  global_cell* const* links_of(const code_unit& unit) {
    return &unit == last_unit_ ? last_links_ : find_links(unit);
  }
  global_cell* const* find_links(const code_unit& unit);
  /// Enters a nested call. False: out of budget, with `failure` set.
  bool enter() {
    auto here = static_cast<const char*>(__builtin_frame_address(0));
    if (++depth_ <= request.budget.depth && here > stack_end_) [[likely]]
      return step();
    return too_deep();
  }
  bool too_deep();
  void leave() { --depth_; }
  bool check_budget();
  bool is_interrupted();  ///< with `failure` set
  status over_budget(std::string_view what);
  /// Gives diagnostics from code of earlier inputs a position in this text.
  status located(const node& n, const frame& f, std::string_view in = {});
  bool is_here(const frame& f) const { return f.code->unit->text == text; }
  source_span span_in(const node& n, const frame& f) const;

  std::unordered_map<std::string, global_cell> cells_;
  std::unordered_map<const code_unit*, std::vector<global_cell*>> links_;
  std::vector<std::shared_ptr<const code_unit>> units_;  ///< keeps the keys of `links_` alive
  std::vector<value> replaced_;  ///< values of redefined names, perhaps still running
  variable_stack stack_;
  const code_unit* last_unit_ = nullptr;
  global_cell* const* last_links_ = nullptr;
  struct {
    const callable* closure = nullptr;
    value kept;  ///< keeps the closure alive if no variable does
    value* slots = nullptr;
  } next_call_;
  std::uint64_t steps_ = 0, next_check_ = 4096, elements_ = 0, bytes_ = 0;
  std::uint64_t unpaid_ = 0;  ///< elements that have not cost a step yet
  std::uint32_t depth_ = 0;
  const char* stack_end_ = nullptr;  ///< limit of the machine stack, which grows down

  friend class call;
};

/// Span of code from an earlier input.
constexpr source_span elsewhere{static_cast<std::size_t>(-1), static_cast<std::size_t>(-1)};

}  // namespace fermata
