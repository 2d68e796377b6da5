// Sounds. They are off until the player turns them on, and loaded then.

import { settings } from "./settings.js";

/** Play a sound by its name (see tones.js), if sounds are on. */
export async function play(name) {
  if (settings.get("sound")) (await import("./tones.js")).play(name);
}
