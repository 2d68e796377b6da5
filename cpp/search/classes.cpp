#include "search/classes.hpp"

#include <algorithm>
#include <span>

#include "rng.hpp"

namespace mineproof::search {

namespace {

// The columns of a table by the set of rows where they are mines.
struct Face {
  Key mines;
  std::uint32_t count = 0;
  bool constant = true;  // one value where safe
  std::int32_t column = 0;
};

std::vector<Face> faces_of(const SolutionTable& table, const std::vector<Key>& keys) {
  std::vector<Face> faces(table.columns());
  std::vector<std::uint8_t> seen(table.columns(), kMine);
  for (std::size_t r = 0; r < table.rows; ++r) {
    const std::uint8_t* row = table.row(r);
    for (std::size_t c = 0; c < faces.size(); ++c) {
      Face& f = faces[c];
      if (row[c] == kMine) {
        f.mines.toggle(keys[r]);
        ++f.count;
      } else if (seen[c] == kMine) {
        seen[c] = row[c];
      } else {
        f.constant &= seen[c] == row[c];
      }
    }
  }
  for (std::size_t c = 0; c < faces.size(); ++c) faces[c].column = static_cast<std::int32_t>(c);
  return faces;
}

// One value for the columns together, by row: numbers of distinct tuples. False when there are too many for a byte.
bool merge(const SolutionTable& table, std::span<const std::int32_t> columns, std::vector<std::uint8_t>& ids) {
  ids.resize(table.rows);
  if (columns.size() == 1) {
    for (std::size_t r = 0; r < table.rows; ++r) ids[r] = table.row(r)[columns[0]];
    return true;
  }
  std::vector<std::size_t> example;  // of every tuple, a row
  for (std::size_t r = 0; r < table.rows; ++r) {
    const std::uint8_t* row = table.row(r);
    if (row[columns[0]] == kMine) {
      ids[r] = kMine;
      continue;
    }
    std::size_t id = 0;
    for (; id < example.size(); ++id) {
      const std::uint8_t* other = table.row(example[id]);
      if (std::all_of(columns.begin(), columns.end(), [&](std::int32_t c) { return row[c] == other[c]; })) break;
    }
    if (id == example.size()) {
      if (id == 64) return false;
      example.push_back(r);
    }
    ids[r] = static_cast<std::uint8_t>(id);
  }
  return true;
}

}  // namespace

// Cells that are mines in the same rows are opened together: after the first, the others are certain. So each such
// class becomes one column. Columns that never differ go.
void Classes::read(const SolutionTable& table) {
  for (std::size_t r = keys.size(); r < table.rows; ++r) {
    keys.push_back({mix64(2 * r + 1 + golden), mix64(mix64(2 * r + 2) + golden)});
  }
  class_of.assign(table.columns(), kSaysNothing);
  first_cell.clear();
  std::vector<Face> faces = faces_of(table, keys);
  std::erase_if(faces, [&](const Face& f) {
    if (f.count == table.rows) class_of[static_cast<std::size_t>(f.column)] = kAlwaysMine;
    return f.count == table.rows || (f.count == 0 && f.constant);
  });
  std::vector<std::vector<std::int32_t>> members;
  std::vector<std::uint8_t> used(faces.size(), 0);
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (used[i]) continue;
    std::vector<std::int32_t> same;
    for (std::size_t k = i; k < faces.size(); ++k) {
      if (used[k] || !(faces[k].mines == faces[i].mines)) continue;
      used[k] = 1;
      same.push_back(faces[k].column);
    }
    members.push_back(std::move(same));
  }
  std::vector<std::vector<std::uint8_t>> column;
  std::vector<std::uint8_t> ids;
  for (const auto& same : members) {
    // Where their values together are too many for a byte they stay apart.
    const std::size_t step = merge(table, same, ids) ? same.size() : 1;
    for (std::size_t i = 0; i < same.size(); i += step) {
      if (step == 1 && same.size() > 1) merge(table, std::span(same).subspan(i, 1), ids);
      for (std::size_t k = i; k < i + step; ++k) {
        class_of[static_cast<std::size_t>(same[k])] = static_cast<std::int32_t>(column.size());
      }
      first_cell.push_back(table.cells[static_cast<std::size_t>(same[i])]);
      column.push_back(ids);
    }
  }
  count = column.size();
  stride = std::max<std::size_t>((count + kWide - 1) / kWide, 1) * kWide;
  values.assign(table.rows * stride, kMine);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t r = 0; r < table.rows; ++r) values[r * stride + c] = column[c][r];
  }
}

}  // namespace mineproof::search
