#include "core/lang/evaluation/evaluate.hpp"

#include "core/lang/evaluation/compile.hpp"
#include "core/lang/evaluation/environment_io.hpp"
#include "core/lang/evaluation/evaluation_state.hpp"
#include "core/lang/evaluation/key_inference.hpp"
#include "core/lang/syntax/reader.hpp"
#include "core/lang/value/music.hpp"
#include "core/memory_meter.hpp"
#include "core/score/merge/diff.hpp"
#include "core/score/model/part_defaults.hpp"
#include "core/score/repair/repair_kept.hpp"

#include <utility>

namespace fermata {

namespace {

constexpr std::size_t most_errors = 20;

const list_data* list_with_head(const value& v, std::string_view head) {
  auto list = v.as_list();
  if (list == nullptr || list->bracketed || list->items.empty() || !list->items[0].as_symbol() ||
      *list->items[0].as_symbol() != head)
    return nullptr;
  return list;
}

/// Apart from definitions.
bool differs(const environment& a, const environment& b) {
  return a.cursor != b.cursor || a.defaults != b.defaults || a.key_inference != b.key_inference;
}

/// Whether the outermost form of an expression is notation. A macro is shorthand for what it
/// expands to, so its expansion counts.
bool is_notation(const value& expression, const expansions_by_call& expansions) {
  auto now = &expression;
  for (auto expanded = expansions.end();; now = &expanded->second.second) {
    auto list = now->as_list();
    if (list == nullptr) return now != &expression && now->as_music() != nullptr;
    if (expanded = expansions.find(list); expanded != expansions.end()) continue;
    if (list->bracketed || list->items.empty()) return false;
    auto head = list->items.front().as_symbol();
    auto form = head != nullptr ? find_form(*head) : nullptr;
    return form != nullptr && is_notation(*form);
  }
}

/// The top-level forms of one text, evaluated one after another.
class text_evaluation {
public:
  explicit text_evaluation(const evaluation_request& request) : state_(request) {
    if (!state_.score) state_.score = std::make_shared<const score>();
  }

  result<evaluation> run() {
    auto text = read(*state_.text, state_.request.stored ? stored_text : reader_limits{});
    if (!text.errors.diagnostics.empty()) return fail(std::move(text.errors));
    if (!text.open.empty()) return fail(unclosed(text.open));
    evaluation out;
    auto before = state_.score;
    for (auto& [datum, span] : text.forms) {
      auto is_last = &datum == &text.forms.back().datum;
      auto kept = state_.mark_score();
      auto kept_cursor = state_.env.cursor;
      auto v = one(datum, span);
      if (!may_commit()) {
        // The score does not change; what is heard is.
        kept.played = state_.played.size();
        state_.restore(kept);
        state_.env.cursor = kept_cursor;
      }
      if (v && size_of(*v) > largest_value)
        v = fail({errc::budget_exceeded, "the value is too large", span, "nothing was changed"});
      // A request that commits nothing does so for the forms that follow.
      if (v && may_commit() && enters_ && !state_.preview && (state_.request.commit || !is_last))
        v = committed(std::move(*v), span);
      if (!v) {
        if (!went_wrong(v.error(), datum)) break;
        continue;
      }
      out.forms.push_back(datum);
      out.values.push_back(std::move(*v));
    }
    if (!errors_.diagnostics.empty()) return fail(std::move(errors_));
    finish(out, before);
    return out;
  }

private:
  static error unclosed(const std::vector<source_span>& open) {
    error e;
    for (auto& span : open)
      e.diagnostics.push_back({errc::unclosed_delimiter, "unclosed delimiter", span,
                               "add the closing delimiter, or delete this one"});
    return e;
  }

  bool commits_everything() const { return state_.request.rule == commit_rule::everything; }
  bool may_commit() const {
    return state_.request.rule != commit_rule::nothing && errors_.diagnostics.empty();
  }

  /// One form. The forms inside a `do` at top level are evaluated one after another: a macro can
  /// be used after its definition, and an edit is in the score for the forms that follow.
  result<value> one(const value& datum, source_span span) {
    if (auto block = list_with_head(datum, "do"); block != nullptr && block->items.size() > 1)
      return in_steps(*block, span);
    if (auto block = list_with_head(datum, "preview");
        block != nullptr && block->items.size() == 2 && list_with_head(block->items[1], "do"))
      return previewed(*block, span);
    state_.failure = {};
    state_.preview = false;
    state_.answer.reset();
    auto expression = state_.env.key_inference ? in_its_keys(datum, span) : datum;
    auto code = compile(expression, span, state_);
    if (!code) return fail(std::move(state_.failure));
    enters_ = commits_everything() || is_notation(expression, code->unit->expansions);
    auto kept = state_.mark_score();
    auto kept_cursor = state_.env.cursor;
    auto v = state_.run(code);
    if (state_.preview) {
      state_.restore(kept);
      state_.env.cursor = kept_cursor;
    }
    edited_ = edited_ || state_.score != kept.score;
    return v;
  }

  /// The forms of a `do`, which is a call: only where everything enters the score do their values.
  /// The last value is the block's, which is not committed here.
  result<value> in_steps(const list_data& block, source_span span) {
    result<value> last = value{};
    for (std::size_t i = 1; i < block.items.size() && last; ++i) {
      auto at = i < block.spans.size() ? block.spans[i] : span;
      last = one(block.items[i], at);
      if (last && commits_everything() && i + 1 < block.items.size() && !state_.preview)
        last = committed(std::move(*last), at);
    }
    enters_ = commits_everything();
    return last;
  }

  /// `(preview (do ...))`: its forms find what those before them have put into the score, as they
  /// would without the preview. Then everything is taken back.
  result<value> previewed(const list_data& block, source_span span) {
    auto kept = state_.mark_score();
    auto kept_env = state_.env;
    auto kept_names = state_.keep_names();
    auto edited_before = std::exchange(edited_, false);
    auto v = in_steps(block, span);
    if (v && edited_ && enters_ && !state_.preview) v = committed(std::move(*v), span);
    auto after = state_.score;
    auto moves = state_.moved_since(kept);
    auto edits = std::exchange(edited_, edited_before);
    state_.restore(kept);
    state_.env = std::move(kept_env);
    state_.restore(kept_names);
    state_.preview = true;
    if (v && edits) return value::string(to_text(musical_diff(*kept.score, *after, moves)));
    return v;
  }

  /// For `(key-inference on)`.
  value in_its_keys(const value& datum, source_span span) {
    const auto& score = *state_.score;
    const auto& defaults = state_.env.defaults;
    typed_keys keys;
    keys.at_cursor = key_at(score, state_.env);
    keys.of_new_part = opening_attributes(score, score.parts.size(), defaults).keys.front().value;
    keys.of_new_score = defaults.key;
    keys.meaning = [this](const value& form) { return key_said(print(form)); };
    keys.at_place = [this](std::string_view head, const value& where) {
      auto said =
          key_said("(key-at " + print(where) + (head == "insert-measure" ? " :before)" : ")"));
      return said ? std::optional{said->value} : std::nullopt;
    };
    return with_inferred_key(datum, span, *state_.text, keys);
  }

  /// The key that a form is, evaluated here and now; nothing when it is none or needs what is bound
  /// further in.
  std::optional<for_staff<key_signature>> key_said(std::string text) {
    auto plain = std::make_shared<environment>(state_.env);
    plain->key_inference = false;
    if (state_.request.env) plain->bindings = state_.request.env->bindings;
    for (const auto& d : state_.definitions)
      plain->bindings[d.name] = {state_.find_cell(d.name)->v, d.source};
    auto request = state_.request;
    request.text = std::move(text);
    request.env = plain;
    request.score = state_.score;
    request.commit = false;
    auto r = evaluate(request);
    auto m = r && r->values.size() == 1 ? r->values.front().as_music() : nullptr;
    auto content = m ? std::get_if<measure_content>(&m->data) : nullptr;
    auto a = content ? std::get_if<attributes>(content) : nullptr;
    return a && !a->keys.empty() ? std::optional{a->keys.front()} : std::nullopt;
  }

  /// Puts the value of a top-level form into the score, where it is more than an answer.
  result<value> committed(value v, source_span span) {
    if (v.as_music() && v.as_music() == state_.answer.get()) return v;
    // Exact numbers refuse what does not fit by throwing (core/music/rational.hpp).
    auto kept = [&]() -> result<score_ptr> {
      try {
        return commit(v, state_.score, state_.env);
      } catch (const rational_overflow&) {
        return fail(
            {errc::number_too_large,
             "a duration became too large a fraction to keep exactly; nothing was changed"});
      }
    };
    auto next = kept();
    if (!next) {
      auto e = std::move(next.error());
      for (auto& d : e.diagnostics)
        if (!d.span) d.span = span;
      return fail(std::move(e));
    }
    state_.score = with_kept_pairs_repaired(state_.score, *next, state_.dropped);
    return v;
  }

  /// Notes the faults of one form. The forms after it are looked at too, for faults of their own;
  /// false when there is no point.
  bool went_wrong(const error& e, const value& datum) {
    for (auto& d : e.diagnostics) {
      if (errors_.diagnostics.size() < most_errors) errors_.diagnostics.push_back(d);
      if (d.code == errc::budget_exceeded || d.code == errc::cancelled) return false;
    }
    for (auto head : {"def", "defn", "defmacro"})
      if (auto list = list_with_head(datum, head);
          list != nullptr && list->items.size() > 1 && list->items[1].as_symbol())
        if (auto& cell = state_.cell(*list->items[1].as_symbol()); !cell.bound) cell.failed = true;
    return errors_.diagnostics.size() < most_errors;
  }

  void finish(evaluation& out, const score_ptr& before) {
    out.env = state_.request.env ? state_.request.env : std::make_shared<const environment>();
    out.score = before;
    if (state_.request.commit && state_.score != before) {
      // What a form begins another form of the text may have ended.
      out.delta = diff_snapshots(before, state_.score, state_.moved);
      out.score = with_kept_pairs_repaired(before, state_.score, out.delta, state_.dropped,
                                           unpaired_starts::go);
      if (out.score != state_.score) out.delta = diff_snapshots(before, out.score, state_.moved);
    }
    out.remarks = state_.dropped.lines();
    if (!state_.request.commit) return;
    out.played = std::move(state_.played);
    out.committed = state_.score != before;
    if (!state_.definitions.empty() || out.committed || differs(state_.env, *out.env)) {
      auto next = std::make_shared<environment>(std::move(state_.env));
      next->bindings = out.env->bindings;
      for (auto& d : state_.definitions)
        next->bindings[d.name] = {state_.find_cell(d.name)->v, d.source};
      out.env = std::move(next);
    }
  }

  evaluation_state state_;
  bool edited_ = false;  ///< a form has changed the score by itself
  bool enters_ = false;  ///< the value of the last form enters the score, when it is music
  error errors_;
};

}  // namespace

result<evaluation> evaluate(const evaluation_request& request) {
  try {
    memory_meter::stoppable from_here;
    return text_evaluation{request}.run();
  } catch (const evaluation_stopped& stop) {
    return fail(error_of(stop));
  }
}

}  // namespace fermata
