/**
 * `WEBHOOK_SECRET=… node demo/receiver.mjs`: somebody else's server, which takes the service's webhooks and prints one
 * line for each. What is not signed, altered, late or sent once more by a stranger is refused with the reason. Needs
 * Node alone, to be taken as it is.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET: secret = '', PORT: port = '4000', HOST: host = '127.0.0.1' } = process.env;
if (!secret) {
  console.error(
    'Write WEBHOOK_SECRET=… before the command: the console shows it once when the webhook is made.',
  );
  process.exit(1);
}

/** The clocks of two machines differ, and a line may be slow. */
const TOLERANCE_SECONDS = 300;
/** So long a delivery may be tried. */
const KEPT_SECONDS = 7 * 86_400;
const MOST_BYTES = 5_000_000;

/** When each signature was seen, and each delivery taken, in seconds. */
const signatures = new Map();
const deliveries = new Map();

function forget(seen, before) {
  for (const [key, at] of seen) {
    // The oldest come first.
    if (at >= before) return;
    seen.delete(key);
  }
}

/** @returns the answer's status, and in a word why */
function judge(headers, raw) {
  const delivery = String(headers['x-service-delivery'] ?? '');
  const timestamp = String(headers['x-service-timestamp'] ?? '');
  const signature = String(headers['x-service-signature'] ?? '');
  const now = Math.floor(Date.now() / 1000);
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest('hex');
  const [given, right] = [Buffer.from(signature), Buffer.from(`sha256=${digest}`)];
  if (given.length !== right.length || !timingSafeEqual(given, right))
    return { status: 401, why: 'not signed, or altered' };
  if (!(Math.abs(now - Number(timestamp)) <= TOLERANCE_SECONDS)) return { status: 401, why: 'late' };
  forget(signatures, now - 2 * TOLERANCE_SECONDS);
  forget(deliveries, now - KEPT_SECONDS);
  // A delivery that is tried again has a time, and so a signature, of its own.
  if (signatures.has(signature)) return { status: 409, why: 'repeated' };
  signatures.set(signature, now);
  if (deliveries.has(delivery)) return { status: 200, why: 'taken before' };
  deliveries.set(delivery, now);
  return { status: 200, why: '' };
}

/** What it is, without anybody's words. */
function nameOf(raw) {
  try {
    const { event, id } = JSON.parse(raw.toString());
    return `${event} ${id ?? ''}`.trim();
  } catch {
    return 'no JSON';
  }
}

const server = createServer((request, response) => {
  const chunks = [];
  let bytes = 0;
  request.on('data', (chunk) => {
    bytes += chunk.length;
    if (bytes <= MOST_BYTES) chunks.push(chunk);
  });
  request.on('end', () => {
    const raw = Buffer.concat(chunks);
    const { status, why } =
      bytes > MOST_BYTES ? { status: 413, why: 'too large' } : judge(request.headers, raw);
    if (status !== 200) console.log(`refused: ${why}`);
    else if (!why) console.log(nameOf(raw));
    response.writeHead(status, { 'content-type': 'text/plain' }).end(why || 'thanks');
  });
});
server.listen(Number(port), host, () => console.log(`http://${host}:${server.address().port}`));
