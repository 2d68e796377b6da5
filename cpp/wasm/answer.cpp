#include "wasm/answer.hpp"

#include <exception>
#include <new>
#include <stdexcept>

#include "exact/limits.hpp"

namespace mineproof::wasm {

Answer& answer() {
  static Answer kept;
  return kept;
}

void refuse(const std::string& message) { throw std::invalid_argument(message); }

namespace {

std::int32_t failing(Status status, const char* message) {
  answer().clear();
  answer().message = message;
  return static_cast<std::int32_t>(status);
}

}  // namespace

std::int32_t answered(void (*call)(void* context), void* context) {
  answer().clear();
  try {
    call(context);
    return static_cast<std::int32_t>(Status::good);
  } catch (const exact::Contradiction& e) {
    const std::vector<std::int32_t> clues = e.clues;
    const std::int32_t status = failing(Status::contradiction, e.what());
    answer().numbers = clues;
    answer().bytes.push_back(e.total);
    return status;
  } catch (const exact::BudgetExceeded& e) {
    const std::int32_t status = failing(Status::over_budget, e.what());
    if (e.boxes > 0) answer().numbers = {e.boxes, e.cell};
    return status;
  } catch (const exact::Interrupted&) {
    return failing(Status::over_budget, "the time that was allowed is used up");
  } catch (const std::bad_alloc&) {
    return failing(Status::over_budget, "the memory of the module is used up");
  } catch (const std::length_error&) {
    return failing(Status::over_budget, "the memory of the module is used up");
  } catch (const std::invalid_argument& e) {
    return failing(Status::malformed, e.what());
  } catch (const std::exception& e) {
    return failing(Status::failed, e.what());
  }
}

}  // namespace mineproof::wasm

using mineproof::wasm::answer;

MINEPROOF_EXPORT(chances) const double* answered_chances() { return answer().chances.data(); }
MINEPROOF_EXPORT(chances_size) std::size_t answered_chances_size() { return answer().chances.size(); }
MINEPROOF_EXPORT(numbers) const std::int32_t* answered_numbers() { return answer().numbers.data(); }
MINEPROOF_EXPORT(numbers_size) std::size_t answered_numbers_size() { return answer().numbers.size(); }
MINEPROOF_EXPORT(words) const std::uint64_t* answered_words() { return answer().words.data(); }
MINEPROOF_EXPORT(words_size) std::size_t answered_words_size() { return answer().words.size(); }
MINEPROOF_EXPORT(bytes) const std::uint8_t* answered_bytes() { return answer().bytes.data(); }
MINEPROOF_EXPORT(bytes_size) std::size_t answered_bytes_size() { return answer().bytes.size(); }
MINEPROOF_EXPORT(message) const char* answered_message() { return answer().message.data(); }
MINEPROOF_EXPORT(message_size) std::size_t answered_message_size() { return answer().message.size(); }
