// Chances as people read them: a text that never rounds to certainty, and a colour from blue
// (safe) through pale to orange (mine), which colour-blind readers can tell apart.

/** A chance in per cent, one decimal; 0 and 100 are used only for what is certain. */
export function percent(chance, certain = false) {
  if (certain) return chance > 0.5 ? "100" : "0";
  if (chance < 0.0005) return "<0.1";
  if (chance >= 0.9995) return ">99.9";
  const text = (100 * chance).toFixed(1);
  if (text === "0.0") return "<0.1";
  return text === "100.0" ? ">99.9" : text;
}

const STOPS = {
  light: [
    [0, [31, 95, 166]],
    [0.25, [112, 165, 213]],
    [0.5, [238, 234, 222]],
    [0.75, [238, 161, 84]],
    [1, [178, 74, 14]],
  ],
  dark: [
    [0, [38, 108, 186]],
    [0.25, [73, 116, 158]],
    [0.5, [92, 92, 92]],
    [0.75, [176, 112, 52]],
    [1, [226, 122, 44]],
  ],
};

/** The colours of a share from 0 (good) to 1 (bad): the fill, and the text that stands on it. */
export function heat(share, theme) {
  // Most chances are below a half: the square root spreads them over the scale.
  const place = Math.min(Math.max(share, 0), 1) ** 0.62;
  const stops = STOPS[theme] ?? STOPS.light;
  const next = Math.max(stops.findIndex(([at]) => at >= place), 1);
  const [from, low] = stops[next - 1];
  const [to, high] = stops[next];
  const mix = (place - from) / (to - from);
  const colour = low.map((part, index) => Math.round(part + (high[index] - part) * mix));
  return { fill: `rgb(${colour.join(" ")})`, ink: light(colour) > 0.179 ? "#000000" : "#ffffff" };
}

function light(colour) {
  const [r, g, b] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
