// The theme before the first paint, so that nothing flashes; settings.js goes on with it.

(() => {
  let theme = "auto";
  try {
    theme = JSON.parse(localStorage.getItem("mineproof.coach") ?? "{}").theme;
  } catch {
    // Storage is off, or holds something else.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const chosen = theme === "light" || theme === "dark";
  document.documentElement.dataset.theme = chosen ? theme : dark ? "dark" : "light";
})();
