/**
 * The engine of one identity: wires contact, conversation, messages, outbox and line together behind a front, and
 * knows which of them must hear what. It ends with its session.
 */
import { effect } from 'nanostores';
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
import { head, tell } from '../model/ledger.js';
import { newcomers } from '../model/newcomers.js';
import { lookedAt, unseen } from '../model/unread.js';
import { GLANCE_MS } from '../realtime/reconnect.js';
import type { Conversation } from '../wire/conversation.js';
import type { ChatEvent } from '../wire/frame.js';
import type { Message } from '../wire/message.js';
import { createContactState } from './contact.js';
import { createConversationState } from './conversation.js';
import { createConversations } from './conversations.js';
import type { Front, OwnVerb, Verbs } from './front.js';
import { createHours, createPresence } from './hours.js';
import { createInbox } from './inbox.js';
import { kept as keptHere } from './kept.js';
import { createKnown, isUnknown } from './known.js';
import { createLine } from './line.js';
import { createMessages } from './messages.js';
import { createOutbox } from './outbox.js';
import { createPatience } from './patience.js';
import { raise } from './raise.js';
import { showRows } from './rows.js';
import { createSeen } from './seen.js';
import type { Session } from './session.js';
import { createTroubles } from './troubles.js';
import { createTyping } from './typing.js';

const LATE_COMMIT_MS = 45_000;
const TAKE_OVER_MS = 4_000;

export interface Engine extends Omit<Verbs, OwnVerb> {
  /** Sends what waited for somebody to be let in: they were, or are nobody now. */
  resume: () => void;
  /** More is said of the visitor by now. */
  learn: () => void;
  /** Has the service take the proof of who the visitor is, when there is one and it has not. */
  prove: () => Promise<Result<unknown>>;
  /** Tells the service what is said of the visitor, when it knows them. @param more what is said anew */
  describe: (more: ContactFields) => Promise<Result<unknown>>;
}

/**
 * @param host what the host page says of the visitor now, whoever that is
 * @param judged see `createContactState`
 */
export function createEngine(
  session: Session,
  front: Front,
  host: () => ContactFields,
  judged: (hash: string, error?: ChatError) => Promise<unknown>,
): Engine {
  const { env, options, $ledger } = session;
  const { $open } = front.chat;
  const patience = createPatience(env, env.lateCommitMs ?? LATE_COMMIT_MS);
  // Another tab may have let in another one; a page that names nobody speaks of who is there.
  const fields = () => ([$ledger.get().identity, undefined].includes(host().identifier) ? host() : {});
  const contact = createContactState(
    session,
    fields,
    () => outbox.busy() || line.check(),
    (error) => front.$objection.set({ error }),
    judged,
  );
  const inbox = createInbox(session, contact);
  const conversation = createConversationState(session, contact, inbox, patience, (one, all) =>
    all ? conversations.found(all) : recognised(one),
  );
  const messages = createMessages(session);
  const conversations = createConversations(
    session,
    front,
    messages,
    inbox,
    conversation.lost,
    recognised,
    (...one) => seen.chosen(...one),
  );
  const seen = createSeen(session, front, messages, conversations.asked, conversations.isRead);
  const typing = createTyping(session, front.$typing, contact.token);

  /** What was read on another device is not news here. */
  function recognised(current: Conversation) {
    const id = lookedAt(current);
    if (id > front.$seenId.get()) front.see(id);
  }

  const { trouble, closed } = createTroubles(front);
  const outbox = createOutbox(
    session,
    { contact, conversation, messages, patience },
    {
      progress: (echoId, fraction) =>
        front.$progress.set(fraction === undefined ? undefined : { echoId, fraction }),
      online: () => line.online(),
      idle() {
        line.rested();
        seen.watch();
      },
      answered(error, signed) {
        line.answered(error?.kind === 'network');
        if (error?.kind === 'network') return;
        // Whoever brings a proof that is refused hears of that, and is nobody from then on.
        closed(error && (isNotFound(error) || (isBarred(error) && !signed)) ? error : undefined);
      },
    },
  );

  /** Why it is not known yet whether they have spoken with us elsewhere. */
  let unsure: ChatError | undefined;
  function doubt(found: Result<unknown>) {
    const before = unsure;
    unsure = found.ok || verdict(found.error) === 'final' ? undefined : found.error;
    // Not with each error: on a line without a socket each would bring the next question at once.
    if (!before !== !unsure) line.check();
  }

  /** Whoever they are, they may have spoken with us elsewhere. */
  async function prove(heard: boolean): Promise<Result<unknown>> {
    const proven = await contact.prove(heard);
    const { sourceId } = $ledger.get();
    // What else is said of them may be refused, and they are known all the same.
    const known = proven.ok || isRefused(proven.error);
    if (contact.signed()) doubt(known && sourceId ? await conversation.find(sourceId) : proven);
    void conversations.returned(contact.signed() && front.$unread.get() > 0);
    // They may have left meanwhile.
    return known && session.ended() ? fail({ kind: 'gone' }) : proven;
  }

  let takeOver = () => {};
  const waiting = () => head($ledger.get()) !== undefined;
  const speaks = () => waiting() || $ledger.get().conversationId !== undefined || !!$ledger.get().anew;
  const seeks = () => unsure !== undefined && !speaks();

  const line = createLine(session, front.$line, {
    tier(lately) {
      if (!(speaks() || unsure)) return undefined;
      if (!env.page.visible())
        return front.$wishes.get().notify || lately ? 'closed' : waiting() ? 'hidden' : undefined;
      return $open.get() || waiting() ? 'open' : 'closed';
    },
    token: contact.token,
    refreshToken() {
      contact.forget();
      return contact.refresh();
    },
    async catchUp() {
      const caught = await catchUp();
      if (unsure && !contact.signed()) doubt(caught);
      // Words that wait ask for themselves.
      if (caught.ok ? !waiting() : isNotFound(caught.error)) closed(caught.ok ? undefined : caught.error);
      return caught;
    },
    event: createPresence(session, front.$nobody, heard),
    behind: (is) => front.chat.away('behind', is),
    up() {
      void contact.remind();
      seen.look();
      // Whoever is looked for, or was not found, has been proven with that.
      if (speaks()) void prove(false);
      void outbox.drain();
      void conversations.look();
    },
    async glance() {
      const last = front.local.get('glanced');
      const now = env.wall();
      // Another tab has, for all.
      if (!(speaks() || unsure) || (typeof last === 'number' && Math.abs(now - last) < GLANCE_MS)) return;
      session.note('glanced', now);
      const caught = await catchUp();
      if (unsure && !contact.signed()) doubt(caught);
      if (caught.ok && waiting()) await outbox.drain();
    },
  });

  async function catchUp(): Promise<Result<unknown>> {
    if (seeks() && contact.signed()) {
      await prove(false);
      if (unsure || !speaks()) return unsure ? fail(unsure) : ok(undefined);
    } else if (!contact.token() || seeks()) {
      // The words of before are shown as soon as they are here, the line may come later.
      const makes = waiting() && !outbox.waits();
      const [known] = await Promise.all([makes ? contact.ensure() : contact.refresh(), messages.sync()]);
      // Who is still known was not forgotten: the inbox is not there.
      if (!known.ok) return isUnknown(known.error) && !$ledger.get().met ? ok(undefined) : known;
      const found = await conversation.find(known.value.source_id);
      if (!found.ok || $ledger.get().conversationId === undefined) return found;
    }
    const { conversationId } = $ledger.get();
    const synced = await messages.sync();
    if (synced.ok) void seen.lookUp();
    if (!synced.ok && isNotFound(synced.error) && conversationId !== undefined)
      return conversation.lost(conversationId);
    return synced;
  }

  function heard(event: ChatEvent) {
    if (session.ended()) return;
    switch (event.event) {
      case 'conversation.created':
      case 'conversation.updated':
      case 'conversation.status_changed':
        seen.theirs(event.data);
        return conversations.tell(event.data);
      case 'message.created':
        if (!inbox.isOurs(event.data)) return;
        conversations.elsewhere(event.data);
        return received(event.data);
      case 'message.updated':
        conversations.changed(event.data);
        return messages.change(event.data);
      case 'conversation.typing_on':
      case 'conversation.typing_off':
        seen.theirs(event.data.conversation);
        if (event.data.conversation.id === $ledger.get().conversationId && !event.data.is_private)
          typing.theirs(event.data.user, event.event === 'conversation.typing_on');
    }
  }

  function received(message: Message) {
    const { conversationId } = $ledger.get();
    messages.put([message]);
    const home = message.conversation_id ?? conversationId;
    if (message.message_type === 0 && message.echo_id && home !== undefined)
      void outbox.confirmed(message.echo_id, message, home);
  }

  let historyTo = 0;
  /** What has come while we looked on, over the socket or not. */
  function greet(list: readonly Message[], before: readonly Message[] | undefined) {
    if (messages.$hasOlder.get() === undefined) historyTo = messages.newestId();
    for (const message of newcomers(list, before, front.$seenId.get(), historyTo)) {
      if (message.message_type === 0) {
        // Words of ours open it again, and where there is no socket nobody says so.
        if (front.chat.$status.get() === 'resolved') conversations.doubt();
        continue;
      }
      typing.theirs(undefined, false);
      seen.late(message.id);
      conversations.arrived(message);
      // Who answers has read.
      void seen.lookUp();
    }
  }

  session.onSharedMessage(messages.change);

  session.own(
    front.$line.listen((state) => {
      if (state === 'live') return;
      // Nobody says that they have stopped.
      typing.theirs(undefined, false);
      conversations.questioned();
    }),
  );
  session.own(
    effect([messages.$messages, front.$seenId, conversations.$elsewhere], (list, seenId, elsewhere) => {
      const here = unseen(list, seenId);
      front.$unread.set(here.length);
      if (here.length + elsewhere.length + front.$news.get().length)
        front.$news.set([...here, ...elsewhere].sort((a, b) => a.id - b.id));
    }),
  );
  session.own(messages.$hasOlder.subscribe((has) => front.$hasOlder.set(has)));
  // Greeted before it counts as seen.
  session.own(messages.$messages.listen(greet));
  for (const store of [messages.$messages, front.chat.$away]) session.own(store.listen(seen.look));
  session.own(env.page.on('visibilitychange', seen.look));
  session.own(
    $open.listen(() => {
      seen.look();
      void conversations.look();
      void seen.lookUp();
      line.check();
    }),
  );
  session.own(
    $ledger.listen((ledger, before) => {
      messages.follow(ledger.conversationId);
      front.$home.set(ledger.conversationId);
      if (ledger.conversationId !== before?.conversationId) {
        front.$seenAt.set(seen.lookInto(ledger.conversationId));
        typing.theirs(undefined, false);
        line.moved();
      } else if (front.chat.$status.get() === 'resolved') void conversations.look();
      const moved = ledger.sourceId !== before?.sourceId || ledger.conversationId !== before?.conversationId;
      // The first words make their contact and conversation before the line has anything to bring.
      if (moved && !outbox.busy()) line.check();
      // Another tab's words are sent here if it does not come to it.
      const next = head(ledger)?.echoId;
      if (next !== (before && head(before)?.echoId)) {
        takeOver();
        if (next) takeOver = env.after(TAKE_OVER_MS, () => void outbox.drain());
      }
    }),
  );
  session.own(() => takeOver());
  // A page that was away may have missed the news.
  for (const event of ['visibilitychange', 'online', 'pageshow'] as const)
    session.own(
      env.page.on(event, () => {
        void session.refresh();
        void contact.remind();
      }),
    );
  showRows(session, front, messages, outbox);

  const facts = createKnown(session, front, fields);
  const kept = () => trouble('notKept', session.store.keeps() === 'page' || !front.local.kept());

  function begin() {
    facts.certain();
    line.check();
  }
  const ready = session.refresh().then((read) => {
    kept();
    if (!read.ok) return;
    contact.dropStale();
    if (!read.value.conversationId && !read.value.outbox.length) front.$rows.set([]);
    // localStorage remembers a visitor whom IndexedDB has forgotten.
    if (!read.value.met && !speaks() && contact.returning()) void catchUp().then(doubt).then(begin);
    else begin();
  });

  return {
    async send(content, files) {
      await ready;
      if (session.ended()) return fail({ kind: 'gone' });
      const raised = options.consent !== 'call' && raise(env, front.local, 'persistent');
      // For the next page, which may come before the contact's key: somebody has written here.
      if (!front.local.get('')) front.local.set('', true);
      if (raised) void session.rejoin();
      // Also whoever follows at once, else their words would come first.
      await session.joined;
      typing.stop();
      const sent = await outbox.send(content, files);
      kept();
      line.wrote();
      return sent;
    },
    retry: outbox.retry,
    discard: outbox.discard,
    takeBack: outbox.takeBack,
    files: session.store.files,
    loadOlder: messages.loadOlder,
    async answer({ id, conversation_id }, values) {
      const { sourceId, conversationId } = $ledger.get();
      // The visitor may be in another conversation by now.
      const home = conversation_id ?? conversationId;
      if (!sourceId || home === undefined) return fail({ kind: 'gone' });
      const answer = await session.api.updateMessage(sourceId, home, id, values);
      if (!answer.ok) return answer;
      messages.put([answer.value]);
      session.shareMessage(answer.value);
      return ok(undefined);
    },
    async updateContact(more) {
      const { sourceId } = $ledger.get();
      // An inbox may want the proof of who it is with every change.
      return sourceId
        ? session.api.updateContact(sourceId, { ...contact.proof(), ...more })
        : fail({ kind: 'gone' });
    },
    prove: () => ready.then(() => prove(true)),
    resume: () => void outbox.drain(),
    learn: facts.learn,
    describe(more) {
      // Now: a leaving in the same breath takes it away.
      const said = fields();
      return ready.then(() => contact.tell(true, more, said));
    },
    listConversations: () => ready.then(conversations.list),
    newConversation: () => ready.then(conversations.leave),
    chooseConversation: (id) => ready.then(() => conversations.choose(id)),
    endConversation: () => ready.then(conversations.end),
    tellAbout: (...said) => ready.then(() => session.update((ledger) => tell(ledger, ...said))),
    lookAtHours: createHours(session, front.$hours),
    kept: () => ready.then(() => keptHere(session)),
    typed: typing.input,
    stopTyping: typing.stop,
  };
}
