// The main function of every Catch2 executable, compiled once because it is slow to compile.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
