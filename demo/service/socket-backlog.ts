/**
 * What the readers of sockets have not taken yet, each of them and all together. Who is too far behind is cut: it comes
 * back and catches up by REST. It does not know what is sent, nor who may hear it.
 */
import type { WebSocket } from 'ws';
import type { Limits } from './limits.js';

/** A reader this far behind is not reading. */
const mostOfOne = 4 * 1024 * 1024;
/** Of one while all of them together are kept too much: who is not behind stays. */
const mostWhenFull = 64 * 1024;

export interface Reader {
  /** Nothing is said to who is leaving. */
  send(text: string): void;
}

export interface SocketBacklog {
  bytes(): number;
  watch(socket: WebSocket): Reader;
}

export function countSocketBacklog({ silentBodyMs, socketBacklogBytes }: Limits): SocketBacklog {
  let together = 0;
  return {
    bytes: () => together,
    watch(socket) {
      let mine = 0;
      let takenAt = performance.now();
      const count = (bytes: number) => {
        together += bytes - mine;
        mine = bytes;
      };
      const taken = () => {
        takenAt = performance.now();
        if (socket.readyState !== socket.CLOSED) count(socket.bufferedAmount);
      };
      socket.once('close', () => count(0));
      return {
        send(text) {
          if (socket.readyState !== socket.OPEN) return;
          const waiting = socket.bufferedAmount;
          if (waiting === 0) takenAt = performance.now();
          const isStuck = performance.now() - takenAt > silentBodyMs;
          if (isStuck || waiting > (together > socketBacklogBytes ? mostWhenFull : mostOfOne)) {
            socket.terminate();
            count(0);
          } else {
            socket.send(text, taken);
            count(socket.bufferedAmount);
          }
        },
      };
    },
  };
}
