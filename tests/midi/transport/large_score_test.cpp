#include "midi/smf/from_performance.hpp"
#include "midi/smf/read.hpp"
#include "midi/smf/write.hpp"
#include "midi/transport/transport_engine.hpp"
#include "tests/midi/transport/player.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <variant>

/// Three hundred thousand notes: everything that playback and MIDI files make of them, note for
/// note.
namespace fermata::midi::large_score_test {

using namespace testing;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t parts = 20;  // more than one port has channels for
constexpr std::size_t measures = 1'250;
constexpr std::size_t notes_in_measure = 12;
constexpr std::size_t notes = parts * measures * notes_in_measure;
static_assert(notes == 300'000);

/// Sixteenths that go up and down; the parts share their measures.
score_ptr large_score(int times = 1) {
  std::vector<measure_ptr> written;
  for (std::size_t i = 0; i < measures; ++i) {
    auto m = bar("c4:16th d4:16th e4:16th f4:16th g4:16th a4:16th "
                 "b4:16th a4:16th g4:16th f4:16th e4:16th d4:16th",
                 std::to_string(i + 1));
    if (i == 0) lead(m, with_time(3, 4));
    if (i + 1 == measures && times > 1) m = repeated(std::move(m), times);
    written.push_back(std::make_shared<const measure>(std::move(m)));
  }
  std::vector<part_ptr> all;
  for (std::size_t i = 0; i < parts; ++i) {
    part p;
    p.id = "P" + std::to_string(i + 1);
    p.name = p.id;
    p.measures = written;
    all.push_back(std::make_shared<const part>(std::move(p)));
  }
  return make_score(std::move(all));
}

/// Which keys are down, and how many notes there were.
class keyboard {
public:
  std::size_t begun = 0, ended = 0;
  bool paired = true;  ///< no key is struck while it is down, and none released that is not

  void message(int port, std::uint8_t status, std::uint8_t key, std::uint8_t velocity) {
    auto command = status & 0xF0;
    if (command != 0x80 && command != 0x90) return;
    bool on = command == 0x90 && velocity > 0;
    auto& down = down_.at(static_cast<std::size_t>(((port * 16) + (status & 0x0F)) * 128 + key));
    paired = paired && down != on;
    down = on;
    ++(on ? begun : ended);
  }

private:
  std::array<bool, 4 * 16 * 128> down_{};  // four ports
};

void check(const keyboard& k) {
  CHECK(k.begun == notes);
  CHECK(k.ended == notes);
  CHECK(k.paired);
}

/// What an engine sends.
class listener final : public message_sink {
public:
  keyboard heard;
  bool in_order = true;

  void send(std::uint8_t group, std::span<const std::uint8_t> m,
            steady_time due) noexcept override {
    in_order = in_order && due >= latest_;
    latest_ = due;
    if (m.size() == 3) heard.message(group, m[0], m[1], m[2]);
  }

private:
  steady_time latest_{};
};

}  // namespace

TEST_CASE("a score of 300,000 notes is played, each note to its end") {
  auto plan = plan_of(*large_score());
  keyboard planned;
  for (auto& e : plan->events)
    planned.message(e.port, e.bytes[0], e.bytes[1], e.bytes[2]);
  check(planned);
  CHECK(plan->left_out.empty());
  CHECK(plan->ports == 2);
  CHECK(plan->bars.size() == measures);
  CHECK(plan->beats.size() == 3 * measures);
  CHECK(plan->end == 1500ms * measures);

  listener out;
  transport_engine engine{out};
  steady_time now{1'000s};
  transport_command::play command{1, plan, {}};
  engine.play(command, now);
  while (auto due = engine.next_due()) {
    now = std::max(now, *due);
    engine.run(now, now);
  }
  check(out.heard);
  CHECK(out.in_order);
  CHECK(now >= steady_time{1'000s} + plan->end);
}

TEST_CASE("a score of 300,000 notes becomes a MIDI file that holds them all") {
  auto performed = render_or_throw(*large_score(), exact());
  auto file = smf::from_performance(performed);
  auto found = smf::read(smf::write(file));
  REQUIRE(found);
  CHECK(found->remarks.empty());
  CHECK(found->file == file);
  CHECK(found->file.tracks.size() == parts + 1);
  std::size_t begun = 0, ended = 0;
  for (auto& t : found->file.tracks)
    for (auto& e : t.events)
      if (auto* m = std::get_if<smf::channel_message>(&e.message)) {
        begun += m->command() == 0x90 && m->data2 > 0;
        ended += m->command() == 0x80 || (m->command() == 0x90 && m->data2 == 0);
      }
  CHECK(begun == notes);
  CHECK(ended == notes);
}

TEST_CASE("repeats that make too many notes of a large score are an error") {
  auto plan = playback_plan_of(*large_score(7), exact());
  REQUIRE_FALSE(plan);
  CHECK(plan.error().first().code == errc::out_of_range);
  CHECK_FALSE(plan.error().first().message.empty());
}

}  // namespace fermata::midi::large_score_test
