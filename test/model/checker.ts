/**
 * What must hold at every moment and in the end, judged from outside: from what is committed to storage, what leaves
 * a page, what the service stores and what each tab shows. It knows the truth that no engine can know, and nothing
 * of how the engine works.
 */
import type { ChatError } from '../../src/errors.js';
import { emptyLedger, type Ledger, type OutboxEntry } from '../../src/model/ledger.js';
import type { Row } from '../../src/model/transcript.js';
import type { Clock } from './clock.js';
import type { Breaks, Flight, Network } from './network.js';
import type { ServiceModel, StoredMessage } from './service-model.js';
import type { TabPage } from './tab-page.js';

/** How long after a change of identity a tab may take to have heard of it. */
const HEARD_MS = 2_000;

interface Accepted {
  echoId: string;
  content: string;
  sizes: number[];
  /** Where it was accepted, and for which identity. */
  store: string;
  generation: number;
  /** Its place in the order of pressing send. */
  seq: number;
  /** Why nobody owes its delivery any more. */
  over?: 'logout' | 'discarded' | 'A3' | 'memory';
  refused: boolean;
  creates: number;
}

interface Shown {
  keys: Map<number, string>;
  entries: Set<string>;
  /** The bubbles of words that have not arrived, as they stood last. */
  waiting: string[];
  /** The conversation of what stood there. */
  home?: number | undefined;
}

const tracing = process.env.PARLEY_TRACE !== undefined;

export class Checker {
  readonly violations: string[] = [];
  readonly accepted = new Map<string, Accepted>();
  /** The committed ledgers: of IndexedDB (`ledger ledger`) and of localStorage (`local ledger`). */
  readonly ledgers = new Map<string, Ledger>();
  readonly discardAsked = new Set<string>();
  service!: ServiceModel;
  network!: Network;
  /** What the schedule broke: an extra copy must be flagged with it, a lost one with A3. */
  broken: boolean;
  /** Texts sent in a browser that keeps nothing cannot be seen from outside. */
  memoryOnly = false;
  /** Presses that were answered with an error. */
  away = 0;
  #seq = 0;
  #switchedAt = Number.NEGATIVE_INFINITY;
  /** When an identity was told to end, or has. */
  #endings: number[] = [];
  /** Bubbles that went: rightly, if an identity ends in that moment. */
  #gone: { at: number; what: string }[] = [];
  #generationOf = new Map<string, number>();
  #claims = new Set<string>();
  #lastSeq = new Map<number, number>();
  #rowOf = new Map<number, StoredMessage>();
  #copies = new Map<string, number>();
  #shown = new WeakMap<TabPage, Shown>();

  constructor(
    readonly clock: Clock,
    readonly breaks: Breaks,
  ) {
    this.broken = breaks !== 'none';
  }

  /** Prints the story of a replayed schedule when `PARLEY_TRACE` is set. */
  tell(what: () => string): void {
    if (tracing) console.log(`${Math.round(this.clock.now)} ms  ${what()}`);
  }

  blame(what: string): void {
    this.tell(() => `!! ${what}`);
    if (this.violations.length < 20) this.violations.push(`${Math.round(this.clock.now)} ms: ${what}`);
  }

  /** A ledger was committed. */
  committed(store: string, value: unknown, by: string): void {
    if (!store.endsWith(' ledger')) return;
    // Erased, it is nobody's any more.
    const ledger = (value ?? emptyLedger(-1)) as Ledger;
    const before = this.ledgers.get(store);
    this.tell(
      () =>
        `${store} by ${by}: g${ledger.generation} ${ledger.sourceId?.slice(0, 4)} c${ledger.conversationId} ${ledger.opening ? 'opening ' : ''}${ledger.outbox.map((e) => `${e.content}/${e.state}#${e.attempts}`)} claims ${ledger.claims.length}`,
    );
    this.ledgers.set(store, ledger);
    if (before && before.generation !== ledger.generation) this.#switched(before);
    if (ledger.sourceId) this.#generationOf.set(ledger.sourceId, ledger.generation);
    for (const entry of ledger.outbox) this.#kept(store, ledger, entry, before);
    if (!before || before.generation !== ledger.generation) return;
    for (const old of before.outbox) {
      if (ledger.outbox.some((entry) => entry.echoId === old.echoId)) continue;
      const accepted = this.accepted.get(old.echoId);
      if (ledger.claims.some((claim) => claim.echoId === old.echoId)) continue;
      if (this.discardAsked.has(old.echoId) && accepted) {
        accepted.over = 'discarded';
        if (old.state === 'sending' || old.state === 'uncertain')
          this.blame(`"${old.content}" was taken back while it may have arrived`);
      } else this.blame(`the words "${old.content}" vanished from the ledger (${old.state})`);
    }
    for (const claim of ledger.claims.slice(before.claims.length)) this.#claimed(claim.id, claim.echoId);
  }

  /** A page says that the visitor is another one, or gone. */
  ending(): void {
    this.#endings.push(this.clock.now);
  }

  #switched(before: Ledger) {
    this.#switchedAt = this.clock.now;
    this.ending();
    for (const entry of before.outbox) {
      const accepted = this.accepted.get(entry.echoId);
      if (accepted) accepted.over ??= 'logout';
    }
  }

  #kept(store: string, ledger: Ledger, entry: OutboxEntry, before: Ledger | undefined) {
    const known = this.accepted.get(entry.echoId);
    if (!known) {
      this.accept(
        entry.echoId,
        entry.content,
        entry.files.map((f) => f.size),
        store,
        ledger.generation,
      );
      return;
    }
    known.store = store;
    if (known.generation < ledger.generation)
      this.blame(`words of an old identity were stored for a new one: "${entry.content}"`);
    const was = before?.outbox.find((old) => old.echoId === entry.echoId);
    if (entry.state === 'failed' && entry.status) known.refused = true;
    if (was?.state === 'failed' && entry.state === 'queued') {
      known.seq = ++this.#seq;
      known.refused = false;
    }
  }

  accept(echoId: string, content: string, sizes: number[], store: string, generation: number): void {
    if (this.accepted.has(echoId)) return;
    const seq = ++this.#seq;
    this.accepted.set(echoId, { echoId, content, sizes, store, generation, seq, refused: false, creates: 0 });
  }

  #claimed(id: number, echoId: string) {
    this.#claims.add(echoId);
    const row = this.#rowOf.get(id);
    if (!row?.mine) this.blame(`${echoId} claimed a message that is not the visitor's: ${id}`);
    else if (row.echoId !== echoId && !this.broken)
      this.blame(`"${row.content}" of ${row.echoId} was claimed for ${echoId}`);
  }

  /** A store that was a page's own is no more. */
  forgotten(store: string, why: 'logout' | 'memory'): void {
    for (const accepted of this.accepted.values()) if (accepted.store === store) accepted.over ??= why;
  }

  /** The browser threw everything away. */
  evicted(store: string): void {
    for (const entry of this.ledgers.get(store)?.outbox ?? []) {
      const accepted = this.accepted.get(entry.echoId);
      if (accepted) accepted.over ??= 'A3';
      if (entry.state === 'sending' || entry.state === 'uncertain') this.broken = true;
    }
    if (this.ledgers.get(store)?.opening) this.broken = true;
    this.ledgers.delete(store);
  }

  /** Bytes leave a page. */
  leaves(flight: Flight): void {
    const { call, page } = flight;
    this.tell(() => `${page.name} → ${call.method} ${call.path.slice(33)} ${call.body.content ?? ''}`);
    flight.onOver.push(() => this.tell(() => `${page.name} ← ${call.method} ${call.path.slice(33)} over`));
    if (!isCreate(flight)) return;
    const echoId = String(call.body.echo_id);
    for (const other of this.network.flights) {
      // Its answer is still awaited, but the message was found meanwhile.
      if (this.#claims.has(String(other.call.body.echo_id))) continue;
      const limit = 21_000 + other.call.sizes.reduce((a, b) => a + b, 0) / 32;
      const there = this.service.isThere(Number(call.path.split('/').at(-2)));
      if (
        there &&
        isCreate(other) &&
        other.call.path === call.path &&
        this.clock.now - other.startedAt < limit
      )
        this.blame(`two creates in flight in one conversation: ${page.name} and ${other.page.name}`);
    }
    if (this.memoryOnly) return;
    const accepted = this.accepted.get(echoId);
    if (!accepted) {
      this.blame(`"${call.body.content}" left before it was kept`);
      return;
    }
    accepted.creates++;
    const entry = this.ledgers.get(accepted.store)?.outbox.find((e) => e.echoId === echoId);
    if (accepted.refused) this.blame(`"${accepted.content}" was repeated after a definite refusal`);
    if (accepted.over === 'logout') {
      if (this.clock.now > this.#switchedAt + HEARD_MS)
        this.blame(`"${accepted.content}" of an old identity was sent`);
    } else if (!this.service.isThere(Number(call.path.split('/').at(-2)))) {
      // Its home is gone, which another tab has found out in the moment between the record and the bytes.
    } else if (entry?.state !== 'sending')
      this.blame(`"${accepted.content}" left ${page.name} without a recorded attempt (${entry?.state})`);
    else if (accepted.creates > entry.attempts)
      this.blame(
        `"${accepted.content}" left ${page.name} ${accepted.creates} times, with ${entry.attempts} attempts recorded`,
      );
  }

  /** The service stored a message. */
  stored(row: StoredMessage): void {
    this.#rowOf.set(row.id, row);
    this.tell(() => `service stores ${row.id} "${row.content}" in ${row.conversationId}`);
    if (!row.mine || row.echoId === undefined) return;
    const copies = (this.#copies.get(row.echoId) ?? 0) + 1;
    this.#copies.set(row.echoId, copies);
    const accepted = this.accepted.get(row.echoId);
    if (!accepted) {
      if (!this.memoryOnly) this.blame(`the service has words that were never accepted: "${row.content}"`);
      return;
    }
    if (row.content !== accepted.content.trim() || String(row.sizes) !== String(accepted.sizes))
      this.blame(`"${accepted.content}" arrived changed: "${row.content}" with files [${row.sizes}]`);
    // The order in memory is the page's own, and not seen from outside.
    if (copies > 1 || accepted.over || this.memoryOnly || this.broken) return;
    const last = this.#lastSeq.get(row.conversationId) ?? 0;
    if (accepted.seq < last) this.blame(`"${accepted.content}" arrived after words that were written later`);
    this.#lastSeq.set(row.conversationId, Math.max(last, accepted.seq));
  }

  /** What a tab shows, each time it changes. */
  observe(page: TabPage, rows: readonly Row[]): void {
    const shown: Shown = this.#shown.get(page) ?? { keys: new Map(), entries: new Set(), waiting: [] };
    this.#shown.set(page, shown);
    this.tell(
      () =>
        `${page.name} shows ${rows.map((r) => `${r.key.slice(0, 4)}:${r.message?.id ?? r.content}:${r.state}`)}`,
    );
    const keys = new Set<string>();
    const ids = new Set<number>();
    const arrived = new Set<string>();
    for (const { key, message } of rows) {
      if (keys.has(key)) this.blame(`${page.name} shows two rows with the key ${key}`);
      keys.add(key);
      if (!message) continue;
      if (ids.has(message.id)) this.blame(`${page.name} shows message ${message.id} twice`);
      ids.add(message.id);
      const before = shown.keys.get(message.id);
      const over = this.accepted.get(this.#rowOf.get(message.id)?.echoId ?? '')?.over;
      if (before !== undefined && before !== key && !this.broken && !over)
        this.blame(`${page.name}: the row of message ${message.id} changed its key from ${before} to ${key}`);
      shown.keys.set(message.id, key);
      const row = this.#rowOf.get(message.id);
      const echoId = row?.echoId;
      if (!echoId || (this.#copies.get(echoId) ?? 0) > 1 || this.broken) continue;
      arrived.add(echoId);
      if (shown.entries.has(echoId) && key !== echoId)
        this.blame(`${page.name}: the bubble of "${message.content}" was replaced`);
    }
    for (const { entry } of rows) {
      if (!entry) continue;
      shown.entries.add(entry.echoId);
      if (this.#showedAsSent(shown, entry.echoId))
        this.blame(`${page.name} shows "${entry.content}" as not sent, which it had shown as sent`);
      if (arrived.has(entry.echoId))
        this.blame(`${page.name} shows "${entry.content}" as sent and as not sent`);
    }
    // Who was frozen may find another conversation.
    const awake = !page.frozen && this.clock.now >= page.thawedAt + HEARD_MS;
    for (const echoId of awake ? shown.waiting : []) {
      if (!keys.has(echoId) && this.#owesBubble(echoId, shown.home, rows))
        this.#gone.push({
          at: this.clock.now,
          what: `${page.name}: the bubble of "${this.accepted.get(echoId)?.content}" went away`,
        });
    }
    shown.home = rows.find(({ message }) => message)?.message?.conversation_id ?? shown.home;
    shown.waiting = rows.flatMap(({ entry }) => (entry && entry.attempts >= 0 ? entry.echoId : []));
    this.strangers(page, rows);
  }

  #showedAsSent(shown: Shown, echoId: string): boolean {
    if (this.broken) return false;
    return [...shown.keys].some(
      ([id, key]) => key === echoId && this.service.isThere(this.#rowOf.get(id)?.conversationId ?? 0),
    );
  }

  /** Unless they were taken back, ended with an identity, went to another home, or lie before what is shown. */
  #owesBubble(echoId: string, home: number | undefined, rows: readonly Row[]): boolean {
    const accepted = this.accepted.get(echoId);
    if (this.broken || this.memoryOnly || accepted?.over || this.discardAsked.has(echoId)) return false;
    const stored = [...this.#rowOf.values()].find((row) => row.echoId === echoId);
    if (!stored) return true;
    const first = rows.find(({ message }) => message)?.message;
    const { conversationId, id } = stored;
    if (!this.service.isThere(conversationId)) return false;
    return conversationId === (first?.conversation_id ?? home ?? conversationId) && id > (first?.id ?? 0);
  }

  /** Nothing of an identity before this one is shown, once the tab could have heard of it. */
  strangers(page: TabPage, rows: readonly Row[]): void {
    const heardAt = Math.max(this.#switchedAt, page.thawedAt) + HEARD_MS;
    if (page.frozen || this.clock.now < heardAt) return;
    const now = Math.max(...[...this.ledgers.values()].map((ledger) => ledger.generation));
    for (const row of rows) {
      const generation = this.#identityOf(row);
      if (generation !== undefined && generation < now) {
        this.blame(`${page.name} still shows "${row.content}" of an old identity`);
        return;
      }
    }
  }

  #identityOf({ entry, message }: Row): number | undefined {
    if (entry) return this.accepted.get(entry.echoId)?.generation;
    return this.#generationOf.get(this.#rowOf.get(message?.id ?? 0)?.sourceId ?? '');
  }

  /** The visitor wrote below these rows, and was told that the words are kept. */
  promised(rows: readonly Row[], echoId: string, content: string): void {
    const accepted = this.accepted.get(echoId);
    const generation = accepted?.generation;
    if (!accepted) this.blame(`"${content}" was accepted but not kept`);
    else if (rows.some((row) => (this.#identityOf(row) ?? generation) !== generation))
      this.blame(`"${content}" was written below the words of one identity, and kept for another`);
  }

  /** The visitor was told that the words are not kept, still has them in the field, and would send them once more. */
  turnedAway(content: string, { kind }: ChatError): void {
    this.away++;
    const ours = [...this.accepted.values()].filter((accepted) => accepted.content === content);
    // Other texts are written more than once.
    if (content.startsWith('word ') && ours.some(({ over }) => !over))
      this.blame(`"${content}" was kept, and the visitor was told that it was not (${kind})`);
  }

  #oneConversationEach() {
    if (this.broken) return;
    for (const sourceId of this.service.contacts.keys()) {
      const { length } = this.service.of(sourceId);
      if (length > 1) this.blame(`one visitor has ${length} conversations`);
    }
  }

  /** The end: everything that was accepted is accounted for. */
  conclude(rows: readonly (readonly Row[])[]): void {
    this.#oneConversationEach();
    for (const { at, what } of this.#gone) {
      if (!this.#endings.some((then) => Math.abs(then - at) < HEARD_MS))
        this.blame(`${what}, at ${Math.round(at)} ms`);
    }
    const missing: Accepted[] = [];
    for (const accepted of this.accepted.values()) {
      const copies = this.service.rows.filter(
        (row) => row.echoId === accepted.echoId && this.service.isThere(row.conversationId),
      );
      const extra = copies.length - 1;
      const attributed = copies.filter((row) => row.breaks !== undefined).length;
      if (extra > 0 && (extra > attributed || this.service.keepsNames))
        this.blame(`"${accepted.content}" was doubled: ${copies.length} copies, ${attributed} attributed`);
      if (accepted.over || this.#copies.has(accepted.echoId)) continue;
      const kept = (row: Row) =>
        row.key === accepted.echoId && row.state === 'failed' && row.content === accepted.content;
      if (this.memoryOnly ? rows.some((own) => own.some(kept)) : rows.every((own) => own.some(kept)))
        continue;
      missing.push(accepted);
    }
    for (const lost of missing) {
      // With a broken assumption an equal message may have been taken for it: then the count must be right.
      const same = (content: string, sizes: number[]) =>
        content.trim() === lost.content.trim() && String(sizes) === String(lost.sizes);
      const wanted = [...this.accepted.values()].filter((a) => !a.over && same(a.content, a.sizes)).length;
      const got = this.service.rows.filter((row) => row.mine && same(row.content, row.sizes)).length;
      if (!this.broken || got < wanted) this.blame(`"${lost.content}" was lost (${lost.echoId})`);
    }
  }
}

const isCreate = ({ call }: Flight) => call.method === 'POST' && call.path.endsWith('/messages');
