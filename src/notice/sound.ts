/** Two soft tones, made here: no file is fetched for them. */

/** Browsers let a page sound only once the visitor has touched it; where that cannot be asked, it is tried. */
export const mayChime = (): boolean =>
  typeof AudioContext === 'function' && navigator.userActivation?.hasBeenActive !== false;

export function chime(): void {
  const audio = new AudioContext();
  const tone = (hertz: number, at: number) => {
    const oscillator = audio.createOscillator();
    const gain = audio.createGain();
    oscillator.frequency.value = hertz;
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(0.08, at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.35);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(at);
    oscillator.stop(at + 0.4);
    return oscillator;
  };
  tone(660, audio.currentTime);
  const last = tone(880, audio.currentTime + 0.12);
  const end = () => void audio.close().catch(() => {});
  last.onended = end;
  // Not allowed to sound: it would wait, and sound at the visitor's next press.
  setTimeout(() => audio.state === 'suspended' && end(), 300);
}
