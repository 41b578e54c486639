// @vitest-environment happy-dom

import { act, cleanup, configure, fireEvent, render, waitFor, within } from '@testing-library/preact';
import { atom } from 'nanostores';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { english as en } from '../../src/text/english.js';
import { SurroundingsProvider } from '../../src/ui/context.js';
import { Panel } from '../../src/ui/panel.js';
import * as thread from '../../src/ui/thread.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { here, surroundings } from '../support/surroundings.js';
import { newProfile, openTab, type Profile, type Tab, until } from '../support/tab.js';

configure({ asyncUtilTimeout: 30_000 });

let service: ServiceProcess;
let profile: Profile;
let tab: Tab;
let root: ShadowRoot;
let closed = 0;
const $said = atom<{ words: string; calmly?: boolean }>({ words: '' });

beforeAll(async () => {
  service = await startServiceProcess();
});
afterAll(() => service.end());

beforeEach(() => {
  profile = newProfile();
  tab = openTab(profile, { baseUrl: service.url, inboxIdentifier: 'demo-inbox' });
  root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
  const container = root.appendChild(document.createElement('div'));
  const close = () => {
    closed++;
  };
  render(
    <SurroundingsProvider value={surroundings(tab.chat, { thread: here(thread) }, {}, close)}>
      <Panel $said={$said} />
    </SurroundingsProvider>,
    { container },
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  cleanup();
  tab.close();
});

const view = () => within(root.firstElementChild as HTMLElement);
const composer = () => view().getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement;

function type(text: string) {
  fireEvent.input(composer(), { target: { value: text } });
}

test('Enter sends what stands in the field, even before the next frame, and empties it', async () => {
  type('typed and sent');
  fireEvent.keyDown(composer(), { key: 'Enter' });
  const log = within(view().getByRole('log', { name: 'Conversation' }));
  await waitFor(() => log.getByText('typed and sent'));
  await waitFor(() => expect(composer().value).toBe(''));
  await waitFor(() => log.getByText('Sent'));
});

test('equal words sent twice at once are two messages in order, and what is typed meanwhile stays', async () => {
  for (const words of ['first', 'twice', 'twice']) {
    type(words);
    fireEvent.keyDown(composer(), { key: 'Enter' });
  }
  type('the next');
  const rows = await until(tab.chat.$rows, (all) => all?.length === 3 && all[2]?.state === 'sent');
  expect(rows?.map((row) => row.content)).toEqual(['first', 'twice', 'twice']);
  expect(composer().value).toBe('the next');
  expect(tab.chat.$draft.get()).toBe('the next');
});

test('words that are being kept are found in the draft by the page that comes after a sudden end', async () => {
  type('half gone');
  fireEvent.keyDown(composer(), { key: 'Enter' });
  type('and the rest');
  const draft = [...profile.storage].find(([key]) => key.endsWith(':draft'))?.[1];
  expect(draft).toBe(JSON.stringify('half gone\nand the rest'));
  await until(tab.chat.$rows, (all) => all?.[0]?.state === 'sent');
  expect([...profile.storage].find(([key]) => key.endsWith(':draft'))?.[1]).toBe('"and the rest"');
});

test('words are shown while the disk still takes them, and stay in the draft until it has', async () => {
  await until(tab.chat.$rows, (rows) => rows !== undefined);
  let held = true;
  const { put } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...given) {
    const kept = put.apply(this, given);
    const hold = () => {
      if (held) this.get('').onsuccess = hold;
    };
    hold();
    return kept;
  });
  type('slowly kept');
  fireEvent.keyDown(composer(), { key: 'Enter' });
  await waitFor(() => view().getByText('slowly kept', { selector: '.content *, .content' }));
  // Nobody is told that it waits, as long as it may come back.
  expect(tab.chat.$rows.get()?.map(({ state }) => state)).toEqual(['keeping']);
  expect(view().queryByText('Waiting to be sent')).toBeNull();
  expect([...profile.storage].find(([key]) => key.endsWith(':draft'))?.[1]).toBe('"slowly kept"');
  held = false;
  await until(tab.chat.$rows, (rows) => rows?.length === 1 && rows[0]?.state === 'sent');
  vi.restoreAllMocks();
});

test('what a full disk refuses comes back in front of what was typed since, and in order', async () => {
  await until(tab.chat.$rows, (rows) => rows !== undefined);
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore) {
    Object.defineProperty(this.transaction, 'error', {
      value: new DOMException('full', 'QuotaExceededError'),
    });
    this.transaction.abort();
    return this.get('');
  });
  for (const words of ['first', 'second']) {
    type(words);
    fireEvent.keyDown(composer(), { key: 'Enter' });
  }
  type('third');
  await waitFor(() => view().getByText(en.notStored));
  expect(composer().value).toBe('first\nsecond\nthird');
  expect(tab.chat.$rows.get()).toEqual([]);
  vi.restoreAllMocks();
  fireEvent.keyDown(composer(), { key: 'Enter' });
  const rows = await until(tab.chat.$rows, (all) => all?.[0]?.state === 'sent');
  expect(rows?.map((row) => row.content)).toEqual(['first\nsecond\nthird']);
});

test.each([
  ['Shift+Enter', { key: 'Enter', shiftKey: true }],
  ['Enter while an input method composes', { key: 'Enter', isComposing: true }],
  ['the Enter that ended a composition in Safari', { key: 'Enter', keyCode: 229 }],
])('%s does not send', (_, init) => {
  type('still writing');
  expect(fireEvent.keyDown(composer(), init)).toBe(true);
  expect(composer().value).toBe('still writing');
  expect(tab.chat.$draft.get()).toBe('still writing');
});

test('blank words are not sent', async () => {
  type('   ');
  fireEvent.keyDown(composer(), { key: 'Enter' });
  expect(view().getByRole('button', { name: 'Send message' }).getAttribute('aria-disabled')).toBe('true');
  type('not blank');
  fireEvent.click(view().getByRole('button', { name: 'Send message' }));
  await until(tab.chat.$rows, (rows) => rows?.length === 1 && rows[0]?.content === 'not blank');
});

test('words beyond what the service takes stay in the field, with a sentence', async () => {
  type('x'.repeat(150_001));
  fireEvent.keyDown(composer(), { key: 'Enter' });
  await waitFor(() => view().getByText('A message can have up to 150,000 characters.'));
  expect(composer().value).toHaveLength(150_001);
  // What fits again needs no sentence.
  type('x'.repeat(150_000));
  await waitFor(() => expect(view().queryByText(/characters/)).toBeNull());
});

test('an agent’s answer is said once to assistive technology, our own words, history and what is said elsewhere never', async () => {
  const spoken: string[] = [];
  const regions = [...root.querySelectorAll('[aria-live=polite]')];
  const before = new Map<Element, string>();
  const observer = new MutationObserver(() => {
    for (const region of regions) {
      const words = region.textContent ?? '';
      if (words && words !== before.get(region)) spoken.push(words);
      before.set(region, words);
    }
  });
  for (const region of regions)
    observer.observe(region, { childList: true, subtree: true, characterData: true });
  tab.chat.setOpen(true);
  await tab.chat.send('is anybody there');
  await until(tab.chat.$line, (line) => line === 'live');
  const rows = await until(tab.chat.$rows, (all) => all?.[0]?.state === 'sent');
  const conversation = rows?.[0]?.message?.conversation_id;
  await service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/messages`, {
    content: 'I am here',
  });
  await waitFor(() => expect(spoken.some((words) => words.includes('I am here'))).toBe(true));
  // What has no words of its own is known by those that it shows.
  await service.agent('POST', `/api/v1/accounts/1/conversations/${conversation}/messages`, {
    content_type: 'form',
    content_attributes: { items: [{ name: 'shoe_size', label: 'Size of your shoes' }] },
  });
  await waitFor(() => expect(spoken.some((words) => words.endsWith(': Size of your shoes'))).toBe(true));
  await tab.chat.send('thank you');
  await until(tab.chat.$rows, (all) => all?.length === 4 && all[3]?.state === 'sent');
  // In the window it would be taken for one of this conversation.
  await tab.chat.newConversation();
  await tab.chat.send('another matter');
  const others = await until(tab.chat.$rows, (all) => all?.length === 1 && all[0]?.state === 'sent');
  const other = others?.[0]?.message?.conversation_id;
  for (const [home, content] of [
    [conversation, 'In the first'],
    [other, 'In the second'],
  ])
    await service.agent('POST', `/api/v1/accounts/1/conversations/${home}/messages`, { content });
  await waitFor(() => expect(spoken.some((words) => words.includes('In the second'))).toBe(true));
  expect(tab.chat.$news.get().map(({ content }) => content)).toContain('In the first');
  expect(spoken.filter((words) => words.includes('I am here'))).toHaveLength(1);
  expect(spoken.join()).not.toMatch(/anybody|thank|matter|In the first/);
  observer.disconnect();
});

test('the close button closes', () => {
  fireEvent.click(view().getByRole('button', { name: 'Close chat' }));
  expect(closed).toBe(1);
});

test('what is told again in the same words is told anew, stands as long as the first time, and a failure until the visitor goes on', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const told = () => view().queryByText('It failed.');
  const later = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  act(() => $said.set({ words: 'It failed.' }));
  const first = told();
  expect(first?.parentElement?.role).toBe('alert');
  later(9_000);
  expect(told()).toBe(first);
  act(() => $said.set({ words: 'It failed.' }));
  // Nobody hears a sentence that stands there already.
  expect(told()).not.toBe(first);
  const goOn = () => act(() => void fireEvent.click(view().getByRole('log')));
  later(9_999);
  goOn();
  expect(told()).not.toBeNull();
  later(1);
  expect(told()).not.toBeNull();
  goOn();
  expect(told()).toBeNull();
  act(() => $said.set({ words: 'It failed.', calmly: true }));
  later(9_999);
  expect(told()).not.toBeNull();
  later(1);
  expect(told()).toBeNull();
});
