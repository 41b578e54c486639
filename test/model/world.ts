/**
 * Runs one schedule: the real engine in every tab, over virtual time, a bad line and the service model, with the
 * checker looking on. In the end the faults stop, and all must come to rest. It decides nothing about right or wrong
 * but the bound.
 */
import type { Row } from '../../src/model/transcript.js';
import { createChat } from '../../src/state/chat.js';
import type { Chat } from '../../src/state/front.js';
import { Checker } from './checker.js';
import { Clock, Dice } from './clock.js';
import { Network } from './network.js';
import { Profile, type Refusals } from './profile.js';
import type { Happening, Schedule } from './schedule.js';
import { ServiceModel } from './service-model.js';
import type { TabPage } from './tab-page.js';

/** Assumption bound B, as shipped. */
const LATE_COMMIT_MS = 45_000;
const REQUEST_LIMIT_MS = 25_000;
/**
 * All may be at rest so long after the faults stop. A creation of a conversation and the head of the queue may each
 * be in doubt: running for a request's limit, given up, absent for B, two looks; a flood limit and the longest
 * reconnect may come before; the rest of the queue then goes at a message a second.
 */
const BOUND_MS = 2 * (2 * REQUEST_LIMIT_MS + LATE_COMMIT_MS + 20_000) + 60_000 + 60_000 + 20_000 + 40_000;

interface Tab {
  page: TabPage;
  chat: Chat;
}

export interface Outcome {
  violations: string[];
  /** Virtual milliseconds from the end of the faults until all was at rest. */
  restMs: number;
  accepted: number;
  /** Presses that were answered with an error: the words stay in the field. */
  turnedAway: number;
  extraCopies: number;
  events: number;
}

export async function run(schedule: Schedule): Promise<Outcome> {
  const dice = new Dice(schedule.seed);
  const clock = new Clock();
  const { keepsNames, breaks, rate } = schedule;
  const rules = { rate, lateCommitMs: LATE_COMMIT_MS, breaks };
  const network = new Network(clock, dice, rules);
  const service = new ServiceModel(clock, dice, keepsNames, network.cables.publish);
  const checker = new Checker(clock, breaks);
  const refuses: Refusals = { indexedDB: false, localStorage: false, locks: false, channel: false };
  for (const what of schedule.refuses) refuses[what] = true;
  checker.memoryOnly = refuses.indexedDB && refuses.localStorage;
  Object.assign(checker, { service, network });
  Object.assign(network, { service, witness: checker });
  service.stored = (row) => checker.stored(row);
  const profile = new Profile(
    clock,
    dice,
    network,
    refuses,
    (store, value, page) => checker.committed(store, value, page.name),
    (error) => checker.blame(`a page threw ${error instanceof Error ? error.stack : error}`),
  );
  const tabs: Tab[] = [];

  function openTab(): Tab {
    const { page, env } = profile.openTab();
    const chat = createChat({ baseUrl: 'https://service', inboxIdentifier: 'inbox' }, env);
    chat.$rows.listen((rows) => page.alive && checker.observe(page, rows ?? []));
    page.ends.push(() => {
      tabs.splice(tabs.indexOf(tab), 1);
      checker.forgotten(page.name, 'memory');
    });
    const tab = { page, chat };
    tabs.push(tab);
    clock.stirred = true;
    return tab;
  }

  const awake = (index: number): Tab | undefined => {
    const able = tabs.filter(({ page }) => !page.frozen);
    return able[index % able.length];
  };

  function send(index: number, text: string, sizes: number[]) {
    const tab = awake(index) ?? openTab();
    const files = sizes.map((size, i) => ({
      name: `file${i}`,
      type: 'text/plain',
      bytes: new ArrayBuffer(size),
    }));
    const rows = tab.chat.$rows.get() ?? [];
    void tab.chat.press(text, files).then((sent) => {
      if (!sent.ok) return checker.turnedAway(text, sent.error);
      if (checker.memoryOnly) {
        checker.accept(sent.value, text, sizes, tab.page.name, 0);
      } else checker.promised(rows, sent.value, text);
    });
    clock.stirred = true;
  }

  function lookForStrangers(by: TabPage) {
    if (checker.memoryOnly) checker.forgotten(by.name, 'logout');
    clock.after(2_100, () => {
      for (const { page, chat } of tabs) checker.strangers(page, chat.$rows.get() ?? []);
    });
  }

  function happen(what: Happening) {
    checker.tell(() => JSON.stringify(what));
    switch (what.do) {
      case 'offline':
        network.goDown();
        if (what.told) {
          profile.onLine = false;
          for (const { page } of tabs) page.fire('offline');
        }
        return void clock.after(what.ms, () => {
          network.comeBack();
          if (!what.told) return;
          profile.onLine = true;
          for (const { page } of tabs) page.fire('online');
        });
      case 'openTab':
        if (tabs.length < 4) openTab();
        return;
      case 'closeTab': {
        const tab = awake(what.tab);
        tab?.page.fire('pagehide', { persisted: false });
        if (what.destroyed) tab?.chat.destroy();
        return void clock.after(1, () => tab?.page.kill());
      }
      case 'killTab':
        return void clock.after(what.afterMs, () => awake(what.tab)?.page.kill());
      case 'freeze':
        return void clock.after(what.afterMs, () => {
          const page = awake(what.tab)?.page;
          page?.freeze();
          clock.after(what.ms, () => page?.thaw());
        });
      case 'hide': {
        const page = awake(what.tab)?.page;
        if (!page) return;
        page.visible = false;
        page.fire('visibilitychange');
        return void clock.after(what.ms, () => {
          page.visible = true;
          page.fire('visibilitychange');
        });
      }
      case 'cachePage': {
        const page = awake(what.tab)?.page;
        page?.fire('pagehide', { persisted: true });
        clock.after(1, () => page?.freeze());
        return void clock.after(what.ms + 2, () => {
          page?.thaw();
          page?.fire('pageshow', { persisted: true });
        });
      }
      case 'diskFault':
        for (let i = 0; i < what.skip; i++) profile.disk.faults.push(undefined);
        for (let i = 0; i < what.times; i++) profile.disk.faults.push(what.kind);
        return;
      case 'localFull':
        if (!refuses.indexedDB && !refuses.channel) profile.localRefused = what.times;
        return;
      case 'evict':
        for (const { page } of [...tabs]) page.kill();
        profile.disk.evict();
        return checker.evicted('ledger ledger');
      case 'identify':
        return void clock.after(what.afterMs, () => {
          clock.stirred = true;
          const tab = awake(what.tab);
          checker.ending();
          void tab?.chat.identify({ identifier: what.as }).then(() => lookForStrangers(tab.page));
        });
      case 'logout':
        return void clock.after(what.afterMs, () => {
          clock.stirred = true;
          const tab = awake(what.tab);
          checker.ending();
          void tab?.chat.logout().then(() => lookForStrangers(tab.page));
        });
      case 'deleteContact':
        return service.deleteContacts();
      case 'deleteConversation':
        return service.deleteConversations();
      case 'agentReplies':
        return void clock.after(what.afterMs, () => service.agentReplies(what.count));
      case 'clockJump':
        clock.shift += what.ms;
        return;
      case 'loadOlder':
        clock.stirred = true;
        return void awake(what.tab)?.chat.loadOlder();
      case 'retryFailed':
      case 'discard': {
        const tab = awake(what.tab);
        const wanted = what.do === 'discard' ? ['failed', 'waiting', 'sending', 'checking'] : ['failed'];
        const row = tab?.chat.$rows.get()?.find(({ state }) => wanted.includes(state));
        if (!tab || !row) return;
        clock.stirred = true;
        if (what.do === 'retryFailed') return void tab.chat.retry(row.key);
        checker.discardAsked.add(row.key);
        void tab.chat.discard(row.key).then((gone) => {
          const accepted = checker.accepted.get(row.key);
          if (gone && checker.memoryOnly && accepted) accepted.over ??= 'discarded';
        });
      }
    }
  }

  async function stopFaults() {
    rules.rate = 0;
    rules.breaks = 'none';
    profile.disk.faults = [];
    profile.localRefused = 0;
    network.comeBack();
    const told = !profile.onLine;
    profile.onLine = true;
    if (!tabs.length) openTab();
    for (const { page } of tabs) page.thaw();
    // What a frozen page has missed comes to it before anything new.
    await clock.pass(1);
    for (const { page, chat } of [...tabs]) {
      if (told) page.fire('online');
      // The visitor comes back to it: what a tab stored in its last moment and could not tell is found now.
      page.visible = true;
      page.fire('visibilitychange');
      chat.setOpen(true);
    }
    clock.stirred = true;
  }

  const settled = (rows: readonly Row[] | undefined) =>
    rows?.every(({ state }) => state === 'sent' || state === 'failed') === true;
  const atRest = () =>
    tabs.every(({ chat }) => settled(chat.$rows.get())) &&
    [...checker.ledgers.values()].every((ledger) =>
      ledger.outbox.every((entry) => entry.state === 'failed'),
    ) &&
    [...network.flights].every((flight) => flight.call.method === 'GET');

  /** The newest rows, as each tab shows them, as far back as all of them go. */
  function tails() {
    const all = tabs.map(({ chat }) =>
      (chat.$rows.get() ?? []).map((row) => `${row.message?.id ?? row.key} ${row.state}`),
    );
    const common = Math.min(...all.map((rows) => rows.length));
    return all.map((rows) => rows.slice(rows.length - common).join('\n'));
  }
  /** A tab shows the newest messages without a gap, and when that is less than there is, it says that there is more. */
  const honest = () =>
    tabs.every(({ chat }) => {
      const shown = (chat.$rows.get() ?? []).flatMap(({ message }) => message ?? []);
      const there = service.conversations.get(shown.at(-1)?.conversation_id ?? 0)?.messages ?? [];
      const newest = there.slice(there.length - shown.length);
      if (String(newest.map(({ id }) => id)) !== String(shown.map(({ id }) => id))) return false;
      return shown.length === there.length || chat.$hasOlder.get() === true;
    });
  /** What stands before the visitor's eyes is not new in any tab. */
  const seen = () =>
    tabs.every(({ chat }) => {
      const shown = chat.$rows.get()?.flatMap(({ message }) => message?.id ?? []);
      return chat.$unread.get() === 0 && !chat.$news.get().some(({ id }) => shown?.includes(id));
    });
  const alike = () => checker.memoryOnly || (new Set(tails()).size <= 1 && honest() && seen());

  async function passUntil(limitMs: number, done: () => boolean): Promise<boolean> {
    const end = clock.now + limitMs;
    while (!done()) {
      if (clock.now >= end) return false;
      await clock.pass(500);
    }
    return true;
  }

  openTab();
  for (const [i, step] of schedule.steps.entries()) {
    await clock.pass(step.waitMs);
    send(step.tab, step.text || `word ${i}`, step.files);
    await clock.settle();
    for (const what of step.meanwhile) happen(what);
    if (checker.violations.length) break;
  }
  await clock.pass(250);
  await stopFaults();
  const stoppedAt = clock.now;
  let restMs = 0;
  if (!checker.violations.length) {
    if (!(await passUntil(BOUND_MS, atRest))) checker.blame(`not at rest after ${BOUND_MS} ms: ${stuck()}`);
    restMs = clock.now - stoppedAt;
    // What is still on its way must not become a second message.
    await clock.pass(LATE_COMMIT_MS + (breaks === 'A1' ? 100_000 : 0));
    // A frame that was dropped on a live line is found when the visitor comes back to the tab.
    for (const { page } of tabs) page.fire('visibilitychange');
    if (!(await passUntil(BOUND_MS, () => atRest() && alike())))
      checker.blame(`the tabs do not agree in the end: ${disagreement()}`);
    checker.conclude(tabs.map(({ chat }) => chat.$rows.get() ?? []));
  }
  for (const { page } of [...tabs]) page.kill();
  return {
    violations: checker.violations,
    restMs,
    accepted: checker.accepted.size,
    turnedAway: checker.away,
    extraCopies: service.rows.filter((row) => row.breaks !== undefined).length,
    events: clock.events,
  };

  function disagreement() {
    return tabs.map(({ page, chat }) => {
      const rows = chat.$rows.get() ?? [];
      const id = rows.findLast((row) => row.message)?.message?.conversation_id ?? 0;
      const there = service.conversations.get(id)?.messages.length;
      const shown = rows.slice(-5).map((row) => row.message?.id ?? row.content);
      return `${page.name} (${chat.$line.get()}) shows ${rows.length} rows of ${there} in ${id}, older ${chat.$hasOlder.get()}, ${chat.$unread.get()} unseen, ${chat.$news.get().length} news: …${shown}`;
    });
  }

  function stuck() {
    const entries = [...checker.ledgers.values()].flatMap((ledger) => ledger.outbox.map((e) => e.state));
    const flights = [...network.flights].map(({ page, call }) => `${page.name} ${call.method} ${call.path}`);
    return `outbox [${entries}], under way [${flights}], rows ${tabs.map(
      ({ page, chat }) => `${page.name} ${chat.$line.get()} [${chat.$rows.get()?.map((row) => row.state)}]`,
    )}`;
  }
}
