// @vitest-environment happy-dom
/** The screens of the menu, while the visitor leaves in another tab: nothing of them stays to be read or saved. */
import { cleanup, configure, fireEvent, render, waitFor, within } from '@testing-library/preact';
import type { ComponentType } from 'preact';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { End } from '../../src/more/end.js';
import { Keep } from '../../src/more/keep.js';
import { List } from '../../src/more/list.js';
import type { ScreenProps } from '../../src/more/screen-frame.js';
import { english as en } from '../../src/text/english.js';
import { SurroundingsProvider } from '../../src/ui/context.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { surroundings } from '../support/surroundings.js';
import { newProfile, openTab, type Tab, until } from '../support/tab.js';

configure({ asyncUtilTimeout: 30_000 });

let service: ServiceProcess;
let here: Tab;
let there: Tab;

beforeAll(async () => {
  service = await startServiceProcess();
});
afterAll(() => service.end());

beforeEach(async () => {
  const profile = newProfile();
  const options = { baseUrl: service.url, inboxIdentifier: 'demo-inbox' };
  here = openTab(profile, options);
  there = openTab(profile, options);
  await here.chat.send('my balance is 77');
  for (const { chat } of [here, there])
    await until(chat.$rows, (rows) => rows?.length === 1 && rows[0]?.state === 'sent');
});
afterEach(() => {
  cleanup();
  here.close();
  there.close();
});

function show(Screen: ComponentType<ScreenProps>) {
  const { container } = render(
    <SurroundingsProvider value={surroundings(here.chat)}>
      <Screen onLeave={() => {}} onGo={() => {}} onSay={() => {}} />
    </SurroundingsProvider>,
  );
  return within(container as HTMLElement);
}

test('what is kept is looked at again when the visitor leaves in another tab', async () => {
  here.chat.setDraft('not sent yet');
  const view = show(Keep);
  await waitFor(() => view.getByText(en.keptDraft));
  await there.chat.logout();
  await waitFor(() => expect(view.queryByText(en.keptDraft)).toBeNull());
  view.getByText(/You have sent nothing yet/);
});

test('the name by which the page knows the visitor is among what is kept, and in the copy of it', async () => {
  await here.chat.identify({ identifier: 'user-7' });
  let copy = '';
  const save = ({ text }: { text: string }) => {
    copy = text;
  };
  window.parleyBridge = { save } as never;
  const view = show(Keep);
  await waitFor(() => view.getByText(en.keptIdentity));
  fireEvent.click(view.getByRole('button', { name: en.saveData }));
  await waitFor(() => expect(JSON.parse(copy)).toMatchObject({ identifier: 'user-7' }));
  delete window.parleyBridge;
});

test('nobody is asked whether to end a chat that an agent has ended meanwhile', async () => {
  const left: unknown[] = [];
  here.chat.setOpen(true);
  await until(here.chat.$line, (line) => line === 'live');
  render(
    <SurroundingsProvider value={surroundings(here.chat)}>
      <End onLeave={(to) => left.push(to)} onGo={() => {}} onSay={() => {}} />
    </SurroundingsProvider>,
  );
  expect(left).toEqual([]);
  await there.chat.endConversation();
  await waitFor(() => expect(left).toEqual(['composer']));
});

test('the list of conversations is asked for again when the visitor leaves in another tab', async () => {
  const view = show(List);
  await waitFor(() => view.getByText('You: \u2068my balance is 77\u2069'));
  await there.chat.logout();
  await waitFor(() => view.getByText(en.noConversations));
  expect(view.queryByText(/balance/)).toBeNull();
});
