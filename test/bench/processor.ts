/** Processor time of processes, where /proc tells it: on a shared machine it says more than the clock. */
import { readdirSync, readFileSync } from 'node:fs';

const tickMs = 10;

interface Used {
  parent: number;
  ms: number;
  /** Of children that have ended. */
  goneMs: number;
}

function read(pid: number | string): Used | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ms = (from: number) => (Number(rest[from]) + Number(rest[from + 1])) * tickMs;
    return { parent: Number(rest[1]), ms: ms(11), goneMs: ms(13) };
  } catch {
    return undefined;
  }
}

/** Of one process and its children, those that have ended among them. */
export function processorMs(pid: number | undefined): number {
  if (pid === undefined) return Number.NaN;
  let names: string[] = [];
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return Number.NaN;
  }
  return names.reduce((sum, name) => {
    const used = read(name);
    if (!used) return sum;
    if (Number(name) === pid) return sum + used.ms + used.goneMs;
    return used.parent === pid ? sum + used.ms : sum;
  }, 0);
}
