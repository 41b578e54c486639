/** A visitor and an agent who can say anything that the account API sends, and what the service keeps of the answers. */
import type { Browser, Page } from 'playwright-core';
import { agent, chat, openShop, type Shop, type ShopService } from './browser.js';

export interface Talk extends Shop {
  conversation: number;
  /** An agent's message of this kind; resolves when its words are there. */
  hear(type: string, words: string, attributes: object): Promise<void>;
  /** What the service keeps as the answer to the message with these words. */
  kept(words: string): Promise<unknown>;
  /** How many messages the service has. */
  count(): Promise<number>;
}

/** A visitor who has said hello. */
export async function talk(browser: Browser, service: ShopService, hello: string): Promise<Talk> {
  const shop = await openShop(browser, `${service.url}/`);
  await chat(shop.page).open();
  await chat(shop.page).say(hello);
  const conversation = await agent(service).conversationOf(hello);
  const rows = () => agent(service).messages(conversation);
  return {
    ...shop,
    conversation,
    async hear(content_type, content, content_attributes) {
      await agent(service).tell(conversation, { content_type, content, content_attributes });
      await chat(shop.page).bubble(content).waitFor();
    },
    async kept(words) {
      const found = (await rows()).find(({ content }) => content === words);
      const [row] = await service.db.query<{ content_attributes: Record<string, unknown> }>(
        'select content_attributes from messages where id = $1',
        [found?.id],
      );
      return row?.content_attributes.submitted_values;
    },
    count: async () => (await rows()).length,
  };
}

export const inside = (page: Page, words: string) => chat(page).bubble(words);
