# Tests are found by folder and file name; adding a file needs no change to CMake files.
#
#   tests/<folder>/**/*_test.cpp   one Catch2 executable tests_<folder>, one ctest entry
#   tests/e2e/**/*_test.py         one ctest entry e2e.<name> each, run by pytest; names are unique in all subfolders
#   tests/fuzz/<name>.cpp          one libFuzzer executable fuzz_<name> (presets fuzz and corpus)

set(FERMATA_TEST_TIMEOUT 600)

# Resource of the tests that start a JACK server: ctest runs one of them at a time. JACK names the socket of a
# client after the client only, not after its server, so clients of the same name on two servers can get each
# other's answers while they start.
set(FERMATA_JACK_LOCK jack)

# Catch2's main is slow to compile, so it is built once, as a library.
add_library(fermata_catch_main STATIC EXCLUDE_FROM_ALL tests/support/catch_main.cpp)
target_link_libraries(fermata_catch_main PUBLIC Catch2::Catch2)

# fermata_add_tests(<folder> <headers to precompile>...)
function(fermata_add_tests folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "tests/${folder}/*_test.cpp")
  if(NOT sources)
    return()
  endif()
  set(target tests_${folder})
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE fermata_${folder} fermata_catch_main)
  if(folder STREQUAL "midi")
    target_link_libraries(${target} PRIVATE fermata_sound_parts)
    add_dependencies(${target} fermata_sound)
    set(lock RESOURCE_LOCK ${FERMATA_JACK_LOCK})
  endif()
  if(ARGN)
    target_precompile_headers(${target} PRIVATE <catch2/catch.hpp> ${ARGN})
  else()
    # Not with a precompiled header: it would depend on the path of the checkout, and checkouts could no
    # longer share it through the compiler cache.
    target_compile_definitions(${target} PRIVATE
      "FERMATA_TEST_DATA=\"${PROJECT_SOURCE_DIR}/tests/data\"")
  endif()
  if(NOT FERMATA_SANITIZE)
    # Only the libraries are measured and shipped; for tests, compile time matters more than run time.
    target_compile_options(${target} PRIVATE -O0)
  endif()
  # Each test file has a namespace of its own, named after it, so that private names may repeat in a group.
  fermata_compile_in_groups(${target})
  if(FERMATA_SANITIZE)
    # Stack frames are several times larger with sanitizers, and tests nest values as deep as allowed.
    add_test(NAME ${target} COMMAND sh -c "ulimit -s 131072 && exec '$<TARGET_FILE:${target}>'")
  else()
    add_test(NAME ${target} COMMAND ${target})
  endif()
  set_tests_properties(${target} PROPERTIES
    LABELS "unit;${folder}"
    TIMEOUT ${FERMATA_TEST_TIMEOUT}
    ENVIRONMENT "${FERMATA_SANITIZER_ENV}"
    ${lock})
endfunction()

# The tests that take longest, with seconds on two cores: ctest starts them first, so that the others end
# together with them. The table in docs/README.md is compared with this list by a test.
set(FERMATA_SLOW_TESTS
  e2e.sessions_killed 160
  tests_actors 90
  e2e.sessions_read_only 65
  tests_midi 65
  tests_core 60
  e2e.repl_bad_input 40
  e2e.repl_widths 25
  e2e.repl_tutorial 25
  e2e.branches_merge 20
  e2e.repl_proposals 15)

# Tells ctest how long the slow tests take; after all tests have been added.
function(fermata_set_test_costs)
  while(FERMATA_SLOW_TESTS)
    list(POP_FRONT FERMATA_SLOW_TESTS name seconds)
    # A test that was renamed fails the configuration here.
    set_tests_properties(${name} PROPERTIES COST ${seconds})
  endwhile()
endfunction()

# Use Debian's Python, for which Debian's pytest, pexpect and pyte are installed.
function(fermata_add_e2e_tests)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "tests/e2e/*_test.py" "tests/e2e/test_*.py")
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME_WE)
    string(REGEX REPLACE "^test_|_test$" "" name "${name}")
    file(STRINGS "${file}" jack_servers REGEX "JackServer")
    set(lock "")
    if(jack_servers)
      set(lock RESOURCE_LOCK ${FERMATA_JACK_LOCK})
    endif()
    add_test(NAME e2e.${name}
      COMMAND /usr/bin/python3 -m pytest -q -p no:cacheprovider "${file}")
    set_tests_properties(e2e.${name} PROPERTIES
      LABELS e2e
      TIMEOUT ${FERMATA_TEST_TIMEOUT}
      ENVIRONMENT "FERMATA_BIN=$<TARGET_FILE:fermata>;FERMATA_SOURCE=${PROJECT_SOURCE_DIR};FERMATA_TEST_DATA=${PROJECT_SOURCE_DIR}/tests/data;FERMATA_NODE=${PROJECT_SOURCE_DIR}/build/node;PYTHONDONTWRITEBYTECODE=1;${FERMATA_SANITIZER_ENV}"
      ${lock})
  endforeach()
endfunction()

# As a test, every target runs its corpus and then a fixed number of inputs generated from a fixed seed,
# so that the same tree always gets the same result: no time limit, and no guidance by compared
# values (use_cmp), which include addresses. `./dev fuzz` is random and runs longer. libFuzzer writes
# new inputs into the first folder it is given, so that is a scratch folder and the seeds are not changed.
set(FERMATA_FUZZ_RUNS 3000)

function(fermata_add_fuzz_tests)
  add_custom_target(fuzzers)
  set(fuzzed_libraries fermata_core fermata_midi fermata_io)
  file(GLOB files CONFIGURE_DEPENDS "tests/fuzz/*.cpp")
  foreach(file IN LISTS files)
    get_filename_component(name "${file}" NAME_WE)
    set(target fuzz_${name})
    add_executable(${target} EXCLUDE_FROM_ALL "${file}")
    if(FERMATA_LIBRARIES)
      list(TRANSFORM fuzzed_libraries REPLACE "fermata_.*" "${FERMATA_LIBRARIES}/lib\\0.a" OUTPUT_VARIABLE archives)
      list(JOIN archives "," archives)
      target_link_libraries(${target} PRIVATE "$<LINK_GROUP:RESCAN,${archives}>")
    endif()
    target_link_libraries(${target} PRIVATE ${fuzzed_libraries})
    target_compile_definitions(${target} PRIVATE
      "FERMATA_TEST_DATA=\"${PROJECT_SOURCE_DIR}/tests/data\"")
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers ${target})

    set(seeds "${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name}")
    if(NOT EXISTS "${seeds}")
      set(seeds "")
    endif()
    set(work "${PROJECT_BINARY_DIR}/fuzz/${name}")
    add_test(NAME fuzz.${name} COMMAND sh -c
      "rm -rf '${work}/short' && mkdir -p '${work}/short' && exec '$<TARGET_FILE:${target}>' \
-runs=${FERMATA_FUZZ_RUNS} -seed=1 -use_cmp=0 -timeout=60 -rss_limit_mb=2048 -verbosity=0 \
-print_final_stats=1 '-artifact_prefix=${work}/' '${work}/short' ${seeds}")
    set_tests_properties(fuzz.${name} PROPERTIES
      LABELS fuzz
      TIMEOUT 300
      ENVIRONMENT "${FERMATA_SANITIZER_ENV}")
  endforeach()
endfunction()
