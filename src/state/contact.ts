/**
 * Who the visitor is: chooses and keeps the `source_id` before the service hears of it, so that a repeated
 * creation is safe, and holds the token of the socket in memory. It does not know conversations or messages.
 */
import * as z from 'zod/mini';
import type { ContactFields } from '../api/inbox.js';
import {
  type ChatError,
  fail,
  isBarred,
  isNotFound,
  isRefused,
  ok,
  type Result,
  verdict,
} from '../errors.js';
import { contactLost, heard, mistaken, unchosen } from '../model/ledger.js';
import type { Scalar } from '../parley.js';
import type { Contact } from '../wire/contact.js';
import { filled } from '../wire/kinds.js';
import { facts, without } from './said.js';
import type { Session } from './session.js';

/** The fact below the scope's own key; the launcher reads it, too, to know a returning visitor. */
const identitySchema = z.object({
  version: z.literal(1),
  generation: z.number(),
  sourceId: filled,
});

const AGAIN_MS = [500, 1_500];

const isIll = (error: ChatError) => error.kind === 'http' && error.status === 500;

export type ContactState = ReturnType<typeof createContactState>;

/**
 * @param fields what the host page says of the visitor; goes with the creation
 * @param known called whenever the service has said who the visitor is
 * @param unfit called when the service does not take what the host page says of the visitor
 * @param judged called when the service has taken a proof of who the visitor is, or has refused it
 */
export function createContactState(
  session: Session,
  fields: () => ContactFields,
  known: () => void,
  unfit: (error: ChatError) => void,
  judged: (hash: string, error?: ChatError) => Promise<unknown>,
) {
  const { env, api, local, $ledger, update } = session;
  let contact: Contact | undefined;
  let born = false;
  let asking: { create: boolean; answer: Promise<Result<Contact>> } | undefined;
  /** The key of a contact that may be there without our having heard of it: what goes with its creation may be ignored. */
  let doubtful: string | undefined;
  /** What the service has answered to of what the host page says. */
  let answered = new Map<string, Scalar>();
  let telling: Promise<unknown> = Promise.resolve();
  /** The proof that the service has taken, and of which contact: by its token, another one has another. */
  let proven: string | undefined;
  let provenOf: string | undefined;
  /** Calls that wait to hear what the service does not take, and what nobody has heard yet. */
  let proving = 0;
  const untold: ChatError[] = [];
  const signed = () => fields().identifier_hash !== undefined;
  /** What the service has refused of what the host page says, until it is said anew: the rest does not wait for better. */
  const refused = new Map<string, Scalar>();
  const proof = (): ContactFields => {
    const { identifier, identifier_hash } = fields();
    return { ...(identifier && { identifier }), ...(identifier_hash && { identifier_hash }) };
  };
  /**
   * What the error names is left out from now on; where it names nothing that was sent, all of it: what is not new in
   * that, the service has. @returns false when nothing is left to leave out
   */
  function refuse(error: ChatError, sent: ContactFields): boolean {
    const all = facts(sent);
    const named = all.filter(
      ([name]) =>
        error.kind === 'http' &&
        error.fields.some(({ field }) => name === field || name.startsWith(`${field}.`)),
    );
    for (const [name, value] of named.length ? named : all) refused.set(name, value);
    untold.push(error);
    complain();
    return all.length > 0;
  }
  /** Said once more, and to be refused once more. */
  const anew = (more: ContactFields) => facts(more).forEach(([name]) => void refused.delete(name));
  function complain() {
    if (!proving && !session.ended()) for (const error of untold.splice(0)) unfit(error);
  }

  /** @param heard somebody waits for what comes of it, and hears of what is refused by that */
  async function attended<T>(heard: boolean, work: () => Promise<Result<T>>): Promise<Result<T>> {
    proving++;
    const answer = await work();
    proving--;
    const no = heard && (answer.ok || isRefused(answer.error)) && untold.shift();
    complain();
    return no ? fail(no) : answer;
  }

  // Another contact has heard of nothing.
  session.own(
    $ledger.listen(({ sourceId }, before) => {
      if (sourceId === before?.sourceId) return;
      answered.clear();
      refused.clear();
    }),
  );

  const keep = (sourceId: string) =>
    local.set('', { version: 1, generation: $ledger.get().generation, sourceId });

  /** What the small facts remember of this identity, not of one before it. */
  function remembered(): string | undefined {
    const { data } = identitySchema.safeParse(local.get(''));
    return data && data.generation >= $ledger.get().generation ? data.sourceId : undefined;
  }

  /** Another tab may have found this contact forgotten and chosen another one. */
  const current = () => (contact?.source_id === $ledger.get().sourceId ? contact : undefined);

  async function choose(): Promise<Result<string>> {
    const kept = remembered();
    const known = $ledger.get().sourceId;
    if (known) {
      if (kept !== known) keep(known);
      return ok(known);
    }
    const chosen = kept ?? env.uuid();
    const moved = await update((ledger) => (ledger.sourceId ? undefined : { ...ledger, sourceId: chosen }));
    if (!moved.ok) return moved;
    const read = moved.value ? ok(moved.value) : await session.refresh();
    if (!read.ok) return read;
    const sourceId = read.value.sourceId ?? chosen;
    born = !kept && sourceId === chosen;
    keep(sourceId);
    return ok(sourceId);
  }

  async function ask(create: boolean): Promise<Result<Contact>> {
    const chosen = await choose();
    if (!chosen.ok) return chosen;
    const sourceId = chosen.value;
    const { met, about } = $ledger.get();
    const all = without(fields(), refused);
    const { identifier_hash: hash } = all;
    const makes = create && born && !met;
    // A service would rather attach them to somebody who has this address than keep the name by which they are known,
    // and believe no proof of it then. Once they are there they may say it.
    const { email: _address, phone_number: _number, ...named } = all;
    const who = all.identifier ? named : all;
    const said = makes && !all.identifier ? about?.contact : undefined;
    // Who proves who they are does not do it in an address, and is known by the same key as before.
    const answer = await plainly(
      hash,
      await surely(hash, () =>
        makes || signed() ? api.createContact(sourceId, { ...said, ...who }) : api.showContact(sourceId),
      ),
    );
    if (answer.ok) {
      const found = { ...answer.value, source_id: sourceId };
      contact = found;
      // It was made anew under its old key, and of one that it makes the service believes no proof.
      if (proven && provenOf !== found.pubsub_token) {
        proven = undefined;
        answered.clear();
      }
      const { identifier, email, phone_number } = { ...said, ...all };
      // Of somebody who is known elsewhere by one of these it takes nothing else.
      const sure = doubtful !== sourceId && !identifier && !email && !phone_number;
      if (makes && sure) answered = new Map(facts(all));
      const shown = new Map<string, unknown>(Object.entries(answer.value));
      // Services keep addresses in small letters.
      const taken = Object.entries(said ?? {}).filter(
        ([name, value]) => sure || `${shown.get(name)}`.toLowerCase() === `${value}`.toLowerCase(),
      );
      await update((ledger) =>
        ledger.sourceId === sourceId && (!ledger.met || said)
          ? { ...heard(ledger, Object.fromEntries(taken)), met: true }
          : undefined,
      );
      known();
      if (!signed()) void tell(false);
      return ok(found);
    }
    if (makes && verdict(answer.error) === 'uncertain') doubtful = sourceId;
    if (said && Object.keys(said).length && isRefused(answer.error)) {
      const moved = await update((ledger) => mistaken(ledger, said));
      return moved.ok ? ask(create) : moved;
    }
    if (isRefused(answer.error) && refuse(answer.error, who)) return ask(create);
    // Not waited for: it may be words on their way that ask.
    if (hash && (await isNo(answer.error))) void judged(hash, answer.error);
    if (!isNotFound(answer.error) || makes) return answer;
    // Another tab chose it, and the service has yet to hear of it: the same key makes the same contact.
    if (!met) {
      born = create;
      doubtful = sourceId;
      if (create) return ask(true);
    }
    // Where the inbox is not there either, nobody was forgotten.
    const inbox = await api.showInbox();
    if (!inbox.ok) return inbox;
    if (!met) {
      // Nobody goes by this key, and no words wait for it: the next page need not ask for it again.
      const dropped = await update((ledger) => unchosen(ledger, sourceId));
      if (dropped.ok && dropped.value) local.remove('');
      return answer;
    }
    // The service has forgotten the visitor; the words wait for the next identity.
    const next = env.uuid();
    const lost = await update((ledger) => contactLost(ledger, sourceId, next));
    if (!lost.ok) return lost;
    if (lost.value) {
      keep(next);
      born = true;
    }
    return create ? ask(true) : answer;
  }

  /** One way to refuse a proof is an error of the service; where it does not answer at all, it is nothing but that. */
  const isNo = async (error: ChatError) => isBarred(error) || (isIll(error) && (await api.showInbox()).ok);

  /** And any trouble of a moment looks like that: a proof is not refused by one answer. */
  async function surely<T>(hash: string | undefined, ask: () => Promise<Result<T>>): Promise<Result<T>> {
    let answer = await ask();
    for (const ms of AGAIN_MS) {
      if (!hash || answer.ok || !isIll(answer.error) || !(await api.showInbox()).ok) break;
      await new Promise<void>((over) => env.after(ms, over));
      if (session.ended()) break;
      answer = await ask();
    }
    return answer;
  }

  /** So is one way to want a proof where there is none. */
  async function plainly<T>(hash: string | undefined, answer: Result<T>): Promise<Result<T>> {
    if (answer.ok || hash || !isIll(answer.error)) return answer;
    const inbox = await api.showInbox();
    return inbox.ok && inbox.value.identity_validation_enabled
      ? fail({ kind: 'http', status: 401, fields: [] })
      : answer;
  }

  async function single(create: boolean): Promise<Result<Contact>> {
    const before = asking;
    asking ??= {
      create,
      answer: ask(create).finally(() => {
        asking = undefined;
      }),
    };
    const answer = await asking.answer;
    // Who asked before only looked, and whoever has words to send wants one made.
    return create && before?.create === false && !answer.ok && isNotFound(answer.error)
      ? single(true)
      : answer;
  }

  /** The contact, created when it must be. */
  const ensure = async (): Promise<Result<Contact>> => {
    const known = current();
    return known ? ok(known) : single(true);
  };

  /** What is refused is left out, until the rest is taken. */
  async function change(sourceId: string, said: ContactFields): Promise<Result<unknown>> {
    const sent = without(said, refused);
    const answer = await surely(sent.identifier_hash, () => api.updateContact(sourceId, sent));
    if (!answer.ok && isRefused(answer.error) && refuse(answer.error, sent)) return change(sourceId, said);
    if (answer.ok || verdict(answer.error) === 'final') answered = new Map(facts(sent));
    return answer;
  }

  async function attest(hash: string): Promise<Result<unknown>> {
    const made = await ensure();
    if (!made.ok) return made;
    const { source_id: sourceId, pubsub_token: token } = made.value;
    const answer = await change(sourceId, fields());
    if (answer.ok) {
      proven = hash;
      provenOf = token;
      session.note('proven', true);
    }
    if (answer.ok || (await isNo(answer.error))) await judged(hash, answer.ok ? undefined : answer.error);
    return answer;
  }

  /**
   * Tells a service that knows the visitor what is said of them, one after the other: the last word arrives last.
   * @param heard somebody waits for what comes of it
   * @param more what is said anew, and told in any case; else only what may not have arrived is
   */
  function tell(heard: boolean, more?: ContactFields, said = fields()): Promise<Result<unknown>> {
    const told = telling.then(async () => {
      const { met, sourceId } = $ledger.get();
      if (more) anew(more);
      return met && sourceId && (more || facts(without(without(said, refused), answered)).length)
        ? attended(heard, () => change(sourceId, said))
        : ok(undefined);
    });
    telling = told;
    return told;
  }

  return {
    ensure,
    signed,
    /** The service has taken a proof, be it on an earlier page. */
    proven: () => local.get('proven') === true,
    proof,
    /**
     * The service checks a proof when it makes a contact, and believes it only of one that is there: so it is told
     * once more, with whatever else is said of the visitor.
     * @param heard somebody waits for what comes of it
     */
    async prove(heard: boolean): Promise<Result<unknown>> {
      const now = fields();
      const { identifier_hash: hash } = now;
      if (!hash || hash === proven) {
        // The proof stands, whatever comes of the rest.
        const told = tell(heard);
        return heard ? told : ok(undefined);
      }
      if (heard) anew(now);
      return attended(heard, () => attest(hash));
    },
    tell,
    /** The token of the contact's channel, when it is known. */
    token: () => current()?.pubsub_token,
    /** True when the service cannot have any conversation of this contact yet. */
    fresh: () => born && !signed(),
    /** True when this browser has met the service before. */
    returning: () => $ledger.get().sourceId !== undefined || remembered() !== undefined,
    /** The contact as the service has it now; never creates one. 404 means it is forgotten there. */
    refresh: async (): Promise<Result<Contact>> =>
      contact || $ledger.get().sourceId || remembered() ? single(false) : fail({ kind: 'gone' }),
    /** A page may have cleared them for somebody of its own, and the next one would take the visitor for nobody. */
    async remind() {
      if (!$ledger.get().sourceId || remembered() !== undefined) return;
      // Or somebody has ended in another tab.
      const read = await session.refresh();
      if (read.ok && read.value.sourceId && remembered() === undefined) keep(read.value.sourceId);
    },
    /** Removes what the small facts remember of an identity before this one. */
    dropStale() {
      if (remembered() === undefined && !$ledger.get().outbox.length) local.remove('');
    },
    /** Another request found the contact missing: ask again next time. */
    forget() {
      contact = undefined;
    },
  };
}
