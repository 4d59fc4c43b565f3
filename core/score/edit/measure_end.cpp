#include "core/score/edit/append.hpp"

#include <algorithm>

namespace fermata {

namespace {

/// Visited with what takes no time.
struct ends_something {
  bool operator()(const chord_rest&) const { return false; }
  bool operator()(const attributes&) const { return false; }
  bool operator()(const harmony&) const { return false; }
  bool operator()(const figured_bass&) const { return false; }
  bool operator()(const print_layout&) const { return false; }
  bool operator()(const fragment&) const { return false; }
  bool operator()(const barline& b) const { return b.location != "left"; }
  bool operator()(const sound& s) const {
    for (auto name : {"fine", "dacapo", "dalsegno", "tocoda"})
      if (!s.attribute(name).empty()) return true;
    return false;
  }
  bool operator()(const direction& d) const {
    if (d.sound && (*this)(*d.sound)) return true;
    return !d.types.empty() && std::all_of(d.types.begin(), d.types.end(),
                                           [](auto& t) { return std::visit(type_ends{}, t); });
  }

  struct type_ends {
    bool operator()(const wedge& x) const { return x.type == "stop"; }
    bool operator()(const pedal& x) const { return x.type == "stop"; }
    bool operator()(const octave_shift& x) const { return x.type == "stop"; }
    bool operator()(const line_end& x) const { return x.type == "stop"; }
    bool operator()(const dynamics&) const { return false; }
    bool operator()(const words&) const { return false; }
    bool operator()(const rehearsal_mark&) const { return false; }
    bool operator()(const segno_mark&) const { return false; }
    bool operator()(const coda_mark&) const { return false; }
    bool operator()(const metronome&) const { return false; }
    bool operator()(const fragment&) const { return false; }
  };
};

}  // namespace

bool belongs_to_end(const measure_content& x) { return std::visit(ends_something{}, x); }

}  // namespace fermata
