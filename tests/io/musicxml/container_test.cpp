#include "io/musicxml/encoding.hpp"
#include "io/musicxml/container/mxl.hpp"
#include "support.hpp"

#include <catch2/catch.hpp>
#include <zip.h>

namespace musicxml_test::container_test {

namespace {

const std::string title_score =
    "<score-partwise version=\"4.0\"><movement-title>Gr\xC3\xBC\xC3\x9F"
    "e \xF0\x9D\x84\x9E</movement-title><part-list><score-part id=\"P1\"><part-name/></score-part>"
    "</part-list><part id=\"P1\"><measure number=\"1\"/></part></score-partwise>";

std::string title_of(const std::string& bytes) {
  auto r = read(bytes, "title");
  return r ? r->score->header.movement_title : r.error().first().message;
}

std::string as_utf16(const std::string& utf8, bool big_endian, bool mark) {
  std::string out;
  auto unit = [&](unsigned u) {
    char high = static_cast<char>(u >> 8), low = static_cast<char>(u & 255);
    out += big_endian ? high : low;
    out += big_endian ? low : high;
  };
  if (mark) unit(0xFEFF);
  for (std::size_t i = 0; i < utf8.size();) {
    unsigned a = static_cast<unsigned char>(utf8[i]);
    auto next = [&](std::size_t k) { return static_cast<unsigned char>(utf8[i + k]) & 63u; };
    if (a < 0x80) {
      unit(a);
      i += 1;
    } else if (a < 0xE0) {
      unit((a & 31) << 6 | next(1));
      i += 2;
    } else if (a < 0xF0) {
      unit((a & 15) << 12 | next(1) << 6 | next(2));
      i += 3;
    } else {
      auto c = ((a & 7) << 18 | next(1) << 12 | next(2) << 6 | next(3)) - 0x10000;
      unit(0xD800 + (c >> 10));
      unit(0xDC00 + (c & 0x3FF));
      i += 4;
    }
  }
  return out;
}

/// A zip archive with the given members.
std::string archive_of(const std::vector<std::pair<std::string, std::string>>& members) {
  auto path = (fs::temp_directory_path() / ("fermata-zip-" + std::to_string(getpid()))).string();
  fs::remove(path);
  int fault = 0;
  auto* z = zip_open(path.c_str(), ZIP_CREATE, &fault);
  REQUIRE(z);
  for (auto& [name, content] : members) {
    auto* source = zip_source_buffer(z, content.data(), content.size(), 0);
    REQUIRE(zip_file_add(z, name.c_str(), source, 0) >= 0);
  }
  REQUIRE(zip_close(z) == 0);
  auto bytes = bytes_of(path);
  fs::remove(path);
  return bytes;
}

}  // namespace

TEST_CASE("a score reads the same in every encoding it may come in") {
  const std::string title = "Gr\xC3\xBC\xC3\x9F"
                            "e \xF0\x9D\x84\x9E";
  CHECK(title_of(title_score) == title);
  CHECK(title_of("\xEF\xBB\xBF" + title_score) == title);
  CHECK(title_of("<?xml version=\"1.0\" encoding=\"utf-8\"?>" + title_score) == title);
  auto declared16 = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + title_score;
  CHECK(title_of(as_utf16(declared16, false, true)) == title);
  CHECK(title_of(as_utf16(declared16, true, true)) == title);
  CHECK(title_of(as_utf16(declared16, false, false)) == title);
  CHECK(title_of(as_utf16(declared16, true, false)) == title);
  auto latin = std::string{"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>"} + title_score;
  auto word = latin.find("Gr");
  latin.replace(word, title.size(),
                "Gr\xFC\xDF"
                "e");
  CHECK(title_of(latin) == "Gr\xC3\xBC\xC3\x9F"
                           "e");
}

TEST_CASE("character references, white space and line ends arrive as XML says") {
  auto r = read(score_around("<direction><direction-type><words>a&#x266D;&#10;b\r\nc\t</words>"
                             "</direction-type></direction>"),
                "x");
  REQUIRE(r);
  auto m = first_measure(*r);
  auto& d = std::get<direction>(m.items.at(0).content);
  CHECK(std::get<words>(d.types[0]).text == "a\xE2\x99\xAD\nb\nc\t");
  auto again = read(write(*r->score, as_given()), "again");
  REQUIRE(again);
  CHECK(*again->score == *r->score);
}

TEST_CASE("a compressed score is the member that its container names") {
  const std::string container =
      "<container><rootfiles><rootfile full-path=\"music/second.xml\"/></rootfiles></container>";
  auto other = title_score;
  other.replace(other.find("Gr"), 2, "XX");
  CHECK(title_of(archive_of({{"META-INF/container.xml", container},
                             {"first.xml", other},
                             {"music/second.xml", title_score}}))
            .starts_with("Gr"));
  CHECK(title_of(archive_of({{"only.musicxml", title_score}, {"__MACOSX/only.musicxml", "?"}}))
            .starts_with("Gr"));
  CHECK(title_of(archive_of({{"a.xml", other}, {"b.xml", title_score}})).find("several scores") !=
        std::string::npos);
  CHECK(title_of(archive_of({{"META-INF/container.xml", container}})).find("music/second.xml") !=
        std::string::npos);
  CHECK(title_of(archive_of({{"META-INF/container.xml", "<container/>"}, {"a.xml", title_score}}))
            .find("names no score") != std::string::npos);
  CHECK(title_of(archive_of({{"readme.txt", "hello"}})).find("nor a score") != std::string::npos);
}

TEST_CASE("a zip bomb is stopped at the limit") {
  auto bomb = archive_of({{"score.xml", std::string(8'000'000, ' ')}});
  CHECK(bomb.size() < 100'000);
  read_limits limits;
  limits.bytes = 1'000'000;
  auto r = read(bomb, "bomb.mxl", limits);
  REQUIRE(!r);
  CHECK(r.error().first().code == errc::input_too_large);
}

TEST_CASE("what is packed is unpacked again, with the mimetype first and no clock inside") {
  auto packed = pack_mxl(title_score);
  REQUIRE(packed);
  // The first member is stored uncompressed, as the specification of .mxl recommends.
  CHECK(packed->substr(30, 8) == "mimetype");
  CHECK(packed->find("application/vnd.recordare.musicxml") != std::string::npos);
  auto unpacked = unpack_mxl(*packed, 1 << 20);
  REQUIRE(unpacked);
  CHECK(*unpacked == title_score);
  CHECK(*pack_mxl(title_score) == *packed);
}

}  // namespace musicxml_test::container_test
