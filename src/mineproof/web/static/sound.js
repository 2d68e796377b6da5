// Sounds, made from plain tones. They are off until the player turns them on.

import { settings } from "./settings.js";

/** A sound is a list of [start in s, frequency in Hz, length in s, loudness, wave]. */
const SOUNDS = {
  open: [[0, 520, 0.05, 0.05, "sine"]],
  area: [
    [0, 420, 0.07, 0.05, "sine"],
    [0.05, 560, 0.07, 0.05, "sine"],
    [0.1, 700, 0.08, 0.04, "sine"],
  ],
  flag: [[0, 880, 0.05, 0.04, "triangle"]],
  unflag: [[0, 590, 0.05, 0.04, "triangle"]],
  won: [
    [0, 523, 0.16, 0.06, "sine"],
    [0.11, 659, 0.16, 0.06, "sine"],
    [0.22, 784, 0.16, 0.06, "sine"],
    [0.33, 1047, 0.4, 0.06, "sine"],
  ],
  lost: [
    [0, 150, 0.35, 0.12, "triangle"],
    [0.04, 84, 0.5, 0.12, "sine"],
  ],
};

let audio = null;

/** Play a sound by its name, if sounds are on and the browser lets them be heard. */
export function play(name) {
  if (!settings.get("sound")) return;
  if (!("AudioContext" in window)) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  for (const [start, frequency, length, loudness, wave] of SOUNDS[name]) {
    tone(audio.currentTime + start, frequency, length, loudness, wave);
  }
}

function tone(start, frequency, length, loudness, wave) {
  const source = new OscillatorNode(audio, { type: wave, frequency });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loudness, start + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length);
}

