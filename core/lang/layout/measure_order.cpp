#include "core/lang/layout/measure_order.hpp"

#include "core/lang/layout/compile.hpp"
#include "core/lang/value/make.hpp"
#include "core/music/instruments.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace fermata {

namespace {

auto kinds_of(const attributes& x) {
  return std::tuple{!x.keys.empty(), !x.times.empty(), x.staves.has_value(), !x.clefs.empty(),
                    !x.transpositions.empty()};
}

/// The staff that a signature of one thing is for; 0: all of them. A clef is always for one.
int staff_of(const attributes& x) {
  if (!x.clefs.empty()) return x.clefs.front().staff.value_or(1);
  if (!x.keys.empty()) return x.keys.front().staff.value_or(0);
  if (!x.times.empty()) return x.times.front().staff.value_or(0);
  if (!x.transpositions.empty()) return x.transpositions.front().staff.value_or(0);
  return 0;
}

struct timed_signature {
  quarters at;
  music_ptr said;
};

/// Finds the changes on the way through a measure, whichever voice they stand in, as they are met.
class change_finder {
public:
  std::vector<timed_signature> found;

  void walk(const std::vector<music_ptr>& items, int staff) {
    for (const auto& x : items)
      walk(*x, staff);
  }

private:
  void walk(const music& m, int staff) {
    auto said = signatures_in(m, staff);
    for (const auto& s : said.own)
      found.push_back({at_, s});
    if (said.rest || !said.own.empty()) return;
    auto inner = items_of(m);
    if (!inner) {
      at_ += as_node<skip_music>(m) ? duration_of(m) : duration_of(m) * scale_;
      return;
    }
    const auto begin = at_;
    const auto outer = scale_;
    if (is_layer(m)) {
      auto v = as_node<voice_music>(m);
      at_ = quarters{v && v->at ? v->at->value : rational{}};
    } else if (auto t = as_node<tuplet_music>(m)) {
      scale_ = scale_ * rational{t->normal, t->actual};
    }
    if (as_node<par_music>(m)) {
      auto end = begin;
      for (const auto& x : *inner) {
        at_ = begin;
        walk(*x, staff);
        end = std::max(end, at_);
      }
      at_ = end;
    } else {
      walk(*inner, staff_inside(m, staff));
    }
    scale_ = outer;
    if (as_node<grace_music>(m)) at_ = begin;
    if (is_layer(m)) at_ = std::max(begin, at_);
  }

  quarters at_;
  rational scale_{1};
};

/// As a reader meets them, moment after moment.
signatures in_order_of_time(const std::vector<music_ptr>& items) {
  change_finder finder;
  finder.walk(items, 0);
  std::stable_sort(finder.found.begin(), finder.found.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  signatures out;
  for (auto& x : finder.found)
    out.push_back(std::move(x.said));
  return out;
}

/// Key before time before staves before clef, each for all staves before one of them.
bool stands_before(const music_ptr& x, const music_ptr& y) {
  const auto& a = *leaf<attributes>(*x);
  const auto& b = *leaf<attributes>(*y);
  // One kind is set in each; the first that is comes first.
  return kinds_of(a) == kinds_of(b) ? staff_of(a) < staff_of(b) : kinds_of(b) < kinds_of(a);
}

bool is_one_of(const music_ptr& x, const signatures& all) {
  return std::any_of(all.begin(), all.end(), [&](const music_ptr& y) { return *x == *y; });
}

/// What has to be said so that `now` holds where `before` did.
signatures changes_between(const signatures& before, const signatures& now) {
  auto ordered = now;
  std::stable_sort(ordered.begin(), ordered.end(), stands_before);
  signatures out;
  for (const auto& x : ordered) {
    const auto& a = *leaf<attributes>(*x);
    auto covers = [&](const music_ptr& y, bool either) {
      const auto& b = *leaf<attributes>(*y);
      return kinds_of(a) == kinds_of(b) && (staff_of(b) == 0 || (either && staff_of(a) == 0));
    };
    // One staff had its own, or all are given another one just before.
    auto hidden = std::any_of(before.begin(), before.end(), [&](const music_ptr& y) {
      return !is_one_of(y, now) && covers(y, true);
    });
    auto undone =
        std::any_of(out.begin(), out.end(), [&](const music_ptr& y) { return covers(y, false); });
    if (hidden || undone || !is_one_of(x, before)) out.push_back(x);
  }
  return out;
}

/// What a reader takes where nothing of the kind of `later` was said.
music_ptr unsaid(const music& later) {
  auto a = *leaf<attributes>(later);
  for (auto& k : a.keys) {
    k.value = {};
    k.value.mode = mode::major;
  }
  for (auto& t : a.times)
    t.value = {};
  if (a.staves) a.staves = 1;
  for (auto& c : a.clefs)
    c.value = *find_clef("treble");
  for (auto& t : a.transpositions)
    t.value = {};
  return make_music(measure_content{std::move(a)});
}

/// What holds before anything is said, as far as it is of another kind later.
signatures taken_for_granted(const signatures& opening, const signatures& later,
                             const part_music* whole) {
  signatures out;
  if (later.empty()) return out;
  if (whole) {
    attributes said;
    for (const auto& x : opening)
      join(said, attributes{*leaf<attributes>(*x)});
    auto added = completion(&said, *whole, 0);
    for (const auto& x : signatures_in(*make_music(measure_content{std::move(added)})).own) {
      // The rest is added again to the measure that comes to stand first.
      if (of_same_kind(later, *x)) out.push_back(x);
    }
  }
  for (const auto& x : later)
    if (!of_same_kind(opening, *x) && !of_same_kind(out, *x)) out.push_back(unsaid(*x));
  return out;
}

/// A plain seq in a measure is nothing by itself.
std::vector<music_ptr> flat(const std::vector<music_ptr>& items) {
  std::vector<music_ptr> out;
  for (const auto& x : items) {
    auto seq = as_node<seq_music>(*x);
    if (!seq || seq->block) {
      out.push_back(x);
      continue;
    }
    auto inner = flat(seq->items);
    out.insert(out.end(), inner.begin(), inner.end());
  }
  return out;
}

/// Takes the signatures at the beginning out of the items of a measure or of a voice in it.
void take_opening(std::vector<music_ptr>& items, int staff, signatures& out) {
  auto in_voices = false;
  for (auto item = items.begin(); item != items.end();) {
    if (begins_with_measure(**item)) {
      in_voices = true;
      auto inner = flat(*items_of(**item));
      signatures own;
      take_opening(inner, staff_inside(**item, staff), own);
      if (!own.empty()) *item = with_items(**item, std::move(inner));
      out.insert(out.end(), own.begin(), own.end());
      ++item;
      continue;
    }
    auto said = signatures_in(**item, staff);
    auto is_signature = said.rest || !said.own.empty();
    if (in_voices || (!is_signature && (leaf<chord_rest>(**item) || items_of(**item) ||
                                        as_node<skip_music>(**item))))
      return;
    out.insert(out.end(), said.own.begin(), said.own.end());
    if (said.rest)
      *item++ = said.rest;
    else if (is_signature)
      item = items.erase(item);
    else
      ++item;
  }
}

/// Moves what `from` lists under a member into signatures of one thing each.
template <class List>
void take_apart(attributes& from, List attributes::*member, signatures& out) {
  for (auto& x : from.*member) {
    attributes one;
    (one.*member).push_back(std::move(x));
    out.push_back(make_music(measure_content{std::move(one)}));
  }
  (from.*member).clear();
}

}  // namespace

bool begins_with_measure(const music& m) {
  auto voice = as_node<voice_music>(m);
  return (voice && !voice->at) || as_node<staff_music>(m);
}

bool is_measure(const music_ptr& m) { return as_node<measure_music>(*m) != nullptr; }

bool is_signature(const music_ptr& m) {
  auto seq = as_node<seq_music>(*m);
  return leaf<attributes>(*m) || (seq && seq->block);
}

bool is_layer(const music& m) { return as_node<voice_music>(m) || as_node<staff_music>(m); }

bool holds_layers(const std::vector<music_ptr>& items) {
  return std::any_of(items.begin(), items.end(), [](const music_ptr& x) {
    auto seq = as_node<seq_music>(*x);
    return is_layer(*x) || (seq && holds_layers(seq->items));
  });
}

int staff_inside(const music& m, int staff) {
  if (auto v = as_node<voice_music>(m)) return v->staff.value_or(staff);
  if (auto s = as_node<staff_music>(m)) return s->staff;
  return staff;
}

attributes as_said_in(attributes signature, int staff) {
  if (staff == 0) return signature;
  for (auto& c : signature.clefs)
    if (!c.staff)
      c.staff = 0;
    else if (*c.staff == staff)
      c.staff.reset();
  return signature;
}

said_signatures signatures_in(const music& m, int staff) {
  auto out = signatures_in(m);
  if (staff == 0) return out;
  for (auto& x : out.own) {
    auto a = *leaf<attributes>(*x);
    for (auto& c : a.clefs)
      if (!c.staff)
        c.staff = static_cast<std::uint8_t>(staff);
      else if (*c.staff == 0)
        c.staff.reset();
    x = make_music(measure_content{std::move(a)}, x->span);
  }
  return out;
}

said_signatures signatures_in(const music& m) {
  said_signatures out;
  auto block = as_node<seq_music>(m);
  auto a = leaf<attributes>(m);
  if (block && block->block && block->items.size() == 1)
    a = leaf<attributes>(*block->items.front());
  if (!a) return out;
  auto left = *a;
  take_apart(left, &attributes::keys, out.own);
  take_apart(left, &attributes::times, out.own);
  if (left.staves) {
    attributes one;
    one.staves = std::exchange(left.staves, std::nullopt);
    out.own.push_back(make_music(measure_content{std::move(one)}));
  }
  take_apart(left, &attributes::clefs, out.own);
  take_apart(left, &attributes::transpositions, out.own);
  if (left != attributes{} || out.own.empty())
    out.rest = make_music(seq_music{{make_music(measure_content{std::move(left)})}, true});
  return out;
}

void set_signature(signatures& in_force, const music_ptr& signature) {
  std::erase_if(in_force, [&](const music_ptr& x) {
    const auto& a = *leaf<attributes>(*x);
    const auto& b = *leaf<attributes>(*signature);
    return kinds_of(a) == kinds_of(b) && (staff_of(b) == 0 || staff_of(a) == staff_of(b));
  });
  in_force.push_back(signature);
}

music_ptr of_same_kind(const signatures& in_force, const music& signature) {
  auto all = all_of_same_kind(in_force, signature);
  return all.empty() ? nullptr : all.front();
}

signatures all_of_same_kind(const signatures& in_force, const music& signature) {
  const auto& b = *leaf<attributes>(signature);
  signatures for_all, own;
  for (const auto& x : in_force) {
    const auto& a = *leaf<attributes>(*x);
    if (kinds_of(a) != kinds_of(b)) continue;
    if (staff_of(a) == 0)
      for_all.push_back(x);
    else if (staff_of(b) == 0 || staff_of(a) == staff_of(b))
      own.push_back(x);
  }
  if (staff_of(b) != 0) return own.empty() ? for_all : own;
  for_all.insert(for_all.end(), own.begin(), own.end());
  return for_all;
}

std::vector<change_inside> changes_inside(const std::vector<music_ptr>& items,
                                          signatures& in_force) {
  change_finder finder;
  finder.walk(items, 0);
  std::vector<change_inside> out;
  std::map<quarters, std::vector<std::size_t>> moments;
  for (const auto& x : finder.found) {
    moments[x.at].push_back(out.size());
    out.push_back({x.said, {}});
  }
  for (const auto& [at, here] : moments) {
    const auto before = in_force;
    for (auto i : here) {
      out[i].before = before;
      set_signature(in_force, out[i].said);
    }
  }
  return out;
}

bool changes_on_the_way(const std::vector<music_ptr>& items) {
  auto has_measures = [](const music_ptr& x) {
    return holds_measures(*x) || as_node<part_music>(*x) || as_node<part_group_music>(*x) ||
           as_node<score_music>(*x);
  };
  if (std::any_of(items.begin(), items.end(), has_measures)) return false;
  auto own = flat(items);
  signatures opening;
  take_opening(own, 0, opening);
  return !in_order_of_time(own).empty();
}

std::vector<loose_measure> loosened(const std::vector<measure_music>& measures,
                                    const part_music* whole) {
  std::vector<loose_measure> out;
  signatures opening, later;
  std::vector<std::pair<signatures, signatures>> said;
  for (const auto& m : measures) {
    auto& own = out.emplace_back(loose_measure{m, {}, {}});
    own.rest.items = flat(m.items);
    auto& [at_begin, inside] = said.emplace_back();
    take_opening(own.rest.items, 0, at_begin);
    inside = in_order_of_time(own.rest.items);
    if (out.size() == 1)
      for (const auto& s : at_begin)
        set_signature(opening, s);
    else
      later.insert(later.end(), at_begin.begin(), at_begin.end());
    later.insert(later.end(), inside.begin(), inside.end());
  }
  auto in_force = taken_for_granted(opening, later, whole);
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const auto& s : said[i].first)
      set_signature(in_force, s);
    out[i].at_begin = in_force;
    for (const auto& s : said[i].second)
      set_signature(in_force, s);
    out[i].at_end = in_force;
  }
  return out;
}

std::vector<music_ptr> put_in_order(std::vector<loose_measure> measures) {
  std::vector<music_ptr> out;
  signatures before;
  for (auto& m : measures) {
    auto changes = changes_between(before, m.at_begin);
    before = std::move(m.at_end);
    auto& items = m.rest.items;
    auto first = std::find_if(items.begin(), items.end(), [](const music_ptr& x) {
      auto b = leaf<barline>(*x);
      return !(b && b->location == "left") && !leaf<print_layout>(*x);
    });
    items.insert(first, changes.begin(), changes.end());
    m.rest.number.reset();
    out.push_back(make_music(std::move(m.rest)));
  }
  return out;
}

}  // namespace fermata
