// @vitest-environment happy-dom
/** A line of the list of conversations: how many are new, and the last words. */
import { fireEvent, render, waitFor, within } from '@testing-library/preact';
import { expect, test } from 'vitest';
import { fail, ok, type Result } from '../../src/errors.js';
import { List } from '../../src/more/list.js';
import { SurroundingsProvider } from '../../src/ui/context.js';
import { message, useDesk } from '../support/desk.js';
import { surroundings } from '../support/surroundings.js';

const desk = useDesk();

function lineOf(last: object, unread: number, locale = 'en') {
  const { chat, $conversations } = desk().front;
  $conversations.set([{ id: 1, status: 'open', last: message('text', {}, last), unread, current: false }]);
  const { container } = render(
    <SurroundingsProvider value={{ ...surroundings(chat), locale }}>
      <List onLeave={() => {}} onGo={() => {}} onSay={() => {}} />
    </SurroundingsProvider>,
  );
  return within(container as HTMLElement).getByRole('listitem');
}

test('how many are new is written in the digits of the language', () => {
  const line = lineOf({ content: 'Hello' }, 12, 'fa');
  expect(line.querySelector('.count [aria-hidden]')?.textContent).toBe('۱۲');
});

test.each([
  ['the visitor', 0],
  ['the other side', 1],
])('the last words of %s are shown as far as a line goes, and cannot flood it', (_, message_type) => {
  const line = lineOf({ content: `e${'\u0301'.repeat(500)}\0 ${'long '.repeat(30_000)}`, message_type }, 0);
  const words = line.querySelector('.last')?.textContent ?? '';
  expect(words).toContain(`e${'\u0301'.repeat(5)} long long`);
  expect(words.length).toBeLessThan(1_000);
});

test('words of the visitor’s own do not turn what says whose they are', () => {
  expect(lineOf({ content: 'مرحبا!', message_type: 0 }, 0).querySelector('.last')?.textContent).toBe(
    'You: \u2068مرحبا!\u2069',
  );
});

test('words of another year are dated with it', () => {
  const [now, year] = [new Date(), new Date().getFullYear()];
  const dateOf = (date: Date) =>
    lineOf({ content: 'Hello', created_at: date.getTime() / 1000 }, 0).querySelector('time')?.textContent;
  expect(dateOf(new Date(year - 2, 4, 3))).toBe(`May 3, ${year - 2}`);
  expect(dateOf(now.getMonth() === 4 ? new Date(year, 5, 3) : new Date(year, 4, 3))).toMatch(
    /^(?:May|Jun) 3$/,
  );
});

test('a conversation that cannot be opened twice is told of twice', async () => {
  const line = within(lineOf({ content: 'Hello' }, 0)).getByRole('button');
  const { chat } = desk().front;
  let answer = (_: Result<boolean>) => {};
  chat.chooseConversation = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const view = within(document.body);
  fireEvent.click(line);
  answer(ok(false));
  const first = await view.findByRole('alert');
  const { textContent } = first;
  fireEvent.click(line);
  await waitFor(() => expect(first.isConnected).toBe(false));
  answer(ok(false));
  expect((await view.findByRole('alert')).textContent).toBe(textContent);
});

test('what asks for the list again stays where it is, with the focus, while that is on its way', async () => {
  const { chat, $conversations } = desk().front;
  $conversations.set(undefined);
  const answers: ((answer: Result<void>) => void)[] = [];
  chat.listConversations = () => new Promise((resolve) => void answers.push(resolve));
  const { container } = render(
    <SurroundingsProvider value={surroundings(chat)}>
      <List onLeave={() => {}} onGo={() => {}} onSay={() => {}} />
    </SurroundingsProvider>,
  );
  const view = within(container as HTMLElement);
  await waitFor(() => expect(answers).toHaveLength(1));
  answers[0]?.(fail({ kind: 'network' }));
  const again = await view.findByRole('button', { name: 'Try again' });
  again.focus();
  fireEvent.click(again);
  await waitFor(() => expect(again.getAttribute('aria-disabled')).toBe('true'));
  fireEvent.click(again);
  expect([again.isConnected, document.activeElement === again, answers.length]).toEqual([true, true, 2]);
  answers[1]?.(fail({ kind: 'network' }));
  await waitFor(() => expect(again.getAttribute('aria-disabled')).toBe('false'));
});

test('who has no conversation begins one from the list, too', async () => {
  const { chat, $conversations } = desk().front;
  $conversations.set([]);
  chat.newConversation = () => Promise.resolve(ok(true));
  const left: (string | undefined)[] = [];
  const { container } = render(
    <SurroundingsProvider value={surroundings(chat)}>
      <List onLeave={(to) => left.push(to)} onGo={() => {}} onSay={() => {}} />
    </SurroundingsProvider>,
  );
  const view = within(container as HTMLElement);
  fireEvent.click(await view.findByRole('button', { name: 'New conversation' }));
  await waitFor(() => expect(left).toEqual(['composer']));
});
