#include "io/files/files.hpp"

#include "io/formats/formats.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <fstream>

namespace fermata::io::files_test {

TEST_CASE("a file without end is refused as soon as it is too long") {
  auto endless = io::read_file("/dev/zero", 100'000);
  REQUIRE_FALSE(endless);
  CHECK(endless.error().first().code == errc::input_too_large);
  CHECK(endless.error().first().message == "/dev/zero exceeds the limit of 100000 bytes");
}

TEST_CASE("a file may have exactly as many bytes as are read") {
  temporary_folder folder;
  auto path = (folder.path() / "a").string();
  std::ofstream{path} << std::string(200'000, 'x');
  CHECK(io::read_file(path, 200'000).value().size() == 200'000);
  auto over = io::read_file(path, 199'999);
  REQUIRE_FALSE(over);
  CHECK(over.error().first().code == errc::input_too_large);
}

TEST_CASE("a file without a name is said to be one, and a folder is no file") {
  CHECK(io::read_file("").error().first().message == "empty input file name");
  CHECK(io::write_file("", "x").error().first().message == "empty output file name");
  temporary_folder folder;
  auto read = io::read_file(folder.path().string());
  REQUIRE_FALSE(read);
  CHECK(read.error().first().code == errc::unreadable_file);
}

TEST_CASE("a fault in MusicXML is at the same text with a byte order mark as without one") {
  const std::string bytes =
      "<?xml version=\"1.0\"?>\n<score-partwise>\n<part-list><wrong></part-list>\n";
  auto read = io::format_by_name("musicxml")->read;
  auto text_at = [&](const std::string& file) {
    auto document = read(file, "a.musicxml");
    REQUIRE_FALSE(document);
    auto& d = document.error().first();
    REQUIRE(d.span);
    return file.substr(d.span->begin, d.span->end - d.span->begin);
  };
  CHECK(text_at(bytes) == text_at("\xEF\xBB\xBF" + bytes));
}

TEST_CASE("a format that no file name gives is recognized by its first bytes") {
  struct row {
    const char* bytes;
    const char* format;
  };
  for (auto& r : {
           row{"<?xml version=\"1.0\"?>", "musicxml"},
           row{"\ufeff<?xml version=\"1.0\"?>", "musicxml"},
           row{"\n  <score-partwise>", "musicxml"},
           row{"<!DOCTYPE score-partwise>", "musicxml"},
           row{"\xff\xfe<", "musicxml"},
           row{"PK\x03\x04", "mxl"},
           row{"(score)", "fermata"},
           row{"(< 1 2)", "fermata"},
           row{"; <?xml?>", "fermata"},
           row{"", "fermata"},
       }) {
    INFO(r.bytes);
    CHECK(io::format_of_bytes(r.bytes).name == r.format);
  }
}

TEST_CASE("MusicXML that is read as Fermata text is one fault and not one for each word") {
  auto read =
      io::format_by_name("fermata")->read("<?xml version=\"1.0\"?>\n<score-partwise/>", "-");
  REQUIRE_FALSE(read);
  REQUIRE(read.error().diagnostics.size() == 1);
  CHECK(read.error().first().code == errc::unsupported_format);
}

TEST_CASE("a format that there is not is called what it was called, and an extension likewise") {
  CHECK(io::format_called("foo").error().first().message == "unknown format `foo`");
  CHECK(io::format_called("LY").value()->name == "lilypond");
  CHECK(io::format_of_path("a.foo").error().first().message == "no format has the extension .foo");
  CHECK(io::format_of_path("").error().first().message == "empty file name");
}

TEST_CASE("whoever shows a fault of a MusicXML file names it, and the fault does not") {
  for (auto bytes : {"", "<score-partwise><x", "<html/>"}) {
    auto read = io::format_by_name("musicxml")->read(bytes, "e.musicxml");
    REQUIRE_FALSE(read);
    CHECK(read.error().first().message.find("e.musicxml") == std::string::npos);
  }
}

TEST_CASE("the documentation lists the formats that there are") {
  std::ifstream page{std::string{FERMATA_TEST_DATA} + "/../../docs/file-formats.md"};
  const std::string text{std::istreambuf_iterator<char>{page}, {}};
  INFO("docs/file-formats.md should have\n" << io::formats_text());
  CHECK(text.find("```text\n" + io::formats_text() + "```\n") != std::string::npos);
  for (auto& f : io::format_table())
    CHECK(io::formats_text().find(std::string{f.description}) != std::string::npos);
}

TEST_CASE("a fault in MusicXML has its place in the span or in the words, not in both") {
  auto& format = *io::format_by_name("musicxml");
  auto fault_in = [&](const std::string& bytes) {
    auto read = format.read(bytes, "x.musicxml");
    REQUIRE_FALSE(read);
    return read.error().first();
  };
  // The end tag in the second line closes another element than the open one.
  const std::string torn = "<score-partwise>\n<part-list></score-partwise>";
  auto plain = fault_in(torn);
  REQUIRE(plain.span);
  CHECK(locate(torn, plain.span->begin).line == 2);
  CHECK(plain.message.find("line ") == std::string::npos);
  CHECK(plain.message.find("(inside score-partwise/part-list)") != std::string::npos);
  auto listless = fault_in("<score-partwise/>");
  CHECK(listless.message == "<score-partwise>: there is no <part-list>");
  CHECK(listless.span);

  // Of the same in UTF-16 the file has no such bytes.
  std::string wide = "\xff\xfe";
  for (char c : torn)
    wide += {c, '\0'};
  auto converted = fault_in(wide);
  CHECK_FALSE(converted.span);
  CHECK(converted.message.starts_with("line 2, column "));
}

}  // namespace fermata::io::files_test
