#include "io/text/line_decoder.hpp"

#include <catch2/catch.hpp>

namespace fermata::io::line_decoder_test {

using namespace fermata::io::protocol;

namespace {

std::vector<std::string> lines_of(line_decoder& d) {
  std::vector<std::string> out;
  while (auto line = d.next())
    out.emplace_back(*line);
  return out;
}

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("lines that arrive byte by byte come out whole") {
  line_decoder d;
  texts out;
  for (char c : std::string{"{\"id\":1}\n{\"id\":2}\r\n\n{\"id\":3}\n{\"id\":"}) {
    d.feed({&c, 1});
    for (auto& line : lines_of(d))
      out.push_back(line);
  }
  CHECK(out == texts{"{\"id\":1}", "{\"id\":2}", "{\"id\":3}"});
  CHECK(d.held() == 6);
}

TEST_CASE("several lines in one portion come out one by one and the rest is kept") {
  line_decoder d;
  d.feed("a\nb\nc");
  CHECK(lines_of(d) == texts{"a", "b"});
  d.feed("d\n");
  CHECK(lines_of(d) == texts{"cd"});
}

TEST_CASE("what follows the last LF is a line once the sender is done") {
  line_decoder d;
  d.feed("a\nlast");
  CHECK(lines_of(d) == texts{"a"});
  d.finish();
  CHECK(lines_of(d) == texts{"last"});
  CHECK(lines_of(d).empty());
}

TEST_CASE("a line of exactly the limit passes and one byte more does not") {
  for (std::string end : {"\n", "\r\n"}) {
    line_decoder fits{10};
    fits.feed("0123456789" + end);
    CHECK(lines_of(fits) == texts{"0123456789"});
    CHECK_FALSE(fits.overflowed());
    line_decoder over{10};
    over.feed("0123456789x" + end + "next\n");
    CHECK(lines_of(over).empty());
    CHECK(over.overflowed());
  }
}

TEST_CASE("an endless line is given up at the limit, not at its end") {
  line_decoder d{1000};
  std::size_t fed = 0;
  while (!d.overflowed() && fed < 100'000) {
    d.feed("xxxxxxxxxx");
    fed += 10;
    d.next();
  }
  CHECK(fed == 1010);
  CHECK(d.held() == 0);
}

TEST_CASE("a text is clipped between code points") {
  CHECK(clipped("c\xe2\x99\xaf"
                "4",
                2) == "c");
  CHECK(clipped("c\xe2\x99\xaf"
                "4",
                4) == "c\xe2\x99\xaf");
  CHECK(clipped("abc", 10) == "abc");
}

TEST_CASE("a browser is recognised by its first line and JSON is not taken for one") {
  CHECK(looks_like_http("GET / HTTP/1.1"));
  CHECK(looks_like_http("POST /rpc HTTP/1.0"));
  CHECK(looks_like_http("OPTIONS * HTTP/1.1"));
  CHECK(looks_like_http("PRI * HTTP/2.0"));
  CHECK_FALSE(looks_like_http("{\"id\":1,\"method\":\"GET / HTTP\"}"));
  CHECK_FALSE(looks_like_http("[{\"id\":1}]"));
  CHECK_FALSE(looks_like_http("hello"));
}

TEST_CASE("who knows where the next message begins goes on behind a line that was too long") {
  const std::string text = "before\n" + std::string(30, 'x') + "\nafter\r\n" +
                           std::string(25, 'y') + "\n\nlast\n" + std::string(40, 'z');
  for (std::size_t portion : {std::size_t{1}, std::size_t{7}, std::size_t{16}, text.size()}) {
    line_decoder d{10};
    std::vector<std::string> lines;
    auto take = [&] {
      for (;;) {
        if (auto line = d.next()) {
          lines.emplace_back(*line);
        } else if (d.overflowed()) {
          lines.emplace_back("too long");
          d.go_on();
        } else {
          return;
        }
      }
    };
    for (std::size_t at = 0; at < text.size(); at += portion) {
      d.feed(std::string_view{text}.substr(at, portion));
      take();
      CHECK(d.held() <= 11);
    }
    d.finish();
    take();
    CAPTURE(portion);
    CHECK(lines ==
          std::vector<std::string>{"before", "too long", "after", "too long", "last", "too long"});
  }
}

}  // namespace fermata::io::line_decoder_test
