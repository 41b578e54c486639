/**
 * What a visitor does with the chat, in the engine that runs this: writes by keyboard alone, answers what is asked,
 * sends an emoji and a file, looks at pictures, goes from one conversation to another, changes the language.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { english as en } from '../../src/text/english.js';
import type { Actor, Press, Profile } from '../support/actor.js';
import {
  agent,
  arabic,
  hostPage,
  type ShopService,
  english as say,
  startShopService,
} from '../support/browser.js';
import { type Engine, launchEngine } from '../support/engines.js';
import { png } from '../support/media.js';
import { startMs } from '../support/service.js';

declare global {
  interface Window {
    testErrors?: string[];
  }
}

let engine: Engine;
let service: ShopService;
let folder: string;
beforeAll(async () => {
  // One after the other: what has been made is put away where the next cannot be.
  folder = await mkdtemp(join(tmpdir(), 'parley-journey-'));
  engine = await launchEngine(inject('engine'));
  service = await startShopService();
}, startMs);
afterAll(async () => {
  await Promise.all([engine?.stop(), service?.end(), rm(folder, { recursive: true, force: true })]);
});

let profile: Profile;
let tab: Actor;
beforeEach(async () => {
  profile = await engine.newProfile();
  tab = await profile.newTab();
});
afterEach(async () => {
  expect(await tab.eval(() => window.testErrors)).toEqual([]);
  await profile.close();
});

const head = `<script>
  testErrors = [];
  addEventListener('error', (event) => testErrors.push(String(event.message)));
  addEventListener('unhandledrejection', (event) => testErrors.push(String(event.reason)));
</script>`;

/** @param attributes more on the tag */
async function goTo(name: string, attributes = ''): Promise<void> {
  const html = hostPage(service.url, {
    head,
    body: '<main><h1>A shop</h1><a href="#boots">Boots</a></main>',
  });
  const tagged = html.replace('data-inbox-identifier', `${attributes} data-inbox-identifier`);
  await tab.goto(service.url + (await service.page(name, tagged)));
}

async function open(): Promise<void> {
  await tab.click('button', /^Open chat/);
  await opened();
}

/** The window itself: what catches the first keys has the composer's name, too. */
async function opened(): Promise<void> {
  await expect.poll(() => tab.texts('dialog', en.window)).toHaveLength(1);
  await focusOn(en.message);
}

/** The name of what has the focus, in the chat or on the page. */
const focused = () =>
  tab.eval(() => {
    const outer = document.activeElement;
    const active = outer?.shadowRoot?.activeElement ?? outer;
    const label = active && 'labels' in active ? (active as HTMLInputElement).labels?.[0]?.textContent : '';
    return (
      active?.ariaLabel ||
      label ||
      active?.querySelector('img')?.alt ||
      active?.textContent?.trim() ||
      ''
    ).slice(0, 60);
  });
const focusOn = (name: string) => expect.poll(focused).toBe(name);
async function tabTo(name: string, key: Press = 'Tab'): Promise<void> {
  for (let step = 0; step < 60 && (await focused()) !== name; step++) await tab.press(key);
  expect(await focused()).toBe(name);
}

/** What the bubbles say, from the first to the last; of ours what became of them, too. */
const bubbles = () =>
  tab.eval(() =>
    [...(document.querySelector('parley-chat')?.shadowRoot?.querySelectorAll('li.row') ?? [])].map(
      (row) =>
        `${row.querySelector('.content')?.textContent ?? ''}${row.matches('.mine') ? ` · ${/is-(\w+)/.exec(row.className)?.[1]}` : ''}`,
    ),
  );
const shows = (wanted: string[]) => expect.poll(bubbles).toEqual(wanted);
const sees = (words: string) => expect.poll(async () => (await bubbles()).join('\n')).toContain(words);

async function write(words: string): Promise<number> {
  await tab.fill(en.message, words);
  await tab.press('Enter');
  await sees(`${words} · sent`);
  return agent(service).conversationOf(words);
}

/** What the service keeps as the answer to the message with these words. */
async function kept(words: string): Promise<unknown> {
  const [row] = await service.db.query<{ content_attributes: Record<string, unknown> }>(
    'select content_attributes from messages where content = $1',
    [words],
  );
  return row?.content_attributes.submitted_values;
}

test('by keyboard alone: from the launcher to sent words, through the menu, and Escape gives the focus back', async () => {
  await goTo('keyboard');
  await expect.poll(() => tab.texts('button', /^Open chat/)).toHaveLength(1);
  await tabTo('Boots');
  await tabTo(en.openChat);
  await tab.press('Enter');
  await opened();
  await tab.type('Without a mouse');
  await tab.press('Enter');
  await shows(['Without a mouse · sent']);
  await focusOn(en.message);
  await tabTo(en.menu, 'Shift+Tab');
  await tab.press('Enter');
  await focusOn(en.conversations);
  await tab.press('ArrowUp');
  await focusOn(en.keep);
  await tab.press('Escape');
  await focusOn(en.menu);
  expect(await tab.texts('menuitem')).toEqual([]);
  await tab.press('Escape');
  await expect.poll(() => tab.texts('dialog', en.window)).toEqual([]);
  await focusOn(en.openChat);
  await tab.press('Enter');
  await opened();
});

test('a quick reply, a form and a rating are answered, and the service keeps the answers', async () => {
  await goTo('answers');
  await open();
  const conversation = await write('Ask me');
  const hear = async (content_type: string, content: string, content_attributes: object) => {
    await agent(service).tell(conversation, { content_type, content, content_attributes });
    await sees(content);
  };
  const items = [
    { title: 'Billing', value: 'billing' },
    { title: 'Delivery', value: 'delivery' },
  ];
  await hear('input_select', 'Which topic?', { items });
  await tab.click('button', 'Delivery');
  await expect.poll(() => kept('Which topic?')).toEqual([items[1]]);
  await expect.poll(() => tab.texts('button', /Billing|Delivery/)).toEqual([]);

  await hear('form', 'Your details', {
    button_label: 'Send details',
    items: [
      { name: 'city', label: 'City', type: 'text', required: true },
      { name: 'size', label: 'Size', type: 'select', options: [{ label: 'Medium', value: 'M' }] },
    ],
  });
  // Nothing is filled in: it says so, where it is. A press so soon after the last one, and in its place, would be a part of
  // that.
  await tabTo('Send details');
  await tab.press('Enter');
  await focusOn('City');
  await tab.type('Oslo');
  await tab.press('Tab');
  await tab.type('Medium');
  await tab.click('button', 'Send details');
  await expect
    .poll(() => kept('Your details'))
    .toEqual([
      { name: 'city', value: 'Oslo' },
      { name: 'size', value: 'M' },
    ]);
  await expect.poll(() => tab.texts('textbox', 'City')).toEqual([]);

  await hear('input_csat', 'How was it?', {});
  await tabTo(en.sendAnswer);
  await tab.press('Enter');
  await focusOn(en.rate1);
  await tab.press('ArrowRight');
  await tab.press('ArrowRight');
  await tab.press('ArrowRight');
  await focusOn(en.rate4);
  await tab.fill(en.feedback, 'Fast');
  await tab.click('button', en.sendAnswer);
  await expect
    .poll(() => kept('How was it?'))
    .toEqual({ csat_survey_response: { rating: 4, feedback_message: 'Fast' } });
});

test('an emoji and a file go with the words', async () => {
  const path = join(folder, 'list.txt');
  await writeFile(path, 'boots, hats');
  await goTo('sending');
  await open();
  await tab.type('Good morning');
  await tab.click('button', en.emoji);
  await focusOn(en.emojiSearch);
  await tab.type('sunrise');
  await tab.click('button', 'sunrise');
  await tab.press('Escape');
  await focusOn(en.message);
  await tab.attach(path);
  await expect.poll(() => tab.texts('listitem')).toContainEqual(expect.stringContaining('list.txt'));
  await tab.press('Enter');
  await shows(['Good morning🌅 · sent']);
  expect(await tab.texts('link', /^list\.txt/)).toHaveLength(1);
  const files = await service.db.query<{ name: string; size: number }>(
    `select a.file_name as name, a.file_size::int as size
     from attachments a join messages m on m.id = a.message_id where m.content = $1`,
    ['Good morning🌅'],
  );
  expect(files).toEqual([{ name: 'list.txt', size: 11 }]);
});

test('pictures are looked at by keyboard, and a quote leads to what it quotes', async () => {
  await goTo('pictures');
  await open();
  const conversation = await write('Show me');
  const form = new FormData();
  form.append('content', 'Here they are');
  form.append('attachments[]', new File([png(640, 400, [40, 120, 220])], 'sea.png'));
  form.append('attachments[]', new File([png(300, 500, [220, 120, 40])], 'sand.png'));
  await agent(service).tell(conversation, form);
  // The picture itself: until its file is here, a plain link stands in its place.
  await expect.poll(() => tab.texts('img', 'sea.png')).toHaveLength(1);
  await tabTo('sea.png', 'Shift+Tab');
  await tab.press('Enter');
  await expect.poll(() => tab.texts('dialog', 'sea.png')).toHaveLength(1);
  await focusOn(en.closePicture);
  await tab.press('ArrowRight');
  await expect.poll(() => tab.texts('img', 'sand.png')).not.toEqual([]);
  await expect.poll(() => tab.texts('dialog', 'sand.png')).toHaveLength(1);
  await tab.press('Escape');
  await focusOn('sea.png');
  expect(await tab.texts('dialog', en.window)).toHaveLength(1);

  const [first] = await agent(service).messages(conversation);
  await agent(service).tell(conversation, {
    content: 'As you said',
    content_attributes: { in_reply_to: first?.id },
  });
  await tab.click('button', say('quoted', { name: say('you'), words: 'Show me' }));
  await expect
    .poll(() =>
      tab.eval(() => {
        const active = document.querySelector('parley-chat')?.shadowRoot?.activeElement;
        return active?.closest('li.row')?.querySelector('.content')?.textContent;
      }),
    )
    .toBe('Show me');
});

test('a second conversation is begun, the first one found again, ended, and a new one begun', async () => {
  await goTo('several');
  await open();
  const pick = async (name: string) => {
    await tab.click('button', en.menu);
    await tab.click('menuitem', name);
  };
  const first = await write('About boots');
  await agent(service).answer(first, 'Which boots?');
  await shows(['About boots · sent', 'Which boots?']);
  await pick(en.newConversation);
  await shows([]);
  await write('About hats');
  await pick(en.conversations);
  await tab.click('button', /Which boots\?/);
  await shows(['About boots · sent', 'Which boots?']);
  await pick(en.endChat);
  await tab.click('button', en.endChat);
  const state = async () =>
    (await service.db.query('select status from conversations where display_id = $1', [first]))[0];
  await expect.poll(state).toEqual({ status: 'resolved' });
  await tab.click('button', en.startNew);
  await shows([]);
  await focusOn(en.message);
});

test('it is dark where the owner says so, and goes over to Arabic while it is open', async () => {
  await goTo('dark', 'data-scheme="dark"');
  await open();
  await tab.type('half a sen');
  const look = () =>
    tab.eval(() => {
      const root = document.querySelector('parley-chat')?.shadowRoot;
      const [field, send] = ['textarea', '.composer button:last-of-type'].map((one) =>
        root?.querySelector(one),
      );
      const panel = root?.querySelector('dialog');
      const [red = 255] = panel
        ? (getComputedStyle(panel).backgroundColor.match(/[\d.]+/g) ?? []).map(Number)
        : [];
      return {
        draft: field instanceof HTMLTextAreaElement && field.value,
        dark: red < 60,
        sendOnTheLeft: (send?.getBoundingClientRect().left ?? 0) < (field?.getBoundingClientRect().left ?? 0),
      };
    });
  expect(await look()).toEqual({ draft: 'half a sen', dark: true, sendOnTheLeft: false });
  await tab.eval(() => window.parley?.setLocale('ar'));
  await expect.poll(() => tab.texts('heading', arabic('title'))).toHaveLength(1);
  expect(await look()).toEqual({ draft: 'half a sen', dark: true, sendOnTheLeft: true });
  await focusOn(arabic('message'));
});

test('what is asked before the first words is answered, and comes with them', async () => {
  const questions = JSON.stringify([
    { name: 'name', required: true },
    { name: 'email', type: 'email', required: true },
    { name: 'topic', label: 'Topic', type: 'select', options: ['Boots', 'Hats'], required: true },
    { name: 'terms', label: 'I agree', type: 'consent' },
  ]);
  await goTo('questions', `data-pre-chat='${questions}'`);
  await tab.click('button', /^Open chat/);
  // The questions have their place once the welcome has its own: a press by place could meet another control.
  await expect.poll(() => tab.texts('heading', en.emptyTitle)).toHaveLength(1);
  await tab.click('button', en.askGo);
  await focusOn(en.askName);
  await tab.type('Ada');
  await tab.press('Tab');
  await tab.type('ada@journey.example');
  await tab.press('Tab');
  await tab.type('Hats');
  await tab.press('Tab');
  await tab.press('Space');
  await tab.click('button', en.askGo);
  await focusOn(en.message);
  const conversation = await write('Do you have hats?');
  const { body } = await service.agent('GET', `/api/v1/accounts/1/conversations/${conversation}`);
  expect(stored.parse(body)).toEqual({
    custom_attributes: { topic: 'Hats', terms: true },
    meta: { sender: { name: 'Ada', email: 'ada@journey.example' } },
  });
});

const stored = z.object({
  custom_attributes: z.unknown(),
  meta: z.object({ sender: z.object({ name: z.string(), email: z.string() }) }),
});
