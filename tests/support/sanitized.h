// Whether a sanitizer watches: it takes memory of its own, and its programs do not run in an emulator.
#pragma once

namespace land::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace land::test
