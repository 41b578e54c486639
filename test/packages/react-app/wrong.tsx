/** What must not compile. */
import { mount } from 'parley';
import { ParleyChat } from 'parley/react';

// @ts-expect-error An option that is not there.
export const unknown = <ParleyChat baseUrl="" inboxIdentifier="" colour="red" />;
// @ts-expect-error An inbox is needed.
export const without = <ParleyChat baseUrl="" />;
export const heard = (
  <ParleyChat
    baseUrl=""
    inboxIdentifier=""
    // @ts-expect-error It is a number.
    onUnread={(count: string) => count}
  />
);
// @ts-expect-error One of four.
mount({ baseUrl: '', inboxIdentifier: '', position: 'middle' });
