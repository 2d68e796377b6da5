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

  // Style sheets for small windows. Written while the page is being read, they are waited for like its own. One
  // that is needed later goes to the same place: after what it changes, before the sheets of the views.
  const fit = (name, media, put) => {
    const window = matchMedia(media);
    const link = `<link rel="stylesheet" href="static/css/${name}">`;
    if (window.matches) document.write(link);
    else window.addEventListener("change", () => put(link), { once: true });
  };
  const here = document.currentScript;
  fit("narrow.css", "(max-width: 860px)", (link) => here.insertAdjacentHTML("afterend", link));
  fit("sideways.css", "(min-width: 560px) and (max-width: 1000px) and (max-height: 560px)", (link) =>
    document.querySelector("script[type=module]").insertAdjacentHTML("beforebegin", link),
  );
})();
