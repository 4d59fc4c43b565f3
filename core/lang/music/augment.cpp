#include "core/lang/music/make.hpp"
#include "core/lang/music/transform.hpp"
#include "core/score/placing.hpp"

#include <algorithm>

namespace fermata {

namespace {

class stretcher {
public:
  explicit stretcher(rational factor) : factor_(factor) {}

  std::vector<music_ptr> items(const std::vector<music_ptr>& in) {
    std::vector<music_ptr> out;
    for (const auto& x : in)
      add(x, out);
    return out;
  }

  error fault;

private:
  void add(const music_ptr& m, std::vector<music_ptr>& out) {
    if (auto c = leaf<chord_rest>(*m)) return add(*c, m->span, out);
    if (auto a = leaf<attributes>(*m)) {
      auto copy = *a;
      for (auto& t : copy.times)
        scale(t.value);
      out.push_back(make_music(measure_content{std::move(copy)}, m->span));
      return;
    }
    if (auto b = leaf<figured_bass>(*m)) {
      auto copy = *b;
      copy.length = copy.length * factor_;
      out.push_back(make_music(measure_content{std::move(copy)}, m->span));
      return;
    }
    if (auto s = as_node<skip_music>(*m)) {
      out.push_back(make_music(skip_music{s->distance * factor_}, m->span));
      return;
    }
    if (as_node<grace_music>(*m)) {
      out.push_back(m);
      return;
    }
    auto inner = items_of(*m);
    if (!inner) {
      out.push_back(m);
      return;
    }
    auto made = with_items(*m, items(*inner));
    if (auto v = as_node<voice_music>(*made); v && v->at) {
      auto copy = *v;
      copy.at = measure_position{copy.at->value * factor_};
      made = make_music(std::move(copy), m->span);
    } else if (auto t = as_node<tuplet_music>(*made); t && t->unit) {
      auto copy = *t;
      copy.unit = note_value_for(length(*t->unit) * factor_);
      made = make_music(std::move(copy), m->span);
    } else if (auto x = as_node<measure_music>(*made); x && x->padded_to) {
      auto copy = *x;
      copy.padded_to = measure_position{copy.padded_to->value * factor_};
      made = make_music(std::move(copy), m->span);
    } else if (auto p = as_node<part_music>(*made)) {
      made = with_time(*p, m->span);
    }
    out.push_back(std::move(made));
  }

  void add(const chord_rest& x, source_span span, std::vector<music_ptr>& out) {
    auto copy = x;
    copy.length = x.length * factor_;
    for (auto& n : copy.notes)
      n.beams.clear();
    if (x.written && !x.grace) {
      auto written = length(*x.written) * factor_;
      copy.written = note_value_for(written);
      auto plain = !x.tuplet && x.length == length(*x.written);
      if (!copy.written && plain) {
        // Two notes say it: a quarter and an eighth times five thirds, tied.
        auto values = tied_note_values(written);
        if (!values.empty()) {
          for (auto& piece : tied_pieces(copy, values))
            out.push_back(make_music(measure_content{std::move(piece)}, span));
          return;
        }
      }
    }
    out.push_back(make_music(measure_content{std::move(copy)}, span));
  }

  /// 4/4 twice as slow is 4/2; where the lower number does not divide, the beats are multiplied.
  void scale(time_signature& t) {
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
          if (fault.diagnostics.empty())
            fault = error{errc::out_of_range,
                          to_string(t) + " times " + to_string(factor_) + " is no time signature"};
          return;
        }
        b = static_cast<int>(beats.numerator());
      }
    }
    t.symbol.clear();
  }

  /// A part that says no time signature has 4/4, which changes too.
  music_ptr with_time(const part_music& p, source_span span) {
    auto says = !p.items.empty() && has_time(*p.items.front());
    auto copy = p;
    if (!says && !copy.items.empty()) {
      time_signature t;
      scale(t);
      attributes a;
      a.times.push_back({{}, std::move(t), {}});
      copy.items.insert(copy.items.begin(), make_music(measure_content{std::move(a)}));
    }
    return make_music(std::move(copy), span);
  }

  static bool has_time(const music& m) {
    if (auto a = leaf<attributes>(m)) return !a->times.empty();
    auto items = items_of(m);
    return items && std::any_of(items->begin(), items->end(),
                                [](const music_ptr& x) { return has_time(*x); });
  }

  rational factor_;
};

}  // namespace

result<music_ptr> augmented(const music_ptr& m, rational factor) {
  stretcher s{factor};
  auto items = s.items({m});
  if (!s.fault.diagnostics.empty()) return fail(std::move(s.fault));
  return as_one(std::move(items));
}

}  // namespace fermata
