/** Somebody else's server, for webhooks: keeps every request as it came, and answers as a test says. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** Byte for byte. */
  raw: Buffer;
  body: z.infer<typeof hookBody>;
}

const hookBody = z.looseObject({ event: z.string() });

export interface Receiver {
  url: string;
  all: Received[];
  /** In the order they came. */
  of(event: string): Received[];
  /** A status, or `never`: the request is left without an answer. */
  answer: (request: Received, count: number) => number | 'never' | { status: number; location: string };
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    all: [],
    of: (event) => receiver.all.filter((request) => request.body.event === event),
    answer: () => 200,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const body = hookBody.parse(JSON.parse(raw.toString()));
      const received = { path: request.url ?? '', headers: request.headers, raw, body };
      receiver.all.push(received);
      const same = receiver.all.filter(
        (other) => other.headers['x-service-delivery'] === request.headers['x-service-delivery'],
      );
      const answer = receiver.answer(received, same.length);
      if (answer === 'never') return;
      if (typeof answer === 'number') response.writeHead(answer).end('thanks');
      else response.writeHead(answer.status, { location: answer.location }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('the receiver listens on no port');
  receiver.url = `http://127.0.0.1:${address.port}`;
  return receiver;
}

/** By the time it names and its bytes as they came. */
export function isSigned(received: Received, secret: string): boolean {
  const timestamp = String(received.headers['x-service-timestamp']);
  const text = Buffer.concat([Buffer.from(`${timestamp}.`), received.raw]);
  const digest = createHmac('sha256', secret).update(text).digest('hex');
  return received.headers['x-service-signature'] === `sha256=${digest}`;
}

/** What the account API tells of a webhook. */
export const webhookAnswer = z.looseObject({
  id: z.number(),
  url: z.string(),
  secret: z.string().nullable(),
  subscriptions: z.array(z.string()),
});

export const deliveryLog = z.object({
  meta: z.object({ count: z.number(), current_page: z.number(), total_pages: z.number() }),
  payload: z.array(
    z.looseObject({
      id: z.number(),
      delivery: z.string(),
      event: z.string(),
      state: z.string(),
      attempts: z.number(),
      response_status: z.number().nullable(),
      error: z.string().nullable(),
    }),
  ),
});
