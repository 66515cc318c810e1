// The instruction set in use: the best the machine has, unless the environment variable LAND_SIMD names another.
#pragma once

#include <string>
#include <vector>

namespace land {

// Instruction sets that this machine can run and this program was compiled for, best first: "avx2", "sse4", ...,
// and last the one that every machine has: "scalar" of g++, "emu128" of clang.
std::vector<std::string> simd_targets();

// Uses the one named; empty: the best. Throws InputError naming the possible ones.
void use_simd_target(const std::string& name);

// use_simd_target($LAND_SIMD), once per process.
void use_simd_target_of_environment();

}  // namespace land
