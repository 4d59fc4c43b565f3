#include "core/lang/transform/kept_pairs.hpp"

#include "core/lang/value/make.hpp"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace fermata {

namespace {

/// Whether there are such ends in the music. Music may share its parts, so each is asked once.
class end_search {
public:
  bool holds_ends(const music_ptr& m) {
    if (auto known = known_.find(m.get()); known != known_.end()) return known->second;
    auto found = false;
    if (auto a = leaf<attributes>(*m))
      for (const auto& f : a->others)
        found = found || pair_end_of(f);
    if (auto inner = items_of(*m))
      for (const auto& x : *inner)
        found = found || holds_ends(x);
    known_.emplace(m.get(), found);
    return found;
  }

private:
  std::unordered_map<const music*, bool> known_;
};

/// Numbers the ends as they are met, and joins them part by part.
class pair_finder {
public:
  pair_finder(edit_operation x, end_search& search) : operation_(x), search_(search) {}

  void walk(const std::vector<music_ptr>& items) {
    for (const auto& m : items) {
      if (!search_.holds_ends(m)) continue;
      auto outer = std::pair{open_, as_node<part_music>(*m) != nullptr};
      if (outer.second) open_.clear();
      if (auto a = leaf<attributes>(*m))
        for (const auto& f : a->others)
          if (auto end = pair_end_of(f)) meet(*end, fate_of(f, operation_) == kept_fate::drop);
      if (auto inner = items_of(*m)) walk(*inner);
      if (outer.second) open_ = std::move(outer.first);
    }
  }

  std::set<std::size_t> gone;  ///< by number

private:
  struct open_end {
    std::size_t number;
    bool contradicted;
  };

  void meet(const pair_end& end, bool contradicted) {
    auto number = count_++;
    auto& starts = open_[end.pair];
    if (end.start) return starts.push_back({number, contradicted});
    if (starts.empty()) return;
    if (contradicted || starts.back().contradicted) {
      gone.insert(starts.back().number);
      gone.insert(number);
    }
    starts.pop_back();
  }

  edit_operation operation_;
  end_search& search_;
  std::size_t count_ = 0;
  std::map<std::string, std::vector<open_end>> open_;
};

class pair_eraser {
public:
  pair_eraser(const std::set<std::size_t>& gone, end_search& search,
              const std::function<void(std::string_view)>& dropped)
    : gone_(gone), search_(search), dropped_(dropped) {}

  std::vector<music_ptr> walk(const std::vector<music_ptr>& items) {
    std::vector<music_ptr> out;
    out.reserve(items.size());
    for (const auto& m : items) {
      auto a = leaf<attributes>(*m);
      if (!search_.holds_ends(m)) {
        out.push_back(m);
      } else if (a) {
        auto left = *a;
        std::erase_if(left.others, [&](const fragment& f) { return goes(f); });
        if (left == *a)
          out.push_back(m);
        else if (left != attributes{})
          out.push_back(make_music(measure_content{std::move(left)}, m->span));
      } else {
        out.push_back(with_items(*m, walk(*items_of(*m))));
      }
    }
    return out;
  }

private:
  bool goes(const fragment& f) {
    if (!pair_end_of(f) || !gone_.contains(count_++)) return false;
    dropped_(kept_name(f));
    return true;
  }

  const std::set<std::size_t>& gone_;
  end_search& search_;
  const std::function<void(std::string_view)>& dropped_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<music_ptr> without_contradicted_pairs(
    const std::vector<music_ptr>& items, edit_operation x,
    const std::function<void(std::string_view what)>& dropped) {
  end_search search;
  pair_finder found{x, search};
  found.walk(items);
  if (found.gone.empty()) return items;
  return pair_eraser{found.gone, search, dropped}.walk(items);
}

}  // namespace fermata
