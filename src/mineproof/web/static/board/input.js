// Mouse, touch, wheel and keys on a board, reported as gestures (see board.js).

const HOLD = 380; // ms until a press is a long one
const SLACK = 12; // px a finger may move and still tap
const AFTER_TOUCH = 900; // ms in which browsers repeat a touch as a mouse
const WRITTEN = "input:not([type=radio], [type=checkbox]), textarea, "; // fields in which letters are text
const SETTLE = 24; // ms until what the mouse alone changes is drawn: answers wait for the frame of an input

/** Listen on a board; returns the function that stops it. */
export function listen(board, options) {
  const { root, stage } = board;
  const ending = new AbortController();
  const on = (target, type, handler, more = {}) =>
    target.addEventListener(type, handler, { signal: ending.signal, ...more });
  const cellOf = (event) => {
    const found = event.target.closest?.("[data-cell]");
    return found && root.contains(found) ? Number(found.dataset.cell) : null;
  };
  const tell = (cell, kind, event, more = {}) =>
    options.onGesture?.({ cell, kind, alt: event.altKey, shift: event.shiftKey, time: event.timeStamp, ...more });

  mouse(board, options, { on, cellOf, tell });
  touch(board, { on, cellOf, tell });
  pinch(board, { on });

  // Keys act on the cell that was pointed at or focused last, as the line below the board says; where there is
  // none (null), those that need no cell still do, if `anywhere`.
  const press = (cell, event, pointed) => {
    if (options.onKey?.({ cell, key: event.key, event, pointed })) event.preventDefault();
  };
  on(root, "keydown", (event) => {
    const cell = cellOf(event);
    if (cell === null || !stage.offsetParent) return; // what is hidden keeps the focus for a moment
    const pointed = board._pointed ?? null;
    if (board._move(cell, event)) event.preventDefault();
    else press(pointed ?? cell, event, pointed !== null);
  });
  on(document, "keydown", (event) => {
    const cell = board._pointed ?? null;
    if (event.defaultPrevented || !stage.offsetParent || root.contains(event.target)) return;
    if (cell === null && !options.anywhere) return;
    if (event.target.closest(`${cell === null ? WRITTEN : ""}select, dialog`)) return;
    if (cell === null && event.key.startsWith("Arrow") && event.target === document.body) {
      event.preventDefault(); // into the board, where the arrows were last
      board.focus(board.cell);
      return;
    }
    press(cell, event, cell !== null);
    if (cell !== null && event.defaultPrevented && document.activeElement === event.target) board._focusByMouse(cell);
  });
  // On the stage: an SVG that listens to the focus would be a tab stop of its own.
  on(stage, "focusin", (event) => {
    const cell = cellOf(event);
    if (!board._byMouse) board._pointed = null;
    board._onFocus(cell);
    if (cell !== null) board._pointAt(cell);
  });
  on(stage, "focusout", () => board._onFocus(null));
  on(root, "contextmenu", (event) => event.preventDefault());
  const wheel = (event) => {
    const cell = cellOf(event);
    if (event.ctrlKey) {
      event.preventDefault();
      const edge = stage.getBoundingClientRect();
      board.zoom(event.deltaY < 0 ? 1.12 : 1 / 1.12, [event.clientX - edge.left, event.clientY - edge.top]);
    } else if (options.wheel && cell !== null && event.deltaY) {
      event.preventDefault();
      tell(cell, "wheel", event, { delta: Math.sign(event.deltaY) });
    }
  };
  on(stage, "wheel", wheel, { passive: false });
  return () => ending.abort();
}

function mouse(board, options, { on, cellOf, tell }) {
  const { root } = board;
  let pressed = null; // {cell, kind} while a button is down
  let painted = null;
  let strokes = 0; // begun with the paint
  const touched = (event) => event.timeStamp - (board._touchedAt ?? -Infinity) < AFTER_TOUCH;
  const soon = (act) => setTimeout(act, SETTLE);
  let focusWanted = null; // {cell, before}: a cell that gets the focus, unless that leaves `before` first
  const grantFocus = () => {
    if (focusWanted && document.activeElement === focusWanted.before) board._focusByMouse(focusWanted.cell);
    focusWanted = null;
  };
  let hovered; // the cell under the mouse
  let mouseAt; // where the mouse is on the screen: what scrolls below it is not pointed at
  const hover = (cell, event) => {
    const before = mouseAt;
    mouseAt = `${event.screenX},${event.screenY}`;
    if (touched(event) || (cell !== null && mouseAt === before)) return;
    // What was reached by keys keeps them, but for the board.
    const { activeElement: held } = document;
    board._pointed = root.contains(held) || !held?.matches(":focus-visible") ? cell : null;
    if (hovered === cell && (board._activeCell === cell || cell === null)) return;
    hovered = cell;
    soon(() => {
      if (hovered === cell) board._hover(cell);
    });
  };

  const preview = (cell) => {
    if (cell === null || !pressed) return board._press([]);
    const around = pressed.kind === "middle" || pressed.kind === "both";
    return board._press(around ? [cell, ...board.description.neighbours[cell]] : [cell]);
  };
  on(root, "mousedown", (event) => {
    const cell = cellOf(event);
    if (cell === null || touched(event)) return;
    event.preventDefault(); // the focus is set here; the middle button does not scroll
    focusWanted = { cell, before: document.activeElement };
    if (options.paint || event.button === 2) grantFocus();
    else soon(grantFocus);
    if ((event.buttons & 3) === 3) pressed = { cell, kind: "both" };
    else if (event.button === 1) pressed = { cell, kind: "middle" };
    else if (event.button === 2) {
      pressed = { cell, kind: "secondary" };
      tell(cell, "secondary", event);
    } else if (event.button === 0) {
      pressed = { cell, kind: "primary" };
      if (options.paint) {
        painted = cell;
        strokes += 1;
        tell(cell, "primary", event, { stroke: strokes });
      }
    }
    if (pressed?.kind !== "secondary" && !event.altKey) soon(() => pressed && preview(cell));
  });
  on(root, "mousemove", (event) => {
    const cell = cellOf(event);
    hover(cell, event);
    if (!pressed || pressed.kind === "secondary") return;
    if (options.paint && pressed.kind === "primary" && cell !== null && cell !== painted) {
      painted = cell;
      tell(cell, "primary", event, { stroke: strokes });
    }
    if (!event.altKey) preview(cell);
  });
  on(root, "mouseleave", (event) => {
    hover(null, event);
    preview(null);
  });
  on(document, "mouseup", (event) => {
    if (!pressed || touched(event)) return;
    const { kind } = pressed;
    const cell = cellOf(event);
    if (kind === "both" && event.buttons) {
      // One of two buttons is still down: the second release is not a click.
      pressed = { cell: pressed.cell, kind: "spent" };
      board._press([]);
      if (cell !== null) tell(cell, "both", event);
      return;
    }
    pressed = painted = null;
    if (focusWanted) setTimeout(grantFocus, 0);
    board._release(cell !== null && kind !== "secondary");
    if (cell === null) return;
    if ((kind === "primary" && !options.paint) || kind === "middle" || kind === "both") {
      tell(cell, kind, event);
    }
  });
}

function touch(board, { on, cellOf, tell }) {
  const { root } = board;
  let finger = null; // {id, cell, x, y, timer, held}
  const drop = () => {
    if (finger) clearTimeout(finger.timer);
    finger = null;
    board._press([]);
  };
  on(root, "pointerdown", (event) => {
    if (event.pointerType === "mouse") return;
    board._touchedAt = event.timeStamp;
    const cell = cellOf(event);
    if (finger || cell === null) return drop();
    finger = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, held: false };
    finger.timer = setTimeout(() => {
      if (!finger) return;
      finger.held = true;
      board._press([]);
      navigator.vibrate?.(12);
      tell(cell, "hold", event, { time: performance.now() });
    }, HOLD);
    board._press([cell]);
    return undefined;
  });
  on(root, "pointermove", (event) => {
    if (!finger || event.pointerId !== finger.id) return;
    if (Math.hypot(event.clientX - finger.x, event.clientY - finger.y) > SLACK) drop();
  });
  on(root, "pointercancel", drop);
  on(document, "pointerup", (event) => {
    if (event.pointerType === "mouse") return;
    board._touchedAt = event.timeStamp;
    if (!finger || event.pointerId !== finger.id) return;
    const { cell, held } = finger;
    drop();
    if (held) return;
    board._tabStop(cell);
    tell(cell, "tap", event);
  });
  // Two fingers are a pinch, not a tap.
  on(root, "touchstart", (event) => event.touches.length > 1 && drop(), { passive: true });
}

function pinch(board, { on }) {
  const { stage } = board;
  let apart = null;
  const spread = ([one, two]) => Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
  const begin = (event) => (apart = event.touches.length === 2 ? spread(event.touches) : null);
  const move = (event) => {
    if (event.touches.length !== 2 || !apart) return;
    event.preventDefault();
    const now = spread(event.touches);
    const edge = stage.getBoundingClientRect();
    const [one, two] = event.touches;
    const middle = [(one.clientX + two.clientX) / 2 - edge.left, (one.clientY + two.clientY) / 2 - edge.top];
    board.zoom(now / apart, middle);
    apart = now;
  };
  on(stage, "touchstart", begin, { passive: true });
  on(stage, "touchmove", move, { passive: false });
}
