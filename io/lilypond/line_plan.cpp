#include "io/lilypond/line_plan.hpp"

#include "core/score/model/attribute_of.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

namespace fermata::io::lilypond {

namespace {

/// A moment of a part.
using moment = std::pair<std::size_t, measure_position>;

moment moment_of(const spanner_end_place& e) { return {e.measure, e.at}; }

/// The line that a point in its middle says it belongs to.
struct continued_line {
  spanner_kind kind{};
  std::uint8_t number = 1;
};

struct continuation {
  using answer = std::optional<continued_line>;
  answer operator()(const wedge& x) const { return of(spanner_kind::hairpin, x.type, x.number); }
  answer operator()(const pedal& x) const {
    if (x.type == "change") return continued_line{spanner_kind::pedal, 1};
    return of(spanner_kind::pedal, x.type, 1);
  }
  answer operator()(const octave_shift& x) const {
    return of(spanner_kind::octave_shift, x.type, x.number);
  }
  answer operator()(const line_end& x) const {
    return of(x.dashes ? spanner_kind::dashes : spanner_kind::bracket, x.type, x.number);
  }
  answer operator()(const auto&) const { return {}; }  // no line

private:
  static answer of(spanner_kind kind, const std::string& type, std::uint8_t number) {
    if (type != "continue") return {};
    return continued_line{kind, number};
  }
};

/// Neither a sign nor a line.
bool is_undrawn(const pedal& x) {
  return attribute_of(x.extra, "sign") == "no" && attribute_of(x.extra, "line") != "yes";
}

/// How a pedal is drawn. MusicXML draws the sign where there is no line, unless it says otherwise.
std::string style_of(const pedal& x) {
  auto line = attribute_of(x.extra, "line") == "yes";
  auto sign = attribute_of(x.extra, "sign");
  return !line ? "text" : sign == "yes" ? "mixed" : "bracket";
}

}  // namespace

/// Fills a plan.
class line_planner {
public:
  line_planner(line_plan& plan, std::size_t part_index, loss_list& losses)
    : plan_(plan), part_(*plan.source_), part_index_(part_index), losses_(losses) {}

  void run() {
    plan_.lines_ = pair_spanners(spanner_ends(part_, 0, part_.measures.size()));
    // In order of time, whatever kinds and numbers they have.
    auto pairs = plan_.lines_.pairs;
    std::stable_sort(pairs.begin(), pairs.end(), [](auto& a, auto& b) {
      return std::tuple{moment_of(a.first), a.first.item} <
             std::tuple{moment_of(b.first), b.first.item};
    });
    for (auto& [a, b] : pairs)
      if (is_written_kind(a.kind)) place(a, b);
    for (auto& e : plan_.lines_.unpaired)
      if (e.staff != 0) place_lonely(e);
    for (std::size_t m = 0; m < part_.measures.size(); ++m)
      for (auto& item : part_.measures[m]->items)
        points_of(m, item);
  }

private:
  static bool is_written_kind(spanner_kind k) {
    return k == spanner_kind::hairpin || k == spanner_kind::pedal ||
           k == spanner_kind::octave_shift;
  }

  const direction& direction_at(const spanner_end_place& e) const {
    return std::get<direction>(part_.measures[e.measure]->items[e.item].content);
  }
  const direction_type& type_at(const spanner_end_place& e) const {
    return direction_at(e).types[e.index];
  }

  void lose(const spanner_end_place& e, const std::string& how) {
    losses_.add(std::string{name_of(e.kind)} + "s " + how, part_index_, e.measure);
  }

  /// Grace notes at one place have an order, which alone tells two directions there apart.
  bool before_a_grace(const spanner_end_place& a, const spanner_end_place& b) const {
    auto& items = part_.measures[a.measure]->items;
    for (auto i = a.item; a.measure == b.measure && i < b.item; ++i)
      if (auto* x = std::get_if<chord_rest>(&items[i].content); x && x->grace) return true;
    return false;
  }

  void place(const spanner_end_place& a, const spanner_end_place& b) {
    if (moment_of(a) >= moment_of(b) && !before_a_grace(a, b)) return lose(a, "of no length");
    line_plan::written_end end{a.staff, 1, false, {}};
    if (a.kind == spanner_kind::hairpin) {
      end.line = free_line(hairpins_[a.staff], a, b);
      plan_.hairpin_lines_[a.staff] = std::max(plan_.hairpin_lines_[a.staff], end.line);
    } else if (a.kind == spanner_kind::octave_shift) {
      if (free_line(octave_lines_[a.staff], a, b) > 1) return lose(a, "that overlap others");
    } else {
      auto& start = std::get<pedal>(type_at(a));
      if (is_undrawn(start)) return lose(a, "that are not drawn");
      end.sostenuto = start.type == "sostenuto";
      end.pedal_style = style_of(start);
      auto& busy = (end.sostenuto ? middle_pedals_ : pedals_)[a.staff];
      if (free_line(busy, a, b) > 1) return lose(a, "that overlap others");
      note_pedal_style(a.staff, end.pedal_style, moment_of(a));
      held_.push_back({a.staff, moment_of(a), moment_of(b), end.sostenuto});
    }
    plan_.ends_[&type_at(a)] = end;
    plan_.ends_[&type_at(b)] = end;
  }

  /// A sign for a pedal stands alone; everything else needs both ends.
  void place_lonely(const spanner_end_place& e) {
    if (e.kind == spanner_kind::pedal && e.start) {
      auto& start = std::get<pedal>(type_at(e));
      auto style = style_of(start);
      auto sostenuto = start.type == "sostenuto";
      bool free = std::none_of(held_.begin(), held_.end(), [&](auto& h) {
        return h.staff == e.staff && h.sostenuto == sostenuto && h.from <= moment_of(e) &&
               moment_of(e) < h.to;
      });
      if (style == "text" && free && !is_undrawn(start)) {
        plan_.ends_[&type_at(e)] = {e.staff, 1, sostenuto, style};
        note_pedal_style(e.staff, style, moment_of(e));
        held_.push_back({e.staff, moment_of(e), {part_.measures.size(), {}}, sostenuto});
        return;
      }
    }
    // The starts of these are counted with all others by the writer.
    if (e.start && (e.kind == spanner_kind::bracket || e.kind == spanner_kind::dashes)) return;
    lose(e, "with one end");
  }

  void note_pedal_style(int staff, const std::string& style, moment at) {
    auto& first = first_pedals_.try_emplace(staff, at).first->second;
    if (at > first) return;
    first = at;
    plan_.first_pedal_styles_[staff] = style;
  }

  /// The first of these lines that is free when `a` begins, counted from 1; it is taken until `b`.
  static int free_line(std::vector<moment>& taken_until, const spanner_end_place& a,
                       const spanner_end_place& b) {
    auto free = std::find_if(taken_until.begin(), taken_until.end(),
                             [&](auto& until) { return until <= moment_of(a); });
    if (free == taken_until.end()) free = taken_until.insert(free, moment{});
    *free = moment_of(b);
    return static_cast<int>(free - taken_until.begin()) + 1;
  }

  // --- points within lines ---

  void points_of(std::size_t m, const measure_item& item) {
    if (auto* x = std::get_if<chord_rest>(&item.content)) {
      for (auto& n : x->notes)
        for (auto& s : n.spanners) {
          if (s.end != span_end::continue_) continue;
          auto started = s;
          started.end = span_end::start;
          if (auto sign = spanner_sign_of(started)) point({sign->kind, sign->number}, {m, item.at});
        }
    } else if (auto* d = std::get_if<direction>(&item.content)) {
      moment now{m, item.at + d->offset.value_or(quarters{})};
      for (auto& t : d->types)
        if (auto line = std::visit(continuation{}, t)) {
          auto* p = std::get_if<pedal>(&t);
          if (p && p->type == "change")
            pedal_change(t, d->staff.value_or(1), now);
          else
            point(*line, now);
        }
    }
  }

  void point(continued_line line, moment now) {
    bool within =
        std::any_of(plan_.lines_.pairs.begin(), plan_.lines_.pairs.end(), [&](auto& pair) {
          return pair.first.kind == line.kind && pair.first.number == line.number &&
                 moment_of(pair.first) <= now && now <= moment_of(pair.second);
        });
    if (!within)
      losses_.add("continued " + std::string{name_of(line.kind)} + "s without a start", part_index_,
                  now.first);
  }

  void pedal_change(const direction_type& t, int staff, moment now) {
    auto held = std::find_if(held_.begin(), held_.end(), [&](auto& h) {
      return h.staff == staff && h.from <= now && now <= h.to;
    });
    if (held == held_.end())
      losses_.add("pedal changes without a pedal", part_index_, now.first);
    else
      plan_.ends_[&t] = {staff, 1, held->sostenuto, {}};
  }

  struct held_pedal {
    int staff;
    moment from, to;
    bool sostenuto;
  };
  using busy_lines = std::map<int, std::vector<moment>>;  ///< by staff: until when each is taken

  line_plan& plan_;
  const part& part_;
  std::size_t part_index_;
  loss_list& losses_;
  busy_lines hairpins_, octave_lines_, pedals_, middle_pedals_;
  std::map<int, moment> first_pedals_;  ///< by staff
  std::vector<held_pedal> held_;
};

line_plan::line_plan(const part& p, std::size_t part_index, loss_list& losses) : source_(&p) {
  line_planner{*this, part_index, losses}.run();
}

const line_plan::written_end* line_plan::find(const direction_type& end) const {
  auto found = ends_.find(&end);
  return found == ends_.end() ? nullptr : &found->second;
}

int line_plan::hairpin_lines(int staff) const {
  auto found = hairpin_lines_.find(staff);
  return found == hairpin_lines_.end() ? 0 : found->second;
}

std::string line_plan::first_pedal_style(int staff) const {
  auto found = first_pedal_styles_.find(staff);
  return found == first_pedal_styles_.end() ? "" : found->second;
}

}  // namespace fermata::io::lilypond
