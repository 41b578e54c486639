/**
 * What a network can do to a request or a frame, each as a small function over what the proxy offers. It knows
 * nothing of sockets and ports.
 */
import type { IncomingHttpHeaders } from 'node:http';

export interface ProxiedRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Milliseconds of `performance.now()`. */
  at: number;
}

export interface Seen extends ProxiedRequest {
  /** What the client was told; absent while it waits, and for good when it was told nothing. */
  status?: number;
  /** How often it reached the service. */
  forwarded: number;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What a fault may do with one request. It must answer or destroy; until then the client waits. */
export interface Exchange {
  /** Lets the service carry it out. Resolves when the service has answered. */
  forward: () => Promise<Answer>;
  answer: (answer: Answer) => void;
  /** The head and only so many bytes of the body, then the end of the connection. */
  cut: (answer: Answer, bytes: number) => void;
  destroy: () => void;
}

export type Fault = (exchange: Exchange) => void | Promise<void>;
export type Rule = (request: ProxiedRequest) => Fault | undefined;

export interface Frame {
  /** `down` is from the service to the browser. */
  direction: 'up' | 'down';
  text: string;
  at: number;
}
/** Delivers now, later, never or twice. */
export type FrameFault = (deliver: () => void) => void;
export type FrameRule = (frame: Frame) => FrameFault | undefined;

export const dropBefore: Fault = (exchange) => exchange.destroy();

/** Carried out, and nobody hears of it. */
export const dropAfter: Fault = async (exchange) => {
  await exchange.forward();
  exchange.destroy();
};

/** The answer ends in the middle, and the connection with it. */
export const cutBody: Fault = async (exchange) => {
  const answer = await exchange.forward();
  exchange.cut(answer, answer.body.length >> 1);
};

/** The answer ends in the middle, and claims to be whole. */
export const truncatedJson: Fault = async (exchange) => {
  const answer = await exchange.forward();
  exchange.answer({ ...answer, body: answer.body.subarray(0, answer.body.length >> 1) });
};

/** Carried out, and answered by a page, as a captive portal does. */
export const wrongType: Fault = async (exchange) => {
  await exchange.forward();
  exchange.answer(made(200, { 'content-type': 'text/html' }, '<!doctype html><title>Sign in</title>'));
};

/** The network delivers it twice; the second answer is the one that arrives. */
export const duplicateForward: Fault = async (exchange) => {
  await exchange.forward();
  exchange.answer(await exchange.forward());
};

export function status(
  code: number,
  how: { forward?: boolean; cors?: boolean; retryAfter?: string; body?: unknown } = {},
): Fault {
  return async (exchange) => {
    if (how.forward) await exchange.forward();
    const headers: IncomingHttpHeaders = { 'content-type': 'application/json' };
    if (how.cors ?? true) {
      headers['access-control-allow-origin'] = '*';
      headers['access-control-expose-headers'] = 'Retry-After';
    }
    if (how.retryAfter !== undefined) headers['retry-after'] = how.retryAfter;
    exchange.answer(made(code, headers, JSON.stringify(how.body ?? { error: 'refused by the proxy' })));
  };
}

/** @param when `before`: it reaches the service late. `after`: it is carried out at once and answered late. */
export function delay(ms: number, when: 'before' | 'after' = 'after'): Fault {
  const late = () => new Promise<void>((resolve) => setTimeout(resolve, ms));
  return async (exchange) => {
    if (when === 'before') await late();
    const answer = await exchange.forward();
    if (when === 'after') await late();
    exchange.answer(answer);
  };
}

/** Waits until it is released. `caught` resolves with the first request that is held (and, `after`, carried out). */
export function hold(when: 'before' | 'after' = 'after') {
  let release = () => {};
  let onCaught = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const caught = new Promise<void>((resolve) => {
    onCaught = resolve;
  });
  const fault: Fault = async (exchange) => {
    const early = when === 'after' ? await exchange.forward() : undefined;
    onCaught();
    await released;
    exchange.answer(early ?? (await exchange.forward()));
  };
  return { fault, caught, release: () => release() };
}

/** The rule for as many requests as said, the next ones pass. */
export function times(count: number, rule: Rule): Rule {
  let left = count;
  return (seen) => {
    const fault = left > 0 ? rule(seen) : undefined;
    if (fault) left--;
    return fault;
  };
}

export const dropFrame: FrameFault = () => {};

export const duplicateFrame: FrameFault = (deliver) => {
  deliver();
  deliver();
};

/** Keeps frames while others pass them; `release` may bring them in another order. */
export function holdFrames() {
  let held: (() => void)[] | undefined = [];
  return {
    fault: ((deliver) => (held ? void held.push(deliver) : deliver())) satisfies FrameFault,
    count: () => held?.length ?? 0,
    /** From now on frames pass. */
    release(arrange: (frames: (() => void)[]) => (() => void)[] = (frames) => frames) {
      const frames = held ?? [];
      held = undefined;
      for (const deliver of arrange(frames)) deliver();
    },
  };
}

const made = (code: number, headers: IncomingHttpHeaders, body: string): Answer => ({
  status: code,
  headers,
  body: Buffer.from(body),
});
