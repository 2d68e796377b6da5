// Positions to begin with in Analyse: [name, text in the short notation]; the first is shown first.

export const EXAMPLES = [
  [
    "In the middle of a game",
    `square 9x9 mines=10
1.1000000
111000011
00122102.
012..213.
01.......
12.......
.........
.........
.........`,
  ],
  [
    "1-2-1 along a wall",
    `square 4x5 mines=4
.....
.....
12121
00000`,
  ],
  [
    "Two cells, one mine: a guess",
    `square 4x4 mines=2
.200
.200
1100
0000`,
  ],
  [
    "An impossible position",
    `square 9x9 mines=10
...201.10
...311110
....31000
.1...1000
..3221000
..1000000
..1000000
..1000000
..1000000`,
  ],
  [
    "Only the total decides",
    `square 4x6 mines=3
1.....
12221.
00001.
00001.`,
  ],
  [
    "Hexagons",
    `hex 8x8 mines=10
........
........
111.....
1112....
1.2.....
01112...
000012..
00001...`,
  ],
];
