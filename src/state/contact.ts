/**
 * Who the visitor is: chooses and keeps the `source_id` before the service hears of it, so that a repeated
 * creation is safe, and holds the token of the socket in memory. It does not know conversations or messages.
 */
import * as z from 'zod/mini';
import type { ContactFields } from '../api/inbox.js';
import { type ChatError, fail, isNotFound, isRefused, ok, type Result } from '../errors.js';
import { contactLost, heard, mistaken } from '../model/ledger.js';
import type { Contact } from '../wire/contact.js';
import { filled } from '../wire/kinds.js';
import type { Session } from './session.js';

/** The fact below the scope's own key; the launcher reads it, too, to know a returning visitor. */
const identitySchema = z.object({
  version: z.literal(1),
  generation: z.number(),
  sourceId: filled,
});

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
  let asking: Promise<Result<Contact>> | undefined;
  /** The proof that the service has taken. */
  let proven: string | undefined;
  const signed = () => fields().identifier_hash !== undefined;
  /** What the service has refused of what the host page says: the visitor's words do not wait for better. */
  let refused: ContactFields | undefined;
  const proof = (): ContactFields => {
    const { identifier, identifier_hash } = fields();
    return { ...(identifier && { identifier }), ...(identifier_hash && { identifier_hash }) };
  };
  const sayable = () => (refused === fields() ? proof() : fields());

  const keep = (sourceId: string) =>
    local.set('', { version: 1, generation: $ledger.get().generation, sourceId });

  /** What localStorage remembers of this identity, not of one before it. */
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
    const { identifier_hash: hash } = fields();
    const said = create && born && !met ? about?.contact : undefined;
    // Who proves who they are does not do it in an address, and is known by the same key as before.
    const answer =
      (create && born && !met) || signed()
        ? await api.createContact(sourceId, { ...said, ...sayable() })
        : await api.showContact(sourceId);
    if (answer.ok) {
      const found = { ...answer.value, source_id: sourceId };
      contact = found;
      await update((ledger) =>
        ledger.sourceId === sourceId && (!ledger.met || said)
          ? { ...(said ? heard(ledger, said) : ledger), met: true }
          : undefined,
      );
      known();
      return ok(found);
    }
    if (said && Object.keys(said).length && isRefused(answer.error)) {
      const moved = await update((ledger) => mistaken(ledger, said));
      return moved.ok ? ask(create) : moved;
    }
    if (isRefused(answer.error) && refused !== fields() && Object.keys(fields()).length) {
      refused = fields();
      unfit(answer.error);
      return ask(create);
    }
    // Not waited for: it may be words on their way that ask.
    if (hash && (await isNo(answer.error))) void judged(hash, answer.error);
    if (!isNotFound(answer.error) || (create && born && !met)) return answer;
    // Another tab chose it, and the service has yet to hear of it: the same key makes the same contact.
    if (!met) {
      born = create;
      return create ? ask(true) : answer;
    }
    // Where the inbox is not there either, nobody was forgotten.
    const inbox = await api.showInbox();
    if (!inbox.ok) return inbox;
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
  const isNo = async (error: ChatError) =>
    error.kind === 'http' &&
    ([401, 403].includes(error.status) || (error.status === 500 && (await api.showInbox()).ok));

  const single = (create: boolean) => {
    asking ??= ask(create).finally(() => {
      asking = undefined;
    });
    return asking;
  };

  /** The contact, created when it must be. */
  const ensure = async (): Promise<Result<Contact>> => {
    const known = current();
    return known ? ok(known) : single(true);
  };

  return {
    ensure,
    signed,
    proof,
    /**
     * The service checks a proof when it makes a contact, and believes it only of one that is there: so it is told
     * once more, with whatever else is said of the visitor.
     */
    async prove(): Promise<Result<unknown>> {
      const { identifier_hash: hash } = fields();
      if (!hash || hash === proven) return ok(undefined);
      const made = await ensure();
      if (!made.ok) return made;
      const { source_id: sourceId } = made.value;
      const answer = await api.updateContact(sourceId, fields());
      const bare =
        !answer.ok && isRefused(answer.error) ? await api.updateContact(sourceId, proof()) : answer;
      if (bare.ok) proven = hash;
      if (bare.ok || (await isNo(bare.error))) await judged(hash, bare.ok ? undefined : bare.error);
      return bare.ok ? answer : bare;
    },
    /** Tells more of the visitor to a service that knows them. */
    tell: async (said: ContactFields): Promise<Result<unknown>> => {
      const { met, sourceId } = $ledger.get();
      return met && sourceId ? api.updateContact(sourceId, said) : ok(undefined);
    },
    /** The token of the contact's channel, when it is known. */
    token: () => current()?.pubsub_token,
    /** True when the service cannot have any conversation of this contact yet. */
    fresh: () => born && !signed(),
    /** True when this browser has met the service before. */
    returning: () => $ledger.get().sourceId !== undefined || remembered() !== undefined,
    /** The contact as the service has it now; never creates one. 404 means it is forgotten there. */
    refresh: async (): Promise<Result<Contact>> =>
      contact || $ledger.get().sourceId || remembered() ? single(false) : fail({ kind: 'gone' }),
    /** Removes what localStorage remembers of an identity before this one. */
    dropStale() {
      if (remembered() === undefined && !$ledger.get().outbox.length) local.remove('');
    },
    /** Another request found the contact missing: ask again next time. */
    forget() {
      contact = undefined;
    },
  };
}
