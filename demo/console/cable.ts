/**
 * The agents' socket: one subscription of the official Action Cable client, with a sign of life every 15 s.
 * Knows no store; hands on readable events only.
 * @see demo/service/cable.ts
 */
import { createConsumer } from '@rails/actioncable';
import { type DeskEvent, readEvent } from './wire/events.js';
import type { Profile } from './wire/schemas.js';

declare module '@rails/actioncable' {
  interface Consumer {
    readonly connection: { readonly webSocket?: WebSocket };
  }
}

/**
 * The service takes whoever has been silent for 20 s for gone. It pings every 3 s: every fifth time. By a timer a page
 * that is hidden for long would tell of itself once a minute.
 */
const BEAT_MS = 14_000;

export interface Listener {
  /** Subscribed, for the first time or again: what was missed must be read over REST. */
  onUp(): void;
  onDown(): void;
  onRefused(): void;
  onEvent(event: DeskEvent): void;
}

/** @returns closes the socket. */
export function openCable(profile: Profile, accountId: number, listener: Listener): () => void {
  const consumer = createConsumer('/cable');
  let isClosed = false;
  let beatAtMs = 0;

  function onFrame() {
    if (isClosed || performance.now() - beatAtMs < BEAT_MS) return;
    beatAtMs = performance.now();
    subscription.perform('update_presence');
  }

  const subscription = consumer.subscriptions.create(
    {
      channel: 'RoomChannel',
      pubsub_token: profile.pubsub_token,
      user_id: profile.id,
      account_id: accountId,
    },
    {
      connected() {
        if (isClosed) return void consumer.disconnect();
        beatAtMs = performance.now();
        consumer.connection.webSocket?.addEventListener('message', onFrame);
        listener.onUp();
      },
      disconnected() {
        if (!isClosed) listener.onDown();
      },
      rejected() {
        if (isClosed) consumer.disconnect();
        else listener.onRefused();
      },
      received(message: unknown) {
        const event = isClosed ? undefined : readEvent(message);
        if (event) listener.onEvent(event);
      },
    },
  );
  return () => {
    isClosed = true;
    // This closes no socket that is still being opened: the subscription stays, and the answer to it closes that one.
    consumer.disconnect();
  };
}
