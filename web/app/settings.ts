// Volume and aiming speed, kept between visits.

import { byId, storage } from "./dom";

/** A slider whose value is kept under a name; what was kept is checked like any other stranger's text. */
function kept(id: string, listener: (value: number) => void): void {
  const slider = byId(id, HTMLInputElement);
  const key = `reprise.${id}`;
  let text: string | null | undefined;
  try {
    text = storage()?.getItem(key);
  } catch {
    text = undefined;
  }
  if (typeof text === "string" && /^\d{1,3}$/.test(text)) slider.value = text; // the slider clamps it
  const tell = () => {
    slider.setAttribute("aria-valuetext", `${slider.value} percent`);
    listener(Number(slider.value) / 100);
  };
  slider.addEventListener("input", () => {
    tell();
    try {
      storage()?.setItem(key, slider.value);
    } catch {
      // A full or forbidden store: the setting lasts until the page is left.
    }
  });
  tell();
}

export function keepSettings(volume: (value: number) => void, sensitivity: (value: number) => void): void {
  kept("volume", volume);
  kept("sensitivity", sensitivity);
}
