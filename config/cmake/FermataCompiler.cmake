# How every target is compiled: language, warnings, sanitizers, compiler cache. Presets select
# these with cache variables; nothing here depends on which files exist.

option(FERMATA_WERROR "Treat warnings as errors" OFF)
option(FERMATA_UNITY "Compile files in groups (three times faster from scratch)" ON)
set(FERMATA_SANITIZE "" CACHE STRING "Sanitizers: empty, address, thread or fuzzer")
set_property(CACHE FERMATA_SANITIZE PROPERTY STRINGS "" address thread fuzzer)

set(FERMATA_LIBRARIES "" CACHE PATH
  "Another build folder: build only the fuzz targets, and link them with the libraries of that folder")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

# --- warnings ------------------------------------------------------------------------------------

add_compile_options(
  -Wall -Wextra -Wpedantic $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow>
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wundef
  # Designated initializers deliberately leave members at their defaults.
  -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(
    -Wduplicated-cond -Wlogical-op
    # With optimization, g++ 12 reports these wrongly inside its own std::string, std::variant and
    # std::optional (GCC bugs 105329, 105651, 105562); the sanitizers find the real ones.
    -Wno-restrict -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-stringop-overread
    -Wno-array-bounds -Wno-free-nonheap-object)
endif()
# Sanitizers change what the optimizer sees, and thus the warnings, so warnings never fail those builds.
if(FERMATA_WERROR AND NOT FERMATA_SANITIZE)
  add_compile_options(-Werror)
endif()

# --- sanitizers ----------------------------------------------------------------------------------

# _GLIBCXX_ASSERTIONS is enabled only where CAF is not linked (preset fuzz): CAF 0.17.6 forms a reference
# from a null pointer when it spawns a function-based actor without arguments, and would abort.
# UBSan is compiled in recover mode because suppressions work only then; halt_on_error=1 in
# FERMATA_SANITIZER_ENV still makes the first report fatal.
if(FERMATA_SANITIZE STREQUAL "address")
  set(_sanitize -fsanitize=address,undefined)
elseif(FERMATA_SANITIZE STREQUAL "thread")
  set(_sanitize -fsanitize=thread)
elseif(FERMATA_SANITIZE STREQUAL "fuzzer")
  set(_sanitize -fsanitize=fuzzer-no-link,address,undefined)
elseif(FERMATA_SANITIZE)
  message(FATAL_ERROR "FERMATA_SANITIZE must be address, thread or fuzzer, not '${FERMATA_SANITIZE}'")
endif()
if(FERMATA_LIBRARIES)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(FERMATA_SANITIZE)
  add_compile_options(${_sanitize} -fno-omit-frame-pointer)
  add_link_options(${_sanitize})
  set(_suppressions "${PROJECT_SOURCE_DIR}/config/sanitizers")
  set(FERMATA_SANITIZER_ENV
    "ASAN_OPTIONS=halt_on_error=1:detect_stack_use_after_return=1:strict_string_checks=1"
    "LSAN_OPTIONS=suppressions=${_suppressions}/lsan.supp:print_suppressions=0"
    "UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:suppressions=${_suppressions}/ubsan.supp"
    "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:suppressions=${_suppressions}/tsan.supp")
endif()

# --- linking -------------------------------------------------------------------------------------

# Load only libraries that are used, so that the prompt starts faster.
add_link_options(-Wl,--as-needed)

# --- compiler cache ------------------------------------------------------------------------------

# Precompiled headers can be cached only with the sloppiness below (and -fpch-preprocess with g++);
# the base directory and the prefix map let several checkouts share one cache.
find_program(FERMATA_CCACHE ccache)
mark_as_advanced(FERMATA_CCACHE)
if(FERMATA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env
    "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
    "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
    "${FERMATA_CCACHE}")
  add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()

# --- groups --------------------------------------------------------------------------------------

# fermata_compile_in_groups(<target>): with FERMATA_UNITY, the sources of a folder are compiled together, as most
# of the time goes into headers and templates that all of them need. A group has at most ten files, so that it
# needs about a gigabyte of memory; a new file changes only groups of its folder.
function(fermata_compile_in_groups target)
  if(NOT FERMATA_UNITY)
    return()
  endif()
  set(size 10)
  get_target_property(sources ${target} SOURCES)
  set(folders "")
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    list(APPEND folders "${folder}")
    list(APPEND "in ${folder}" "${source}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE name)
    string(REPLACE "/" "_" name "${name}")
    list(LENGTH "in ${folder}" files)
    # As many groups as needed, of the same size.
    math(EXPR groups "(${files} + ${size} - 1) / ${size}")
    set(position 0)
    foreach(source IN LISTS "in ${folder}")
      math(EXPR group "${position} * ${groups} / ${files} + 1")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${name}_${group})
      math(EXPR position "${position} + 1")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
