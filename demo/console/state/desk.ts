/**
 * Everything a signed-in agent has before them: wires list, thread, outbox, typing and socket together. Knows no
 * markup and no storage. Two calls are two desks.
 */
import { atom, computed, effect } from 'nanostores';
import { createLanes } from '../../lanes.js';
import type { Outgoing } from '../api/conversations.js';
import { createApi } from '../api.js';
import { openCable } from '../cable.js';
import { isGone, type Result, sentence } from '../errors.js';
import { nameOf } from '../model/known-conversation.js';
import { isNewlyAnswered } from '../model/question.js';
import { type Entry, toRows } from '../model/rows.js';
import type { DeskEvent } from '../wire/events.js';
import type { ChangedMessage, Contact, Message, Profile, Status } from '../wire/schemas.js';
import { createAvailability } from './availability.js';
import { createCaller } from './caller.js';
import { createConversations } from './conversations.js';
import { createDrafts } from './drafts.js';
import { label } from './labelling.js';
import { guardLeaving } from './leaving.js';
import { createNotices } from './notices.js';
import { createOutbox } from './outbox.js';
import { createPlace } from './place.js';
import { createReading } from './reading.js';
import { createShelf } from './shelf.js';
import { createSight } from './sight.js';
import { createSteps } from './steps.js';
import { watchStuck } from './stuck.js';
import { createThread } from './thread.js';
import { createToldOnce } from './told-once.js';
import { createTyping } from './typing.js';
import { createUnread } from './unread.js';

const PATIENCE_MS = 3_000;
const SECOND_MS = 1_000;

export type Desk = ReturnType<typeof createDesk>;

export function createDesk(profile: Profile, token: string, onUnauthorized: () => void) {
  const account =
    profile.accounts[0] ?? ({ id: 0, name: '', role: 'agent', availability: 'online' } as const);
  const api = createApi(token, account.id, onUnauthorized);
  const notices = createNotices();
  const place = createPlace();
  const availability = createAvailability(api, account.availability, notices);
  const conversations = createConversations(api, profile.id, notices);
  const thread = createThread(api, notices);
  const outbox = createOutbox(api, profile.id, (message) => stored(message, true));
  const typing = createTyping(api, profile.id);
  const drafts = createDrafts();
  const { inLane } = createLanes<number>();
  const steps = createSteps(conversations, thread.$openId, place);
  const caller = createCaller(place, profile.id, createSight(api));
  const secrets = { agents: createToldOnce(), webhooks: createToldOnce() };
  const shelves = {
    agents: createShelf(api.agents),
    teams: createShelf(api.teams),
    labels: createShelf(api.labels),
    canned: createShelf(api.canned),
    inboxes: createShelf(api.inboxes),
    contactAttributes: createShelf(api.contactAttributes),
    conversationAttributes: createShelf(api.conversationAttributes),
    rules: createShelf(api.rules),
    webhooks: createShelf(api.webhooks),
  };

  const { $reading, close: closeReading } = createReading(thread.$openId, place.$place);
  const { $unread, count: countUnread, close: closeUnread } = createUnread(api, conversations, $reading);
  const $present = atom<ReadonlySet<number>>(new Set());
  /** The last of whom the socket told that they are changed. */
  const $heardContact = atom<Contact | undefined>(undefined);
  /** The last of whom it told that somebody else became one with them. */
  const $merged = atom<Contact | undefined>(undefined);
  /** The conversation that is to be open and cannot be. */
  const $shutId = atom<number | undefined>(undefined);
  const $link = atom<'up' | 'down'>('down');
  const $open = computed([thread.$openId, conversations.$known], (id, known) =>
    id === undefined ? undefined : known.get(id),
  );
  const $rows = computed([thread.$messages, outbox.$entries, $open], (messages, entries, open) => {
    if (!open) return [];
    const stored = new Set(messages.map((message) => message.echo_id));
    const waiting = entries.filter((e) => e.conversationId === open.id && !stored.has(e.echoId));
    return toRows(messages, waiting, open.contact_last_seen_at, profile.id, nameOf(open));
  });
  const $typists = computed([typing.$typists, thread.$openId], (typists, id) =>
    typists.filter((typist) => typist.conversationId === id),
  );

  /** Told by a frame or by history: of what was stored, where its answer was lost, and of what was deleted. */
  function known(message: Message) {
    if (message.echo_id) outbox.settled(message.echo_id);
    if (drafts.heard(message)) notices.done('What you quoted was deleted: nothing is quoted now.');
  }

  function stored(message: Message, isNew: boolean) {
    const id = message.conversation_id;
    thread.put(message, isNew);
    known(message);
    conversations.heardMessage(message, isNew, id === $reading.get());
    if (!isNew || message.message_type !== 0) return;
    typing.arrived(id);
    // The list may know it no more, nor tell of it.
    if (id === $reading.get()) void markSeen(id);
  }

  function onEvent({ event, data }: DeskEvent) {
    switch (event) {
      case 'message.created': {
        if (!conversations.$known.get().has(data.conversation_id)) conversations.unknown();
        stored(data, true);
        if (data.message_type === 0) void announce(data);
        return;
      }
      case 'message.updated':
        stored(data, false);
        if (isNewlyAnswered(data)) void answered(data);
        return;
      case 'conversation.created':
      case 'conversation.updated':
      case 'conversation.status_changed':
      case 'conversation.read':
        return conversations.heard(data);
      case 'conversation.typing_on':
        return typing.heard(data, true);
      case 'conversation.typing_off':
        return typing.heard(data, false);
      case 'contact.updated':
        $heardContact.set(data);
        return conversations.heardContact(data);
      case 'contact.merged':
        return $merged.set(data);
      case 'contact.deleted': {
        for (const id of data.conversation_ids) conversations.forget(id);
        conversations.refresh();
        const id = thread.$openId.get();
        return id !== undefined && data.conversation_ids.includes(id) ? void fetchOpen(id) : countUnread();
      }
      case 'presence.update':
        availability.heard(data.users[profile.id]);
        return $present.set(new Set(Object.keys(data.contacts).map(Number)));
    }
  }

  async function announce(message: Message) {
    const id = message.conversation_id;
    if (!conversations.$known.get().has(id)) {
      const before = conversations.$known.get();
      const answer = await api.conversation(id);
      if (answer.ok) conversations.put([answer.value], before);
    }
    const conversation = conversations.$known.get().get(id);
    if (conversation) void caller.arrived(message, conversation);
  }

  async function answered(message: ChangedMessage) {
    await announce(message);
    const atMs = Date.parse(message.updated_at ?? '') || 0;
    conversations.heardAnswer(message, Math.floor(atMs / 1000));
  }

  /** The list's filter need not contain the open conversation. */
  async function fetchOpen(id: number): Promise<void> {
    const before = conversations.$known.get();
    const answer = await api.conversation(id);
    if (answer.ok) {
      // What was told meanwhile may be less than what was to be learned.
      if (!conversations.put([answer.value], before)) return fetchOpen(id);
      if (id === $shutId.get()) $shutId.set(undefined);
      notices.hush('open');
      return;
    }
    if (isGone(answer.error)) conversations.forget(id);
    if (id === thread.$openId.get()) {
      $shutId.set(id);
      const text = sentence('The conversation could not be opened', answer.error);
      notices.problem('open', text, () => fetchOpen(id));
    }
  }

  let patience: ReturnType<typeof setTimeout> | undefined;
  /** Begins with the line itself: of one that never comes up nobody tells. */
  function wait() {
    clearTimeout(patience);
    patience = setTimeout(() => {
      notices.problem('link', 'Live updates are paused. Reconnecting …');
    }, PATIENCE_MS);
  }
  wait();
  const closeCable = openCable(profile, account.id, {
    onUp() {
      clearTimeout(patience);
      $link.set('up');
      notices.hush('link');
      conversations.refresh();
      countUnread();
      void thread.catchUp();
      const id = thread.$openId.get();
      if (id !== undefined) void fetchOpen(id);
    },
    onDown() {
      $link.set('down');
      wait();
    },
    onRefused() {
      clearTimeout(patience);
      notices.problem('link', 'The service refuses live updates. Sign in again to get them back.');
    },
    onEvent,
  });

  /** Under way, and whether once more for what came meanwhile. */
  const marking = new Map<number, boolean>();
  async function markSeen(id: number) {
    const isUnderWay = marking.has(id);
    marking.set(id, isUnderWay);
    if (isUnderWay) return;
    do {
      marking.set(id, false);
      const answer = await api.seen(id);
      if (answer.ok) conversations.change(id, (old) => ({ ...old, unread_count: 0 }));
    } while (marking.get(id) && id === $reading.get());
    marking.delete(id);
  }

  let closed = false;
  /** For the colleagues, who hear in which second it was seen: in the next one it was so after the answer. */
  function markAnswerSeen(id: number) {
    setTimeout(() => {
      // What came after it was left is not seen.
      const isAll = conversations.$known.get().get(id)?.unread_count === 0;
      if (!closed && (isAll || id === $reading.get())) void markSeen(id);
    }, SECOND_MS);
  }

  const undo = [
    place.$place.subscribe(({ conversationId }) => {
      if (conversationId !== thread.$openId.get()) {
        typing.stop();
        drafts.open(conversationId);
        notices.hush('files');
        $shutId.set(undefined);
      }
      notices.hush('open');
      thread.open(conversationId);
      if (conversationId !== undefined && !conversations.$known.get().has(conversationId)) {
        void fetchOpen(conversationId);
      }
    }),
    effect([$open, $reading], (open, reading) => {
      if (!open || open.id !== reading) return;
      if (open.unread_count > 0 && !marking.has(open.id)) void markSeen(open.id);
      if (!open.answered?.unread) return;
      conversations.readAnswers(open);
      markAnswerSeen(open.id);
    }),
    // History may be the first to tell.
    effect(thread.$messages, (messages) => {
      for (const message of messages) known(message);
    }),
    guardLeaving(outbox, drafts),
    watchStuck({ outbox, $reading, conversations, notices, place }),
    closeReading,
    closeUnread,
    place.close,
    steps.close,
    conversations.close,
    outbox.close,
    typing.close,
    caller.close,
    closeCable,
    () => clearTimeout(patience),
    () => {
      closed = true;
    },
  ];
  conversations.refresh();

  const afterId = () => thread.$messages.get().at(-1)?.id ?? 0;

  /**
   * A change of the open conversation, which it stays even where another one is open by the time it is tried again:
   * shown once the service agreed, which tells everybody. One at a time, so that the last one stays.
   */
  async function alter(
    what: string,
    done: string,
    run: (id: number) => Promise<Result<unknown>>,
    id = thread.$openId.get(),
  ): Promise<boolean> {
    if (id === undefined) return false;
    notices.hush('change');
    const answer = await inLane(id, () => run(id));
    if (answer.ok) {
      notices.done(done);
      void fetchOpen(id);
      conversations.refresh();
    } else {
      const again = () => void alter(what, done, run, id);
      notices.problem('change', sentence(what, answer.error), again);
    }
    return answer.ok;
  }

  return {
    profile,
    account,
    isAdministrator: account.role === 'administrator',
    api,
    place,
    notices,
    shelves,
    secrets,
    conversations,
    thread,
    outbox,
    typing,
    drafts,
    availability,
    caller,
    alter,
    step: steps.step,
    $open,
    $rows,
    $typists,
    $present,
    $heardContact,
    $merged,
    $reading,
    $shutId,
    $unread,
    $link,
    /** Sends what stands in the box, in its mode; nothing when it is blank. */
    submit() {
      const id = thread.$openId.get();
      if (id === undefined) return;
      const mode = drafts.$mode.get();
      const text = drafts.read(id, mode).trim();
      const files = drafts.filesOf(id, mode);
      if (!text && !files.length) return;
      typing.stop();
      const quoted = drafts.$quoted.get();
      const words = {
        content: text,
        private: mode === 'note',
        ...(quoted && { content_attributes: { in_reply_to: quoted.id } }),
      };
      outbox.send(id, words, files, afterId());
      drafts.write(id, mode, '');
      drafts.attach(id, mode, []);
      notices.hush('files');
      drafts.quote(undefined);
    },
    /** @returns whether its words are the draft again, before what was begun since */
    discard({ echoId, conversationId, content, contentType, private: isPrivate }: Entry): boolean {
      const mode = isPrivate ? 'note' : 'reply';
      const isBack = contentType === 'text' && content !== '';
      if (isBack) {
        const begun = drafts.read(conversationId, mode);
        drafts.write(conversationId, mode, begun ? `${content}\n\n${begun}` : content);
      }
      outbox.discard(echoId);
      return isBack;
    },
    /** A question to the visitor that they can answer with a press. */
    ask(question: Pick<Outgoing, 'content' | 'content_type' | 'content_attributes'>) {
      const id = thread.$openId.get();
      if (id !== undefined) outbox.send(id, { ...question, private: false }, [], afterId());
    },
    async deleteMessage(messageId: number) {
      const id = thread.$openId.get();
      if (id === undefined) return;
      notices.hush('delete');
      const answer = await api.deleteMessage(id, messageId);
      if (answer.ok) stored(answer.value, false);
      else notices.problem('delete', sentence('The message was not deleted', answer.error));
    },
    setLabel(title: string, isOn: boolean) {
      return alter('The labels were not changed', 'Labels changed.', (id) => label(api, id, title, isOn));
    },
    setStatus(status: Status, until?: number) {
      const words = {
        resolved: ['The conversation was not resolved', 'Conversation resolved.'],
        open: ['The conversation was not opened again', 'Conversation is open again.'],
        pending: ['The conversation was not put aside', 'Conversation is pending.'],
        snoozed: ['The conversation was not snoozed', 'Conversation snoozed.'],
      } as const;
      const [what, done] = words[status];
      return alter(what, done, async (id) => {
        const answer = await api.setStatus(id, status, until);
        if (answer.ok) conversations.change(id, (old) => ({ ...old, status: answer.value }));
        return answer;
      });
    },
    close() {
      for (const step of undo) step();
    },
  };
}
