#include "core/lang/evaluation/evaluate.hpp"
#include "core/lang/layout/compile.hpp"
#include "core/lang/layout/decompile.hpp"
#include "support.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

namespace musicxml_test::schema_cases_test {

namespace {

fs::path script(const char* name) {
  return fs::path{FERMATA_TEST_DATA} / ".." / "e2e" / "support" / name;
}

/// Exit status and output of a command.
std::pair<int, std::string> run(const std::string& command) {
  std::string text;
  auto pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return {-1, "popen failed"};
  char piece[4096];
  for (std::size_t n; (n = fread(piece, 1, sizeof piece, pipe)) > 0;)
    text.append(piece, n);
  return {pclose(pipe), std::move(text)};
}

result<score> meaning_of(const std::string& text) {
  evaluation_request request;
  request.text = text;
  request.env = std::make_shared<const environment>();
  request.score = empty_score();
  request.commit = false;
  auto r = evaluate(request);
  if (!r) return fail(std::move(r.error()));
  return compile_score(*r->values.back().as_music());
}

}  // namespace

// Every child missing, once and twice, every attribute, empty and odd texts, for every type of the
// schema. FERMATA_SCHEMA_CASES=all tries every value of every type; it takes minutes.
TEST_CASE("whatever the schema allows comes back from a file and from its text") {
  temporary_folder folder;
  auto all = std::getenv("FERMATA_SCHEMA_CASES");
  auto made = run("python3 " + script("musicxml_generator.py").string() + " " +
                  (fs::path{FERMATA_TEST_DATA} / "xsd" / "musicxml-local.xsd").string() + " " +
                  folder.path().string() + (all ? " --thorough" : ""));
  INFO(made.second);
  REQUIRE(made.first == 0);
  auto scores = 0, timewise = 0;
  for (;; ++scores) {
    auto file = folder.path() / (std::to_string(scores) + ".musicxml");
    if (!fs::exists(file)) break;
    INFO(file.filename().string());
    auto r = read(bytes_of(file), file.string());
    REQUIRE(r);
    auto written = write(*r->score, as_given());
    std::ofstream(file.parent_path() / (std::to_string(scores) + ".back.musicxml")) << written;
    auto turned = folder.path() / (std::to_string(scores) + ".timewise.musicxml");
    if (fs::exists(turned)) {
      auto same = read(bytes_of(turned), turned.string());
      REQUIRE(same);
      CHECK((*same->score == *r->score));
      ++timewise;
    }
    auto text = print_score(*r->score);
    auto back = meaning_of(text);
    if (!back) {
      FAIL_CHECK(render(back.error(), text).substr(0, 1500));
      continue;
    }
    CHECK((*back == *r->score));
    CHECK((write(*back, as_given()) == written));
  }
  CHECK(scores > 1000);
  CHECK(timewise > 1000);
  auto compared =
      run("python3 " + script("musicxml_compare.py").string() + " " + folder.path().string());
  INFO(compared.second.substr(0, 5000));
  CHECK(compared.first == 0);
}

}  // namespace musicxml_test::schema_cases_test
