/**
 * Structured logs. A line holds the route's template, never the path of a request: the path of a contact is its
 * secret. No header, body or token is ever given to the logger.
 */
import { EventEmitter } from 'node:events';
import pino from 'pino';

export type Log = pino.Logger;
export type LogLevel = 'silent' | 'error' | 'info';

/** What could not be written waits for room; more than that is not written. */
const mostWaitingBytes = 1024 * 1024;

/** A line that has no room must fail nothing else: what it tells of is done. */
function inPatience(destination: pino.DestinationStream): pino.DestinationStream {
  if (destination instanceof EventEmitter) destination.on('error', () => undefined);
  return {
    write(line) {
      try {
        destination.write(line);
      } catch {
        // There is nowhere to say it.
      }
    },
  };
}

/** Standard output belongs to the addresses `main.ts` prints, so logs go to standard error. */
export function createLog(level: LogLevel, destination?: pino.DestinationStream): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    inPatience(destination ?? pino.destination({ fd: 2, sync: true, maxLength: mostWaitingBytes })),
  );
}

/** An error without its surroundings: drivers put values of rows into `detail` and `parameters`. */
export function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const { cause } = error;
  const code =
    'code' in error ? error.code : cause instanceof Error && 'code' in cause ? cause.code : undefined;
  // Without its words, of which a line may begin as a frame does.
  const stack = (error.stack ?? '').replace(error.message, () => '');
  const frames = stack.split('\n').filter((line) => line.trimStart().startsWith('at '));
  return { error: error.name, code, stack: frames.slice(0, 8).map((line) => line.trim()) };
}
