/**
 * Many small questions as one large one. What is asked while earlier ones are being answered is gathered, and answered
 * together as soon as there is room: nobody waits for a clock. Knows nothing of what is asked.
 */
export interface Gathering {
  /** So many at a time. */
  most: number;
  /** So many groups at once. */
  groups: number;
}

interface Waiting<Asked, Answer> {
  asked: Asked;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** @param work gives the answers in the order of what was asked, or throws for all */
export function gathered<Asked, Answer>(
  { most, groups }: Gathering,
  work: (all: readonly Asked[]) => Promise<readonly Answer[]>,
): (asked: Asked) => Promise<Answer> {
  const waiting: Waiting<Asked, Answer>[] = [];
  let running = 0;
  let isScheduled = false;

  async function group(): Promise<void> {
    const mine = waiting.splice(0, most);
    try {
      const answers = await work(mine.map(({ asked }) => asked));
      mine.forEach(({ resolve, reject }, n) => {
        const answer = answers[n];
        if (answer === undefined) reject(new Error('a question of a group was not answered'));
        else resolve(answer);
      });
    } catch (error) {
      for (const { reject } of mine) reject(error);
    }
  }

  function begin(): void {
    isScheduled = false;
    while (waiting.length && running < groups) {
      running += 1;
      void group().then(() => {
        running -= 1;
        schedule();
      });
    }
  }

  // After everything that has arrived by now was read.
  function schedule(): void {
    if (isScheduled || waiting.length === 0 || running >= groups) return;
    isScheduled = true;
    setImmediate(begin);
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject });
      schedule();
    });
}
