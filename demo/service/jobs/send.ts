/** One POST to somebody else's server: signed, short of patience, following nobody, telling what came of it. */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { hmacOf } from '../secrets.js';
import { isPrivateAddress, literalAddress, PrivateAddress, publicOnly } from './address-guard.js';

export interface Letter {
  url: string;
  uuid: string;
  body: string;
  secret: string | null;
}

export type Outcome =
  | { kind: 'delivered'; status: number }
  /** Worth another try. */
  | { kind: 'failed'; status: number | null; error: string }
  /** Would fail again, however often. */
  | { kind: 'refused'; status: number | null; error: string };

const again = (status: number) => [408, 425, 429].includes(status) || status >= 500;

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  const error = status >= 300 && status < 400 ? 'redirects are not followed' : `answered ${status}`;
  return { kind: again(status) ? 'failed' : 'refused', status, error };
}

/** Of the time and the bytes as they are sent: a receiver proves both. */
function signature(secret: string, timestamp: string, body: string): string {
  return `sha256=${hmacOf(secret, `${timestamp}.${body}`)}`;
}

function headersOf({ uuid, body, secret }: Letter): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Accept: 'application/json',
    'User-Agent': 'Parley',
    'X-Service-Delivery': uuid,
    ...(secret === null
      ? {}
      : { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': signature(secret, timestamp, body) }),
  };
}

/** An error of the line in one word; its message would name addresses inside. */
function wordFor(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'no answer';
}

export async function send(
  letter: Letter,
  {
    allowPrivate,
    timeoutMs,
    stop,
    nameServers,
  }: { allowPrivate: boolean; timeoutMs: number; stop: AbortSignal; nameServers?: readonly string[] },
): Promise<Outcome> {
  const privately: Outcome = { kind: 'refused', status: null, error: 'the address is private' };
  if (!URL.canParse(letter.url)) return { kind: 'refused', status: null, error: 'the address is not a URL' };
  const url = new URL(letter.url);
  const literal = literalAddress(url);
  if (!allowPrivate && literal !== undefined && isPrivateAddress(literal)) return privately;
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  // Of one letter: what `AbortSignal.any` makes of a signal that lives as long as the process is kept by it as long.
  const over = new AbortController();
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    over.abort();
  }, timeoutMs);
  const end = () => over.abort();
  stop.addEventListener('abort', end);
  if (stop.aborted) end();
  try {
    const status = await new Promise<number>((resolve, reject) => {
      const call = request(
        url,
        {
          method: 'POST',
          headers: headersOf(letter),
          signal: over.signal,
          // A connection of its own: a kept one may be closed by the other side just as we write.
          agent: false,
          ...(allowPrivate ? {} : { lookup: publicOnly(over.signal, nameServers) }),
        },
        (response) => {
          resolve(response.statusCode ?? 0);
          // The answer's words mean nothing to us, and may be endless.
          response.destroy();
        },
      );
      call.on('error', reject);
      // An answer that changes the protocol is told neither as an answer nor as an error: the line is just closed.
      call.on('close', () => reject(new Error('closed without an answer')));
      call.end(letter.body);
    });
    return outcomeOf(status);
  } catch (error) {
    if (error instanceof PrivateAddress) return privately;
    if (isLate) return { kind: 'failed', status: null, error: `no answer within ${timeoutMs} ms` };
    return { kind: 'failed', status: null, error: wordFor(error) };
  } finally {
    clearTimeout(late);
    stop.removeEventListener('abort', end);
  }
}
