/** Asks again and again until it is so. What fails on the way is told when the time is up. */
export async function eventually(
  what: string,
  isSo: () => Promise<boolean>,
  limitMs = 30_000,
): Promise<void> {
  const until = performance.now() + limitMs;
  let why: unknown;
  for (;;) {
    try {
      if (await isSo()) return;
      why = undefined;
    } catch (error) {
      why = error;
    }
    if (performance.now() > until)
      throw new Error(`Not so after ${limitMs} ms: ${what}`, { ...(why ? { cause: why } : {}) });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
