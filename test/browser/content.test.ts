/**
 * Thousands of hostile texts through every sink of text, and every field of every answer with a value of another
 * kind, in a real browser. Nothing runs, nothing is requested, nothing stands in the widget that it did not make.
 * The service is a stub (`hostile-service.ts`): the real one refuses to say most of this.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { calm } from '../../src/content/clean.js';
import { confusions, few } from '../content/confusion.js';
import { type HostileService, honest, startHostileService } from '../content/hostile-service.js';
import { inspect, ledger, listening, shows, visit, type Watched, watched } from '../content/inspect.js';
import { payloads } from '../content/payloads.js';
import { useBrowser } from '../support/browser.js';

const browser = await useBrowser();
let service: HostileService;
let seen: Watched;
let usual: string[];

beforeAll(async () => {
  service = await startHostileService();
});
afterAll(() => service.end());

const message = (id: number, content: unknown, more: object = {}) => ({
  id,
  content,
  message_type: 1,
  content_type: 'text',
  content_attributes: {},
  created_at: 1_760_000_000 + id,
  conversation_id: 1,
  sender: { id, name: 'Grace', type: 'user' },
  ...more,
});
const failed = (content: string, i: number) => ({
  echoId: `kept-${i}`,
  content,
  queuedAt: 1_760_000_000_000,
  files: [{ name: content, type: content, size: 1 }],
  state: 'failed',
  attempts: 1,
  status: 422,
});

beforeEach(async () => {
  seen = await watched(browser, service);
  // A harmless conversation with one of everything, to know what stands around the messages.
  service.says = { ...honest(), history: [message(1, '**Hello**\n- a')] };
  await visit(seen.page, service, { draft: 'a draft' });
  await listening(service, seen.page);
  service.event('conversation.typing_on', {
    conversation: { id: 1 },
    user: { id: 1, name: 'Grace', avatar_url: 'https://files.example/a.png' },
  });
  await seen.page.locator('parley-chat .typing').waitFor({ state: 'attached' });
  // Where a hostile answer leaves a conversation without messages, the window says that it is a fresh one.
  usual = [...(await inspect(seen.page)).strangers, 'dialog[data-fresh]'];
  seen.abroad.length = 0;
});
afterEach(() => seen.context.close());

async function harmless() {
  expect(await inspect(seen.page, usual)).toEqual({ ran: [], broken: [], strangers: [], outside: [] });
  expect({ console: seen.console, errors: seen.errors, dialogs: seen.dialogs, popups: seen.popups }).toEqual({
    console: [],
    errors: [],
    dialogs: [],
    popups: [],
  });
}

const file = (id: number, more: object) => ({
  id,
  file_type: 'file',
  data_url: 'https://files.example/x.pdf',
  ...more,
});

/** A message for each payload that has it wherever a message has text, and one of the visitor's own. */
const told = (texts: readonly string[]) =>
  texts.flatMap((text, i) => [
    message(4 * i + 10, text, {
      message_type: i % 5 ? 1 : 3,
      content_type: i % 7 ? 'text' : text,
      content_attributes: {
        deleted: text,
        items: [{ title: text, description: text, media_url: text }],
        [text]: text,
      },
      sender: { id: i, type: text, thumbnail: text, ...(i % 2 ? { name: text } : { available_name: text }) },
    }),
    message(4 * i + 11, null, {
      sender: { id: -i - 1, name: text, avatar_url: text },
      attachments: [
        file(1, { fallback_title: text, extension: text }),
        file(2, { data_url: text, thumb_url: text, file_type: 'image' }),
        file(3, { data_url: 'https://files.example/y.png', thumb_url: text, file_type: 'image' }),
        file(4, { data_url: text, extension: text, file_type: text }),
        file(5, { data_url: `https://files.example/${encodeURIComponent(Buffer.from(text).toString())}` }),
      ],
    }),
    message(4 * i + 12, text, { message_type: 0, sender: null }),
  ]);

const CHUNK = 350;
const chunks = Array.from({ length: Math.ceil(payloads.length / CHUNK) }, (_, i) =>
  payloads.slice(i * CHUNK, (i + 1) * CHUNK),
);

test('payloads in every sink run nothing, fetch nothing and bring nothing in', async () => {
  expect(payloads.length).toBeGreaterThanOrEqual(3000);
  for (const texts of chunks) {
    service.says = {
      ...honest(),
      contact: { ...(honest().contact as object), name: texts[0], email: texts[1], phone_number: texts[2] },
      history: [...told(texts), message(100_000, '**The end**')],
      sent: {
        status: 422,
        body: {
          description: texts[0],
          message: texts[1],
          errors: texts.map((t) => ({ field: t, message: t, code: t })),
        },
      },
    };
    const unsent = {
      echoId: 'unsent',
      content: 'Hello',
      queuedAt: 1,
      files: [],
      state: 'queued',
      attempts: 0,
    };
    await visit(seen.page, service, {
      draft: texts.join('\n'),
      ledger: ledger([...texts.map(failed), unsent]),
    });
    await shows(seen.page, 'The end', '.rows strong');
    await shows(seen.page, 'Hello', '.is-failed');
    // The words did arrive: the visitor's own are shown as they are.
    const own = await seen.page
      .locator('parley-chat .mine:not(.is-failed) .content')
      .evaluateAll((all) => all.map((element) => element.textContent));
    const plain = (text: string) => calm(text);
    const expected = texts.filter((text) => text.length <= 2000 && !text.includes('://')).map(plain);
    expect(expected.filter((text) => text && !own.includes(text))).toEqual([]);
    await harmless();
  }
  // Pictures of other hosts wait for the visitor.
  expect(seen.abroad).toEqual([]);
}, 240_000);

test('payloads as the name of who types, and as a draft that another tab wrote', async () => {
  const { page } = seen;
  await page.evaluate(() => {
    const root = document.querySelector('parley-chat')?.shadowRoot;
    const names = new Set<string>();
    Object.assign(window, { testNames: names });
    if (root)
      new MutationObserver(() => names.add(root.querySelector('.typing .sr')?.textContent ?? '')).observe(
        root,
        {
          childList: true,
          characterData: true,
          subtree: true,
        },
      );
  });
  // One frame is one task, so that each of them is rendered.
  for (const text of payloads)
    service.event('conversation.typing_on', {
      conversation: { id: 1 },
      user: { id: 1, name: text, avatar_url: text },
    });
  service.event('message.created', message(100_001, 'All typed'));
  await shows(page, 'All typed');
  const rendered = await page.evaluate(() => (Reflect.get(window, 'testNames') as Set<string>).size);
  expect(rendered).toBeGreaterThan(2500);

  const wrong = await page.evaluate(
    async ({ key, texts }) => {
      const field = document.querySelector('parley-chat')?.shadowRoot?.querySelector('textarea');
      const others: string[] = [];
      for (const text of texts) {
        const newValue = JSON.stringify(text);
        dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: localStorage }));
        await new Promise((drawn) => setTimeout(drawn));
        // A field has one kind of line end.
        if (field?.value !== text.replace(/\r\n?/g, '\n')) others.push(text);
      }
      return others;
    },
    { key: `${service.scope}:draft`, texts: [...payloads] },
  );
  expect(wrong).toEqual([]);
  await harmless();
  // Pictures of other hosts wait for the visitor.
  expect(seen.abroad).toEqual([]);
}, 240_000);

test('a value of another kind in any field of a frame is nobody and nothing', async () => {
  const whole = {
    ...message(1, 'Hello'),
    private: false,
    status: 'sent',
    echo_id: 'e',
    sender: { id: 1, name: 'n', available_name: 'a', avatar_url: 'u', thumbnail: 't', type: 'user' },
    attachments: [
      file(1, { thumb_url: '', extension: 'pdf', fallback_title: 'f', file_size: 1, width: 1, height: 1 }),
    ],
    content_attributes: { deleted: false, items: [{ title: 't', actions: [{ type: 'link', uri: 'u' }] }] },
    conversation: { id: 1 },
    user: { id: 1, name: 'n', available_name: 'a', avatar_url: 'u', thumbnail: 't', type: 'user' },
    is_private: false,
  };
  let id = 1000;
  let count = 0;
  const alive = async () => {
    service.event('message.created', message(id++, `Still here ${count}.`));
    await shows(seen.page, `Still here ${count}.`);
  };
  const tell = async (confused: unknown, events: string[]) => {
    // Fifty messages that change all the time: a page with a thousand would be slow for no reason.
    const own = typeof confused === 'object' && confused && Reflect.get(confused, 'id') === 1;
    const data = own ? { ...confused, id: 100 + (count % 50) } : confused;
    for (const event of events) service.event(event, data);
    // So that the page keeps up, and a failure is near its cause.
    if (++count % 25 === 0) await alive();
  };
  for (const confused of confusions(whole)) {
    await tell(confused, [
      'message.created',
      'message.updated',
      'conversation.typing_on',
      'conversation.updated',
    ]);
    service.event('presence.update', { users: confused });
  }
  for (const confused of confusions(whole, ['A'.repeat(1_000_000)]))
    await tell(confused, ['message.created', 'conversation.typing_on']);
  await alive();
  await harmless();
  expect(count).toBeGreaterThan(500);
}, 240_000);

test('a value of another kind in any answer or in storage leaves a chat that can be used', async () => {
  const { contact, conversations } = honest();
  const entry = failed('Hello', 1);
  const book = ledger([entry]);
  const history = [{ id: 1, content: 'Hello', message_type: 1 }];
  const odd = [...confusions({ contact, conversations, history }, few)];
  const books = [...confusions(book, few)];
  const rounds = Math.max(odd.length, books.length);
  const { page } = seen;
  // What an empty conversation says, and what stands there until it is known.
  usual.push('<h3>', 'div[aria-hidden]');
  for (let i = 0; i < rounds; i++) {
    service.says = { ...honest(), ...(odd[i % odd.length] as object) };
    const kept = books[i % books.length];
    await visit(page, service, { ledger: kept, draft: kept });
    await page.locator('parley-chat textarea[enterkeyhint]').fill('Can I write?');
    await harmless();
  }
}, 240_000);
