// What the coach's card says of a game: a fault, or what can be asked. See says the best move.

/** Something went wrong, or something must be known first. */
export const notice = (text, tone = "plain") => ({ title: "Coach", text, tone });

/** What this is, for who comes for the first time. */
export const welcome = () => ({
  title: "Minesweeper, proved",
  text: `${matchMedia("(pointer: coarse)").matches ? "Tap" : "Click"} any cell to begin. When you are stuck, the coach knows every chance, the best move, and why.`,
  tone: "plain",
});

/** What can be asked while a game goes on. */
export const invitation = (asking) =>
  asking
    ? notice("Choose a cell: is it safe, a mine, or can nobody know?")
    : { ...notice("Stuck? A hint shows where to look first. Or turn on chances, or ask why about any cell."), idle: true };

/** A game without guesses whose address names its first cell. */
export const beginning = (cell, { board, numbers }) => ({
  ...notice(`This board was made for a first click at ${board.names[cell]}. Begin there to play the same game.`),
  numbers,
});
