import { expect, test } from 'vitest';
import type { App } from '../support/app.js';
import { agent, chat, useShop } from '../support/browser.js';
import { INBOX, ownPage, query, quiet, startInApp } from '../support/chat-page.js';
import { waitLonger } from '../support/patience.js';

const { browser, service } = await useShop();

/** chat.html in an app. */
const start = startInApp(browser, service);
/** In one that says what it has kept before the page has waited its three seconds for it. */
const startPrompt = (asked: string, before: (app: App) => void = () => {}, path?: string) =>
  start(
    'React Native',
    asked,
    (page, app) => {
      void waitLonger(page, 3_000);
      before(app);
    },
    path,
  );

test('where the web view keeps nothing the app does, and the conversation goes on after it is loaded again', async () => {
  const store = new Map<string, string>();
  const keep = (app: App) => {
    app.answer('ready', ({ needs }) =>
      JSON.stringify(needs).includes('kept')
        ? { parley: 1, type: 'kept', facts: Object.fromEntries(store) }
        : undefined,
    );
    app.answer('keep', ({ key, value }) => {
      if (typeof value === 'string') store.set(`${key}`, value);
      else store.delete(`${key}`);
    });
  };
  // A web view whose pages have no origin of their own: the browser itself refuses them localStorage and IndexedDB.
  const path = await service.page('refused', ownPage({}), {
    'Content-Security-Policy': 'sandbox allow-scripts allow-forms',
  });
  const visit = () => startPrompt(query, keep, path);

  const first = await visit();
  expect(await first.app.hear('ready')).toMatchObject({ needs: ['kept'] });
  await first.app.hear('open');
  expect(
    await first.page.evaluate(() => {
      try {
        return sessionStorage.length;
      } catch (error) {
        return error instanceof DOMException && error.name;
      }
    }),
  ).toBe('SecurityError');
  await chat(first.page).say('Kept by the app');
  const conversation = await agent(service).conversationOf('Kept by the app');
  await chat(first.page).field.fill('A draft that stays');
  const scope = `parley:${service.url}#${INBOX}`;
  await expect.poll(() => store.get(`${scope}:draft`)).toBe('"A draft that stays"');
  expect([...store.keys()].every((key) => key.startsWith(scope))).toBe(true);
  await quiet(first.shop);
  await first.shop.close();

  const second = await visit();
  await chat(second.page).bubble('Kept by the app').waitFor();
  expect(await chat(second.page).field.inputValue()).toBe('A draft that stays');
  await chat(second.page).say('And again');
  expect(await agent(service).conversationOf('And again')).toBe(conversation);
  // The visitor logs out: the app forgets them, too.
  await second.app.say({ parley: 1, type: 'reset', id: 'out' });
  await second.app.hear('done', ({ id }) => id === 'out');
  // Noted at once: the app may put the page away before it is done.
  const kept = second.app.of('keep').filter(({ key }) => key === `${scope}:leave`);
  expect(kept.map(({ value }) => value)).toEqual(['"reset"', null]);
  await expect.poll(() => store.has(scope)).toBe(false);
  await second.app.say({ parley: 1, type: 'kept', facts: {} });
  expect((await second.app.hear('error')).of).toBe('kept');
  await second.shop.close();
});

test('words that wait are kept by the app that keeps, though a database would open', async () => {
  const words = 'Written in a tunnel';
  const { app, shop, page } = await startPrompt(`${query}&keep=app`);
  await app.hear('ready');
  await app.say({ parley: 1, type: 'kept', facts: {} });
  await app.hear('open');
  // The field comes before the engine, which keeps the words and first says that this is a fresh conversation.
  await chat(page).host.locator('dialog[data-fresh]').waitFor();
  await shop.page.context().setOffline(true);
  await chat(page).say(words);
  await app.hear('keep', ({ key, value }) => `${key}`.endsWith(':ledger') && `${value}`.includes(words));
  const facts: Record<string, string> = {};
  for (const one of app.heard)
    if (one.type === 'keep') {
      if (typeof one.value === 'string') facts[`${one.key}`] = one.value;
      else delete facts[`${one.key}`];
    }
  await shop.close();

  // The web view has forgotten everything.
  const next = await startPrompt(`${query}&keep=app`);
  await next.app.hear('ready');
  await next.app.say({ parley: 1, type: 'kept', facts });
  await agent(service).conversationOf(words);
  await chat(next.page).bubble(words).waitFor();
  await next.shop.close();
});

test('an app that fails at one thing that it shall keep is told of the others, and of the same one later', async () => {
  const { app, shop, page } = await startPrompt(`${query}&keep=app`);
  await app.hear('ready');
  await app.say({ parley: 1, type: 'kept', facts: {} });
  await app.hear('open');
  await page.evaluate(() => {
    const native = Reflect.get(window, 'ReactNativeWebView');
    const post = native.postMessage;
    native.postMessage = (text: string) => {
      if (!text.includes('parley:one')) return post(text);
      native.postMessage = post;
      throw new Error('the app is wrong here');
    };
    for (const name of ['one', 'two']) localStorage.setItem(`parley:${name}`, 'a');
  });
  await app.hear('keep', ({ key }) => key === 'parley:two');
  await page.evaluate(() => localStorage.setItem('parley:one', 'b'));
  await app.hear('keep', ({ key, value }) => key === 'parley:one' && value === 'b');
  // It is the app's, and not ours to swallow.
  await expect.poll(() => shop.errors).toEqual(['Error: the app is wrong here']);
  await shop.close();
});

test('what an app that was late has kept stays as it is, and where it had nothing it keeps from then on', async () => {
  const late = async () => {
    const begun = await start('React Native', `${query}&keep=app`);
    await begun.app.hear('ready');
    // It is waited for no longer.
    await begun.app.hear('error');
    await begun.app.hear('open');
    return begun;
  };
  const draft = (key: unknown) => `${key}`.endsWith(':draft');
  const keeps = async ({ page, app }: Awaited<ReturnType<typeof late>>, words: string) => {
    await chat(page).field.fill(words);
    await page.waitForFunction(
      (written) => Object.keys(localStorage).some((key) => localStorage.getItem(key) === written),
      JSON.stringify(words),
    );
    return app.of('keep').filter(({ key }) => draft(key)).length;
  };
  const known = await late();
  expect(await keeps(known, 'Not over the old ones')).toBe(0);
  await known.app.say({ parley: 1, type: 'kept', facts: { 'parley:before': '1' } });
  await known.app.hear('error', ({ of }) => of === 'kept');
  expect(await keeps(known, 'Nor later')).toBe(0);
  expect(known.app.of('keep')).toEqual([]);
  // But whoever leaves is not there again the next time.
  await known.app.say({ parley: 1, type: 'reset', id: 'out' });
  await known.app.hear('done', ({ id }) => id === 'out');
  expect(known.app.of('keep').map(({ value }) => value)).toEqual(['"reset"']);
  await known.shop.close();

  const fresh = await late();
  expect(await keeps(fresh, 'Kept when it is sure')).toBe(0);
  await fresh.app.say({ parley: 1, type: 'kept', facts: {} });
  await fresh.app.hear('keep', ({ key, value }) => draft(key) && value === '"Kept when it is sure"');
  await chat(fresh.page).field.fill('And from then on');
  await fresh.app.hear('keep', ({ key, value }) => draft(key) && value === '"And from then on"');
  await fresh.shop.close();
});

test.each(['there at once', 'there with its sign'])(
  'an app whose handler is %s hears each thing once, and nothing is lost',
  async (when) => {
    const { app, page, shop } = await start('Flutter, a handler', query, (page) => {
      if (when === 'there at once') return;
      void page.addInitScript(() => {
        const own = Object(Reflect.get(window, 'flutter_inappwebview'));
        const { callHandler } = own;
        delete own.callHandler;
        addEventListener('flutterInAppWebViewPlatformReady', () => Object.assign(own, { callHandler }), true);
      });
    });
    await chat(page).field.waitFor();
    if (when === 'there at once') await app.hear('open');
    await page.evaluate(() => window.dispatchEvent(new Event('flutterInAppWebViewPlatformReady')));
    await app.hear('open');
    const words = `Said to a handler, ${when}`;
    await chat(page).say(words);
    await agent(service).conversationOf(words);
    await app.hear('message');
    const types = app.heard.map(({ type }) => type);
    expect(types.filter((type) => type === 'ready' || type === 'open')).toEqual(['ready', 'open']);
    await quiet(shop);
    await shop.close();
  },
);
