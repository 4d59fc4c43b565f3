#include "core/score/merge/merge_headers.hpp"

#include "core/score/model/wording.hpp"

#include <algorithm>
#include <string_view>

namespace fermata {

namespace {

/// What both sides made of one thing after the other.
class three_way {
public:
  three_way(merged_score& said, const merge_request& request) : said_(said), request_(request) {}

  template <class T>
  T operator()(const std::string& what, const T& base, const T& ours, const T& theirs) {
    if (ours == theirs || theirs == base) return ours;
    if (!(ours == base) && !request_.theirs_wins) {
      said_.other_conflicts.push_back(what);
      return ours;
    }
    said_.texts.push_back(what);
    return theirs;
  }

private:
  merged_score& said_;
  const merge_request& request_;
};

score_header merge_headers(const score_header& b, const score_header& o, const score_header& t,
                           three_way& merge) {
  score_header h;
  auto take = [&](const char* what, auto member) {
    h.*member = merge(what, b.*member, o.*member, t.*member);
  };
  take("the work number", &score_header::work_number);
  take("the work title", &score_header::work_title);
  take("the movement number", &score_header::movement_number);
  take("the title", &score_header::movement_title);
  take("the credits", &score_header::creators);
  take("the rights", &score_header::rights);
  take("the source", &score_header::source);
  take("the encoding details", &score_header::encoding);
  take("the work details", &score_header::work_others);
  take("the identification details", &score_header::identification_others);
  take("the layout", &score_header::defaults);
  take("the text on the page", &score_header::credits);
  return h;
}

/// A place in a part list: a part of the plan, or the beginning or end of a group.
struct list_item {
  std::size_t part = nowhere;
  part_group group;
  bool is_part() const { return part != nowhere; }
  bool operator==(const list_item&) const = default;
};
using part_order = std::vector<list_item>;

/// One side's part list, in parts of the plan; parts that it forgets are at its end.
part_order order_of(const score& s, const std::vector<merged_part>& parts,
                    std::optional<std::size_t> merged_part::*side) {
  auto in_plan = [&](std::size_t index) {
    auto found = std::find_if(parts.begin(), parts.end(),
                              [&](auto& p) { return p.*side && *(p.*side) == index; });
    return static_cast<std::size_t>(found - parts.begin());
  };
  part_order order;
  std::vector<bool> listed(s.parts.size());
  for (auto& item : s.part_list)
    if (auto index = std::get_if<std::size_t>(&item)) {
      if (*index >= listed.size() || listed[*index]) continue;
      listed[*index] = true;
      order.push_back({in_plan(*index), {}});
    } else {
      order.push_back({nowhere, std::get<part_group>(item)});
    }
  for (std::size_t i = 0; i < listed.size(); ++i)
    if (!listed[i]) order.push_back({in_plan(i), {}});
  return order;
}

/// The groups and the parts that all three states have: whether one was rearranged.
part_order shape_of(const part_order& order, const std::vector<merged_part>& parts) {
  auto shape = order;
  std::erase_if(shape, [&](auto& x) {
    return x.is_part() && !(parts[x.part].base && parts[x.part].ours && parts[x.part].theirs);
  });
  return shape;
}

/// Puts a part that `order` lacks behind the part that it follows in `other`, and behind the groups
/// that end there.
void put_part(part_order& order, const part_order& other, std::size_t part) {
  auto there = std::find_if(other.begin(), other.end(), [&](auto& x) { return x.part == part; });
  auto place = order.begin();
  for (auto before = there; before != other.begin();) {
    --before;
    if (!before->is_part()) continue;
    auto found =
        std::find_if(order.begin(), order.end(), [&](auto& x) { return x.part == before->part; });
    if (found == order.end()) continue;
    place = found + 1;
    for (auto x = before + 1; x != there && place != order.end() && !x->is_part(); ++x)
      if (!place->is_part() && place->group.type == "stop") ++place;
    break;
  }
  order.insert(place, {part, {}});
}

}  // namespace

merged_headers merge_score_headers(const score& base, const score& ours, const score& theirs,
                                   merge_plan& plan, const merge_request& request) {
  three_way merge{plan.said, request};
  merged_headers merged;
  auto& parts = plan.parts;
  auto here = order_of(ours, parts, &merged_part::ours);
  if (request.measures) {
    merged.frame.header = ours.header;
    merged.frame.extra = ours.extra;
  } else {
    merged.frame.header = merge_headers(base.header, ours.header, theirs.header, merge);
    merged.frame.extra = merge("the score details", base.extra, ours.extra, theirs.extra);
    auto there = order_of(theirs, parts, &merged_part::theirs);
    auto shape_here = shape_of(here, parts);
    if (merge("the order and grouping of the parts",
              shape_of(order_of(base, parts, &merged_part::base), parts), shape_here,
              shape_of(there, parts)) != shape_here)
      std::swap(here, there);
    for (auto& x : there)
      if (x.is_part() &&
          std::none_of(here.begin(), here.end(), [&](auto& y) { return y.part == x.part; }))
        put_part(here, there, x.part);
  }
  std::erase_if(here, [&](auto& x) { return x.is_part() && !parts[x.part].stays; });
  for (auto& x : here)
    if (x.is_part()) {
      merged.frame.part_list.emplace_back(merged.order.size());
      merged.order.push_back(x.part);
    } else {
      merged.frame.part_list.emplace_back(x.group);
    }
  return merged;
}

part merge_part_headers(const part* base, const part& ours, const part& theirs, merged_score& said,
                        const merge_request& request) {
  part merged = ours;
  if (request.measures) return merged;
  three_way merge{said, request};
  auto label = part_label(ours);
  auto take = [&](const std::string& what, auto member) {
    merged.*member = merge(what + " of " + label, base ? base->*member : theirs.*member,
                           ours.*member, theirs.*member);
  };
  take("the name", &part::name);
  take("the short name", &part::abbreviation);
  take("the instruments", &part::instruments);
  take("the other details", &part::extra);
  return merged;
}

}  // namespace fermata
