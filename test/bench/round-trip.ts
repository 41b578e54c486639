/**
 * A message's way through the service: the visitor posts, the agent's socket hears it, the agent answers, the
 * visitor's socket hears that. Beside it the limit, a bare echo over a socket between two processes of this machine.
 * No browser: what a page adds is measured elsewhere.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { figuresOf } from './clients.js';

export interface RoundTrip {
  messages: number;
  toAgent: Percentiles;
  back: Percentiles;
  both: Percentiles;
  loopback: Percentiles;
}
export interface Percentiles {
  p50: number;
  p99: number;
}

const inboxPath = '/public/api/v1/inboxes';
const account = '/api/v1/accounts/1';
const contactSchema = z.object({ source_id: z.string(), pubsub_token: z.string() });
const conversationSchema = z.looseObject({ id: z.number() });
const profileSchema = z.looseObject({ id: z.number(), pubsub_token: z.string() });
const LIMIT_MS = 10_000;

async function ask(url: string, method: string, body: unknown, token?: string): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { api_access_token: token } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  if (!response.ok) throw new Error(`${method} ${new URL(url).pathname} answered ${response.status}`);
  return response.json();
}

/** A subscribed socket; `heard` waits for the frame with these words, which must not have come yet. */
async function subscribe(url: string, room: Record<string, unknown>) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/cable`, ['actioncable-v1-json']);
  const waiting = new Map<string, () => void>();
  await once(socket, 'open');
  const confirmed = new Promise<void>((resolve) => waiting.set('confirm_subscription', resolve));
  socket.on('message', (data) => {
    const text = String(data);
    for (const [words, done] of waiting) {
      if (!text.includes(words)) continue;
      waiting.delete(words);
      done();
    }
  });
  const identifier = JSON.stringify({ channel: 'RoomChannel', ...room });
  socket.send(JSON.stringify({ command: 'subscribe', identifier }));
  await confirmed;
  return {
    close: () => socket.terminate(),
    heard: (words: string) =>
      new Promise<number>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`nobody heard "${words}"`)), LIMIT_MS);
        waiting.set(words, () => {
          clearTimeout(timer);
          resolve(performance.now());
        });
      }),
  };
}

async function throughService(url: string, token: string, inbox: string, count: number, limitMs: number) {
  const contact = contactSchema.parse(await ask(`${url}${inboxPath}/${inbox}/contacts`, 'POST', {}));
  const path = `${url}${inboxPath}/${inbox}/contacts/${contact.source_id}/conversations`;
  const { id } = conversationSchema.parse(await ask(path, 'POST', {}));
  const profile = profileSchema.parse(await ask(`${url}/api/v1/profile`, 'GET', undefined, token));
  const visitor = await subscribe(url, { pubsub_token: contact.pubsub_token });
  const agent = await subscribe(url, {
    pubsub_token: profile.pubsub_token,
    user_id: profile.id,
    account_id: 1,
  });
  const [there, back, both]: [number[], number[], number[]] = [[], [], []];
  const warm = 20;
  const startedAt = performance.now();
  for (let n = 0; n < count + warm && performance.now() < startedAt + limitMs; n++) {
    const question = `Question ${n}.`;
    const answer = `Answer ${n}.`;
    const agentHears = agent.heard(question);
    const beganAt = performance.now();
    const asked = ask(`${path}/${id}/messages`, 'POST', { content: question, echo_id: crypto.randomUUID() });
    // Told below; until then nobody looks.
    asked.catch(() => undefined);
    const atAgent = await agentHears;
    const visitorHears = visitor.heard(answer);
    const answeredAt = performance.now();
    const told = ask(`${url}${account}/conversations/${id}/messages`, 'POST', { content: answer }, token);
    told.catch(() => undefined);
    const atVisitor = await visitorHears;
    await Promise.all([asked, told]);
    if (n < warm) continue;
    there.push(atAgent - beganAt);
    back.push(atVisitor - answeredAt);
    both.push(atVisitor - beganAt);
  }
  visitor.close();
  agent.close();
  const tookMs = performance.now() - startedAt;
  return {
    measured: both.length,
    figures: [there, back, both].map((times) => figuresOf(times, tookMs, 0)),
  };
}

/** There and back over a bare socket. */
async function loopback(count: number) {
  const child = fork(join(import.meta.dirname, 'echo.mjs'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    const [port] = await once(child, 'message');
    const socket = new WebSocket(`ws://127.0.0.1:${Number(port)}`);
    await once(socket, 'open');
    const times: number[] = [];
    const startedAt = performance.now();
    for (let n = 0; n < count; n++) {
      const beganAt = performance.now();
      socket.send(`Question ${n}.`);
      await once(socket, 'message');
      times.push(performance.now() - beganAt);
    }
    const figures = figuresOf(times, performance.now() - startedAt, 0);
    socket.terminate();
    return figures;
  } finally {
    child.kill();
  }
}

const percentiles = (figures: { p50: number; p99: number } | undefined): Percentiles => ({
  p50: figures?.p50 ?? Number.NaN,
  p99: figures?.p99 ?? Number.NaN,
});

/** @param limitMs ends it with what it has */
export async function roundTrip(
  service: { url: string; token: string; inbox: string },
  messages: number,
  limitMs: number,
): Promise<RoundTrip> {
  const limit = await loopback(messages);
  const { url, token, inbox } = service;
  const { measured, figures } = await throughService(url, token, inbox, messages, limitMs);
  const [there, back, both] = figures;
  return {
    messages: measured,
    toAgent: percentiles(there),
    back: percentiles(back),
    both: percentiles(both),
    loopback: percentiles(limit),
  };
}
