/** For those who ask how we are: an answer that does not come in time is one, too. */
const patienceMs = 2000;

/** Rejects when `asked` takes too long; whatever it comes to then is nobody's. */
export async function inTime<T>(asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), patienceMs);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
