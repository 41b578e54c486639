/**
 * The conversation that words go into: found, or created once for all tabs. A creation without a usable answer
 * may have happened, so it is looked for before it is repeated. It does not know what the words are.
 */

import { REQUEST_LIMIT_MS } from '../api/http.js';
import { fail, isNotFound, isRefused, ok, type Result, verdict } from '../errors.js';
import {
  type About,
  beginOpening,
  conversationLost,
  flattened,
  head,
  heard,
  type Ledger,
  mistaken,
  opened,
} from '../model/ledger.js';
import type { Conversation } from '../wire/conversation.js';
import type { ContactState } from './contact.js';
import type { OurInbox } from './inbox.js';
import type { Patience } from './patience.js';
import type { Session } from './session.js';

/**
 * `created` only when this call made it: its history is then known. `waitMs`: somebody's creation may still be
 * carried out; look again after so many milliseconds.
 */
export type Opening = { id: number; created?: Conversation } | { waitMs: number };

/** The contact is another one by now. */
const ANEW = ok({ waitMs: 1 });

/** @param found called with the conversation that words go into from now on, and with all where the service has listed them */
export function createConversationState(
  session: Session,
  contact: ContactState,
  inbox: OurInbox,
  patience: Patience,
  found: (conversation: Conversation, all: readonly Conversation[] | undefined) => void,
) {
  const { env, options, api, $ledger, update, tab } = session;
  /** Where the owner wants it, and the service has not refused it. */
  let tells = /^(?:true)?$/.test(`${options.tellPage}`);
  /** Listed by the service and yet not there. */
  const dead = new Set<number>();
  const alive = (conversations: readonly Conversation[]) => conversations.filter(({ id }) => !dead.has(id));

  async function ensure(sourceId: string): Promise<Result<Opening>> {
    const { conversationId, opening, anew } = $ledger.get();
    if (conversationId !== undefined) return ok({ id: conversationId });
    let known: number[] = [];
    if (opening || anew || !contact.fresh()) {
      const listed = await inbox.list(sourceId);
      if (!listed.ok) return listed;
      const there = alive(listed.value);
      const one = opening ? lowestNew(there, opening.known) : anew ? undefined : current(there);
      if (one) return adopt(sourceId, one, there);
      if (opening) {
        const waitMs = patience.absent(opening.name, opening.by === tab ? 0 : opening.limitMs);
        if (waitMs > 0) return ok({ waitMs });
      }
      known = listed.value.map((conversation) => conversation.id);
    }
    const said = await introduce(sourceId);
    return said.ok ? create(sourceId, opening, known) : said;
  }

  /** What was said of the contact and did not go with its creation. */
  async function introduce(sourceId: string): Promise<Result<unknown>> {
    const said = $ledger.get().about?.contact ?? {};
    if (!Object.keys(said).length) return ok(undefined);
    // An inbox may want the proof of who it is with every change.
    const answer = await api.updateContact(sourceId, { ...contact.proof(), ...said });
    if (!answer.ok && !isRefused(answer.error)) return answer;
    return update((ledger) => (answer.ok ? heard : mistaken)(ledger, said));
  }

  async function create(
    sourceId: string,
    before: Ledger['opening'],
    known: number[],
  ): Promise<Result<Opening>> {
    const name = env.uuid();
    let inTime = () => false;
    const begun = await update((ledger) => {
      if (ledger.sourceId !== sourceId) return undefined;
      inTime = patience.handOff();
      const opening = { name, by: tab, limitMs: REQUEST_LIMIT_MS + patience.moreMs() };
      return beginOpening(ledger, before?.name, opening, known);
    });
    if (!begun.ok) return begun;
    if (!begun.value) {
      const read = await session.refresh();
      if (!read.ok) return read;
      return read.value.sourceId === sourceId ? ensure(sourceId) : ANEW;
    }
    // It never left: nobody need wait for what may have come of it.
    if (!inTime()) {
      const moved = await update(({ opening, ...ledger }) => (opening?.name === name ? ledger : undefined));
      return moved.ok ? ensure(sourceId) : moved;
    }
    const said = $ledger.get().about?.conversation;
    const page = tells && env.told?.(options.inside);
    const answer = await api.createConversation(sourceId, page ? { ...page, ...said } : said);
    if (answer.ok) {
      inbox.learn(answer.value);
      // An inbox may lock its visitors to one conversation: it gives that, and ignores what was told of another.
      const old = said && known.includes(answer.value.id);
      const told = old
        ? (await api.updateContact(sourceId, { ...contact.proof(), custom_attributes: said })).ok
        : said;
      const adopted = await adopt(sourceId, answer.value, undefined, told ? said : {});
      return adopted.ok && 'id' in adopted.value ? ok({ ...adopted.value, created: answer.value }) : adopted;
    }
    if (verdict(answer.error) === 'uncertain') {
      patience.began(name);
      return answer;
    }
    const unfit = (page || said) && isRefused(answer.error);
    const moved = await update(({ opening, ...ledger }) =>
      opening?.name !== name ? undefined : unfit && !page ? flattened(ledger) : ledger,
    );
    // Nobody has said it: it is the first to be left out.
    if (unfit) tells = false;
    if (unfit && moved.ok) return ensure(sourceId);
    if (isNotFound(answer.error)) contact.forget();
    return answer;
  }

  async function adopt(
    sourceId: string,
    one: Conversation,
    all?: readonly Conversation[],
    said?: About['conversation'],
  ): Promise<Result<Opening>> {
    const moved = await update((ledger) =>
      ledger.sourceId === sourceId ? opened(ledger, one.id, said) : undefined,
    );
    if (!moved.ok) return moved;
    if (moved.value) found(one, all);
    const ledger = $ledger.get();
    const there = ledger.sourceId === sourceId && ledger.conversationId;
    return there ? ok({ id: there }) : ANEW;
  }

  /**
   * 404: is it the conversation that is gone, or the contact with it? Words that wait go on either way. `contract`
   * when neither is, or when it is the third to go: whoever stands before the service has said so, and another
   * conversation would fare no better.
   */
  async function lost(conversationId: number): Promise<Result<unknown>> {
    contact.forget();
    const still = await contact.refresh();
    if (!still.ok) return isNotFound(still.error) && !$ledger.get().met ? ok(undefined) : still;
    const shown = await api.showConversation(still.value.source_id, conversationId);
    if (!shown.ok && !isNotFound(shown.error)) return shown;
    if (shown.ok || dead.size > 1) return fail({ kind: 'contract', at: 'conversation' });
    // Else nobody would hear what is said in the others. Words that wait choose by themselves.
    const listed = head($ledger.get()) ? undefined : await inbox.list(still.value.source_id);
    // It is found to be gone again with the next look.
    if (listed?.ok === false && verdict(listed.error) !== 'final') return listed;
    dead.add(conversationId);
    const moved = await update((ledger) => conversationLost(ledger, conversationId));
    const all = listed?.ok ? alive(listed.value) : [];
    const one = current(all);
    if (moved.ok && moved.value && one) await adopt(still.value.source_id, one, all);
    return moved;
  }

  /** A returning visitor whose conversation this browser has forgotten. */
  async function find(sourceId: string): Promise<Result<unknown>> {
    const { conversationId, opening, anew } = $ledger.get();
    if (conversationId !== undefined || opening || anew || contact.fresh()) return ok(undefined);
    const listed = await inbox.list(sourceId);
    const all = listed.ok ? alive(listed.value) : [];
    const one = current(all);
    return one ? adopt(sourceId, one, all) : listed;
  }

  return { ensure, find, lost };
}

/** The one that a returning visitor goes on with: the last that is not resolved, else the last. */
function current(conversations: readonly Conversation[]): Conversation | undefined {
  const newestFirst = [...conversations].sort((a, b) => b.id - a.id);
  return newestFirst.find((c) => c.status !== 'resolved') ?? newestFirst[0];
}

/** All tabs choose the same one: the lowest that was not there before. */
function lowestNew(
  conversations: readonly Conversation[],
  known: readonly number[],
): Conversation | undefined {
  return conversations.filter(({ id }) => !known.includes(id)).sort((a, b) => a.id - b.id)[0];
}
