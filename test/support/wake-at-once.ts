/**
 * For a page: by its clock, sound wakes at once. A busy machine may need seconds for it, and a bell that is so late stays
 * silent. Where a press has come meanwhile, the time is what it is: only then may the sound have waited for that.
 */
export function wakeAtOnce() {
  const { now } = performance;
  const { resume } = AudioContext.prototype;
  let last = 0;
  let held: number | undefined;
  let presses = 0;
  performance.now = () => {
    last = held ?? now.call(performance);
    return last;
  };
  for (const press of ['pointerdown', 'keydown']) addEventListener(press, () => presses++, true);
  AudioContext.prototype.resume = async function () {
    const [asked, before] = [last, presses];
    await resume.call(this);
    if (presses !== before) return;
    held = Math.min(held ?? asked, asked);
    // Whoever has waited for it goes on before that.
    setTimeout(() => {
      held = undefined;
    });
  };
}
