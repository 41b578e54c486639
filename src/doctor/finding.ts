/** What a check of the doctor says. It knows no check. */

export type Level =
  | 'ok'
  /** The chat works, and not as well as it could. */
  | 'warning'
  | 'problem'
  /** Something else must be put right first. */
  | 'unknown';

export interface Finding {
  level: Level;
  /** For the owner: what is so, and what to do about it. Holds no secret and no word of a conversation. */
  says: string;
}

/** One check, done. */
export interface Result {
  title: string;
  level: Level;
  findings: Finding[];
}

export const ok = (says: string): Finding => ({ level: 'ok', says });
export const warning = (says: string): Finding => ({ level: 'warning', says });
export const problem = (says: string): Finding => ({ level: 'problem', says });
export const unknown = (says: string): Finding => ({ level: 'unknown', says });

/** From the best to the worst. */
const order: readonly Level[] = ['ok', 'unknown', 'warning', 'problem'];

export const worst = (findings: readonly Finding[]): Level =>
  order[Math.max(0, ...findings.map(({ level }) => order.indexOf(level)))] ?? 'ok';
