// @vitest-environment happy-dom
// @vitest-environment-options { "url": "https://www.host.example/" }
/** The questions before a chat: their answers stay with them, and a failure is said each time. */
import { fireEvent, render, waitFor, within } from '@testing-library/preact';
import { expect, test } from 'vitest';
import { PreChatForm } from '../../src/asks/pre-chat-form.js';
import { fail, type Result } from '../../src/errors.js';
import type { PreChatField } from '../../src/settings.js';
import { english as en } from '../../src/text/english.js';
import { useAsk } from '../support/ask.js';
import { Around } from '../support/desk.js';

const { desk } = useAsk();

const down = fail({ kind: 'network' });

const field = (name: string, type: PreChatField['type']): PreChatField => ({
  name,
  type,
  label: name,
  required: false,
  options: [],
});

test('answers stay with their questions when one is answered elsewhere meanwhile', () => {
  const all = [field('topic', 'text'), field('newsletter', 'checkbox'), field('terms', 'consent')];
  const shown = (fields: readonly PreChatField[]) => (
    <Around desk={desk()}>
      <PreChatForm fields={fields} onDone={() => {}} />
    </Around>
  );
  const { container, rerender } = render(shown(all));
  const view = within(container as HTMLElement);
  fireEvent.input(view.getByRole('textbox'), { target: { value: 'Boots' } });
  fireEvent.click(view.getByRole('checkbox', { name: 'newsletter (optional)' }));
  rerender(shown(all.slice(1)));
  const ticked = (name: string) => {
    const box = view.getByRole('checkbox', { name });
    return box instanceof HTMLInputElement && box.checked;
  };
  expect([ticked('newsletter (optional)'), ticked('terms')]).toEqual([true, false]);
});

test('answers that cannot be kept twice are told of twice', async () => {
  const { chat } = desk().front;
  let answer = (_: Result<unknown>) => {};
  chat.tellAbout = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const { container } = render(
    <Around desk={desk()}>
      <PreChatForm fields={[field('topic', 'text')]} onDone={() => {}} />
    </Around>,
  );
  const view = within(container as HTMLElement);
  const go = view.getByRole('button');
  fireEvent.click(go);
  answer(down);
  const first = await view.findByRole('alert');
  fireEvent.click(go);
  await waitFor(() => expect(first.isConnected).toBe(false));
  answer(down);
  expect((await view.findByRole('alert')).textContent).toBe(en.askNotKept);
});
