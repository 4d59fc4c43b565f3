#include "core/lang/edit/selector_value.hpp"

#include "core/lang/notation/forms.hpp"
#include "core/lang/value/make.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// A measure by the number it shows; negative ones and :last count from the end.
std::optional<measure_selector> measure_bound(const value& v) {
  if (auto n = v.as_number()) {
    if (!n->is_integer()) return std::nullopt;
    if (*n < rational{0}) return measure_selector{measure_index{static_cast<int>(n->numerator())}};
    return measure_selector{measure_number{to_string(*n)}};
  }
  auto text = text_of(v);
  if (!text) return std::nullopt;
  if (*text == "last") return measure_selector{measure_index{-1}};
  if (*text == "first") return measure_selector{measure_index{1}};
  return measure_selector{measure_number{*text}};
}

class selector_reader {
public:
  selector_reader(call& c, error& fault) : c_(c), fault_(fault) {}

  result<selector> read(const value& v) {
    auto word = v.as_keyword();
    if (v.as_number() || (word && (*word == "last" || *word == "first"))) {
      if (auto r = measures(v); !r) return fail(std::move(r.error()));
      return std::move(s_);
    }
    auto list = v.as_list();
    if (!list) {
      auto text = v.as_string();
      if (!text)
        return wrong("write a selector as (measures 5 8) or (select :part \"Violin\" ...)");
      s_.part = part_word{*text};
      return std::move(s_);
    }
    if (list->items.empty()) return wrong("empty selector");
    for (std::size_t i = 0; i < list->items.size(); i += 2) {
      auto key = list->items[i].as_keyword();
      if (!key || i + 1 >= list->items.size())
        return wrong("write a selector as (measures 5 8) or (select :part \"Violin\" ...)");
      if (auto r = one(*key, list->items[i + 1]); !r) return fail(std::move(r.error()));
    }
    return std::move(s_);
  }

private:
  tl::unexpected<error> wrong(std::string message) const {
    return fail(c_.wrong(errc::wrong_type, std::move(message)));
  }

  result<void> one(const std::string& key, const value& v) {
    if (key == "part") {
      if (auto n = v.as_number(); n && n->is_integer())
        s_.part = part_index{static_cast<int>(n->numerator())};
      else if (auto text = text_of(v))
        s_.part = part_word{*text};
      else
        return wrong("a part must be a name or a number");
      return {};
    }
    if (key == "staff") {
      auto n = int_of(v);
      if (!n || *n < 1 || *n > max_staves) return wrong(staff_range());
      s_.staff = static_cast<std::uint8_t>(*n);
      return {};
    }
    if (key == "voice") {
      s_.voice = text_of(v);
      return {};
    }
    if (key == "measures") return measures(v);
    if (key == "beats") return beats(v);
    if (key == "where") {
      s_.kind = [this_call = &c_, fault = &fault_, v](const measure_content& x) {
        if (!fault->diagnostics.empty()) return false;
        value arg = music_value(measure_content{x});
        auto r = this_call->apply(v, {&arg, 1});
        if (!r) {
          *fault = std::move(r.error());
          return false;
        }
        return r->is_true();
      };
      return {};
    }
    return wrong("unknown selector option :" + key);
  }

  /// 5, (5 8), or a list of such.
  result<void> measures(const value& v) {
    auto list = v.as_list();
    if (!list) {
      auto m = measure_bound(v);
      if (!m) return wrong("a measure must be a number, a name or :last");
      s_.measures.push_back(measure_range::only(*m));
      return {};
    }
    auto nested = std::any_of(list->items.begin(), list->items.end(),
                              [](const value& x) { return x.as_list() != nullptr; });
    if (nested || list->items.size() != 2) {
      for (const auto& x : list->items)
        if (auto r = measures(x); !r) return r;
      return {};
    }
    auto first = measure_bound(list->items[0]);
    auto last = measure_bound(list->items[1]);
    if (!first || !last) return wrong("give the first and the last measure number");
    s_.measures.push_back({first, last});
    return {};
  }

  result<void> beats(const value& v) {
    beat_range range;
    if (auto n = v.as_number()) {
      range.first = *n;
    } else if (auto list = v.as_list(); list && list->items.size() == 2 &&
                                        list->items[0].as_number() && list->items[1].as_number()) {
      range.first = *list->items[0].as_number();
      range.end = *list->items[1].as_number();
    } else {
      return wrong("beats are a number, or a start and an exclusive end: (1 3)");
    }
    s_.beats = range;
    return {};
  }

  call& c_;
  error& fault_;
  selector s_;
};

/// A number or a text as the list that it stands for.
std::vector<value> as_pairs(const value& v) {
  if (auto list = v.as_list()) return list->items;
  if (v.as_number()) return {value::kw("measures"), v};
  if (v.as_string()) return {value::kw("part"), v};
  return {};
}

}  // namespace

result<selector> selector_of(call& c, const value& v, error& fault) {
  return selector_reader{c, fault}.read(v);
}

value merged_selectors(const value& base, const value& more) {
  auto out = as_pairs(base);
  auto added = as_pairs(more);
  for (std::size_t i = 0; i + 1 < added.size(); i += 2) {
    auto replaced = false;
    for (std::size_t k = 0; k + 1 < out.size(); k += 2)
      if (out[k] == added[i]) {
        out[k + 1] = added[i + 1];
        replaced = true;
      }
    if (!replaced) {
      out.push_back(added[i]);
      out.push_back(added[i + 1]);
    }
  }
  return value::list(std::move(out));
}

value measures_selector(const value& first, const value& last) {
  return value::list({value::kw("measures"), last.is_nil() ? first : value::list({first, last})});
}

}  // namespace fermata
