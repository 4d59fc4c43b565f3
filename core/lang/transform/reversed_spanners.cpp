#include "core/lang/transform/reversed_spanners.hpp"

#include "core/lang/value/make.hpp"
#include "core/score/model/kept_elements.hpp"
#include "core/score/model/spanners.hpp"
#include "core/score/repair/hairpin_numbers.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace fermata {

namespace {

/// Which end: of which leaf (counted as they are met), on which note, at which index.
using end_key = std::tuple<std::size_t, std::size_t, std::size_t>;

end_key key_of(const spanner_end_place& e) { return {e.item, e.note, e.index}; }

/// A mark on the way of a line: change of pedal, continued hairpin.
struct way_mark {
  spanner_kind kind;
  std::uint8_t number;
  std::size_t measure;
  measure_position at;
  std::size_t leaf;
};

std::optional<std::pair<spanner_kind, std::uint8_t>> on_the_way(const direction_type& t) {
  if (spanner_sign_of(t)) return std::nullopt;
  if (auto w = std::get_if<wedge>(&t)) return std::pair{spanner_kind::hairpin, w->number};
  if (std::holds_alternative<pedal>(t)) return std::pair{spanner_kind::pedal, std::uint8_t{1}};
  if (auto o = std::get_if<octave_shift>(&t))
    return std::pair{spanner_kind::octave_shift, o->number};
  if (auto l = std::get_if<line_end>(&t))
    return std::pair{l->dashes ? spanner_kind::dashes : spanner_kind::bracket, l->number};
  return std::nullopt;
}

/// An end of a pair that is kept as XML: of which leaf, on which note, its mark at which index.
struct kept_place {
  pair_end end;
  std::size_t measure;
  measure_position at;
  end_key key;
};

bool is_kept_end(const direction_type& t) {
  auto f = std::get_if<fragment>(&t);
  return f && pair_end_of(*f);
}

/// Marks that share a direction with the end of a line each get a direction of their own: they go
/// different ways.
std::vector<music_ptr> divided(const music_ptr& m) {
  auto d = leaf<direction>(*m);
  auto has_line = [](const direction_type& t) {
    return spanner_sign_of(t) || on_the_way(t) || is_kept_end(t);
  };
  if (!d || d->types.size() < 2 || std::none_of(d->types.begin(), d->types.end(), has_line))
    return {m};
  std::vector<music_ptr> out;
  for (const auto& t : d->types) {
    auto own = *d;
    own.types.assign(1, t);
    own.grouping.clear();
    if (!out.empty()) own.sound.reset();
    out.push_back(make_music(measure_content{std::move(own)}, m->span));
  }
  return out;
}

std::vector<music_ptr> with_marks_divided(const std::vector<music_ptr>& items) {
  std::vector<music_ptr> out;
  out.reserve(items.size());
  for (const auto& m : items)
    if (auto inner = items_of(*m)) {
      out.push_back(with_items(*m, with_marks_divided(*inner)));
    } else {
      auto pieces = divided(m);
      out.insert(out.end(), pieces.begin(), pieces.end());
    }
  return out;
}

/// Where each end of a line stands, part by part.
class end_finder {
public:
  end_finder() : groups(1), way(1), kept(1) {}

  void walk(const std::vector<music_ptr>& items) {
    for (const auto& m : items)
      walk(*m);
  }

  /// Leaves met so far.
  std::size_t leaves() const { return leaf_; }

  std::vector<std::vector<spanner_end_place>> groups;
  std::vector<std::vector<way_mark>> way;
  std::vector<std::vector<kept_place>> kept;
  std::map<end_key, spanner> spanners;
  std::map<end_key, direction> directions;
  std::map<end_key, fragment> fragments;
  std::map<end_key, fermata::mark> marks;

private:
  void walk(const music& m) {
    if (auto x = leaf<chord_rest>(m)) {
      chord(*x);
    } else if (auto d = leaf<direction>(m)) {
      mark(*d);
    } else if (auto f = leaf<fragment>(m)) {
      add_kept(pair_end_of(*f), "fragment", {leaf_, 0, 0});
      fragments.emplace(end_key{leaf_, 0, 0}, *f);
      ++leaf_;
    } else if (std::holds_alternative<measure_content>(m.data)) {
      if (auto a = leaf<attributes>(m))
        for (const auto& t : a->times)
          if (!t.staff || t.staff == 1) measure_length_ = measure_length(t.value);
      ++leaf_;
    } else if (auto skip = as_node<skip_music>(m)) {
      at_ += skip->distance;
    } else if (auto t = as_node<tuplet_music>(m)) {
      auto outer = scale_;
      scale_ = scale_ * rational{t->normal, t->actual};
      walk(t->items);
      scale_ = outer;
    } else if (auto g = as_node<grace_music>(m)) {
      auto start = at_;
      walk(g->items);
      at_ = start;
    } else if (auto p = as_node<par_music>(m)) {
      auto start = at_, end = at_;
      for (const auto& item : p->items) {
        at_ = start;
        walk(*item);
        end = std::max(end, at_);
      }
      at_ = end;
    } else if (auto v = as_node<voice_music>(m)) {
      auto outer = std::tuple{at_, voice_, staff_};
      if (in_measure_) at_ = quarters{v->at ? v->at->value : rational{}};
      voice_ = v->voice;
      staff_ = v->staff.value_or(staff_);
      walk(v->items);
      at_ = std::max(std::get<0>(outer), at_);
      voice_ = std::get<1>(outer);
      staff_ = std::get<2>(outer);
    } else if (auto staff = as_node<staff_music>(m)) {
      auto outer = std::exchange(staff_, staff->staff);
      walk(staff->items);
      staff_ = outer;
    } else if (auto bar = as_node<measure_music>(m)) {
      at_ = {};
      in_measure_ = true;
      walk(bar->items);
      in_measure_ = false;
      ++measure_;
    } else if (auto part = as_node<part_music>(m)) {
      groups.emplace_back();
      way.emplace_back();
      kept.emplace_back();
      measure_ = 0;
      measure_length_ = measure_length(time_signature{});
      at_ = {};
      walk(part->items);
    } else if (auto items = items_of(m)) {
      walk(*items);
    }
  }

  measure_position here() const { return measure_position{at_.value}; }

  /// A rest without a length fills its measure.
  quarters time_of(const chord_rest& x) const {
    if (x.length > quarters{}) return x.length;
    if (measure_length_ > quarters{}) return measure_length_;
    return length(x.written.value_or(note_value{note_base::whole, 0}));
  }

  /// `kind`: two ends of a pair are things of one kind, so that they can change places.
  void add_kept(std::optional<pair_end> end, const char* kind, const end_key& key) {
    if (!end) return;
    end->pair += ' ';
    end->pair += kind;
    kept.back().push_back({std::move(*end), measure_, here(), key});
  }

  void chord(const chord_rest& x) {
    for (std::size_t n = 0; n < x.notes.size(); ++n)
      for (std::size_t i = 0; i < x.notes[n].marks.size(); ++i) {
        const auto& m = x.notes[n].marks[i];
        auto end = pair_end_of(m);
        if (end) marks.emplace(end_key{leaf_, n, i}, m);
        add_kept(std::move(end), "note", {leaf_, n, i});
      }
    for (std::size_t n = 0; n < x.notes.size(); ++n)
      for (std::size_t i = 0; i < x.notes[n].spanners.size(); ++i) {
        const auto& s = x.notes[n].spanners[i];
        auto sign = spanner_sign_of(s);
        if (!sign) continue;
        groups.back().push_back({sign->kind, sign->number, sign->start, measure_, leaf_, n, i,
                                 x.voice.empty() ? voice_ : x.voice, here()});
        spanners.emplace(end_key{leaf_, n, i}, s);
      }
    if (!x.grace) at_ += time_of(x) * scale_;
    ++leaf_;
  }

  void mark(const direction& d) {
    // With several marks none of them is a line's: see `divided`.
    if (d.types.size() == 1) {
      const auto& t = d.types.front();
      if (auto sign = spanner_sign_of(t)) {
        // Inside a staff's voice 0 says that the mark names none, which is the first in a score.
        auto staff = std::max<int>(d.staff.value_or(staff_), 1);
        groups.back().push_back({sign->kind, sign->number, sign->start, measure_, leaf_, 0, 0,
                                 d.voice.empty() ? voice_ : d.voice, here(), staff});
        directions.emplace(end_key{leaf_, 0, 0}, d);
      } else if (auto line = on_the_way(t)) {
        way.back().push_back({line->first, line->second, measure_, here(), leaf_});
      } else if (auto f = std::get_if<fragment>(&t)) {
        add_kept(pair_end_of(*f), "direction", {leaf_, 0, 0});
        directions.emplace(end_key{leaf_, 0, 0}, d);
      }
    }
    ++leaf_;
  }

  std::size_t leaf_ = 0, measure_ = 0;
  quarters at_;
  quarters measure_length_ = measure_length(time_signature{});
  rational scale_{1};
  std::string voice_;
  int staff_ = 1;
  bool in_measure_ = false;
};

template <class Place>
bool same_place(const Place& a, const Place& b) {
  return a.measure == b.measure && a.at == b.at;
}

/// The marks of a line, each as it stands after the turn where the other stood.
std::pair<direction, direction> exchanged(const direction& start, const direction& stop) {
  auto new_start = start, new_stop = stop;
  // How far it opens belongs to the place.
  if (auto w = std::get_if<wedge>(&new_start.types.front())) {
    auto& end = std::get<wedge>(new_stop.types.front());
    std::swap(w->extra, end.extra);
    w->type = w->type == "crescendo"    ? "diminuendo"
              : w->type == "diminuendo" ? "crescendo"
                                        : w->type;
  }
  // A pedal line that breaks off is taken up again where it broke off.
  if (auto p = std::get_if<pedal>(&new_start.types.front())) {
    auto& end = std::get<pedal>(new_stop.types.front());
    auto resumed = p->type == "resume", broken = end.type == "discontinue";
    if (broken)
      p->type = "resume";
    else if (resumed)
      p->type = "start";
    end.type = resumed ? "discontinue" : "stop";
  }
  auto later = [](const std::optional<quarters>& offset) -> std::optional<quarters> {
    if (!offset) return offset;
    return quarters{-offset->value};
  };
  auto start_offset = later(stop.offset), stop_offset = later(start.offset);
  new_start.offset = start_offset;
  new_stop.offset = stop_offset;
  // Staff and voice say what the place does not.
  std::swap(new_start.staff, new_stop.staff);
  std::swap(new_start.voice, new_stop.voice);
  return {std::move(new_start), std::move(new_stop)};
}

/// Ends in order of time, as pairs.
paired_spanners paired(std::vector<spanner_end_place> ends) {
  std::stable_sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) {
    return std::tie(a.measure, a.at) < std::tie(b.measure, b.at);
  });
  number_hairpins(ends);
  return pair_spanners(ends);
}

/// The same of ends that are kept as XML.
std::vector<std::pair<kept_place, kept_place>> paired(std::vector<kept_place> ends) {
  std::stable_sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) {
    return std::tie(a.measure, a.at) < std::tie(b.measure, b.at);
  });
  std::vector<std::pair<kept_place, kept_place>> out;
  std::map<std::string, std::vector<kept_place>> open;
  for (auto& e : ends) {
    auto& starts = open[e.end.pair];
    if (e.end.start) {
      starts.push_back(std::move(e));
    } else if (!starts.empty()) {
      out.emplace_back(std::move(starts.back()), std::move(e));
      starts.pop_back();
    }
  }
  return out;
}

class line_exchange {
public:
  explicit line_exchange(const end_finder& found) : found_(found) {
    for (std::size_t i = 0; i < found.groups.size(); ++i)
      pair(found.groups[i], found.way[i]);
    for (const auto& ends : found.kept)
      for (const auto& [start, stop] : paired(ends))
        if (!same_place(start, stop)) exchange(start.key, stop.key);
  }

  std::vector<music_ptr> walk(const std::vector<music_ptr>& items) {
    std::vector<music_ptr> out;
    out.reserve(items.size());
    for (const auto& m : items) {
      auto inner = items_of(*m);
      out.push_back(inner ? with_items(*m, walk(*inner)) : one(m));
    }
    return out;
  }

  std::unordered_set<const music*> between;

private:
  /// Each end as a whole goes where the other stood: what the beginning says belongs to it.
  void exchange(const end_key& start, const end_key& stop) {
    if (auto m = found_.marks.find(start); m != found_.marks.end()) {
      marks_.insert_or_assign(stop, m->second);
      marks_.insert_or_assign(start, found_.marks.at(stop));
      return;
    }
    auto first = std::get<0>(start), last = std::get<0>(stop);
    if (auto f = found_.fragments.find(start); f != found_.fragments.end()) {
      leaves_[last] = f->second;
      leaves_[first] = found_.fragments.at(stop);
      return;
    }
    auto [new_start, new_stop] = exchanged(found_.directions.at(start), found_.directions.at(stop));
    leaves_[last] = std::move(new_start);
    leaves_[first] = std::move(new_stop);
  }

  void pair(const std::vector<spanner_end_place>& ends, const std::vector<way_mark>& way) {
    auto lines = paired(ends);
    for (const auto& [start, stop] : lines.pairs) {
      if (same_place(start, stop)) {
        kept_.insert(key_of(start));
        kept_.insert(key_of(stop));
        continue;
      }
      if (auto s = found_.spanners.find(key_of(start)); s != found_.spanners.end()) {
        spanners_[key_of(stop)] = s->second;
        spanners_[key_of(start)] = found_.spanners.at(key_of(stop));
        continue;
      }
      auto [new_start, new_stop] =
          exchanged(found_.directions.at(key_of(start)), found_.directions.at(key_of(stop)));
      leaves_[stop.item] = std::move(new_start);
      leaves_[start.item] = std::move(new_stop);
      for (const auto& w : way)
        if (w.kind == start.kind && w.number == start.number &&
            std::tie(w.measure, w.at) >= std::tie(start.measure, start.at) &&
            std::tie(w.measure, w.at) <= std::tie(stop.measure, stop.at))
          way_.insert(w.leaf);
    }
  }

  music_ptr one(const music_ptr& m) {
    if (!std::holds_alternative<measure_content>(m->data)) return m;
    auto number = leaf_++;
    if (auto x = leaf<chord_rest>(*m)) {
      auto copy = *x;
      for (std::size_t n = 0; n < copy.notes.size(); ++n)
        exchange(copy.notes[n], number, n);
      return make_music(measure_content{std::move(copy)}, m->span);
    }
    auto x = leaves_.find(number);
    if (x == leaves_.end() && !way_.contains(number)) return m;
    auto made =
        make_music(x != leaves_.end() ? x->second : measure_content{*leaf<direction>(*m)}, m->span);
    between.insert(made.get());
    return made;
  }

  void exchange(note& n, std::size_t leaf, std::size_t note) {
    for (std::size_t i = 0; i < n.marks.size(); ++i)
      if (auto other = marks_.find({leaf, note, i}); other != marks_.end())
        n.marks[i] = other->second;
    exchange(n.spanners, leaf, note);
  }

  void exchange(std::vector<spanner>& own, std::size_t leaf, std::size_t note) {
    std::vector<bool> turned(own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      end_key key{leaf, note, i};
      if (kept_.contains(key)) continue;
      if (auto other = spanners_.find(key); other != spanners_.end())
        own[i] = other->second;
      else if (own[i].end == span_end::start || own[i].end == span_end::stop)
        own[i].end = own[i].end == span_end::start ? span_end::stop : span_end::start;
      else
        continue;
      turned[i] = true;
    }
    // Where one line ended and the next began, the old one still ends first.
    for (std::size_t i = 0; i < own.size(); ++i)
      for (auto k = i + 1; k < own.size(); ++k)
        if (turned[i] && turned[k] && own[i].kind == own[k].kind &&
            own[i].number == own[k].number && own[i].end == span_end::start &&
            own[k].end == span_end::stop)
          std::swap(own[i], own[k]);
  }

  const end_finder& found_;
  std::map<end_key, spanner> spanners_;  ///< what each end becomes
  std::map<end_key, mark> marks_;        ///< the same
  std::map<std::size_t, measure_content> leaves_;
  std::set<end_key> kept_;
  std::set<std::size_t> way_;
  std::size_t leaf_ = 0;
};

/// Takes ends away. Leaves are counted as the finder counts them.
class end_eraser {
public:
  end_eraser(std::set<end_key> gone, std::set<end_key> marks_gone)
    : gone_(std::move(gone)), marks_gone_(std::move(marks_gone)) {}

  std::vector<music_ptr> walk(const std::vector<music_ptr>& items) {
    std::vector<music_ptr> out;
    out.reserve(items.size());
    for (const auto& m : items) {
      if (auto inner = items_of(*m)) {
        out.push_back(with_items(*m, walk(*inner)));
        continue;
      }
      if (!std::holds_alternative<measure_content>(m->data)) {
        out.push_back(m);
        continue;
      }
      auto number = leaf_++;
      if (auto x = leaf<chord_rest>(*m))
        out.push_back(make_music(measure_content{without_ends(*x, number)}, m->span));
      else if (!gone_.contains({number, 0, 0}))
        out.push_back(m);
    }
    return out;
  }

private:
  chord_rest without_ends(chord_rest x, std::size_t leaf) const {
    for (std::size_t n = 0; n < x.notes.size(); ++n) {
      auto& own = x.notes[n].spanners;
      for (auto i = own.size(); i-- > 0;)
        if (gone_.contains({leaf, n, i})) own.erase(own.begin() + static_cast<std::ptrdiff_t>(i));
      auto& marks = x.notes[n].marks;
      for (auto i = marks.size(); i-- > 0;)
        if (marks_gone_.contains({leaf, n, i}))
          marks.erase(marks.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return x;
  }

  std::set<end_key> gone_, marks_gone_;
  std::size_t leaf_ = 0;
};

}  // namespace

reversed_spanners reverse_spanners(const std::vector<music_ptr>& items) {
  auto own = with_marks_divided(items);
  end_finder found;
  found.walk(own);
  line_exchange exchange{found};
  auto made = exchange.walk(own);
  return {std::move(made), std::move(exchange.between)};
}

parted_music parted(const std::vector<music_ptr>& items, std::size_t cut) {
  auto middle = items.begin() + static_cast<std::ptrdiff_t>(cut);
  auto before = with_marks_divided({items.begin(), middle});
  auto behind = with_marks_divided({middle, items.end()});
  end_finder found;
  found.walk(before);
  auto first_behind = found.leaves();
  found.walk(behind);
  std::set<end_key> gone;
  for (const auto& ends : found.groups)
    for (const auto& [start, stop] : paired(ends).pairs)
      if (start.item < first_behind && stop.item >= first_behind) {
        gone.insert(key_of(start));
        gone.insert(key_of(stop));
      }
  parted_music out;
  std::set<end_key> marks_gone;
  for (const auto& ends : found.kept)
    for (const auto& [start, stop] : paired(ends)) {
      auto is_behind = [&](const kept_place& e) { return std::get<0>(e.key) >= first_behind; };
      if (is_behind(start) == is_behind(stop)) continue;
      for (const auto& e : {start, stop}) {
        (found.marks.contains(e.key) ? marks_gone : gone).insert(e.key);
        out.lost_ends.push_back(e.end.pair.substr(0, e.end.pair.find(' ')));
      }
    }
  end_eraser eraser{std::move(gone), std::move(marks_gone)};
  out.before = eraser.walk(before);
  out.behind = eraser.walk(behind);
  return out;
}

}  // namespace fermata
