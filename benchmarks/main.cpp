// land_bench: the micro-benchmarks. `make bench` (benchmarks/run.py) runs them and prints the ratios that matter;
// `land_bench --help` tells how to run some of them by hand.
#include <benchmark/benchmark.h>

#include <cstdio>

#include "land/base/error.h"
#include "land/base/simd_target.h"

int main(int argc, char** argv) {
  try {
    land::use_simd_target_of_environment();
    benchmark::AddCustomContext("simd_target", land::simd_targets().front());
  } catch (const land::InputError& error) {
    std::fprintf(stderr, "land_bench: %s\n", error.what());
    return 2;
  }
#ifdef __clang__
  benchmark::AddCustomContext("compiler", __VERSION__);
#else
  benchmark::AddCustomContext("compiler", "g++ " __VERSION__);
#endif
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
