/**
 * What stands around a part of a message in a test: a chat whose engine notes what it is asked for, messages as the
 * service sends them, and values of any shape.
 */
import { cleanup, configure } from '@testing-library/preact';
import fc from 'fast-check';
import type { ComponentChildren } from 'preact';
import { afterEach, beforeEach } from 'vitest';
import { ok, type Result } from '../../src/errors.js';
import { createFront, type Verbs } from '../../src/state/front.js';
import { SurroundingsProvider } from '../../src/ui/context.js';
import { type Message, messageSchema } from '../../src/wire/message.js';
import { surroundings } from './surroundings.js';

/** What comes by itself is waited for as elsewhere: a second is soon over on a machine that has other things to do. */
configure({ asyncUtilTimeout: 30_000 });

export const service = 'https://chat.service.example';

export interface Desk {
  front: ReturnType<typeof createFront>;
  /** What the engine was asked for, in order. */
  asked: unknown[];
  /** What it answers next. */
  next: Result<void>;
}

/** @returns the desk of the test that runs: a new one for each, put away after it with what was drawn */
export function useDesk(): () => Desk {
  let desk: Desk;
  beforeEach(() => {
    desk = createDesk();
  });
  afterEach(() => {
    cleanup();
    desk.front.chat.destroy();
    localStorage.clear();
  });
  return () => desk;
}

function createDesk(): Desk {
  const desk: Desk = {
    front: createFront({ baseUrl: service, inboxIdentifier: 'i' }),
    asked: [],
    next: ok(undefined),
  };
  const note =
    (name: string) =>
    async (...given: unknown[]) => {
      desk.asked.push([name, ...given]);
      return desk.next;
    };
  const verbs: Partial<Verbs> = {
    answer: ({ id }, values) => note('answer')(id, values),
    updateContact: note('updateContact'),
    listConversations: note('listConversations'),
    async press(words) {
      desk.asked.push(['press', words]);
      return desk.next.ok ? ok('echo') : desk.next;
    },
    destroy() {},
  };
  desk.front.fill(() => verbs as Verbs);
  return desk;
}

export const Around = ({ desk, children }: { desk: Desk; children: ComponentChildren }) => (
  <SurroundingsProvider value={surroundings(desk.front.chat, {}, { baseUrl: `${service}/desk` })}>
    {children}
  </SurroundingsProvider>
);

export const message = (type: string, attributes: unknown, more: object = {}): Message =>
  messageSchema.parse({
    id: 7,
    content: null,
    message_type: 1,
    content_type: type,
    content_attributes: attributes,
    created_at: Math.floor(Date.now() / 1000) - 60,
    sender: { id: 1, name: 'Ada', type: 'user' },
    ...more,
  });

export const leaf = fc.oneof(
  fc.anything({ withBigInt: false, maxDepth: 2 }),
  fc.constantFrom(
    '',
    'a',
    '\u202e',
    'javascript:alert(1)',
    'x'.repeat(100_000),
    -1,
    Number.NaN,
    null,
    '__proto__',
  ),
);
