// The blocks of an arena, and the budget.
#include "workspace.hpp"

namespace mineproof::exact {

namespace {
constexpr std::size_t kLargestStep = std::size_t{32} << 20;
}  // namespace

void* Arena::slow(std::size_t bytes) {
  // Use the next kept block if it is large enough, else put a new one in its place.
  std::size_t next = blocks_.empty() ? 0 : current_ + 1;
  if (next >= blocks_.size() || blocks_[next].size < bytes) {
    const std::size_t last = blocks_.empty() ? first_block_ / 2 : blocks_[next - 1].size;
    const std::size_t size = std::max(bytes, std::min(last * 2, kLargestStep));
    if (reserved_ + held_ + static_cast<std::int64_t>(size) > limit_) over_limit();
    Block block{std::unique_ptr<std::byte[]>(new std::byte[size]), size};
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(next), std::move(block));
    reserved_ += static_cast<std::int64_t>(size);
  }
  current_ = next;
  used_ = bytes;
  return blocks_[current_].memory.get();
}

void Arena::over_limit() const {
  throw BudgetExceeded("the memory cap of " + std::to_string(limit_ >> 20) + " MB is reached");
}

void Arena::clear() {
  std::size_t kept = 0;
  std::size_t count = 0;
  while (count < blocks_.size() && kept + blocks_[count].size <= kKept) kept += blocks_[count++].size;
  blocks_.resize(count);
  reserved_ = static_cast<std::int64_t>(kept);
  current_ = 0;
  used_ = 0;
}

void Workspace::poll() {
  polled_ += work_;
  work_ = 0;
  if (limits_.stop && limits_.stop(limits_.context)) throw Interrupted();
}

void Workspace::over_states() {
  throw BudgetExceeded("the budget of " + std::to_string(limits_.states) + " states is used up");
}

}  // namespace mineproof::exact
