#pragma once

#include "core/score/model/note.hpp"

namespace fermata::io::musicxml::detail {

/// <tie> says that notes sound as one, <tied> draws the curve. Nearly always both stand together,
/// and the score then keeps the tie alone. This collects the <tied> elements of one note that say
/// nothing but their type and decides at its end which of them go without saying.
struct tied_ends {
  int plain_starts = 0, plain_stops = 0;  ///< <tied type="start"/> and nothing else
  int starts = 0, stops = 0;              ///< all that start or stop

  void settle(note& n) const {
    settle_end(n, n.tie.start, n.tie.start_undrawn, plain_starts, starts, span_end::start);
    settle_end(n, n.tie.stop, n.tie.stop_undrawn, plain_stops, stops, span_end::stop);
  }

private:
  static void settle_end(note& n, bool sounding, bool& undrawn, int plain, int all, span_end end) {
    undrawn = sounding && all == 0;
    auto implied = sounding && all == 1 && plain == 1;
    if (!implied)
      for (int i = 0; i < plain; ++i)
        n.spanners.insert(n.spanners.begin(), spanner{spanner_kind::tied, end, 1, {}, {}});
  }
};

}  // namespace fermata::io::musicxml::detail
