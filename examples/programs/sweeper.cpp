// An agent in C++ for mineproof's protocol of lines; it needs no library.
//
//     g++ -std=c++17 -O2 -o sweeper examples/programs/sweeper.cpp
//     mineproof play --agent "command: ./sweeper" --board beginner
//
// One clue at a time: if its hidden neighbours are all mines or all safe, it plays one of them.

#include <algorithm>
#include <cctype>
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

using Cell = std::pair<int, int>;

// The number behind a name such as "move": the first in the line.
long number(const std::string& line, const std::string& name) {
  return std::stol(line.substr(line.find("\"" + name + "\": ") + name.size() + 4));
}

// The rows of the board: all that stands between quotes in the list "rows".
std::vector<std::string> rows_of(const std::string& line) {
  std::vector<std::string> rows;
  std::size_t at = line.find("\"rows\": [") + 9;
  while (line[at] == '"') {
    const std::size_t end = line.find('"', at + 1);
    rows.push_back(line.substr(at + 1, end - at - 1));
    at = line[end + 1] == ',' ? end + 3 : end + 1;
  }
  return rows;
}

void answer(const char* action, Cell cell, const char* kind, const char* name) {
  std::cout << "{\"" << action << "\": [" << cell.first << ", " << cell.second << "], \"" << kind
            << "\": \"" << name << "\"}" << std::endl;  // endl, so that it leaves at once
}

void move(const std::vector<std::string>& rows, std::mt19937& random) {
  std::vector<Cell> unknown;
  const int height = static_cast<int>(rows.size()), width = static_cast<int>(rows[0].size());
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const char mark = rows[row][column];
      if (mark == '.') unknown.push_back({row, column});
      if (!std::isdigit(static_cast<unsigned char>(mark))) continue;
      std::vector<Cell> hidden;
      int mines = mark - '0';
      for (int r = std::max(row - 1, 0); r < std::min(row + 2, height); ++r)
        for (int c = std::max(column - 1, 0); c < std::min(column + 2, width); ++c) {
          if (rows[r][c] == '.') hidden.push_back({r, c});
          if (rows[r][c] == 'F' || rows[r][c] == '*') --mines;
        }
      if (hidden.empty()) continue;
      if (mines == 0) return answer("open", hidden[0], "proved", "single-point");
      if (mines == static_cast<int>(hidden.size()))
        return answer("flag", hidden[0], "proved", "single-point");
    }
  if (unknown.empty()) {
    std::cout << "{\"stop\": \"every hidden cell is flagged\"}" << std::endl;
    return;
  }
  answer("open", unknown[random() % unknown.size()], "guess", "random");
}

int main() {
  std::mt19937 random;
  std::string line;
  while (std::getline(std::cin, line)) {
    if (number(line, "move") == 1) random.seed(number(line, "seed"));  // a new game
    move(rows_of(line), random);
  }
}
