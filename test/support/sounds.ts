import type { Frame, Page } from 'playwright-core';

declare global {
  interface Window {
    testSounds?: number;
  }
}

/** Counts what the page plays from now on: two tones are a sound, once they are to be heard. */
export function countSounds() {
  window.testSounds = 0;
  const { createOscillator } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    if (this.state === 'running') window.testSounds = (window.testSounds ?? 0) + 0.5;
    return createOscillator.call(this);
  };
}
export const soundsOf = (page: Page | Frame) => page.evaluate(() => window.testSounds);
