// @vitest-environment happy-dom
/** What is said aloud beside the thread: each message once, many of them in short, and nothing for longer than it takes. */
import { act, render } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OutboxEntry } from '../../src/model/ledger.js';
import { transcript } from '../../src/model/transcript.js';
import { english as en } from '../../src/text/english.js';
import { Announcer } from '../../src/ui/announcer.js';
import { StatusLine } from '../../src/ui/status-line.js';
import { Around, message, useDesk } from '../support/desk.js';

const desk = useDesk();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function listen() {
  const { front } = desk();
  front.$rows.set([]);
  front.$open.set(true);
  const { container } = render(
    <Around desk={desk()}>
      <Announcer />
    </Around>,
  );
  const regions = [...container.querySelectorAll('[aria-live=polite]')];
  return {
    come: (...all: string[]) =>
      act(() => all.forEach((content, i) => void front.arrived(message('text', {}, { id: i + 1, content })))),
    /** What stands in the regions after so long. */
    after: async (ms: number) => {
      await act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
      return regions.map((region) => region.textContent).filter(Boolean);
    },
    regions: () => regions.filter((region) => region.isConnected).length,
  };
}

test('three messages at once are all said; of more the first one, and how many there are besides', async () => {
  const { come, after } = listen();
  await come('One', 'Two', 'Three');
  expect(await after(500)).toEqual(['Ada: One. Ada: Two. Ada: Three']);
  await come('One', 'Two', 'Three', 'Four', 'Five');
  expect(await after(500)).toEqual(['Ada: One. 4 new messages']);
});

test('long words are said to the end of a word, with a mark, and files beside words are told', async () => {
  const { after } = listen();
  const come = (content: string, attachments: object[] = []) =>
    act(() => void desk().front.arrived(message('text', {}, { content, attachments })));
  await come('Ada writes '.repeat(30));
  expect(await after(500)).toEqual([`Ada: ${'Ada writes '.repeat(27).trim()}…`]);
  const file = { id: 1, file_type: 'file', data_url: 'https://chat.service.example/a.pdf' };
  await come('The bill', [file]);
  expect(await after(500)).toEqual([`Ada: The bill. ${en.attachment}`]);
  await come('', [file]);
  expect(await after(500)).toEqual([`Ada: ${en.attachment}`]);
});

test('what was said goes after a while, and what comes meanwhile has a while of its own', async () => {
  const { come, after, regions } = listen();
  await come('Your code is 77');
  expect(await after(500)).toEqual(['Ada: Your code is 77']);
  expect(await after(6_000)).toEqual(['Ada: Your code is 77']);
  await come('Keep it');
  expect(await after(500)).toEqual(['Ada: Keep it']);
  expect(await after(6_000)).toEqual(['Ada: Keep it']);
  expect(await after(6_000)).toEqual([]);
  expect(regions()).toBe(2);
});

test('what comes behind another page is said on the way back, and once', async () => {
  const { come, after } = listen();
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const turn = (value: boolean) => {
    hidden.mockReturnValue(value);
    return act(() => void document.dispatchEvent(new Event('visibilitychange')));
  };
  await come('Your order has left', 'It comes tomorrow');
  expect(await after(60_000)).toEqual([]);
  await turn(false);
  expect(await after(500)).toEqual(['Ada: Your order has left. Ada: It comes tomorrow']);
  await turn(true);
  await turn(false);
  expect(await after(20_000)).toEqual([]);
  await turn(true);
  await come('Still there?');
  // Closed in another tab meanwhile: the launcher says it.
  await act(() => desk().front.$open.set(false));
  await turn(false);
  expect(await after(500)).toEqual([]);
  vi.restoreAllMocks();
});

const behind = () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  return () => {
    hidden.mockRestore();
    return act(() => void document.dispatchEvent(new Event('visibilitychange')));
  };
};

test('of what came behind another page that is left out which was read in another tab meanwhile', async () => {
  const { come, after } = listen();
  const { front } = desk();
  const back = behind();
  await come('Read over there', 'Not read yet');
  const [one, two] = [1, 2].map((id) => message('text', {}, { id }));
  await act(() => front.$news.set([one, two].flatMap((some) => some ?? [])));
  await act(() => front.$news.set(two ? [two] : []));
  await back();
  expect(await after(500)).toEqual(['Ada: Not read yet']);
});

test('the end is said beside many messages, and not once it is none any more', async () => {
  const { come, after } = listen();
  const { $status } = desk().front;
  await act(() => $status.set('open'));
  let back = behind();
  await come('One', 'Two', 'Three', 'Four');
  await act(() => $status.set('resolved'));
  await back();
  expect(await after(500)).toEqual([`Ada: One. 3 new messages. ${en.conversationEnded}`]);
  await act(() => $status.set('open'));
  back = behind();
  await act(() => $status.set('resolved'));
  await act(() => $status.set('open'));
  await back();
  expect(await after(20_000)).toEqual([]);
});

test('answers in another conversation are told by their number, and not in their words', async () => {
  const { after } = listen();
  const { front } = desk();
  front.$home.set(1);
  const come = (...ids: number[]) =>
    act(() => {
      for (const id of ids) {
        const elsewhere = message('text', {}, { id, content: 'Of the other order', conversation_id: 2 });
        front.arrived(elsewhere);
        front.$news.set([...front.$news.get(), elsewhere]);
      }
    });
  await come(1, 2);
  expect(await after(500)).toEqual(['More, 2 new messages elsewhere']);
  await come(3);
  // Read in another tab before it could be said.
  await act(() => front.$news.set([]));
  expect(await after(500)).toEqual(['More, 2 new messages elsewhere']);
  expect(await after(20_000)).toEqual([]);
});

test('a conversation that ends before the reader’s eyes is said to have ended; one that had ended is not', async () => {
  const { after } = listen();
  const { $status, $hasOlder } = desk().front;
  const become = (status: string | undefined) => act(() => $status.set(status));
  await become('resolved');
  expect(await after(500)).toEqual([]);
  await become('open');
  await become('resolved');
  expect(await after(500)).toEqual([en.conversationEnded]);
  // A message has come into it, and it stays ended.
  expect(await after(10_000)).toEqual([]);
  await become(undefined);
  await become('resolved');
  expect(await after(500)).toEqual([]);
  await become(undefined);
  $hasOlder.set(true);
  await become('resolved');
  expect(await after(500)).toEqual([en.conversationEnded]);
});

test('that words have left is said once, however many did; not behind another page, and not of what had left before', async () => {
  const { come, after } = listen();
  const { front } = desk();
  const ours = (id: number, echoId: string) =>
    message('text', {}, { id, message_type: 0, sender: null, echo_id: echoId, content: echoId });
  const waits = (echoId: string): OutboxEntry => ({
    echoId,
    content: echoId,
    queuedAt: 2_000_000_000_000,
    files: [],
    state: 'queued',
    attempts: 0,
  });
  /** By the names of what has left, and of what has not. */
  const become = (left: string[], waiting: string[]) =>
    act(() => {
      const names = new Map(left.map((name, i) => [i + 1, name] as const));
      const messages = left.map((name, i) => ours(i + 1, name));
      const ledger = { outbox: waiting.map(waits), claims: [] };
      front.$rows.set(transcript(messages, ledger, names, 0, front.$rows.get()));
    });
  await become(['Long ago'], []);
  expect(await after(20_000)).toEqual([]);
  await become(['Long ago'], ['Are you there?', 'Hello?']);
  expect(await after(5_000)).toEqual([]);
  await become(['Long ago', 'Are you there?'], ['Hello?']);
  await become(['Long ago', 'Are you there?', 'Hello?'], []);
  expect(await after(500)).toEqual([en.sent]);
  expect(await after(20_000)).toEqual([]);
  await become(['Long ago', 'Are you there?', 'Hello?'], ['And?']);
  await become(['Long ago', 'Are you there?', 'Hello?', 'And?'], []);
  await come('I am');
  expect(await after(500)).toEqual([`Ada: I am. ${en.sent}`]);
  expect(await after(20_000)).toEqual([]);
  const back = behind();
  await become(['Long ago', 'Are you there?', 'Hello?', 'And?'], ['Later']);
  await become(['Long ago', 'Are you there?', 'Hello?', 'And?', 'Later'], []);
  await back();
  expect(await after(20_000)).toEqual([]);
});

test('that words wait is said once, when they have waited for a while, and not of what another tab has sent', async () => {
  const { after } = listen();
  /** How often each was tried; below 0 it is not kept yet. */
  const become = (...attempts: number[]) =>
    act(() => {
      const outbox = attempts.map((attempts, i) => ({
        echoId: `e${i}`,
        content: 'x',
        queuedAt: 0,
        files: [],
        state: 'queued' as const,
        attempts,
      }));
      desk().front.$rows.set(transcript([], { outbox, claims: [] }, new Map()));
    });
  await become(0);
  expect(await after(60_000)).toEqual([]);
  await become(0, -1);
  await become(0, 0);
  expect(await after(4_000)).toEqual([]);
  await become(0, 0, -1);
  await become(0, 0, 0);
  expect(await after(4_000)).toEqual([]);
  expect(await after(1_500)).toEqual([en.waiting]);
  await become(0, 0, 1);
  expect(await after(20_000)).toEqual([]);
  await become(0, 0, 1, -1);
  await become();
  expect(await after(20_000)).toEqual([]);
});

test('nothing that was said to a visitor, or was about to be, stays once they have left', async () => {
  const { come, after, regions } = listen();
  await come('Your code is 77');
  expect(await after(500)).toEqual(['Ada: Your code is 77']);
  await act(() => desk().front.$rows.set(undefined));
  expect(await after(0)).toEqual([]);
  expect(regions()).toBe(2);
  await act(() => desk().front.$rows.set([]));
  await come('It ends tomorrow');
  await act(() => desk().front.$rows.set(undefined));
  expect(await after(500)).toEqual([]);
});

test('a device that is back at a service that is not says so, and it is no longer listened to in the end', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const left = vi.spyOn(window, 'removeEventListener');
  desk().front.$line.set('down');
  const { container, unmount } = render(
    <Around desk={desk()}>
      <StatusLine missing={undefined} />
    </Around>,
  );
  const status = async (event?: 'online' | 'offline') => {
    if (event) online.mockReturnValue(event === 'online');
    if (event) await act(() => void window.dispatchEvent(new Event(event)));
    await act(async () => void (await vi.advanceTimersByTimeAsync(1_500)));
    return container.textContent;
  };
  expect(await status()).toBe(en.offline);
  expect(await status('online')).toBe(en.down);
  expect(await status('offline')).toBe(en.offline);
  unmount();
  expect(left.mock.calls.map(([event]) => event)).toEqual(['online', 'offline']);
  vi.restoreAllMocks();
});
