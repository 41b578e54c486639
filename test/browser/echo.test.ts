/**
 * The echo of a message comes over the socket before the answer of its request, after it, or never; or the answer is
 * lost although the service has carried it out. Whatever happens there is one bubble, the same node all the time,
 * at its place, and one message at the service. With a service that knows our name for it, and with one that forgets.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  agent,
  chat,
  openShop,
  type Shop,
  type ShopService,
  said,
  startShopService,
  useBrowser,
  watchBubble,
} from '../support/browser.js';
import {
  dropAfter,
  dropFrame,
  type Fault,
  type FaultProxy,
  type FrameFault,
  hold,
  holdFrames,
  startFaultProxy,
} from '../support/fault-proxy.js';
import { startMs } from '../support/service.js';

const browser = await useBrowser();

const WORDS = 'Does the mug come in blue?';

describe.each([
  ['a service that keeps our name for a message', false],
  ['a service that forgets it', true],
])('with %s', (_, forgetEchoId) => {
  let service: ShopService;
  let proxy: FaultProxy;
  let shop: Shop;
  let conversation: number;
  const grace = () => agent(service);

  beforeAll(async () => {
    service = await startShopService({ forgetEchoId });
  }, startMs);
  afterAll(() => service.end());

  beforeEach(async () => {
    proxy = await startFaultProxy(service.url);
    shop = await openShop(browser, `${proxy.url}/`);
    await chat(shop.page).open();
    const opening = `Hello, this is visitor ${proxy.url}`;
    await chat(shop.page).say(opening);
    conversation = await grace().conversationOf(opening);
    // The line is up once the agent is heard.
    await grace().answer(conversation, 'Hello!');
    await chat(shop.page).bubble('Hello!').waitFor();
    await chat(shop.page).log.getByText('Sent', { exact: true }).waitFor({ state: 'attached' });
  });
  afterEach(async () => {
    await shop.close();
    await proxy.stop();
  });

  const onMessage = (fault: Fault) =>
    proxy.rule(({ method, path, body }) =>
      method === 'POST' && path.endsWith('/messages') && body.includes(WORDS) ? fault : undefined,
    );
  const onEcho = (fault: FrameFault) =>
    proxy.frameRule(({ direction, text }) =>
      direction === 'down' && text.includes('message.created') && text.includes(WORDS) ? fault : undefined,
    );

  const ours = () => chat(shop.page).bubble(WORDS);
  const isSent = () => expect.poll(() => ours().textContent()).toMatch(/Sent$/);
  const rows = async () =>
    (await grace().messages(conversation)).filter(({ content }) => content === WORDS).length;

  /** Said, answered by the agent, told apart by its node: the end of every story. */
  async function oneBubble(report: Awaited<ReturnType<typeof watchBubble>>) {
    await grace().answer(conversation, 'In three blues.');
    await chat(shop.page).bubble('In three blues.').waitFor();
    expect(await report()).toEqual({ nodes: 1, removed: 0, most: 1 });
    expect((await said(shop.page)).slice(1)).toEqual(['Hello!', WORDS, 'In three blues.']);
    expect(await rows()).toBe(1);
    expect(shop.errors).toEqual([]);
  }

  test('the echo may arrive before the answer', async () => {
    const answer = hold();
    onMessage(answer.fault);
    const report = await watchBubble(shop.page, WORDS);
    await chat(shop.page).say(WORDS);
    await answer.caught;
    await isSent();
    answer.release();
    await expect
      .poll(() => proxy.requests.filter(({ body, status }) => body.includes(WORDS) && status))
      .toHaveLength(1);
    await oneBubble(report);
  });

  test('the echo may arrive after the answer', async () => {
    const echo = holdFrames();
    onEcho(echo.fault);
    const report = await watchBubble(shop.page, WORDS);
    await chat(shop.page).say(WORDS);
    await isSent();
    await expect.poll(() => echo.count()).toBe(1);
    echo.release();
    await oneBubble(report);
  });

  test('the echo may never arrive', async () => {
    onEcho(dropFrame);
    const report = await watchBubble(shop.page, WORDS);
    await chat(shop.page).say(WORDS);
    await isSent();
    await oneBubble(report);
  });

  test('an answer that is lost after the commit is not missed when there is an echo', async () => {
    onMessage(dropAfter);
    const report = await watchBubble(shop.page, WORDS);
    await chat(shop.page).say(WORDS);
    await isSent();
    await oneBubble(report);
  });

  test('an answer and an echo that are both lost are found in history, and nothing is sent again', async () => {
    onMessage(dropAfter);
    onEcho(dropFrame);
    const report = await watchBubble(shop.page, WORDS);
    await chat(shop.page).say(WORDS);
    await isSent();
    expect(
      proxy.requests.filter(({ method, body }) => method === 'POST' && body.includes(WORDS)),
    ).toHaveLength(1);
    await oneBubble(report);
  });

  test('an answer of the agent that overtakes ours keeps its place', async () => {
    // 1. Ours is committed, its answer and its echo are held. 2. The agent answers. 3. Ours is confirmed.
    const answer = hold();
    const echo = holdFrames();
    onMessage(answer.fault);
    onEcho(echo.fault);
    const report = await watchBubble(shop.page, WORDS);
    await chat(shop.page).say(WORDS);
    await answer.caught;
    await grace().answer(conversation, 'One moment.');
    await chat(shop.page).bubble('One moment.').waitFor();
    answer.release();
    await isSent();
    echo.release();
    // What is told after the echo has come after it.
    await grace().answer(conversation, 'Yes, in blue.');
    await chat(shop.page).bubble('Yes, in blue.').waitFor();
    expect((await said(shop.page)).slice(1)).toEqual(['Hello!', WORDS, 'One moment.', 'Yes, in blue.']);
    expect(await report()).toMatchObject({ nodes: 1, most: 1 });
    expect(await rows()).toBe(1);
  });
});
