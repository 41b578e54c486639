/**
 * Visitors of a service of their own for one test file: tabs that are closed after each test, the proof of who somebody
 * is, and what is said on both sides. It does not know what is tested.
 */
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, expect } from 'vitest';
import type { Env } from '../../src/env.js';
import type { ChatOptions } from '../../src/state/chat-options.js';
import { answerAsReference } from './as-reference.js';
import { startFaultProxy } from './fault-proxy.js';
import { startTestService } from './service.js';
import { openTab, type Profile, type Tab, until } from './tab.js';

/** @param asReference the service answers as the public deployment does, which is stricter in nothing and says less */
export async function useVisitors({ asReference = false } = {}) {
  const service = await startTestService({ forgetEchoId: asReference });
  const proxy = asReference ? await startFaultProxy(service.url) : undefined;
  if (proxy) answerAsReference(service, proxy);
  const [inbox] = await service.db.query<{ hmac_token: string }>(
    'select hmac_token from inboxes where id = 1',
  );
  const tabs: Tab[] = [];
  afterEach(() => {
    for (const tab of tabs.splice(0)) tab.close();
  });
  afterAll(async () => {
    await proxy?.stop();
    await service.end();
  });

  const hashOf = (identifier: string) =>
    createHmac('sha256', inbox?.hmac_token ?? '')
      .update(identifier)
      .digest('hex');
  const saidIn = (tab: Tab, content: string) =>
    until(tab.chat.$rows, (rows) => !!rows?.some((row) => row.content === content && row.state === 'sent'));

  return {
    service,
    hashOf,
    /** It has arrived. */
    saidIn,
    open(profile: Profile, change: Partial<Env> = {}, options: Partial<ChatOptions> = {}): Tab {
      const { inboxIdentifier } = service;
      const { url: baseUrl } = proxy ?? service;
      const tab = openTab(profile, { baseUrl, inboxIdentifier, ...options }, change);
      tabs.push(tab);
      return tab;
    },
    proven: (tab: Tab, identifier: string) =>
      tab.chat.identify({ identifier, identifier_hash: hashOf(identifier) }),
    /** Sends, and waits until it has arrived and waits no more: then it can be left. @returns the conversation */
    async say(tab: Tab, words: string): Promise<number> {
      expect((await tab.chat.send(words)).ok).toBe(true);
      const rows = await saidIn(tab, words);
      const waiting = async () => (await tab.chat.kept()).waiting.map(({ content }) => content);
      await expect.poll(waiting).not.toContain(words);
      return rows?.find((row) => row.content === words)?.message?.conversation_id ?? 0;
    },
    reads: (tab: Tab, words: string[]) =>
      until(tab.chat.$rows, (rows) => rows?.map((row) => row.content).join() === words.join()),
    async answer(conversation: number, content: string): Promise<void> {
      const path = `/api/v1/accounts/1/conversations/${conversation}/messages`;
      expect((await service.agent('POST', path, { content })).status).toBe(200);
    },
    contactOf: async (identifier: string) =>
      (
        await service.db.query<Record<string, unknown>>(
          `select c.id, c.name, c.email, c.phone_number, c.custom_attributes, p.hmac_verified
           from contacts c join contact_inboxes p on p.contact_id = c.id where c.identifier = $1 order by p.id`,
          [identifier],
        )
      ).map(({ id: _, ...row }) => row),
  };
}
