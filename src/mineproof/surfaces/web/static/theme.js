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

  // Style sheets that few need. Written while the page is being read, they are waited for like its own.
  const written = (name) => `<link rel="stylesheet" href="static/css/${name}">`;
  const plain = dataset.skin === "modern" && dataset.digits === "plain";
  if (!plain) document.write(written("skins.css"));
  const place = document.currentScript; // after what they change, before the views' own
  const fit = (name, media) => {
    const window = matchMedia(media);
    if (window.matches) document.write(written(name));
    else window.addEventListener("change", () => place.insertAdjacentHTML("afterend", written(name)), { once: true });
  };
  fit("sideways.css", "(min-width: 560px) and (max-width: 1000px) and (max-height: 560px)");
  fit("upright.css", "(max-width: 559px)");
})();
