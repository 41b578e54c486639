/**
 * The line between a profile and the service: each request may be lost, delayed, answered wrongly or carried out
 * after it was given up, as the dice say and within the assumptions, unless the schedule breaks one. It knows
 * requests and answers, and nothing of what the engine does with them.
 */
import type { Clock, Dice } from './clock.js';
import type { Answer, Call, ServiceModel } from './service-model.js';
import { type Cables, createCables } from './sockets.js';
import type { TabPage } from './tab-page.js';

export type Breaks = 'none' | 'A1' | 'A2' | 'A3';

export interface NetworkRules {
  /** How often a request meets a fault. */
  rate: number;
  /** The assumption bound B. */
  lateCommitMs: number;
  breaks: Breaks;
}

export interface Flight {
  page: TabPage;
  call: Call;
  keepalive: boolean;
  startedAt: number;
  /** What the client knows: over, in whatever way. */
  over: boolean;
  onOver: (() => void)[];
}

/** What the checker wants to hear. */
export interface Witness {
  leaves: (flight: Flight) => void;
}

const FAULTS = {
  any: [
    'loseRequest',
    'silence',
    'loseAnswer',
    'muteAnswer',
    '5xxBefore',
    '5xxAfter',
    'tooMany',
    'tooManyRetry',
    'html',
    'truncated',
    'wrongShape',
    'cut',
    'slow',
  ],
  read: ['stale', 'stale', 'slow'],
  create: ['late', 'late', 'loseAnswer', '5xxLate', 'loseRequest', 'muteAnswer'],
  message: ['flood', 'refused', 'otherConversation'],
} as const;
/** What a bad line makes of an answer; `seconds` goes into `Retry-After`. */
type Spoil = ((text: string) => BodyInit) & { seconds?: number };
type Fault = (typeof FAULTS)[keyof typeof FAULTS][number] | 'none';

/** Replicas may lag, but by less than the two looks are apart. */
const LAG_MS = 1_900;
const REQUEST_LIMIT_MS = 20_000;

export class Network {
  down = false;
  service!: ServiceModel;
  witness!: Witness;
  readonly flights = new Set<Flight>();
  readonly cables: Cables;
  #tried = new Set<unknown>();
  #onReturn: (() => void)[] = [];

  constructor(
    readonly clock: Clock,
    readonly dice: Dice,
    readonly rules: NetworkRules,
  ) {
    this.cables = createCables(this);
  }

  socketsOf = (page: TabPage) => this.cables.of(page);

  goDown(): void {
    this.down = true;
    this.cables.lineLost();
  }

  comeBack(): void {
    this.down = false;
    for (const work of this.#onReturn.splice(0)) work();
  }

  fetch(page: TabPage, url: string, init: RequestInit): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (!page.alive) return;
      const flight: Flight = {
        page,
        call: callOf(url, init),
        keepalive: init.keepalive === true,
        startedAt: this.clock.now,
        over: false,
        onOver: [],
      };
      const aborted = () => new DOMException('aborted', 'AbortError');
      if (init.signal?.aborted) return reject(aborted());
      this.witness.leaves(flight);
      this.flights.add(flight);
      const end = () => {
        if (flight.over) return;
        flight.over = true;
        this.flights.delete(flight);
        for (const work of flight.onOver.splice(0)) work();
      };
      init.signal?.addEventListener('abort', () => {
        if (flight.over) return;
        end();
        reject(aborted());
      });
      page.ends.push(end);
      // A frozen page does not end its request; the line does, when the request's own limit has passed.
      this.clock.after(REQUEST_LIMIT_MS + 1_000 * Math.ceil(sum(flight.call.sizes) / 32_768), () => {
        if (page.frozen) for (const work of flight.onOver.splice(0)) work();
      });
      const hear = (work: () => void) =>
        page.deliver(() => {
          if (flight.over) return;
          end();
          work();
        });
      this.#travel(
        flight,
        (answer) => hear(() => resolve(answer())),
        () => hear(() => reject(new TypeError('Failed to fetch'))),
      );
    });
  }

  #travel(flight: Flight, answer: (make: () => Response) => void, lose: () => void) {
    const { clock, dice } = this;
    const fault = this.#draw(flight);
    this.#tried.add(flight.call.body.echo_id);
    const way = () =>
      fault === 'slow' ? dice.among(500, 5_000) : dice.among(1, dice.chance(0.1) ? 400 : 40);
    const reply = (given: Answer, spoil?: Spoil) =>
      clock.after(way(), () =>
        this.down ? dice.chance(0.5) && lose() : answer(() => this.#response(given, spoil)),
      );
    const carryOut = (lagMs = 0) => this.#carryOut(flight.call, lagMs, undefined);
    const arrive = (work: () => void) =>
      clock.after(way(), () => {
        // What a page had not handed over when it went does not leave any more.
        if (flight.over && !flight.keepalive) return;
        if (this.down) return dice.chance(0.4) ? lose() : this.#late(flight, dice.chance(0.5));
        work();
      });
    const status = dice.pick([500, 502, 503, 504, 408]);
    switch (fault) {
      case 'none':
      case 'slow':
        return arrive(() => reply(carryOut()));
      case 'stale':
        return arrive(() => reply(carryOut(dice.among(100, LAG_MS))));
      case 'loseRequest':
        return void clock.after(way(), lose);
      case 'silence':
        return;
      case 'late':
        return this.#late(flight, true);
      case 'loseAnswer':
        return arrive(() => {
          carryOut();
          clock.after(way(), lose);
        });
      case 'muteAnswer':
        return arrive(() => void carryOut());
      case '5xxBefore':
        return arrive(() => reply({ status, body: { error: 'not now' } }));
      case '5xxAfter':
        return arrive(() => {
          carryOut();
          reply({ status, body: '' });
        });
      case '5xxLate':
        return arrive(() => {
          reply({ status: 504, body: '' });
          this.#late(flight, true);
        });
      case 'tooMany':
        return arrive(() => reply({ status: 429, body: 'Retry later\n' }));
      case 'tooManyRetry':
        return arrive(() =>
          reply({ status: 429, body: 'Retry later\n' }, retryAfter(dice.pick([1, 5, 20, -5]))),
        );
      case 'flood':
        return arrive(() =>
          reply({ status: 422, body: { message: 'Too many messages', attributes: ['base'] } }),
        );
      case 'refused':
        return arrive(() => {
          const refused = dice.pick([400, 413, 422]);
          reply({ status: refused, body: { message: 'Content is not welcome', attributes: ['content'] } });
        });
      case 'html':
        return arrive(() => {
          if (dice.chance(0.5)) carryOut();
          reply({ status: 200, body: '' }, () => '<html>Please sign in</html>');
        });
      case 'truncated':
        return arrive(() => reply(carryOut(), (text) => text.slice(0, -Math.ceil(text.length / 3) - 1)));
      case 'wrongShape':
        return arrive(() => {
          carryOut();
          reply({ status: 200, body: dice.pick([{}, { id: 'seven' }, null, 'ok']) });
        });
      case 'otherConversation':
        return arrive(() => {
          const given = carryOut();
          const body = typeof given.body === 'object' ? given.body : {};
          reply(given.status === 200 ? { status: 200, body: { ...body, conversation_id: 999_999 } } : given);
        });
      case 'cut':
        return arrive(() => {
          carryOut();
          reply(
            { status: 200, body: '' },
            () => new ReadableStream({ start: (c) => c.error(new TypeError('cut')) }),
          );
        });
    }
  }

  #draw({ call }: Flight): Fault {
    const { dice, rules } = this;
    if (this.down) return dice.pick(['loseRequest', 'late', 'silence'] as const);
    if (!dice.chance(rules.rate)) return 'none';
    const isMessage = call.method === 'POST' && call.path.endsWith('/messages');
    const isCreate = call.method === 'POST' && /\/(messages|conversations|contacts)$/.test(call.path);
    const own: readonly Fault[] =
      isMessage && dice.chance(0.25) ? FAULTS.message : isCreate ? FAULTS.create : FAULTS.read;
    const fault = dice.pick(dice.chance(0.5) ? own : FAULTS.any);
    // A replica that lags behind the one that gave the page before would hide a hole from anybody.
    if (fault === 'stale' && call.path.includes('before=')) return 'slow';
    // A service that refuses words has not taken them before: a second attempt is not refused.
    return fault === 'refused' && this.#tried.has(call.body.echo_id) ? 'none' : fault;
  }

  /** Bytes that wait somewhere: carried out up to B after the client ended the request, or the network came back. */
  #late(flight: Flight, carriedOut: boolean) {
    if (!carriedOut) return;
    const { clock, dice, rules } = this;
    const go = () => {
      if (this.down) return void this.#onReturn.push(go);
      const breaks = rules.breaks === 'A1' && dice.chance(0.5);
      const ms = breaks
        ? rules.lateCommitMs + dice.among(5_000, 90_000)
        : dice.among(0, rules.lateCommitMs - 1);
      clock.after(ms, () => this.#carryOut(flight.call, 0, breaks ? 'A1' : undefined));
    };
    if (flight.over) go();
    else flight.onOver.push(go);
  }

  #carryOut(call: Call, lagMs: number, breaks: string | undefined): Answer {
    const given = this.service.handle(call, lagMs, breaks);
    if (this.rules.breaks === 'A2' && call.method === 'POST' && this.dice.chance(this.rules.rate / 3))
      this.clock.after(this.dice.among(1, 500), () => this.service.handle(call, 0, 'A2'));
    return given;
  }

  #response(given: Answer, spoil?: Spoil): Response {
    const text = typeof given.body === 'string' ? given.body : JSON.stringify(given.body);
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (this.service.keepsNames) headers['echo-id'] = 'kept';
    if (spoil?.seconds !== undefined) headers['retry-after'] = String(spoil.seconds);
    return new Response(spoil ? spoil(text) : text, { status: given.status, headers });
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

const retryAfter = (seconds: number) => Object.assign((text: string) => text, { seconds });

function callOf(url: string, init: RequestInit): Call {
  const { body } = init;
  const fields: Record<string, unknown> = {};
  const sizes: number[] = [];
  if (body instanceof FormData) {
    for (const [name, value] of body) {
      if (typeof value === 'string') fields[name] = value;
      else sizes.push(value.size);
    }
  } else if (typeof body === 'string') Object.assign(fields, JSON.parse(body));
  return { method: init.method ?? 'GET', path: url.replace(/^https?:\/\/[^/]+/, ''), body: fields, sizes };
}
