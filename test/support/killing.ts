/**
 * A service that is killed at random moments while many write to it, and what must be true of it afterwards. Asks
 * nothing but its API and a receiver of its webhooks, so it holds for either database.
 */
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import { eventually } from './eventually.js';
import { launch, type Running } from './processes.js';
import { startReceiver } from './receiver.js';
import { inboxPath, request } from './service.js';

const account = '/api/v1/accounts/1';
const writers = 12;
/** Acknowledged before a death, at most. */
const mostBefore = 150;
const pair = z.object({ source_id: z.string() });
const withId = z.looseObject({ id: z.number() });
const message = z.looseObject({ id: z.number(), content: z.string(), created_at: z.number() });
const history = z.looseObject({ payload: z.array(message) });
const shown = z.looseObject({
  id: z.number(),
  last_activity_at: z.number(),
  created_at: z.number(),
  unread_count: z.number(),
  meta: z.looseObject({ sender: withId }),
});
const told = z.looseObject({ id: z.number(), conversation: withId.optional() });
const counted = z.object({ meta: z.looseObject({ all_count: z.number() }) });

export interface Killable {
  /** Where the service finds its data; asked before each start. */
  env(): Promise<Record<string, string>>;
  main: string;
  /** In which rounds the database dies with the service, and how. */
  alsoKill?(round: number): Promise<void>;
}

/** What somebody wrote, and the number it got, if an answer came. */
interface Words {
  path: string;
  echoId: string;
  id: number | undefined;
}

interface Writer {
  sourceIds: string[];
  words: Words[];
  /** Begun, with an answer. */
  conversations: number[];
}

/** Writes until nobody answers. */
async function write(
  service: Running,
  name: string,
  chance: () => number,
  acknowledged: () => void,
): Promise<Writer> {
  const mine: Writer = { sourceIds: [], words: [], conversations: [] };
  const paths: string[] = [];
  const ask = async (path: string, body: object) => {
    const answer = await request(service.url + path, 'POST', body);
    if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const begin = async () => {
    const { source_id: sourceId } = pair.parse(await ask(`${inboxPath}/contacts`, {}));
    mine.sourceIds.push(sourceId);
    const contact = `${inboxPath}/contacts/${sourceId}/conversations`;
    const { id } = withId.parse(await ask(contact, {}));
    mine.conversations.push(id);
    paths.push(`${contact}/${id}/messages`);
  };
  for (let n = 0; ; n += 1) {
    try {
      if (paths.length === 0 || chance() < 0.1) await begin();
      const path = paths[Math.floor(chance() * paths.length)] ?? '';
      const words: Words = { path, echoId: `${name}-${n}`, id: undefined };
      mine.words.push(words);
      words.id = withId.parse(await ask(path, { content: words.echoId, echo_id: words.echoId })).id;
      acknowledged();
    } catch (error) {
      // No answer is what we are here for; a wrong one is not.
      if (error instanceof TypeError) return mine;
      throw error;
    }
  }
}

async function everythingOf(service: Running, conversation: number): Promise<z.infer<typeof message>[]> {
  const all: z.infer<typeof message>[] = [];
  for (;;) {
    const path = `${account}/conversations/${conversation}/messages?after=${all.at(-1)?.id ?? 0}`;
    const { payload } = history.parse((await service.agent('GET', path)).body);
    all.push(...payload);
    if (payload.length < 100) return all;
  }
}

export interface Survived {
  acknowledged: number;
  /** Asked, and no answer came: stored or not, but never by half. */
  unanswered: number;
  unansweredStored: number;
  conversations: number;
  lost: string[];
  twice: string[];
  broken: string[];
  untold: string[];
  /** Told to the receiver, and not stored. */
  invented: string[];
  outOfOrder: string[];
  /** Numbers that are kept and not counted. */
  keptCount: number;
  countedCount: number;
}

/** Numbers between 0 and 1 that come again with the same seed. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @returns what was found wrong, and how much was looked at */
export async function killAgainAndAgain(target: Killable, rounds: number, seed: number): Promise<Survived> {
  const chance = chances(seed);
  const receiver = await startReceiver();
  const start = async () =>
    launch(target.main, [], { PORT: '0', WEBHOOK_ALLOW_PRIVATE: '1', ...(await target.env()) });
  const survived: Survived = {
    acknowledged: 0,
    unanswered: 0,
    unansweredStored: 0,
    conversations: 0,
    lost: [],
    twice: [],
    broken: [],
    untold: [],
    invented: [],
    outOfOrder: [],
    keptCount: 0,
    countedCount: 0,
  };
  const stored = new Map<number, number>();
  const begun = new Set<number>();

  async function look(service: Running, writer: Writer): Promise<void> {
    const found = new Set<number>();
    for (const sourceId of writer.sourceIds) {
      const answer = await service.call('GET', `${inboxPath}/contacts/${sourceId}/conversations`);
      if (answer.status !== 200) survived.lost.push(`contact ${sourceId}`);
      for (const { id } of z.array(withId).parse(answer.body)) found.add(id);
    }
    for (const id of writer.conversations) if (!found.has(id)) survived.lost.push(`conversation ${id}`);
    const contents = new Map<string, number[]>();
    for (const id of found) {
      begun.add(id);
      const all = await everythingOf(service, id);
      for (const { id: number, content } of all) {
        stored.set(number, id);
        contents.set(content, [...(contents.get(content) ?? []), number]);
      }
      const whole = shown.parse((await service.agent('GET', `${account}/conversations/${id}`)).body);
      const last = all.at(-1)?.created_at ?? whole.created_at;
      if (whole.last_activity_at !== last || whole.unread_count !== Math.min(10, all.length)) {
        survived.broken.push(`conversation ${id}: ${all.length} messages, the last at ${last}`);
      }
    }
    for (const { echoId, id } of writer.words) {
      const ids = contents.get(echoId) ?? [];
      if (ids.length > 1) survived.twice.push(echoId);
      if (id !== undefined && !ids.includes(id)) survived.lost.push(echoId);
      if (id !== undefined) survived.acknowledged += 1;
      else {
        survived.unanswered += 1;
        survived.unansweredStored += ids.length;
      }
    }
    // As the widget does: what had no answer is asked again, under the same name.
    for (const { path, echoId, id } of writer.words) {
      if (id !== undefined) continue;
      const again = await service.call('POST', path, { content: echoId, echo_id: echoId });
      const { id: number } = withId.parse(again.body);
      const conversation = Number(path.split('/').at(-2));
      const before = contents.get(echoId);
      if (before && before[0] !== number) survived.twice.push(echoId);
      stored.set(number, conversation);
    }
  }

  try {
    let service = await start();
    const subscriptions = ['message_created', 'conversation_created'];
    await service.agent('POST', `${account}/webhooks`, { url: receiver.url, subscriptions });
    for (let round = 0; round < rounds; round += 1) {
      const doomed = service;
      let until = Math.ceil(chance() * mostBefore);
      let writing: Promise<Writer>[] = [];
      await new Promise<void>((resolve, reject) => {
        const acknowledged = () => {
          until -= 1;
          if (until === 0) resolve();
        };
        writing = Array.from({ length: writers }, (_, n) =>
          write(doomed, `${round}-${n}`, chance, acknowledged),
        );
        for (const one of writing) one.catch(reject);
      });
      // Anywhere between two commits, not just after one.
      await after(chance() * 20);
      const ended = doomed.end('SIGKILL');
      await target.alsoKill?.(round);
      await ended;
      const wrote = await Promise.all(writing);
      service = await start();
      for (const writer of wrote) await look(service, writer);
    }

    const heard = () => {
      const messages = new Map<number, number>();
      const conversations = new Set<number>();
      for (const { body } of receiver.all) {
        const { id, conversation } = told.parse(body);
        if (body.event === 'conversation_created') conversations.add(id);
        else if (!messages.has(id)) messages.set(id, conversation?.id ?? 0);
      }
      return { messages, conversations };
    };
    const untold = () => {
      const { messages, conversations } = heard();
      return [
        ...[...stored.keys()].filter((id) => !messages.has(id)).map((id) => `message ${id}`),
        ...[...begun].filter((id) => !conversations.has(id)).map((id) => `conversation ${id}`),
      ];
    };
    // A delivery that was under way when its process died waits until its lease is over.
    const limitMs = 120_000;
    await eventually('all is told', async () => untold().length === 0, limitMs).catch(() => undefined);
    survived.untold = untold();
    const { messages } = heard();
    const newest = new Map<number, number>();
    for (const [id, conversation] of messages) {
      if (!stored.has(id)) survived.invented.push(`message ${id}`);
      if (id < (newest.get(conversation) ?? 0)) survived.outOfOrder.push(`message ${id}`);
      newest.set(conversation, id);
    }
    survived.conversations = begun.size;
    survived.countedCount = begun.size;
    const meta = await service.agent('GET', `${account}/conversations/meta?status=all`);
    survived.keptCount = counted.parse(meta.body).meta.all_count;
    await service.end('SIGTERM');
    return survived;
  } finally {
    await receiver.stop();
  }
}

/** What is wrong with it, in words; nothing is what a test wants. */
export const faultsOf = ({ lost, twice, broken, untold, invented, outOfOrder }: Survived) => ({
  lost,
  twice,
  broken,
  untold,
  invented,
  outOfOrder,
});

export const noFaults = { lost: [], twice: [], broken: [], untold: [], invented: [], outOfOrder: [] };
