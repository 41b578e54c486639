/**
 * Messages with files on their way: has their files, tells how much has left, keeps the record of the attempt alive
 * while bytes move, and holds the visitor's wish to take one back. It does not know what becomes of a message afterwards.
 */
import { UPLOAD_LIMIT_MS } from '../api/inbox.js';
import { beat, type OutboxEntry } from '../model/ledger.js';
import type { KeptFile } from '../page-held.js';
import type { Session } from './session.js';

/** Far below the limit that other tabs count from the last beat. */
const BEAT_MS = UPLOAD_LIMIT_MS / 6;

/** @param tell how much has left, from 0 to 1; undefined when that is over */
export function createUploads(
  session: Session,
  tell: (echoId: string, fraction: number | undefined) => void,
) {
  const { env, api, update, $ledger } = session;
  const wishes = new Map<string, AbortController>();

  return {
    /** All its files; null when some were kept by a page that is gone, undefined when they cannot be read now. */
    async filesOf({ echoId, files }: OutboxEntry): Promise<KeptFile[] | null | undefined> {
      if (!files.length) return [];
      const kept = await session.store.files(echoId);
      if (!kept.ok) return undefined;
      return kept.value.length < files.length ? null : kept.value;
    },

    async send(
      sourceId: string,
      conversationId: number,
      message: OutboxEntry & { files: File[]; limitMs: number },
      bytes: number,
    ) {
      const { echoId, attempts } = message;
      const wish = new AbortController();
      wishes.set(echoId, wish);
      let beatAt = env.monotonic();
      const progress = (fraction: number) => {
        tell(echoId, fraction);
        if (env.monotonic() - beatAt < BEAT_MS) return;
        beatAt = env.monotonic();
        void update((ledger) => beat(ledger, echoId, attempts));
      };
      progress(0);
      const sent = await api.createMessage(sourceId, conversationId, message, {
        progress,
        cancel: wish.signal,
        bytes,
      });
      tell(echoId, undefined);
      return sent;
    },

    unwanted: (echoId: string) => wishes.get(echoId)?.signal.aborted === true,

    /** Resolves when the attempt is over, however it ended. */
    cancel: (echoId: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (
            !session.ended() &&
            $ledger.get().outbox.some((entry) => entry.echoId === echoId && entry.state === 'sending')
          )
            return;
          stop();
          resolve();
        };
        const stop = $ledger.listen(look);
        session.own(look);
        wishes.get(echoId)?.abort();
        look();
      }),
  };
}
