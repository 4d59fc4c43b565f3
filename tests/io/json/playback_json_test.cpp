#include "io/json/playback_json.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>

namespace fermata::io::playback_json_test {

namespace json = boost::json;

TEST_CASE("where playback is survives JSON") {
  playback_status s;
  s.state = playback_status::state_t::paused;
  s.session = "etude";
  s.what = "measures 3-8";
  s.measure = "X1";
  s.beat = 3;
  s.tempo = 0.8;
  s.time = std::chrono::milliseconds{12'345};
  s.end = std::chrono::milliseconds{60'000};
  s.device = "Synth \"1\"";
  s.started_by = "claude";
  s.notice = "Synth was lost";
  CHECK(read_playback_status(json::parse(json::serialize(to_json(s))).as_object()) == s);
  CHECK(read_playback_status(to_json(playback_status{})) == playback_status{});
}

TEST_CASE("the members are those that clients are told of") {
  playback_status s;
  s.state = playback_status::state_t::counting_in;
  s.measure = "5";
  auto o = to_json(s);
  CHECK(o.at("state") == "counting_in");
  CHECK(o.at("measure") == "5");
  CHECK(to_json(playback_status{}) == json::object{{"state", "stopped"}});
}

TEST_CASE("members of the wrong type are left out") {
  auto read = [](std::string_view text) {
    return read_playback_status(json::parse(text).as_object());
  };
  CHECK(read("{}") == playback_status{});
  CHECK(read(R"({"state":7,"session":[],"beat":"3","tempo":null,"time":{}})") == playback_status{});
  CHECK(read(R"({"state":"dancing"})") == playback_status{});
  CHECK(read(R"({"state":"playing","time":1e300,"beat":-1e300})").beat == 0);
}

}  // namespace fermata::io::playback_json_test
