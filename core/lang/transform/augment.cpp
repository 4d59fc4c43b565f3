#include "core/lang/transform/kept_pairs.hpp"
#include "core/lang/transform/kept_xml_transform.hpp"
#include "core/lang/transform/tied_run.hpp"
#include "core/lang/transform/transform.hpp"
#include "core/lang/value/make.hpp"
#include "core/score/model/placing.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace fermata {

namespace {

/// What hinders a number from being a sum of halves: 3 for 5/6.
std::int64_t odd_part(std::int64_t n) {
  while (n != 0 && n % 2 == 0)
    n /= 2;
  return n;
}
std::int64_t odd_part(rational x) { return odd_part(x.denominator()); }
bool is_power_of_two(rational x) {
  return odd_part(x.numerator()) == 1 && odd_part(x.denominator()) == 1;
}

/// Tuplets of more notes are not made.
constexpr std::int64_t most_in_tuplet = 1024;
/// A tuplet is looked for within so many notes and marks.
constexpr std::size_t longest_tuplet = 64;

/// What an item is to a tuplet that is being made.
struct tuplet_share {
  bool fits = false;       ///< may stand in it
  quarters time;           ///< how much of it is taken; none: a mark or grace note
  std::int64_t needs = 1;  ///< so many notes (or a multiple) its tuplet must have; 1: needs none
};

/// All lengths times one factor. `scale` is what written lengths are taken by where one is: the
/// factor, but for the tuplets that are made or dissolved around it.
class stretcher {
public:
  using counter = std::function<result<void>(std::size_t)>;

  stretcher(
      rational factor, const counter* produced, bool dissolves,
      std::function<void(std::string_view what)> dropped = [](std::string_view) {})
    : factor_(factor),
      produced_(produced),
      dissolves_(dissolves),
      kept_{edit_operation::augment, std::move(dropped), factor} {}

  std::vector<music_ptr> row(const std::vector<music_ptr>& in, rational scale) {
    auto items = joined(opened(in, scale), scale);
    std::vector<music_ptr> out;
    for (std::size_t i = 0; i < items.size() && !failed();) {
      auto [size, actual] = tuplet_at(items, i, scale);
      if (size == 0) {
        auto last = i + 1 == items.size();
        auto t = last ? as_node<tuplet_music>(*items[i]) : nullptr;
        if (auto plain = t ? dissolved(items[i], *t, scale, true) : std::nullopt)
          out.insert(out.end(), plain->begin(), plain->end());
        else
          add(items[i], scale, out);
        ++i;
        continue;
      }
      auto first = items.begin() + static_cast<std::ptrdiff_t>(i);
      auto normal = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(actual)));
      tuplet_music made;
      made.actual = static_cast<int>(actual);
      made.normal = static_cast<int>(normal);
      made.items =
          row({first, first + static_cast<std::ptrdiff_t>(size)}, scale * rational{actual, normal});
      out.push_back(make_music(std::move(made), items[i]->span));
      i += size;
    }
    return out;
  }

  /// Measures by themselves get the time signature that they were written for, if they say none.
  void say_time(std::vector<music_ptr>& row, const time_signature& around) {
    auto first = std::find_if(row.begin(), row.end(), [](const music_ptr& x) {
      return !as_node<score_music>(*x) && !holds_parts(*x) && holds_measures(*x);
    });
    if (first == row.end() || says_time(row).value_or(false)) return;
    *first = opened_by(scaled_time(around), *first);
  }

  error fault;

private:
  bool failed() const { return !fault.diagnostics.empty(); }

  /// Counts what is made, before it is; false: it is too much.
  bool counts(std::size_t n) {
    if (failed()) return false;
    if (produced_)
      if (auto ok = (*produced_)(n); !ok) fault = std::move(ok.error());
    return !failed();
  }

  /// What stands in plain seqs beside what they stand in, where notes may have to be tied or put
  /// into tuplets across their ends. Bar checks name moments that are others now, but for those in
  /// a part, whose time signature changes with them.
  std::vector<music_ptr> opened(const std::vector<music_ptr>& in, rational scale) {
    std::vector<music_ptr> out;
    open(in, is_power_of_two(scale), out);
    return out;
  }
  void open(const std::vector<music_ptr>& in, bool keeps_seqs, std::vector<music_ptr>& out) {
    if (!counts(in.size())) return;
    for (const auto& x : in) {
      auto seq = as_node<seq_music>(*x);
      if (seq && !seq->block && !keeps_seqs)
        open(seq->items, keeps_seqs, out);
      else if (!as_node<bar_check_music>(*x) || metres_ > 0 || factor_ == rational{1})
        out.push_back(x);
    }
  }

  /// Runs of tied notes that are one note from now on, as one that is as long as before.
  std::vector<music_ptr> joined(std::vector<music_ptr> items, rational scale) {
    std::vector<music_ptr> out;
    std::vector<const chord_rest*> pieces;
    for (std::size_t i = 0; i < items.size();) {
      pieces.clear();
      for (auto at = i; at < items.size() && pieces.size() < longest_run; ++at) {
        auto c = leaf<chord_rest>(*items[at]);
        if (!c || (!pieces.empty() && !may_follow(*pieces.back()))) break;
        pieces.push_back(c);
      }
      auto run = pieces.size() < 2 ? std::nullopt : run_at(pieces, scale);
      if (!run) {
        out.push_back(items[i++]);
        continue;
      }
      auto made = make_music(measure_content{std::move(run->whole)}, items[i]->span);
      joined_.insert(made);
      out.push_back(std::move(made));
      i += run->count;
    }
    return out;
  }
  static bool may_follow(const chord_rest& x) {
    return is_rest(x) || (!x.notes.empty() && x.notes.front().tie.start);
  }

  /// Length of a note, chord or rest that is written as it lasts, or that was joined from such.
  std::optional<quarters> plain_length(const music_ptr& m) const {
    auto c = leaf<chord_rest>(*m);
    if (!c || !(is_plain(*c) || joined_.contains(m))) return std::nullopt;
    return c->length;
  }

  /// Whether all that is in a tuplet has values at that scale, so that it can stay as it is.
  bool fits_inside(const tuplet_music& t, rational scale) {
    auto items = joined(t.items, scale);
    return std::all_of(items.begin(), items.end(), [&](const music_ptr& x) {
      if (auto own = plain_length(x)) return odd_part((*own * scale).value) == 1;
      auto inner = as_node<tuplet_music>(*x);
      return inner ? fits_inside(*inner, scale) : duration_of(*x) == quarters{};
    });
  }

  tuplet_share share_of(const music_ptr& m, rational scale) {
    if (auto own = plain_length(m)) {
      auto time = *own * scale;
      return {true, time, odd_part(time.value)};
    }
    if (auto t = as_node<tuplet_music>(*m)) {
      auto own = duration_of(*m);
      auto time = own * scale;
      auto odd = odd_part(time.value);
      auto needs = fits_inside(*t, scale) ? 1 : odd / std::gcd(odd, odd_part(own.value));
      return {true, time, needs};
    }
    auto a = leaf<attributes>(*m);
    auto is_clef = a && a->keys.empty() && a->times.empty();
    return {is_grace(*m) || leaf<direction>(*m) || leaf<harmony>(*m) || leaf<figured_bass>(*m) ||
                is_clef,
            {},
            1};
  }

  struct found_tuplet {
    std::size_t size = 0;  ///< items; 0: no tuplet is needed
    std::int64_t actual = 1;
  };
  /// The shortest tuplet from item `i` on after which the rhythm is back on halves; where there is
  /// none, as many as have no value without one.
  found_tuplet tuplet_at(const std::vector<music_ptr>& items, std::size_t i, rational scale) {
    if (odd_part(scale) == 1 || share_of(items[i], scale).needs == 1) return {};
    found_tuplet whole{0, 1}, broken{0, 1};
    quarters sum;
    auto needy = true;
    auto end = std::min(items.size(), i + longest_tuplet);
    for (auto at = i; at < end; ++at) {
      auto share = share_of(items[at], scale);
      if (!share.fits) break;
      whole.actual = std::lcm(whole.actual, share.needs);
      if (whole.actual > most_in_tuplet) break;
      sum += share.time;
      auto timed = share.time > quarters{};
      needy = needy && (!timed || share.needs > 1);
      if (needy && timed) broken = {at + 1 - i, whole.actual};
      whole.size = at + 1 - i;
      if (timed && odd_part(sum.value) == 1) return whole;
    }
    return broken;
  }

  void add(const music_ptr& m, rational scale, std::vector<music_ptr>& out) {
    // Held by the given row and by the one that is being read, and by no other.
    if (m.use_count() <= 2) {
      std::vector<music_ptr> own;
      make(m, scale, own);
      append(own, out);
      return;
    }
    auto key = std::tuple{m, scale.numerator(), scale.denominator(), dissolves_};
    auto known = made_.find(key);
    if (known == made_.end()) {
      std::vector<music_ptr> own;
      make(m, scale, own);
      known = made_.emplace(std::move(key), std::move(own)).first;
    }
    append(known->second, out);
  }
  void append(const std::vector<music_ptr>& made, std::vector<music_ptr>& out) {
    if (counts(made.size())) out.insert(out.end(), made.begin(), made.end());
  }

  void make(const music_ptr& m, rational scale, std::vector<music_ptr>& out) {
    if (leaf<chord_rest>(*m)) return make_note(m, scale, out);
    if (auto content = std::get_if<measure_content>(&m->data); content && factor_ != rational{1}) {
      auto edited = with_kept_edited(*content, kept_);
      if (edited) make_mark(*edited == *content ? m : make_music(std::move(*edited), m->span), out);
      return;
    }
    make_group(m, scale, out);
  }

  /// What stands between notes.
  void make_mark(const music_ptr& m, std::vector<music_ptr>& out) {
    auto put_leaf = [&](auto content) {
      out.push_back(make_music(measure_content{std::move(content)}, m->span));
    };
    if (auto a = leaf<attributes>(*m)) {
      auto copy = *a;
      for (auto& t : copy.times)
        scale_time(t.value);
      return put_leaf(std::move(copy));
    }
    if (auto b = leaf<figured_bass>(*m)) {
      auto copy = *b;
      copy.length = copy.length * factor_;
      return put_leaf(std::move(copy));
    }
    if (auto h = leaf<harmony>(*m)) return put_leaf(with_offset(*h));
    if (auto d = leaf<direction>(*m)) return put_leaf(with_offset(*d));
    out.push_back(m);
  }

  void make_group(const music_ptr& m, rational scale, std::vector<music_ptr>& out) {
    auto put = [&](music::node&& made) { out.push_back(make_music(std::move(made), m->span)); };
    if (auto s = as_node<skip_music>(*m)) return put(skip_music{s->distance * factor_});
    auto inner = items_of(*m);
    if (inner && as_node<grace_music>(*m) && factor_ != rational{1}) {
      auto graces = *inner;
      for (auto& x : graces)
        if (auto c = leaf<chord_rest>(*x))
          x = make_music(measure_content{with_kept_edited(*c, kept_)}, x->span);
      return out.push_back(with_items(*m, std::move(graces)));
    }
    if (!inner || as_node<grace_music>(*m)) {
      out.push_back(m);
      return;
    }
    if (auto t = as_node<tuplet_music>(*m)) {
      if (auto plain = dissolved(m, *t, scale, false)) {
        out = std::move(*plain);
        return;
      }
      auto kept = [&] {
        auto copy = *t;
        if (t->unit) copy.unit = note_value_for(length(*t->unit) * scale);
        copy.items = row(*inner, scale);
        if (factor_ != rational{1}) copy.extra = with_kept_edited(copy.extra, kept_);
        return make_music(std::move(copy), m->span);
      };
      out.push_back(kept());
      // Without a tuplet in it that has become plain notes, the way back may be another one.
      if (failed() || !dissolves_ || !holds_tuplet(*inner) || leads_back(out, m, scale)) return;
      auto outer = std::exchange(dissolves_, false);
      out.back() = kept();
      dissolves_ = outer;
      return;
    }
    auto has_metre = as_node<part_music>(*m) || (as_node<score_music>(*m) && !holds_parts(*m));
    metres_ += has_metre ? 1 : 0;
    auto items = row(*inner, scale);
    metres_ -= has_metre ? 1 : 0;
    // Where none is said it is 4/4, which changes too.
    if (has_metre && !items.empty() && !says_time(items).value_or(false))
      items.insert(items.begin(), scaled_time({}));
    auto made = with_items(*m, std::move(items));
    if (auto v = as_node<voice_music>(*made); v && v->at) {
      auto copy = *v;
      copy.at = measure_position{copy.at->value * factor_};
      return put(std::move(copy));
    }
    if (auto x = as_node<measure_music>(*made); x && x->padded_to) {
      auto copy = *x;
      copy.padded_to = measure_position{copy.padded_to->value * factor_};
      return put(std::move(copy));
    }
    out.push_back(std::move(made));
  }

  template <class T>
  T with_offset(T x) const {
    if (x.offset) x.offset = *x.offset * factor_;
    return x;
  }

  void make_note(const music_ptr& m, rational scale, std::vector<music_ptr>& out) {
    auto copy = *leaf<chord_rest>(*m);
    if (factor_ != rational{1}) copy = with_kept_edited(std::move(copy), kept_);
    auto put = [&] { out.push_back(make_music(measure_content{std::move(copy)}, m->span)); };
    if (copy.grace) return put();
    auto plain = plain_length(m);
    copy.length = copy.length * scale;
    for (auto& n : copy.notes) {
      n.beams.clear();
      if (!n.differs) continue;
      auto own = *n.differs;
      if (own.length) own.length = *own.length * scale;
      if (own.written) own.written = note_value_for(length(*own.written) * scale);
      n.differs = std::move(own);
    }
    if (!plain) {
      if (copy.written) copy.written = note_value_for(length(*copy.written) * scale);
      return put();
    }
    copy.written = note_value_for(copy.length);
    if (copy.written) return put();
    // Two notes say it: a quarter and an eighth times five thirds, tied.
    auto values = tied_note_values(copy.length);
    if (values.empty()) {
      if (!failed())
        fault = error{errc::out_of_range,
                      "a note of " + to_string((copy.length * rational{1, 4}).value) +
                          " of a whole note cannot be notated",
                      m->span, "note values range from 1024th to maxima, tuplets up to 1024 notes"};
      return;
    }
    if (counts(values.size())) add_pieces(copy, values, m->span, out);
  }

  /// Equal pieces between the first and the last are one value: a long note in many pieces is made
  /// of few.
  static void add_pieces(const chord_rest& x, const std::vector<note_value>& values,
                         source_span span, std::vector<music_ptr>& out) {
    std::vector<note_value> different;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (i < 2 || i + 1 == values.size() || values[i] != values[i - 1])
        different.push_back(values[i]);
    std::vector<music_ptr> pieces;
    for (auto& piece : tied_pieces(x, different))
      pieces.push_back(make_music(measure_content{std::move(piece)}, span));
    std::size_t piece = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      auto again = i >= 2 && i + 1 < values.size() && values[i] == values[i - 1];
      if (i > 0 && !again) ++piece;
      out.push_back(pieces[piece]);
    }
  }

  /// The items of a tuplet that is none any more, three eighths in the time of two taken three
  /// times: where making them shorter again would give just this tuplet. One that is not full, or
  /// tied to its neighbours, would be made of more then; at the end of all there is no more.
  std::optional<std::vector<music_ptr>> dissolved(const music_ptr& m, const tuplet_music& t,
                                                  rational scale, bool last) {
    auto plain = scale * rational{t.normal, t.actual};
    if (!dissolves_ || odd_part(plain) != 1 || odd_part(std::int64_t{t.actual}) == 1 ||
        (!last && odd_part(duration_of(*m).value) != 1) || is_tied_outwards(t))
      return std::nullopt;
    auto items = row(t.items, plain);
    if (failed()) return std::nullopt;
    if (leads_back(items, m, scale)) return items;
    if (!holds_tuplet(t.items)) return std::nullopt;
    dissolves_ = false;
    items = row(t.items, plain);
    dissolves_ = true;
    if (failed() || !leads_back(items, m, scale)) return std::nullopt;
    return items;
  }

  /// Whether making `items` as long as before gives just `m`.
  bool leads_back(const std::vector<music_ptr>& items, const music_ptr& m, rational scale) const {
    stretcher back{rational{1} / factor_, nullptr, false};
    auto again = back.row(items, rational{1} / scale);
    return !back.failed() && again.size() == 1 && *again.front() == *m;
  }

  static bool holds_tuplet(const std::vector<music_ptr>& items) {
    return std::any_of(items.begin(), items.end(), [](const music_ptr& x) {
      auto inner = items_of(*x);
      return as_node<tuplet_music>(*x) || (inner && holds_tuplet(*inner));
    });
  }

  static bool is_tied_outwards(const tuplet_music& t) {
    const chord_rest* last = nullptr;
    bool in = false;
    auto first = true;
    for (const auto& x : t.items)
      if (auto c = leaf<chord_rest>(*x); c && !c->grace && !c->notes.empty()) {
        if (std::exchange(first, false)) in = c->notes.front().tie.stop;
        last = c;
      }
    return in || (last && last->notes.front().tie.start);
  }

  /// 4/4 twice as slow is 4/2; where the lower number does not divide, the beats are multiplied.
  void scale_time(time_signature& t) {
    for (auto& f : t.fractions) {
      auto type = rational{f.beat_type} / factor_;
      auto power = type.is_integer() && type.numerator() > 0 &&
                   (type.numerator() & (type.numerator() - 1)) == 0 && type.numerator() <= 1024;
      if (power) {
        f.beat_type = static_cast<int>(type.numerator());
        continue;
      }
      for (auto& b : f.beats) {
        auto beats = rational{b} * factor_;
        if (!beats.is_integer()) {
          if (!failed())
            fault = error{errc::out_of_range, to_string(t) + " times " + to_string(factor_) +
                                                  " is not a time signature"};
          return;
        }
        b = static_cast<int>(beats.numerator());
      }
    }
    t.symbol.clear();
  }

  /// `t` scaled, to stand where there was none.
  music_ptr scaled_time(time_signature t) {
    scale_time(t);
    attributes a;
    a.times.push_back({{}, std::move(t), {}});
    return make_music(measure_content{std::move(a)});
  }

  /// Whether a time signature comes before the first note or the end of the first measure; nothing
  /// when there is neither.
  static std::optional<bool> says_time(const std::vector<music_ptr>& items) {
    for (const auto& x : items)
      if (auto said = says_time(*x)) return said;
    return std::nullopt;
  }
  static std::optional<bool> says_time(const music& m) {
    if (auto a = leaf<attributes>(m); a && !a->times.empty()) return true;
    if (leaf<chord_rest>(m) || as_node<skip_music>(m)) return false;
    auto items = items_of(m);
    auto said = items ? says_time(*items) : std::nullopt;
    return !said && as_node<measure_music>(m) ? false : said;
  }

  /// Puts it at the beginning of the first measure. One with a number was taken out of a score,
  /// where what stands before it says the time signature; a free one has none.
  music_ptr opened_by(const music_ptr& time, const music_ptr& m) const {
    auto items = *items_of(*m);
    if (auto x = as_node<measure_music>(*m)) {
      if (!x->number && !x->free) items.insert(items.begin(), time);
      return with_items(*m, std::move(items));
    }
    auto first = std::find_if(items.begin(), items.end(),
                              [](const music_ptr& x) { return holds_measures(*x); });
    *first = opened_by(time, *first);
    return with_items(*m, std::move(items));
  }

  rational factor_;
  const counter* produced_;
  bool dissolves_;
  kept_edit kept_;
  int metres_ = 0;  ///< parts, and scores without parts, around the place
  std::set<music_ptr> joined_;
  /// Music may share its parts, and what is made of it shares them again.
  std::map<std::tuple<music_ptr, std::int64_t, std::int64_t, bool>, std::vector<music_ptr>> made_;
};

}  // namespace

result<std::vector<music_ptr>> augmented(const std::vector<music_ptr>& items, rational factor,
                                         const std::optional<time_signature>& around,
                                         const std::function<result<void>(std::size_t)>& produced,
                                         const std::function<void(std::string_view)>& dropped) {
  // No piece is longer than a dotted maxima: what would be too many of them is not begun.
  quarters length_of_all;
  for (const auto& x : items)
    length_of_all += duration_of(*x);
  auto longest = length(note_value{note_base::maxima, 1});
  auto pieces = floor(length_of_all * factor / longest);
  if (auto ok = produced(static_cast<std::size_t>(std::max(pieces, std::int64_t{0}))); !ok)
    return fail(std::move(ok.error()));
  stretcher s{factor, &produced, true, dropped};
  auto whole = factor == rational{1}
                   ? items
                   : without_contradicted_pairs(items, edit_operation::augment, dropped);
  auto out = s.row(whole, factor);
  if (around && s.fault.diagnostics.empty()) s.say_time(out, *around);
  if (!s.fault.diagnostics.empty()) return fail(std::move(s.fault));
  return out;
}

}  // namespace fermata
