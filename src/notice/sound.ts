/** Two soft tones, made here: no file is fetched for them. It does not know what they are for. */

/** Browsers let a page sound only once the visitor has touched it; where that cannot be asked, it is tried. */
const mayRing = (): boolean =>
  typeof AudioContext === 'function' && navigator.userActivation?.hasBeenActive !== false;

/** Later, it would sound at some press of the visitor's. */
const LATE_MS = 1000;

/** @param isWanted by the owner and by the visitor */
export function createBell(isWanted: () => boolean) {
  let audio: AudioContext | undefined;
  let over = false;
  let ringing = 0;
  const may = () => !over && isWanted() && mayRing();
  const wake = async () => {
    audio ??= new AudioContext();
    await audio.resume();
  };
  const rest = () => {
    if (!ringing) void audio?.suspend().catch(() => {});
  };
  const done = () => {
    ringing--;
    rest();
  };
  // Safari lets one sound that has been woken in a press, and no other.
  const press = () => {
    if (may())
      wake()
        .then(unlisten, () => {})
        .then(rest);
  };
  const unlisten = () => {
    removeEventListener('pointerup', press, true);
    removeEventListener('keydown', press, true);
  };
  addEventListener('pointerup', press, true);
  addEventListener('keydown', press, true);

  function tone(from: AudioContext, hertz: number, at: number) {
    const oscillator = from.createOscillator();
    const gain = from.createGain();
    oscillator.frequency.value = hertz;
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(0.08, at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.35);
    oscillator.connect(gain).connect(from.destination);
    oscillator.start(at);
    oscillator.stop(at + 0.4);
    return oscillator;
  }

  return {
    may,
    async ring() {
      const asked = performance.now();
      ringing++;
      try {
        await wake();
        if (!audio || over || performance.now() - asked > LATE_MS) return done();
        tone(audio, 660, audio.currentTime);
        tone(audio, 880, audio.currentTime + 0.12).onended = done;
      } catch {
        done();
      }
    },
    destroy() {
      over = true;
      unlisten();
      void audio?.close().catch(() => {});
    },
  };
}
