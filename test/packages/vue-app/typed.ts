/** What compiles and what must not; templates are looked at in the test, as those of the manuals are. */
import type { Parley } from 'parley';
import { ParleyChat, useParley } from 'parley/vue';
import { computed, createApp, defineComponent, h, type ShallowRef } from 'vue';

const options = { baseUrl: 'https://support.example.com', inboxIdentifier: 'inbox' };

export function useTyped() {
  const chat: Readonly<ShallowRef<Parley | undefined>> = useParley(options);
  const other = useParley(computed(() => ({ ...options, locale: 'de' })));
  // @ts-expect-error An inbox is needed.
  useParley({ baseUrl: '' });
  return { chat, other };
}
export const tag = h(ParleyChat, { options, inline: true, onUnread: (count: number) => count });
export const styled = h(ParleyChat, { options, class: 'place', key: 1 });
export const parent = defineComponent({ components: { ParleyChat } });
export const app = createApp(parent).component('ParleyChat', ParleyChat);
export const opened = (it: InstanceType<typeof ParleyChat>) => it.chat?.open();
// @ts-expect-error It is a number.
h(ParleyChat, { options, onUnread: (count: string) => count });

export const tell = (chat: Parley, user: { plan?: string; seats: number | null }) =>
  chat.setAttributes({ contact: { plan: user.plan, seats: user.seats }, conversation: { trial: false } });
export const name = (chat: Parley, user: { plan?: string | null }) =>
  chat.identify({ identifier: 'user-7', attributes: { plan: user.plan } });
// @ts-expect-error Texts, numbers, true and false.
export const list = (chat: Parley) => chat.setAttributes({ contact: { plans: ['Team'] } });
