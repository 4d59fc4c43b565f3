#include "io/musicxml/loss_report.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace fermata::io::musicxml {

namespace {

void count_place(std::vector<loss_place>& places, std::string_view part, std::string_view measure) {
  // Elements come in the order of the file, so the place is the last one or a new one.
  if (places.empty() || places.back().part != part || places.back().measure != measure)
    places.push_back({std::string{part}, std::string{measure}, 0});
  ++places.back().count;
}

std::string place_words(const std::vector<loss_place>& places) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i == most) return text + ", and " + std::to_string(places.size() - most) + " more measures";
    auto& p = places[i];
    text += i == 0 ? "" : ", ";
    if (p.part.empty())
      text += "header";
    else
      text += p.part + (p.measure.empty() ? "" : " measure " + p.measure);
    if (p.count > 1) text += " (" + std::to_string(p.count) + ")";
  }
  return text;
}

boost::json::array place_json(const std::vector<loss_place>& places) {
  boost::json::array out;
  for (auto& p : places)
    out.push_back({{"part", p.part}, {"measure", p.measure}, {"count", p.count}});
  return out;
}

}  // namespace

std::string_view to_string(fate f) {
  switch (f) {
    case fate::typed: return "typed";
    case fate::fragment: return "fragment";
    case fate::dropped: return "dropped";
  }
  return "typed";
}

void loss_report::add(fate f, std::string_view name, std::string_view part,
                      std::string_view measure) {
  auto [entry, is_new] = index_.try_emplace(std::string{name}, others_.size());
  if (is_new) others_.emplace_back().element = name;
  auto* found = &others_[entry->second];
  switch (f) {
    case fate::typed: ++found->typed; break;
    case fate::fragment:
      ++found->fragment;
      count_place(found->fragment_places, part, measure);
      break;
    case fate::dropped:
      ++found->dropped;
      count_place(found->dropped_places, part, measure);
      break;
  }
}

std::vector<loss_report::row> loss_report::rows() const {
  auto rows = others_;
  for (std::size_t i = 0; i < element_count; ++i) {
    if (typed_[i] == 0) continue;
    auto name = name_of(static_cast<element>(i));
    if (auto known = index_.find(std::string{name}); known != index_.end()) {
      rows[known->second].typed += typed_[i];
    } else {
      rows.emplace_back().element = name;
      rows.back().typed = typed_[i];
    }
  }
  std::sort(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.element < b.element; });
  return rows;
}

std::uint64_t loss_report::total(fate f) const {
  std::uint64_t n = 0;
  for (auto& r : rows())
    n += f == fate::typed ? r.typed : f == fate::fragment ? r.fragment : r.dropped;
  return n;
}

std::string loss_report::text(bool all) const {
  auto out = "typed " + std::to_string(total(fate::typed)) + ", kept as XML " +
             std::to_string(total(fate::fragment)) + ", dropped " +
             std::to_string(total(fate::dropped)) + "\n";
  for (auto& r : rows()) {
    if (all && r.typed > 0) out += r.element + ": typed " + std::to_string(r.typed) + "\n";
    if (r.fragment > 0)
      out += r.element + ": kept as XML " + std::to_string(r.fragment) + ": " +
             place_words(r.fragment_places) + "\n";
    if (r.dropped > 0)
      out += r.element + ": DROPPED " + std::to_string(r.dropped) + ": " +
             place_words(r.dropped_places) + "\n";
  }
  return out;
}

std::string loss_report::json() const {
  boost::json::array elements;
  for (auto& r : rows())
    elements.push_back({{"name", r.element},
                        {"typed", r.typed},
                        {"fragment", r.fragment},
                        {"dropped", r.dropped},
                        {"fragment_places", place_json(r.fragment_places)},
                        {"dropped_places", place_json(r.dropped_places)}});
  return boost::json::serialize(boost::json::object{{"typed", total(fate::typed)},
                                                    {"fragment", total(fate::fragment)},
                                                    {"dropped", total(fate::dropped)},
                                                    {"elements", std::move(elements)}});
}

}  // namespace fermata::io::musicxml
