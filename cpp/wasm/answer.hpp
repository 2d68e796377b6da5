// How a function of the JavaScript package answers: a status, and what it left to be read.
//
// JavaScript calls plain functions of the module. Each returns a status; its answer lies in `answer()`, in plain
// arrays, until the next call. No exception leaves the module: what the core throws becomes a status with a message.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mineproof::wasm {

enum class Status : std::int32_t {
  good = 0,
  contradiction = 1,  // no layout explains the position; `numbers` are the clues that clash
  over_budget = 2,    // more states, memory or time than was allowed
  malformed = 3,      // the message says what was expected
  failed = 4,         // anything else
};

struct Answer {
  std::vector<double> chances;
  std::vector<std::int32_t> numbers;
  std::vector<std::uint64_t> words;
  std::vector<std::uint8_t> bytes;
  std::string message;

  void clear() {
    chances.clear();
    numbers.clear();
    words.clear();
    bytes.clear();
    message.clear();
  }
};

// The answer of the last call.
Answer& answer();

// Throws std::invalid_argument with this message.
[[noreturn]] void refuse(const std::string& message);

// Runs a call, and turns what it throws into a status.
std::int32_t answered(void (*call)(void* context), void* context);

template <class Call>
std::int32_t answered(Call&& call) {
  return answered([](void* context) { (*static_cast<std::remove_reference_t<Call>*>(context))(); }, &call);
}

}  // namespace mineproof::wasm

// A function that JavaScript calls: its name is that in the module. Compilers for other machines know no such name.
#ifdef __wasm__
#define MINEPROOF_EXPORT(name) extern "C" __attribute__((export_name(#name), used))
#else
#define MINEPROOF_EXPORT(name) extern "C"
#endif
