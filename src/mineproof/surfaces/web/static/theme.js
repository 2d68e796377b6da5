// The look before the first paint, so that nothing flashes; settings.js goes on with it.

(() => {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem("mineproof.coach") ?? "{}") ?? {};
  } catch {
    // Storage is off, or holds something else.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const one = (value, choices) => (choices.includes(value) ? value : null);
  const { dataset } = document.documentElement;
  dataset.theme = one(kept.theme, ["light", "dark"]) ?? (dark ? "dark" : "light");
  dataset.skin = one(kept.skin, ["classic", "contrast"]) ?? "modern";
  dataset.digits = one(kept.digits, ["safe"]) ?? "plain";
  dataset.rulers = kept.rulers === false ? "off" : "on";
})();
